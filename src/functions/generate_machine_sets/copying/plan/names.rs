//! Names of planned MachineSets: each is valid, unique, and not the template's.

use super::PlannedSet;
use crate::checks::rules;
use crate::functions::generate_machine_sets::entry_path;
use crate::krm::{Results, quoted};

/// Reports a name that is not valid, or that is also the name of the template or of `other`, an earlier
/// entry.
pub fn check(new: &PlannedSet<'_>, other: Option<usize>, results: &mut Results) {
    let (entry, name) = (new.entry, &new.name);
    if let Some((field, objection)) = new.machine.objection_to_name(name) {
        results.error(&rules::MACHINE_SET_NAME, objection).in_config(entry_path(entry).join(&field));
    }
    if let Some(other) = other {
        report_twice(new, other, results);
    } else if new.template.set.name == *name {
        let message = format!(
            "`spec.machines[{entry}]` generates a MachineSet with the name of this template; set another `template`, or a \
             `name`"
        );
        results.error(&rules::NAME_TAKEN, message).on(new.template.resource);
    }
}

fn report_twice(new: &PlannedSet<'_>, other: usize, results: &mut Results) {
    let (entry, name) = (new.entry, quoted(&new.name));
    let (message, field) = if other == entry {
        (
            format!(
                "two zones of this entry generate the MachineSet {name}; move this one to an entry with a `name`"
            ),
            new.zone_field(),
        )
    } else {
        (
            format!(
                "`spec.machines[{other}]` generates the MachineSet {name} too; set `name` in one of them"
            ),
            entry_path(entry),
        )
    };
    results.error(&rules::NAME_TAKEN, message).in_config(field);
}
