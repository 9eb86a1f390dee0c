//! Names of planned MachineSets: each is legal, unique, and not the template's.

use super::{PlannedSet, entry_path};
use crate::checks::rules;
use crate::krm::{Results, quoted};

/// Reports a name that is not legal, or that another entry or the template has. Returns false if `other`, an earlier
/// entry, has the name.
pub fn check(new: &PlannedSet<'_>, other: Option<usize>, results: &mut Results) -> bool {
    let (entry, name) = (new.entry, &new.name);
    if let Some((field, objection)) = new.machine.objection_to_name(name) {
        results.error(&rules::NAME, objection).in_config(entry_path(entry).join(&field));
    }
    if let Some(other) = other {
        report_twice(new, other, results);
        return false;
    }
    if new.template.resource.id().name == *name {
        let message = format!(
            "`spec.machines[{entry}]` generates a MachineSet with the name of this template; set another `template`, or a \
             `name`"
        );
        results.error(&rules::SAME_NAME, message).on(new.template.resource);
    }
    true
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
    results.error(&rules::SAME_NAME, message).in_config(field);
}
