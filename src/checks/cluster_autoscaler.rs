//! ClusterAutoscalers that have no effect.

use super::rules;
use crate::formats::label;
use crate::krm::{Resource, Results, quoted};
use crate::model::machines::ClusterAutoscaler;
use crate::platform::autoscaler::{self, DEFAULT_NAME, LIMIT_TYPE};
use crate::platform::machine::{self, ACCELERATOR};

/// Reports a ClusterAutoscaler that the operator ignores.
pub fn cluster_autoscaler_name(autoscaler: &ClusterAutoscaler, items: &[Resource], results: &mut Results) {
    if !autoscaler.is_read() {
        let message = format!(
            "the operator ignores a ClusterAutoscaler that is not named {}; rename it",
            quoted(DEFAULT_NAME)
        );
        results
            .warning(&rules::CLUSTER_AUTOSCALER_NAME, message)
            .field(autoscaler.item.get(items), &machine::name());
    }
}

/// Reports limits for a type of GPU that no node can have.
pub fn gpu_limit_types(autoscaler: &ClusterAutoscaler, items: &[Resource], results: &mut Results) {
    for (i, limit) in autoscaler.gpu_limits.iter().enumerate() {
        if let Some(kind) = limit.kind.as_ref().filter(|kind| !label::is_value(kind)) {
            let message = format!(
                "{} has no effect: the type must be a value of the node label {}",
                quoted(kind),
                quoted(ACCELERATOR)
            );
            let path = autoscaler::gpu_limits().index(i).key(LIMIT_TYPE);
            results.warning(&rules::LIMIT_WITHOUT_EFFECT, message).field(autoscaler.item.get(items), &path);
        }
    }
}
