//! What is wrong with a plan, or may be unexpected.

use std::collections::HashMap;

use super::super::template::Template;
use super::{PlannedSet, candidates, names};
use crate::checks::rules;
use crate::functions::generate_machine_sets::{GpuMachineSets, entry_path};
use crate::krm::{FieldPath, Order, Results, quoted};

/// Reports entries that do not fit the provider, names that are not valid or not unique, and zones without a MachineSet.
pub fn report(spec: &GpuMachineSets, templates: &[Template<'_>], results: &mut Results) {
    if let Some(first) = templates.first() {
        for (entry, machine) in spec.machines.iter().enumerate() {
            for (field, message) in machine.misfits(first.provider) {
                let path = entry_path(entry).join(&FieldPath::new(field));
                results.error(&rules::WRONG_PLATFORM, message).in_config(path);
            }
        }
    }
    let mut entry_of_name = HashMap::new();
    for planned in candidates(spec, templates) {
        if planned.machine.zones.is_empty() {
            report_unserved_zones(&planned, templates, results);
        }
        let other = entry_of_name.insert(planned.name.clone(), planned.entry);
        names::check(&planned, other, results);
    }
}

/// Without `zones`, an entry has one MachineSet, though the cluster may have workers in more zones.
fn report_unserved_zones(planned: &PlannedSet<'_>, templates: &[Template<'_>], results: &mut Results) {
    let Some(served) = &planned.zone else { return };
    let mut others: Vec<&String> =
        templates.iter().filter_map(|template| template.set.zone.as_ref()).collect();
    others.retain(|zone| *zone != served && !zone.is_empty());
    others.order();
    others.dedup();
    if others.is_empty() {
        return;
    }
    let message = format!(
        "only the zone {} gets a MachineSet: {} is the first matching worker MachineSet by name; list the zones here to \
         add {}",
        quoted(served),
        quoted(&planned.template.set.name),
        others.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
    );
    results.info(&rules::UNSERVED_ZONES, message).in_config(planned.field("zones"));
}
