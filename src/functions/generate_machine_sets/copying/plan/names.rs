//! Names of planned MachineSets: each is legal, unique, and not the template's.

use super::PlannedSet;
use crate::krm::{Results, quoted};

/// Reports a name that is not legal, or that another entry or the template has. `other` is the entry that has the name
/// too. False if there is one.
pub fn check(new: &PlannedSet<'_>, other: Option<usize>, results: &mut Results) -> bool {
    let (entry, name) = (new.entry, &new.name);
    if let Some((field, objection)) = new.machine.objection_to_name(name) {
        results.error("name", objection).in_config(format!("machines[{entry}]{field}"));
    }
    if let Some(other) = other {
        report_twice(new, other, results);
        return false;
    }
    if new.template.resource.id().name == *name {
        let message = format!(
            "`spec.machines[{entry}]` makes a MachineSet with the name of this template; name another `template`"
        );
        results.error("same-name", message).on(new.template.resource);
    }
    true
}

fn report_twice(new: &PlannedSet<'_>, other: usize, results: &mut Results) {
    let (entry, name) = (new.entry, quoted(&new.name));
    let (message, field) = if other == entry {
        (
            format!(
                "two zones of this entry make the MachineSet {name}; move this one to an entry with a `name`"
            ),
            new.zone_field(),
        )
    } else {
        (
            format!("`spec.machines[{other}]` makes the MachineSet {name} too; give one of them a `name`"),
            format!("machines[{entry}]"),
        )
    };
    results.error("same-name", message).in_config(field);
}
