//! The machines of the package on which a model could run.

use super::services;
use crate::model::machines::{self, MachineSet};
use crate::model::serving::{Amount, ModelService};
use crate::model::{Model, Sited};
use crate::platform::kubernetes::annotation;
use crate::platform::machine::INSTANCE_TYPE;
use crate::platform::serving::HARDWARE_PROFILE;

/// The MachineSets with GPUs that are applied to the cluster.
pub fn gpu_machines(model: &Model<'_>) -> Vec<MachineSet> {
    let (sets, _) = machines::sets(&model.world);
    sets.into_iter().filter(|set| !set.is_local && set.sign_of_gpus().is_some()).collect()
}

/// The services that request GPUs by themselves, with the amount. A hardware profile may change what a service requests
/// and tolerates.
pub fn gpu_services<'m>(model: &'m Model<'_>) -> impl Iterator<Item = (&'m ModelService, &'m Amount)> {
    let has_profile = |service: &ModelService| {
        let profile = annotation(HARDWARE_PROFILE);
        service.item.get(model.items()).has(&profile).unwrap_or(true)
    };
    let services = services(model).filter(move |service| !has_profile(service));
    services.filter_map(|service| {
        let amount = model.serving.gpus_of(service)?;
        amount.gpus().filter(|gpus| *gpus > 0).map(|_| (service, amount))
    })
}

/// Whether the machines have GPUs of a resource, such as `nvidia.com/gpu`, as far as the catalogue knows.
pub fn may_have(set: &MachineSet, resource: &str) -> bool {
    let known = set.instance.and_then(|instance| instance.accelerator.resource());
    known.is_none_or(|known| known == resource)
}

/// The label by which a service excludes the machines of a set. Labels that the MachineSet does not have may come from
/// elsewhere, such as the GPU operator.
pub fn excluding_label<'s>(
    service: &'s ModelService,
    set: &MachineSet,
) -> Option<&'s Sited<(String, String)>> {
    service.pod.node_selector.iter().find(|label| {
        let (key, value) = &label.value;
        let instance = set.instance.map(|instance| instance.name).filter(|_| key == INSTANCE_TYPE);
        instance.or_else(|| set.node_labels.get(key).map(String::as_str)).is_some_and(|own| own != value)
    })
}
