//! Labels of a copy: of the MachineSet, its selector, its Machines and their nodes.

use std::collections::{BTreeMap, BTreeSet};

use super::super::GpuMachineSets;
use super::PlannedSet;
use crate::checks::rules;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::argocd;
use crate::platform::gpu_label::describes_gpus;
use crate::platform::machine::{self, ACCELERATOR, CLUSTER, GPU_PRESENT, HIVE, SET};

type Labels = BTreeMap<String, String>;

pub fn set(
    set: &mut Resource,
    spec: &GpuMachineSets,
    planned: &PlannedSet<'_>,
    results: &mut Results,
) -> Result<(), Fault> {
    remove_descriptions(set, spec, planned, results)?;
    let existing: Labels = set.get(&machine::labels())?.unwrap_or_default();
    // Hive and Argo CD delete resources that have their labels and that they do not manage.
    let is_owners = |key: &str| key.starts_with(HIVE) || argocd::TRACKING_LABELS.contains(&key);
    for key in existing.keys().filter(|key| is_owners(key)) {
        set.remove(&machine::labels().key(key.clone()))?;
    }
    if existing.contains_key(ACCELERATOR) {
        set.set(&machine::labels().key(ACCELERATOR), spec.accelerator_label(&planned.machine.gpus))?;
    }
    set.set(&machine::labels().key(CLUSTER), planned.cluster)?;
    for path in [machine::selector_labels(), machine::machine_labels()] {
        set.set(&path.clone().key(CLUSTER), planned.cluster)?;
        set.set(&path.key(SET), planned.name.clone())?;
    }
    for (key, value) in spec.node_labels(&planned.machine.gpus) {
        set.set(&machine::node_labels().key(key), value)?;
    }
    Ok(())
}

/// Removes labels that describe the GPUs of a template whose machines have another size.
fn remove_descriptions(
    set: &mut Resource,
    spec: &GpuMachineSets,
    planned: &PlannedSet<'_>,
    results: &mut Results,
) -> Result<(), Fault> {
    let size = &planned.machine.instance_type;
    let has_same_size = planned.template.set.instance.is_some_and(|known| known.name == size);
    if planned.template.sign_of_gpus.is_none() || has_same_size {
        return Ok(());
    }
    let (new, nodes) = (spec.node_labels(&planned.machine.gpus), machine::node_labels());
    let mut removed = BTreeSet::new();
    for path in [machine::labels(), machine::selector_labels(), machine::machine_labels(), nodes.clone()] {
        let existing: Labels = set.get(&path)?.unwrap_or_default();
        // Labels of nodes are replaced later. Elsewhere, the old value would remain.
        let is_replaced = |key: &str| new.contains_key(key) && (path == nodes || key == GPU_PRESENT);
        let is_wrong = |key: &str| describes_gpus(key) || key == GPU_PRESENT;
        for key in existing.into_keys().filter(|key| is_wrong(key) && !is_replaced(key)) {
            set.remove(&path.clone().key(key.clone()))?;
            removed.insert(quoted(key));
        }
    }
    if !removed.is_empty() {
        let message = format!(
            "the MachineSet {} does not get the labels {}, which describe the machines of this template; set them \
             in `spec.labels` if pods select nodes by them",
            quoted(&planned.name),
            removed.into_iter().collect::<Vec<_>>().join(", ")
        );
        results.info(&rules::GPU_LABEL, message).on(planned.template.resource);
    }
    Ok(())
}
