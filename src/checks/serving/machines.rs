//! Pods with GPUs, and the machines of the package on which they could run.

use super::services;
use crate::model::machines::{self, MachineSet};
use crate::model::serving::workloads::Workload;
use crate::model::serving::{Amount, Pod};
use crate::model::{ItemId, Model, Sited};
use crate::platform::kubernetes::annotation;
use crate::platform::machine::INSTANCE_TYPE;
use crate::platform::serving::HARDWARE_PROFILE;

/// The MachineSets with GPUs that are applied to the cluster.
pub fn gpu_machines(model: &Model<'_>) -> Vec<MachineSet> {
    let (sets, _) = machines::sets(&model.world);
    sets.into_iter().filter(|set| !set.is_local && set.sign_of_gpus().is_some()).collect()
}

/// A pod that requests GPUs.
#[derive(Debug)]
pub struct GpuPod<'m> {
    pub pod: &'m Pod,
    /// The pod of the runtime, whose tolerations KServe adds.
    pub runtime: Option<&'m Pod>,
    /// Whether the resources have the runtime, if it names one.
    pub is_complete: bool,
    pub amount: &'m Amount,
}

/// The models and other workloads that request GPUs by themselves. A hardware profile may change what a pod requests and
/// tolerates.
pub fn gpu_pods<'m>(model: &'m Model<'_>, workloads: &'m [Workload]) -> Vec<GpuPod<'m>> {
    let is_own = |item: ItemId| {
        let item = item.get(model.items());
        !item.is_local() && !item.has(&annotation(HARDWARE_PROFILE)).unwrap_or(true)
    };
    let models = services(model).filter_map(|service| {
        let runtime = model.serving.runtime_of(service);
        let names_runtime = service.runtime.value.as_ref().is_some_and(|name| !name.is_empty());
        let pod = GpuPod {
            pod: &service.pod,
            runtime: runtime.map(|runtime| &runtime.pod),
            is_complete: runtime.is_some() || !names_runtime,
            amount: model.serving.gpus_of(service)?,
        };
        is_own(service.item).then_some(pod)
    });
    let others = workloads.iter().filter(|workload| is_own(workload.item)).map(|workload| GpuPod {
        pod: &workload.pod,
        runtime: None,
        is_complete: true,
        amount: &workload.gpus,
    });
    models.chain(others).filter(|pod| pod.amount.gpus().is_some_and(|gpus| gpus > 0)).collect()
}

/// Whether the machines have GPUs of a resource, such as `nvidia.com/gpu`, as far as the catalogue knows.
pub fn may_have(set: &MachineSet, resource: &str) -> bool {
    let known = set.instance.and_then(|instance| instance.accelerator.resource());
    known.is_none_or(|known| known == resource)
}

/// The label by which a pod excludes the machines of a set. Labels that the MachineSet does not have may come from
/// elsewhere, such as the GPU operator.
pub fn excluding_label<'p>(pod: &'p Pod, set: &MachineSet) -> Option<&'p Sited<(String, String)>> {
    pod.node_selector.iter().find(|label| {
        let (key, value) = &label.value;
        let instance = set.instance.map(|instance| instance.name).filter(|_| key == INSTANCE_TYPE);
        instance.or_else(|| set.node_labels.get(key).map(String::as_str)).is_some_and(|own| own != value)
    })
}
