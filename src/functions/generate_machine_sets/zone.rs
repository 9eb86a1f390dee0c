//! Another zone for a copy: best is the worker MachineSet of that zone, which has its own subnet.

use super::Planned;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::machine::{Provider, provider_field};

/// Puts a zone in the place of the template's.
pub fn set(set: &mut Resource, wanted: &Planned<'_>, zone: &str, results: &mut Results) -> Result<(), Fault> {
    let template = wanted.template;
    let Some(path) = template.provider.zone() else {
        return no_zones(wanted, results);
    };
    if let Some(objection) = objection(wanted, zone) {
        results.error("zone", format!("`spec.machines[{}].zones`: {objection}", wanted.entry));
        return Ok(());
    }
    for bound in ["placementGroupName", "placement.host", "capacityReservationId"] {
        let field = provider_field(bound);
        let there = set.value(&field)?.filter(|there| !there.is_null() && there != "");
        if template.zone.as_deref() != Some(zone) && there.is_some() {
            let message = format!("this is bound to a zone, and may not be had in {}", quoted(zone));
            results.warning("bound-to-zone", message).field(template.resource, &field);
        }
    }
    match template.provider {
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

fn no_zones(wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let message = format!(
        "`spec.machines[{}].zones`: {} has no zones; the machines are where those of the template are",
        wanted.entry,
        wanted.template.provider.name()
    );
    results.error("zone", message);
    Ok(())
}

/// Why a zone cannot be one of the template's region, if there is a reason.
fn objection(wanted: &Planned<'_>, zone: &str) -> Option<String> {
    let region = wanted.template.region.as_deref().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let behind_region = zone.strip_prefix(region).filter(|rest| rest.chars().all(is_plain));
    let is_of_region = match wanted.template.provider {
        Provider::Aws | Provider::Gcp if behind_region == Some("") => {
            return Some(format!("{} is the region, and not a zone of it", quoted(zone)));
        }
        Provider::Aws => behind_region.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())),
        Provider::Gcp => behind_region.is_some_and(|rest| rest.len() > 1 && rest.starts_with('-')),
        Provider::Azure if !["1", "2", "3"].contains(&zone) => {
            return Some(format!("must be \"1\", \"2\" or \"3\" on Azure, got {}", quoted(zone)));
        }
        _ => true,
    };
    (!is_of_region)
        .then(|| format!("{} is no zone of the template's region, {}", quoted(zone), quoted(region)))
}

/// The subnet of another zone is known only where its name has the zone in it.
fn subnets(set: &mut Resource, wanted: &Planned<'_>, zone: &str, results: &mut Results) -> Result<(), Fault> {
    let template = wanted.template;
    let subnet = provider_field("subnet");
    let by_id = provider_field("subnet.id");
    let way_out = match wanted.template_is_named {
        true => format!(
            "name the MachineSet of {} as `spec.template`, in a functionConfig of its own",
            quoted(zone)
        ),
        false => format!("put the worker MachineSet of {} beside this one", quoted(zone)),
    };
    if let Some(id) = set.get::<String>(&by_id)? {
        let message = format!("{} is a subnet of another zone than {}; {way_out}", quoted(id), quoted(zone));
        results.error("zone", message).field(template.resource, &by_id);
        return Ok(());
    }
    let Some(old) = &template.zone else {
        let message = format!("the template has no zone to put {} in the place of; {way_out}", quoted(zone));
        results.error("zone", message).on(template.resource);
        return Ok(());
    };
    let mut replaced = set.value(&subnet)?.is_none();
    for path in set.fields(&provider_field("subnet.filters[*].values[*]"))? {
        let value: String = set.get(&path)?.unwrap_or_default();
        if value.contains(old.as_str()) {
            set.set(&path, value.replace(old.as_str(), zone))?;
            replaced = true;
        }
    }
    if !replaced {
        let message = format!(
            "no filter has the zone {} in it, so the subnet of {} is not known; {way_out}",
            quoted(old),
            quoted(zone)
        );
        results.error("zone", message).field(template.resource, &subnet);
    }
    Ok(())
}

/// Root volumes and server groups have the zone too.
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
