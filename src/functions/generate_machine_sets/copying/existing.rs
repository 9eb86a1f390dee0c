//! MachineSets among the resources that are templates, or that an earlier run generated.

use std::collections::{HashMap, HashSet};

use super::super::GpuMachineSets;
use super::{PlannedSet, annotations, plan, template};
use crate::checks::rules;
use crate::krm::{Fault, Resource, Results};
use crate::model::{ItemId, World, machines};
use crate::platform::machine::{self, LOCAL_CONFIG, MACHINE_SET};

/// Marks templates as local if they must not be rendered, and removes outdated annotations from MachineSets that are
/// generated again. The generator has reported what is wrong with them.
pub fn update(spec: &GpuMachineSets, items: &mut [Resource]) -> Result<(), Fault> {
    let (sets, misreads) = machines::sets(&World::new(items));
    let chosen = template::choose(&sets, spec.template.as_deref())?;
    if !template::misreads_of(&chosen, misreads).is_empty() {
        return Ok(());
    }
    let templates = template::read(&chosen, items)?;
    let capacities: HashMap<String, annotations::Annotations> = plan::sets(spec, &templates)
        .into_iter()
        .map(|planned| (planned.name.clone(), annotations::capacity(spec, &planned)))
        .collect();
    let templates: HashSet<ItemId> = chosen.iter().map(|set| set.item).collect();
    for set in &sets {
        let item = set.item.get_mut(items);
        if spec.keep_template == Some(false) && templates.contains(&set.item) {
            item.set(&machine::annotations().key(LOCAL_CONFIG), "true")?;
        }
        if let Some(capacity) = capacities.get(&set.name) {
            annotations::remove_outdated(item, capacity)?;
        }
    }
    Ok(())
}

/// The API server rejects a changed selector in an existing MachineSet.
pub fn refuse_another_selector(
    set: &Resource,
    planned: &PlannedSet<'_>,
    given: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let (path, key) = (machine::selector(), set.id().object_key());
    for existing in given.iter().filter(|item| item.is(MACHINE_SET) && item.id().object_key() == key) {
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
