//! The size of the machines, and how they come to their GPUs: each provider has its own way.

use serde_json::{Value, json};

use super::Planned;
use crate::formats::pci::PciId;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::gpu;
use crate::platform::instance;
use crate::platform::machine::{Provider, provider_field};

/// GPUs that GCP attaches to a machine of the series N1; all other series have theirs built in.
const ATTACHED: [&str; 5] = ["t4", "v100", "p100", "p4", "k80"];

/// Models whose sizes on Azure need an image for VMs of generation 2.
const GENERATION_2: [&str; 4] = ["a100", "h100", "h100-nvl", "h200"];

pub fn set(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    architectures_agree(wanted, results)?;
    if let Some(path) = wanted.template.provider.size() {
        set.set(&path, wanted.machine.instance_type.clone())?;
    }
    match wanted.template.provider {
        Provider::Aws | Provider::OpenStack => Ok(()),
        Provider::Azure => generations_agree(wanted, results),
        Provider::Gcp => on_gcp(set, wanted, results),
        Provider::VSphere => on_vsphere(set, wanted, results),
        Provider::Nutanix => on_nutanix(set, wanted, results),
        Provider::BareMetal => on_bare_metal(set, wanted, results),
    }
}

/// The image of the template must run on the machines.
fn architectures_agree(wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let (entry, name) = (wanted.entry, quoted(&wanted.machine.instance_type));
    let template = wanted.template.resource;
    match (wanted.figures.architecture, wanted.template.architecture()?) {
        (Some(wanted), Some(there)) if wanted != there => {
            let message = format!(
                "`spec.machines[{entry}]`: {name} is {wanted}, and the image of this template is for {there}; name a \
                 template of {wanted} machines"
            );
            results.error("architecture", message).on(template);
        }
        (Some(wanted), None) if wanted != "amd64" => {
            let message = format!(
                "`spec.machines[{entry}]`: {name} is {wanted}; nothing here says that the image of this template is, too"
            );
            results.warning("architecture", message).on(template);
        }
        _ => {}
    }
    Ok(())
}

fn generations_agree(wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let mut path = provider_field("image.resourceID");
    let image: String = wanted.template.resource.get(&path)?.unwrap_or_default();
    let is_old = if image.is_empty() {
        // From the marketplace; what does not say its generation there is of the second.
        path = provider_field("image.sku");
        wanted.template.resource.get::<String>(&path)?.is_some_and(|sku| sku.contains("gen1"))
    } else {
        !image.split('/').any(|part| part.ends_with("-gen2"))
    };
    if is_old && GENERATION_2.contains(&wanted.figures.accelerator.model()) {
        let message = format!(
            "{} needs an image of generation 2, and by its name this is none; the installer's ends in \"-gen2\"",
            quoted(&wanted.machine.instance_type)
        );
        results.warning("generation", message).field(wanted.template.resource, &path);
    }
    Ok(())
}

/// Series of GCP whose machines have GPUs built in.
const BUILT_IN: [&str; 5] = ["a2-", "a3-", "a4", "g2-", "g4-"];

/// A machine with a GPU cannot be moved while its host is maintained.
fn on_gcp(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    set.set(&provider_field("onHostMaintenance"), "Terminate")?;
    let gpus = provider_field("gpus");
    let size = &wanted.machine.instance_type;
    if !size.starts_with("n1-") {
        if instance::by_name(size).is_none() && !BUILT_IN.iter().any(|series| size.starts_with(series)) {
            let message = format!(
                "`spec.machines[{}].instanceType`: {} comes without GPUs, and only N1 machines take attached ones",
                wanted.entry,
                quoted(size)
            );
            results.error("gpu", message);
        }
        return set.remove(&gpus);
    }
    let model = wanted.figures.accelerator.model();
    if !ATTACHED.contains(&model) || !wanted.figures.accelerator.as_str().starts_with("nvidia-") {
        let message = format!(
            "`spec.machines[{}].capacity.gpu`: an N1 machine has one of nvidia-{}, got {}",
            wanted.entry,
            ATTACHED.join(", nvidia-"),
            quoted(&wanted.figures.accelerator)
        );
        results.error("gpu", message);
    }
    set.set(&gpus, json!([{"type": format!("nvidia-tesla-{model}"), "count": wanted.figures.gpus}]))
}

