//! Reports what the cluster would not run as intended, with the rules of `check`.

use super::ModelEnvironment;
use crate::checks::serving::args_conflict::args_conflict;
use crate::checks::serving::canary_without_knative::canary_without_knative;
use crate::checks::serving::gpu_unavailable::gpu_unavailable;
use crate::checks::serving::missing_connection::missing_connection;
use crate::checks::serving::missing_runtime::missing_runtime;
use crate::checks::serving::tensor_parallel::tensor_parallel;
use crate::krm::{Resource, Results};
use crate::model::Model;

impl ModelEnvironment {
    pub fn report(items: &[Resource], results: &mut Results) {
        let model = Model::read(items);
        args_conflict(&model, results);
        canary_without_knative(&model, results);
        gpu_unavailable(&model, results);
        missing_connection(&model, results);
        missing_runtime(&model, results);
        tensor_parallel(&model, results);
    }
}
