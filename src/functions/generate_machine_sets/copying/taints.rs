//! Taints of a copy's nodes.

use serde_json::{Value, json};

use super::super::GpuMachineSets;
use super::PlannedSet;
use crate::krm::{Fault, Resource};
use crate::platform::{instance, machine};

/// Adds the taints of the config to those of the template. A new taint replaces one with the same key and
/// effect. Taints for GPUs of another vendor are removed.
pub fn set(set: &mut Resource, spec: &GpuMachineSets, planned: &PlannedSet<'_>) -> Result<(), Fault> {
    let new = spec.node_taints(&planned.machine.gpus);
    let mut taints: Vec<Value> = set.get(&machine::taints())?.unwrap_or_default();
    let is_of_another_maker = |old: &Value| {
        instance::gpu_resources()
            .any(|resource| resource != planned.machine.gpus.resource && old["key"] == resource)
    };
    let is_replaced =
        |old: &Value| new.iter().any(|taint| old["key"] == taint.key && old["effect"] == json!(taint.effect));
    taints.retain(|old| !is_of_another_maker(old) && !is_replaced(old));
    taints.extend(new.iter().map(|taint| json!(taint)));
    match taints.is_empty() {
        true => Ok(()),
        false => set.set(&machine::taints(), taints),
    }
}