/// vSphere's providerSpec has no GPUs: they are in the VM template.
fn on_vsphere(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    if let Some(cpus) = wanted.figures.cpus {
        divides(set, "numCoresPerSocket", cpus, wanted, results)?;
        set.set(&provider_field("numCPUs"), cpus)?;
    }
    match wanted.figures.memory_mib {
        Some(mib) => set.set(&provider_field("memoryMiB"), mib),
        None => Ok(()),
    }
}

fn on_nutanix(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    if let Some(cpus) = wanted.figures.cpus {
        let per_socket = divides(set, "vcpusPerSocket", cpus, wanted, results)?;
        set.set(&provider_field("vcpuSockets"), cpus / per_socket)?;
    }
    if let Some(mib) = wanted.figures.memory_mib {
        set.set(&provider_field("memorySize"), format!("{mib}Mi"))?;
    }
    let path = provider_field("gpus");
    let there: Vec<Value> = set.get(&path)?.unwrap_or_default();
    let count = wanted.figures.gpus as usize;
    match device_of(wanted) {
        Some(device)
            if there.len() != count || asked_device(wanted).is_some() || is_another(&there, &device) =>
        {
            set.set(&path, vec![json!({"type": "DeviceID", "deviceID": device.number()}); count])?;
        }
        None if there.len() != count => {
            let message = format!(
                "the template has {} GPUs, `spec.machines[{}].capacity.count` is {count}, and the name {} does not \
                 say which PCI id they have; say it in `capacity.deviceId`",
                there.len(),
                wanted.entry,
                quoted(&wanted.figures.accelerator)
            );
            results.error("gpu", message).field(wanted.template.resource, &path);
        }
        _ => {} // the template's own
    }
    Ok(())
}

/// Whether a template asks for another device by its id.
fn is_another(there: &[Value], device: &PciId) -> bool {
    there.iter().filter_map(|gpu| gpu.get("deviceID")).any(|id| *id != json!(device.number()))
}

fn asked_device(wanted: &Planned<'_>) -> Option<PciId> {
    wanted.machine.capacity.as_ref()?.device_id.clone()
}

/// The PCI id that the config says, or the only one that a GPU of that name has.
fn device_of(wanted: &Planned<'_>) -> Option<PciId> {
    asked_device(wanted).or_else(|| match gpu::by_name(wanted.figures.accelerator.as_str()).as_slice() {
        [only] => PciId::parse(only.product),
        _ => None,
    })
}

/// The number of a field by which the CPUs must be divisible; 1 if it is not there.
fn divides(
    set: &Resource,
    field: &str,
    cpus: u32,
    wanted: &Planned<'_>,
    results: &mut Results,
) -> Result<u32, Fault> {
    let path = provider_field(field);
    let divisor = set.get::<u32>(&path)?.filter(|divisor| *divisor > 0).unwrap_or(1);
    if !cpus.is_multiple_of(divisor) {
        let message = format!(
            "`spec.machines[{}].capacity.cpus` is {cpus}, which {divisor} does not divide",
            wanted.entry
        );
        results.error("cpus", message).field(wanted.template.resource, &path);
    }
    Ok(divisor)
}

/// Hosts are chosen by their labels; any free host would do without.
fn on_bare_metal(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let path = provider_field("hostSelector.matchLabels");
    for (key, value) in &wanted.machine.host_selector {
        set.set(&path.clone().key(key.clone()), value.clone())?;
    }
    let selector = provider_field("hostSelector");
    if set.value(&selector)?.is_none_or(|labels| labels.is_null() || labels == json!({})) {
        let message = format!(
            "any BareMetalHost would be taken; say in `spec.machines[{}].hostSelector` which labels those with GPUs have",
            wanted.entry
        );
        results.error("host-selector", message).field(wanted.template.resource, &selector);
    }
    Ok(())
}
