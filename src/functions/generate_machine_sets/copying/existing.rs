//! MachineSets among the resources that are templates, or that an earlier run generated.

use crate::checks::rules;
use std::collections::HashMap;

use super::super::GenerateMachineSets;
use super::{PlannedSet, annotations, plan, template};
use crate::krm::{Fault, Resource, Results};
use crate::platform::machine::{self, LOCAL_CONFIG, MACHINE_SET};

/// Marks templates as local if they must not be rendered, and removes outdated annotations from MachineSets that are
/// generated again.
pub fn update(spec: &GenerateMachineSets, items: &mut [Resource]) -> Result<(), Fault> {
    let templates = template::find(items, spec.template.as_ref())?;
    let mut capacities = HashMap::new();
    // The generator has reported the findings of the plan.
    for planned in plan::sets(spec, &templates, &mut Results::default()) {
        let capacity = annotations::capacity(spec, &planned);
        capacities.insert(planned.name, capacity);
    }
    let templates: Vec<_> = templates.iter().map(|template| template.resource.id().object_key()).collect();
    for item in items.iter_mut().filter(|item| item.is(MACHINE_SET)) {
        if spec.keep_template == Some(false) && templates.contains(&item.id().object_key()) {
            item.set(&machine::annotations().key(LOCAL_CONFIG), "true")?;
        }
        if let Some(capacity) = capacities.get(&item.id().name) {
            annotations::remove_outdated(item, capacity)?;
        }
    }
    Ok(())
}

/// The API server refuses another selector for a MachineSet that exists.
pub fn refuse_another_selector(
    set: &Resource,
    planned: &PlannedSet<'_>,
    given: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let (path, key) = (machine::selector(), set.id().object_key());
    for existing in given.iter().filter(|item| item.id().object_key() == key) {
        if existing.value(&path)? != set.value(&path)? {
            let message = format!(
                "the generated MachineSet has another selector, and the API server does not allow a selector to change; \
                 delete this MachineSet, here and in the cluster, or set `spec.machines[{}].name` to create a second one",
                planned.entry
            );
            results.error(&rules::SELECTOR, message).field(existing, &path);
        }
    }
    Ok(())
}
