//! Models that KServe serves: their runtimes, connections, arguments, modes and GPUs.

pub mod args_conflict;
pub mod canary_without_knative;
pub mod deprecated_deployment_mode;
pub mod gpu_unavailable;
pub mod machines;
pub mod missing_connection;
pub mod missing_runtime;
pub mod taint_not_tolerated;
pub mod tensor_parallel;

use crate::formats::placeholder;
use crate::model::Model;
use crate::model::serving::ModelService;

/// The services that are applied to the cluster.
fn services<'m>(model: &'m Model<'_>) -> impl Iterator<Item = &'m ModelService> {
    model.serving.services.iter().filter(|service| !service.item.get(model.items()).is_local())
}

/// Whether something replaces a name before it reaches the cluster.
fn is_template(name: &str) -> bool {
    name.contains("{{") || placeholder::will_be_replaced(name)
}
