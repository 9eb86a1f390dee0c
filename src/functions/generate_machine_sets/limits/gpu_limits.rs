//! Limits for GPUs in an existing ClusterAutoscaler. They apply to every MachineSet with such GPUs, so they are raised
//! and never lowered.

use crate::checks::rules;
use serde_json::{Map, Value, json};

use super::{Limit, Limits};
use crate::formats::label;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::autoscaler;
use crate::platform::machine::ACCELERATOR;

/// Raises the limits to what the MachineSets can have. Limits for other GPUs stay, and so does a minimum.
pub fn raise(autoscaler: &mut Resource, limits: &Limits, results: &mut Results) -> Result<(), Fault> {
    let path = autoscaler::gpu_limits();
    let existing: Vec<Map<String, Value>> = autoscaler.get(&path)?.unwrap_or_default();
    let kinds: Vec<Option<&str>> =
        existing.iter().map(|limit| limit.get("type").and_then(Value::as_str)).collect();
    report_void(&kinds, autoscaler, results);
    let mut end = existing.len();
    for (kind, limit) in limits {
        match kinds.iter().position(|existing| *existing == Some(kind)) {
            Some(index) => {
                raise_one(autoscaler, path.clone().index(index), &existing[index], limit, results)?;
            }
            None => {
                let new = json!({"type": kind, "min": limit.min, "max": limit.max});
                autoscaler.set(&path.clone().index(end), new)?;
                end += 1;
            }
        }
    }
    Ok(())
}

fn raise_one(
    autoscaler: &mut Resource,
    path: FieldPath,
    existing: &Map<String, Value>,
    limit: &Limit,
    results: &mut Results,
) -> Result<(), Fault> {
    let number = |key: &str| existing.get(key).and_then(Value::as_u64);
    let min = path.clone().key("min");
    match number("min") {
        None => autoscaler.set(&min, limit.min)?,
        Some(there) if there > limit.min => {
            let message = format!(
                "this minimum is kept, though the MachineSets need only {}; lower it if it is not intended",
                limit.min
            );
            results.info(&rules::LEAST_GPUS, message).field(autoscaler, &min);
        }
        Some(_) => {}
    }
    match number("max").is_none_or(|max| max < limit.max) {
        true => autoscaler.set(&path.key("max"), limit.max),
        false => Ok(()),
    }
}

/// Reports limits for a type that no node can have.
fn report_void(kinds: &[Option<&str>], autoscaler: &Resource, results: &mut Results) {
    for (i, kind) in kinds.iter().enumerate() {
        if let Some(kind) = kind.filter(|kind| !label::is_value(kind)) {
            let message = format!(
                "{} has no effect: the type must be a value of the node label {}",
                quoted(kind),
                quoted(ACCELERATOR)
            );
            let path = autoscaler::gpu_limits().index(i).key("type");
            results.warning(&rules::LIMIT_OF_NOTHING, message).field(autoscaler, &path);
        }
    }
}
