//! Models and other workloads that request more GPUs than a machine has.

use super::machines::{excluding_label, gpu_machines, gpu_pods, may_have};
use crate::checks::rules;
use crate::krm::{Location, Results, quoted};
use crate::model::Model;
use crate::model::serving::workloads;
use crate::platform::provider;

/// Reports requests above the GPUs of the largest machine of the package. A pod runs on one machine.
pub fn gpu_unavailable(model: &Model<'_>, results: &mut Results) {
    let sets = gpu_machines(model);
    if sets.is_empty() {
        return;
    }
    let workloads = workloads::with_gpus(&model.world);
    for pod in gpu_pods(model, &workloads) {
        let amount = pod.amount;
        let Some(wanted) = amount.gpus() else { continue };
        let suitable = || {
            let sets = sets.iter().filter(|set| may_have(set, &amount.resource));
            sets.filter(|set| excluding_label(pod.pod, set).is_none())
        };
        // A set whose number of GPUs is not known may have enough. A fraction of a GPU is counted as 0.
        if suitable().any(|set| set.gpus().is_none_or(|gpus| gpus == 0 || gpus >= wanted)) {
            continue;
        }
        let Some(largest) = suitable().max_by_key(|set| set.gpus()) else { continue };
        let items = model.items();
        let machine = largest.item.get(items);
        let message = format!(
            "no machine has {wanted} GPUs: the largest of the resources are those of MachineSet {}, with {}; request \
             fewer, or add larger machines",
            quoted(&largest.name),
            largest.gpus().unwrap_or_default()
        );
        let size = largest.provider.and_then(provider::Provider::size);
        let size = size.map_or_else(|| Location::of(machine), |path| Location::of_field(machine, &path));
        results
            .warning(&rules::GPU_UNAVAILABLE, message)
            .at(amount.value.site.location(items))
            .related(size, "the largest machines");
    }
}
