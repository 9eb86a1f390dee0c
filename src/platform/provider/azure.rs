//! Microsoft Azure.

use super::{Facts, Mark, MarkValue, Provider, Spot, TypeNames, ZoneNames, ZoneNetwork, Zones};
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

/// Fields of an image: its id, or for a marketplace image its publisher and SKU.
pub const IMAGE_ID: &str = "image.resourceID";
pub const IMAGE_PUBLISHER: &str = "image.publisher";
pub const IMAGE_SKU: &str = "image.sku";

/// Whether an image, by its id, is for VMs of generation 1.
pub fn is_generation_1_id(id: &str) -> bool {
    !id.split('/').any(|part| part.ends_with("-gen2"))
}

/// Whether a marketplace image is for VMs of generation 1. Red Hat's images are generation 2 unless their
/// name says otherwise; those of Azure Red Hat OpenShift are generation 1: `aro_419`, but `419-v2`.
pub fn is_generation_1_sku(publisher: Option<&str>, sku: &str) -> bool {
    if publisher == Some("azureopenshift") { !sku.ends_with("-v2") } else { sku.contains("gen1") }
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
