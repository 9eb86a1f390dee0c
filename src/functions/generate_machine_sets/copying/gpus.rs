//! How machines get their GPUs where the size does not include them.

use serde_json::Value;

use super::PlannedSet;
use crate::checks::rules;
use crate::formats::pci::PciId;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::gpu;
use crate::platform::provider::{Provider, bare_metal, field, gcp, nutanix};

pub fn set(set: &mut Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    match planned.template.provider {
        Provider::Aws | Provider::Azure | Provider::OpenStack | Provider::VSphere => Ok(()),
        Provider::Gcp => on_gcp(set, planned, results),
        Provider::Nutanix => on_nutanix(set, planned, results),
        Provider::BareMetal => on_bare_metal(set, planned, results),
    }
}

/// GPUs are built into a machine type, or attached to it.
fn on_gcp(set: &mut Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    set.set(&field(gcp::MAINTENANCE), gcp::TERMINATE)?;
    let size = &planned.machine.instance_type;
    if !gcp::takes_gpus(size) {
        if !planned.machine.is_listed() && !gcp::has_gpus_built_in(size) {
            let message = format!(
                "{} has no GPUs, and GPUs can be attached only to N1 machines; choose another type",
                quoted(size)
            );
            results.error(&rules::MACHINE_GPU, message).in_config(planned.field("instanceType"));
        }
        return set.remove(&field(gcp::GPUS));
    }
    let accelerator = &planned.machine.gpus.accelerator;
    let is_nvidia = accelerator.as_str().starts_with("nvidia-");
    if !is_nvidia || !gcp::ATTACHABLE_MODELS.contains(&accelerator.model()) {
        let message = format!(
            "must be one of nvidia-{} for an N1 machine, got {}",
            gcp::ATTACHABLE_MODELS.join(", nvidia-"),
            quoted(accelerator)
        );
        results.error(&rules::MACHINE_GPU, message).in_config(planned.field("capacity.gpu"));
    }
    set.set(&field(gcp::GPUS), gcp::attached_gpus(accelerator.model(), planned.machine.gpus.count))
}

/// GPUs are attached by PCI id. The template's GPUs are kept if they match.
fn on_nutanix(set: &mut Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    let path = field(nutanix::GPUS);
    let count = planned.machine.gpus.count as usize;
    let models = gpu::by_name(planned.machine.gpus.accelerator.as_str());
    let stated = planned.machine.device_id.clone();
    let existing: Vec<Value> = set.get(&path)?.unwrap_or_default();
    let is_right =
        |gpu: &Value| models.is_empty() || models.iter().any(|model| nutanix::is_model(gpu, model));
    if stated.is_none() && existing.len() == count && existing.iter().all(is_right) {
        return Ok(());
    }
    let only_model = match models.as_slice() {
        [only] => PciId::parse(only.product),
        _ => None,
    };
    if let Some(id) = stated.or(only_model) {
        return set.set(&path, vec![nutanix::gpu_of_id(&id); count]);
    }
    let message = format!(
        "the template does not have the {count} {} of `spec.machines[{}].capacity`, and the name of the GPU does not \
         identify one PCI id; set it in `capacity.deviceId`",
        quoted(&planned.machine.gpus.accelerator),
        planned.entry
    );
    results.error(&rules::MACHINE_GPU, message).field(planned.template.resource, &path);
    Ok(())
}

/// Hosts with GPUs are selected by their labels. Without a selector, any free host would be used.
fn on_bare_metal(set: &mut Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    for (key, value) in &planned.machine.host_selector {
        set.set(&field(bare_metal::HOST_LABELS).key(key.clone()), value.clone())?;
    }
    let path = field(bare_metal::HOST_SELECTOR);
    if set.value(&path)?.is_none_or(|selector| bare_metal::selects_all(&selector)) {
        let message = format!(
            "any BareMetalHost would match; set `spec.machines[{}].hostSelector` to labels of the hosts that have GPUs",
            planned.entry
        );
        results.error(&rules::HOST_SELECTOR, message).field(planned.template.resource, &path);
    }
    Ok(())
}
