//! Copies for a zone other than the template's.

use super::{PlannedSet, subnet};
use crate::checks::rules;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::provider::{self, ZoneNames, ZoneNetwork, Zones};
use crate::platform::zone::{self as zones, Objection};

/// Replaces the template's zone.
pub fn set(
    set: &mut Resource,
    planned: &PlannedSet<'_>,
    zone: &str,
    results: &mut Results,
) -> Result<(), Fault> {
    let provider = planned.template.provider;
    let Some(rules) = &provider.facts().zones else {
        let message = format!(
            "{} has no zones: the machines run where the template's do; remove this",
            provider.name()
        );
        results.error(&rules::WRONG_ZONE, message).in_config(planned.field("zones"));
        return Ok(());
    };
    if let Some(objection) = objection(planned, zone) {
        results.error(&rules::WRONG_ZONE, objection).in_config(planned.zone_field());
        return Ok(());
    }
    if let Some(doubt) = doubt(rules, planned, zone) {
        results.warning(&rules::UNLISTED_ZONE, doubt).in_config(planned.zone_field());
    }
    report_bound(set, rules, planned, zone, results)?;
    match &rules.network {
        ZoneNetwork::Shared => {}
        ZoneNetwork::Subnet(_) if planned.neighbour.is_some() => {}
        ZoneNetwork::Subnet(fields) => subnet::derive(set, fields, planned, zone, results)?,
        ZoneNetwork::FailureDomain => {
            let message = format!(
                "no worker MachineSet is in the failure domain {}, and its machines need its cluster and subnets; add one to \
                 the resources",
                quoted(zone)
            );
            results.error(&rules::WRONG_ZONE, message).on(planned.template.resource);
        }
    }
    if let Some(old) = planned.template.set.zone.as_deref() {
        replace_elsewhere(set, rules, old, zone)?;
    }
    set.set(&provider::field(rules.field), zone)
}

/// Why a zone cannot be in the template's region, if its name shows this.
fn objection(planned: &PlannedSet<'_>, zone: &str) -> Option<String> {
    let region = planned.template.set.region.as_deref().unwrap_or_default();
    let provider = planned.template.provider;
    Some(match zones::objection(provider, region, zone)? {
        Objection::IsRegion => format!("{} is the region, not a zone of it", quoted(zone)),
        Objection::OtherRegion => {
            format!("{} is not a zone of the template's region, {}", quoted(zone), quoted(region))
        }
        Objection::NotNumber(numbers) => {
            let (last, others) = numbers.split_last()?;
            let others: Vec<String> = others.iter().map(quoted).collect();
            format!(
                "must be {} or {} on {}, got {}",
                others.join(", "),
                quoted(last),
                provider.name(),
                quoted(zone)
            )
        }
    })
}

/// Why a zone may not exist. A worker MachineSet in the zone proves that it does.
fn doubt(rules: &Zones, planned: &PlannedSet<'_>, zone: &str) -> Option<String> {
    let template = planned.template;
    let region = template.set.region.as_deref().filter(|region| !region.is_empty())?;
    if planned.neighbour.is_some() {
        return None;
    }
    let is_in_no_zone = template.set.zone.as_deref().unwrap_or_default().is_empty();
    if matches!(rules.names, ZoneNames::Numbers(_)) && is_in_no_zone {
        return Some(format!(
            "the template has no zone, so {} may have no zones; check that it has {}",
            quoted(region),
            quoted(zone)
        ));
    }
    let others = zones::others_of_region(template.provider, region, zone)?;
    Some(format!(
        "{} is known to have the zones {}, but not {}; check that it exists",
        quoted(region),
        others.join(", "),
        quoted(zone)
    ))
}

/// Reports settings that exist only in the template's zone.
fn report_bound(
    set: &Resource,
    rules: &Zones,
    planned: &PlannedSet<'_>,
    zone: &str,
    results: &mut Results,
) -> Result<(), Fault> {
    for name in rules.bound {
        let path = provider::field(name);
        if set.value(&path)?.is_some_and(|value| !value.is_null() && value != "") {
            let message =
                format!("this exists in one zone only; check that it is available in {}", quoted(zone));
            results.warning(&rules::BOUND_TO_ZONE, message).field(planned.template.resource, &path);
        }
    }
    Ok(())
}

/// Replaces the old zone in other fields: whole values, and ends of names.
fn replace_elsewhere(set: &mut Resource, rules: &Zones, old: &str, new: &str) -> Result<(), Fault> {
    for name in rules.copies {
        let path = provider::field(name);
        if set.get::<String>(&path)?.as_deref() == Some(old) {
            set.set(&path, new)?;
        }
    }
    for name in rules.suffixed {
        let path = provider::field(name);
        let value: String = set.get(&path)?.unwrap_or_default();
        if let Some(head) = value.strip_suffix(&format!("-{old}")) {
            set.set(&path, format!("{head}-{new}"))?;
        }
    }
    Ok(())
}
