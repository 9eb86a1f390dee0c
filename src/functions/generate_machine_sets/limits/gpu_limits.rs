//! Limits for GPUs in an existing ClusterAutoscaler. They apply to every MachineSet with such GPUs, so they are raised
//! and never lowered.

use serde_json::json;

use super::{Limit, Limits};
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::model::machines::{ClusterAutoscaler, GpuLimit};
use crate::platform::autoscaler::{self, LIMIT_MAX, LIMIT_MIN, LIMIT_TYPE};

/// Raises the limits to what the MachineSets can have. Limits for other GPUs are kept, and so is an existing
/// minimum.
pub fn raise(
    existing: &ClusterAutoscaler,
    limits: &Limits,
    item: &mut Resource,
    results: &mut Results,
) -> Result<(), Fault> {
    let path = autoscaler::gpu_limits();
    let mut end = existing.gpu_limits.len();
    for (kind, limit) in limits {
        let of_kind = existing.gpu_limits.iter().position(|existing| existing.kind.as_ref() == Some(kind));
        match of_kind {
            Some(index) => {
                let path = path.clone().index(index);
                raise_one(path, &existing.gpu_limits[index], limit, item, results)?;
            }
            None => {
                let new = json!({LIMIT_TYPE: kind, LIMIT_MIN: limit.min, LIMIT_MAX: limit.max});
                item.set(&path.clone().index(end), new)?;
                end += 1;
            }
        }
    }
    Ok(())
}

fn raise_one(
    path: FieldPath,
    existing: &GpuLimit,
    limit: &Limit,
    item: &mut Resource,
    results: &mut Results,
) -> Result<(), Fault> {
    let min = path.clone().key(LIMIT_MIN);
    match existing.min {
        None => item.set(&min, limit.min)?,
        Some(existing) if existing > limit.min => {
            let message = format!(
                "this minimum is kept, though the MachineSets need only {}; lower it if it is not intended",
                limit.min
            );
            results.info(&rules::KEPT_GPU_MINIMUM, message).field(item, &min);
        }
        Some(_) => {}
    }
    match existing.max.is_none_or(|max| max < limit.max) {
        true => item.set(&path.key(LIMIT_MAX), limit.max),
        false => Ok(()),
    }
}
