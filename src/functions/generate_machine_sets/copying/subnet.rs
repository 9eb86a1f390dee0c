//! The subnet of another zone, for providers whose zones have their own subnets.

use super::PlannedSet;
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::provider::{self, Subnet, field};

/// Takes the subnet of a worker MachineSet of the zone whose machines have another architecture: the subnet belongs to
/// the zone.
pub fn take_from_neighbour(set: &mut Resource, planned: &PlannedSet<'_>) -> Result<(), Fault> {
    let Some(neighbour) = planned.neighbour else { return Ok(()) };
    let Some(subnet) = neighbour.provider.subnet().map(|subnet| field(subnet.field)) else { return Ok(()) };
    match neighbour.resource.value(&subnet)? {
        Some(value) => set.set(&subnet, value),
        None => set.remove(&subnet),
    }
}

/// Derives the subnet of another zone from the template's. This works only if the name of the template's
/// subnet contains the zone, and the derived name is a guess.
pub fn derive(
    set: &mut Resource,
    fields: &Subnet,
    planned: &PlannedSet<'_>,
    zone: &str,
    results: &mut Results,
) -> Result<(), Fault> {
    let template = planned.template;
    let way_out = way_out(planned, zone);
    let by_id = field(fields.id);
    if let Some(id) = set.get::<String>(&by_id)? {
        let message =
            format!("{} is a subnet of another zone, not of {}; {way_out}", quoted(id), quoted(zone));
        results.error(&rules::WRONG_ZONE, message).field(template.resource, &by_id);
        return Ok(());
    }
    let Some(old) = &template.set.zone else {
        let message = format!("the template has no zone to replace with {}; {way_out}", quoted(zone));
        results.error(&rules::WRONG_ZONE, message).on(template.resource);
        return Ok(());
    };
    let names = names_with(set, fields, old)?;
    if names.is_empty() && set.value(&field(fields.field))?.is_some() {
        let message = format!(
            "no filter contains the zone {}, so the subnet of {} cannot be derived; {way_out}",
            quoted(old),
            quoted(zone)
        );
        results.error(&rules::WRONG_ZONE, message).field(template.resource, &field(fields.field));
    }
    for (path, name) in names {
        let derived = name.replace(old.as_str(), zone);
        let message = format!(
            "for {} this becomes {}, which is a guess; check that this subnet exists, or {way_out}",
            quoted(zone),
            quoted(&derived)
        );
        results.warning(&rules::DERIVED_SUBNET, message).field(template.resource, &path);
        set.set(&path, derived)?;
    }
    Ok(())
}

fn way_out(planned: &PlannedSet<'_>, zone: &str) -> String {
    match planned.template_is_named {
        true => format!(
            "name the MachineSet of {} as `spec.template`, in a separate functionConfig",
            quoted(zone)
        ),
        false => format!("add the worker MachineSet of {} to the resources", quoted(zone)),
    }
}

/// The names that select the subnet and contain the zone.
fn names_with(set: &Resource, fields: &Subnet, zone: &str) -> Result<Vec<(FieldPath, String)>, Fault> {
    let mut found = Vec::new();
    for path in set.fields(&provider::fields(fields.names))? {
        let name: String = set.get(&path)?.unwrap_or_default();
        if name.contains(zone) {
            found.push((path, name));
        }
    }
    Ok(found)
}
