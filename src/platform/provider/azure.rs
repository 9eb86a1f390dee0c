//! Microsoft Azure.

use super::{Facts, Mark, MarkValue, Provider, Spot, TypeNames, ZoneNames, ZoneNetwork, Zones, field};
use crate::krm::{Fault, FieldPath, Resource};
use crate::platform::instance_name::{TypeName, leading_number};

pub const FACTS: Facts = Facts {
    name: "Azure",
    kind: "AzureMachineProviderSpec",
    size: Some("vmSize"),
    hardware: None,
    gpus: None,
    region: Some("location"),
    zones: Some(Zones {
        field: "zone",
        names: ZoneNames::Numbers(&["1", "2", "3"]),
        network: ZoneNetwork::Shared,
        copies: &[],
        suffixed: &[],
        bound: &[],
    }),
    spot: Some(Spot {
        mark: Mark { field: "spotVMOptions", value: MarkValue::Present },
        newer: None,
        allows_both: false,
        conflict: None,
    }),
    reservation: Some("capacityReservationGroupID"),
    cluster_ids: &[],
    scales_from_zero: true,
    type_names: Some(TypeNames {
        parse: type_name,
        // "N" is for machines with GPUs and other accelerators.
        lacks_gpus: |series| !series.starts_with('N'),
        takes_gpus: None,
        is_arm,
    }),
};

/// Models of GPUs whose sizes need an image for VMs of generation 2.
pub const GENERATION_2_MODELS: [&str; 4] = ["a100", "h100", "h100-nvl", "h200"];

/// The field whose value shows that the image is for VMs of generation 1, if one does.
pub fn generation_1_image(set: &Resource) -> Result<Option<FieldPath>, Fault> {
    let text = |path: &FieldPath| set.get::<String>(path);
    let by_id = field("image.resourceID");
    let id = text(&by_id)?.unwrap_or_default();
    if !id.is_empty() {
        let is_generation_2 = id.split('/').any(|part| part.ends_with("-gen2"));
        return Ok((!is_generation_2).then_some(by_id));
    }
    // An image of the marketplace. Red Hat's are of generation 2 unless their name tells otherwise; those of Azure
    // Red Hat OpenShift are of generation 1: `aro_419`, but `419-v2`.
    let sku = field("image.sku");
    let is_aro = text(&field("image.publisher"))?.as_deref() == Some("azureopenshift");
    let is_generation_1 =
        text(&sku)?.is_some_and(|sku| if is_aro { !sku.ends_with("-v2") } else { sku.contains("gen1") });
    Ok(is_generation_1.then_some(sku))
}

/// `Standard_<family><processors>[<attributes>][_<accelerator>][_<version>]`: `Standard_NC4as_T4_v3`.
fn type_name(name: &str) -> Option<TypeName<'_>> {
    let rest = name.strip_prefix("Standard_").or_else(|| name.strip_prefix("Basic_"))?;
    let letters = rest.find(|c: char| !c.is_ascii_uppercase())?;
    let (family, rest) = rest.split_at(letters);
    let size = leading_number(rest)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_type = !family.is_empty() && rest.chars().all(is_plain);
    is_type.then_some(TypeName { cloud: Provider::Azure, family, size })
}

/// `Standard_D4ps_v5`: a `p` among the letters after the number of processors.
fn is_arm(name: &str) -> bool {
    let name = name.strip_prefix("Standard_").unwrap_or(name);
    let rest = name.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    letters.chars().take_while(char::is_ascii_lowercase).any(|c| c == 'p')
}
