//! Annotations of a copy: what the autoscaler must know before the first machine exists.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::GpuMachineSets;
use super::PlannedSet;
use crate::krm::{Fault, Resource};
use crate::platform::autoscaler::{
    CAPACITY, CAPACITY_CPU, CAPACITY_GPU_COUNT, CAPACITY_GPU_TYPE, CAPACITY_LABELS, CAPACITY_MEMORY,
};
use crate::platform::machine::{self, ARCHITECTURE, CPUS, GPUS, MAX_PODS, MEMORY, PERSONAL};

pub type Annotations = BTreeMap<String, String>;

pub fn set(set: &mut Resource, spec: &GpuMachineSets, planned: &PlannedSet<'_>) -> Result<(), Fault> {
    for key in PERSONAL {
        set.remove(&machine::annotations().key(key))?;
    }
    let capacity = capacity(spec, planned);
    remove_outdated(set, &capacity)?;
    for (key, value) in capacity {
        set.set(&machine::annotations().key(key), value)?;
    }
    Ok(())
}

/// What one machine has, for the autoscaler and its operator.
pub fn capacity(spec: &GpuMachineSets, planned: &PlannedSet<'_>) -> Annotations {
    let (figures, gpus) = (planned.figures, &planned.machine.gpus);
    let mut annotations = Annotations::new();
    let mut add = |key: &str, value: Option<String>| {
        annotations.extend(value.map(|value| (key.to_owned(), value)));
    };
    let cpus = figures.cpus.map(|cpus| cpus.to_string());
    add(GPUS, Some(gpus.count.to_string()));
    add(CPUS, cpus.clone());
    add(MEMORY, figures.memory_mib.map(|mib| mib.to_string()));
    let architecture = figures.architecture.or(planned.template.set.architecture.as_deref());
    let mut labels = BTreeMap::new();
    labels.extend(architecture.map(|architecture| (ARCHITECTURE.to_owned(), architecture.to_owned())));
    if planned.machine.replicas.is_scaled() {
        add(CAPACITY_CPU, cpus);
        add(CAPACITY_MEMORY, figures.memory_mib.map(|mib| (u128::from(mib) << 20).to_string()));
        add(CAPACITY_GPU_COUNT, Some(gpus.count.to_string()));
        add(CAPACITY_GPU_TYPE, Some(gpus.resource.to_owned()));
        labels.extend(spec.node_labels(gpus));
    }
    let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    add(CAPACITY_LABELS, (!pairs.is_empty()).then(|| pairs.join(",")));
    annotations
}

/// Removes annotations about the size of other machines. The autoscaler's operator would keep them: it does
/// not correct existing annotations.
pub fn remove_outdated(set: &mut Resource, capacity: &Annotations) -> Result<(), Fault> {
    let existing: Map<String, Value> = set.get(&machine::annotations())?.unwrap_or_default();
    let is_capacity = |key: &str| [CPUS, MEMORY, GPUS, MAX_PODS].contains(&key) || key.starts_with(CAPACITY);
    for key in existing.keys().filter(|key| is_capacity(key) && !capacity.contains_key(*key)) {
        set.remove(&machine::annotations().key(key.clone()))?;
    }
    Ok(())
}
