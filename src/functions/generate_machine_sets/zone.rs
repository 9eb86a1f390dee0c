//! Another zone for a copy: best is the worker MachineSet of that zone, which has its own subnet.

use super::Planned;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::machine::{Provider, provider_field, provider_fields};
use crate::platform::zone as zones;

/// On AWS, takes the subnet of a worker MachineSet of the zone whose machines have another architecture: the subnet
/// belongs to the zone.
pub fn take_subnet(set: &mut Resource, wanted: &Planned<'_>) -> Result<(), Fault> {
    let subnet = provider_field("subnet");
    match wanted.neighbour.filter(|neighbour| neighbour.provider == Provider::Aws) {
        Some(neighbour) => match neighbour.resource.value(&subnet)? {
            Some(value) => set.set(&subnet, value),
            None => set.remove(&subnet),
        },
        None => Ok(()),
    }
}

/// Replaces the template's zone.
pub fn set(set: &mut Resource, wanted: &Planned<'_>, zone: &str, results: &mut Results) -> Result<(), Fault> {
    let template = wanted.template;
    let Some(path) = template.provider.zone() else {
        let message =
            format!("{} has no zones; the machines are where the template's are", template.provider.name());
        results.error("zone", message).in_config(wanted.field("zones"));
        return Ok(());
    };
    if let Some(objection) = objection(wanted, zone) {
        results.error("zone", objection).in_config(wanted.zone_field());
        return Ok(());
    }
    if let Some(doubt) = doubt(wanted, zone) {
        results.warning("unlisted-zone", doubt).in_config(wanted.zone_field());
    }
    for bound in ["placementGroupName", "placement.host", "capacityReservationId"] {
        let field = provider_field(bound);
        let there = set.value(&field)?.filter(|there| !there.is_null() && there != "");
        if template.zone.as_deref() != Some(zone) && there.is_some() {
            let message = format!("this is bound to a zone, and may not be available in {}", quoted(zone));
            results.warning("bound-to-zone", message).field(template.resource, &field);
        }
    }
    match template.provider {
        Provider::Aws if wanted.neighbour.is_some() => {}
        Provider::Aws => subnets(set, wanted, zone, results)?,
        Provider::OpenStack => servers(set, template.zone.as_deref(), zone)?,
        // A failure domain is a cluster and subnets of its own.
        Provider::Nutanix => {
            let message = format!(
                "no worker MachineSet is of the failure domain {}, whose cluster and subnets its machines need",
                quoted(zone)
            );
            results.error("zone", message).on(template.resource);
        }
        _ => {}
    }
    set.set(&path, zone)
}

/// Why a zone cannot be one of the template's region, if there is a reason.
fn objection(wanted: &Planned<'_>, zone: &str) -> Option<String> {
    let region = wanted.template.region.as_deref().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let suffix = zone.strip_prefix(region).filter(|rest| rest.chars().all(is_plain));
    let is_of_region = match wanted.template.provider {
        Provider::Aws | Provider::Gcp if suffix == Some("") => {
            return Some(format!("{} is the region, not a zone of it", quoted(zone)));
        }
        Provider::Aws => suffix.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())),
        Provider::Gcp => suffix.is_some_and(|rest| rest.len() > 1 && rest.starts_with('-')),
        Provider::Azure if !["1", "2", "3"].contains(&zone) => {
            return Some(format!("must be \"1\", \"2\" or \"3\" on Azure, got {}", quoted(zone)));
        }
        _ => true,
    };
    (!is_of_region)
        .then(|| format!("{} is not a zone of the template's region, {}", quoted(zone), quoted(region)))
}

/// Why a zone may not exist, if there is a reason. A worker MachineSet in the zone proves that it does.
fn doubt(wanted: &Planned<'_>, zone: &str) -> Option<String> {
    let template = wanted.template;
    let region = template.region.as_deref().filter(|region| !region.is_empty())?;
    if wanted.neighbour.is_some() {
        return None;
    }
    if template.provider == Provider::Azure && template.zone.as_deref().unwrap_or_default().is_empty() {
        return Some(format!(
            "the template is in no zone, so {} may have none; check that it has {}",
            quoted(region),
            quoted(zone)
        ));
    }
    let others = zones::others_of_region(template.provider, region, zone)?;
    Some(format!(
        "{} has no zone {} that rhoso-fn knows of, only {}; check that it exists",
        quoted(region),
        quoted(zone),
        others.join(", ")
    ))
}

/// The subnet of another zone is known only if the name of the template's contains the zone, and even then it is a
/// guess that a subnet with the derived name exists.
fn subnets(set: &mut Resource, wanted: &Planned<'_>, zone: &str, results: &mut Results) -> Result<(), Fault> {
    let template = wanted.template;
    let subnet = provider_field("subnet");
    let by_id = provider_field("subnet.id");
    let way_out = match wanted.template_is_named {
        true => format!(
            "name the MachineSet of {} as `spec.template`, in a functionConfig of its own",
            quoted(zone)
        ),
        false => format!("add the worker MachineSet of {} to the resources", quoted(zone)),
    };
    if let Some(id) = set.get::<String>(&by_id)? {
        let message = format!("{} is a subnet of another zone than {}; {way_out}", quoted(id), quoted(zone));
        results.error("zone", message).field(template.resource, &by_id);
        return Ok(());
    }
    let Some(old) = &template.zone else {
        let message = format!("the template has no zone that {} could replace; {way_out}", quoted(zone));
        results.error("zone", message).on(template.resource);
        return Ok(());
    };
    let mut is_known = set.value(&subnet)?.is_none();
    for path in set.fields(&provider_fields("subnet.filters[*].values[*]"))? {
        let value: String = set.get(&path)?.unwrap_or_default();
        if value.contains(old.as_str()) {
            let derived = value.replace(old.as_str(), zone);
            let message = format!(
                "for {} this becomes {}, which is a guess; check that such a subnet exists, or {way_out}",
                quoted(zone),
                quoted(&derived)
            );
            results.warning("derived-subnet", message).field(template.resource, &path);
            set.set(&path, derived)?;
            is_known = true;
        }
    }
    if !is_known {
        let message = format!(
            "no filter contains the zone {}, so the subnet of {} is not known; {way_out}",
            quoted(old),
            quoted(zone)
        );
        results.error("zone", message).field(template.resource, &subnet);
    }
    Ok(())
}

/// Root volumes have the zone too, and server groups have it in their name. The machine controller creates a server
/// group that does not exist.
fn servers(set: &mut Resource, old: Option<&str>, zone: &str) -> Result<(), Fault> {
    let volume: FieldPath = provider_field("rootVolume.availabilityZone");
    if set.get::<String>(&volume)?.as_deref().is_some_and(|there| Some(there) == old) {
        set.set(&volume, zone)?;
    }
    let path = provider_field("serverGroupName");
    let group: Option<String> = set.get(&path)?;
    if let (Some(group), Some(old)) = (group, old)
        && let Some(head) = group.strip_suffix(&format!("-{old}"))
    {
        set.set(&path, format!("{head}-{zone}"))?;
    }
    Ok(())
}
