//! The size of the machines, and how they come to their GPUs: each provider has its own way.

use serde_json::{Value, json};

use super::Planned;
use crate::formats::pci::PciId;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::architecture::AMD64;
use crate::platform::gpu::{self, Gpu};
use crate::platform::instance;
use crate::platform::instance_name::TypeName;
use crate::platform::machine::{Provider, provider_field};

/// GPUs that GCP attaches to a machine of the series N1; all other series have theirs built in.
const ATTACHED: [&str; 5] = ["t4", "v100", "p100", "p4", "k80"];

/// Models whose sizes on Azure need an image for VMs of generation 2.
const GENERATION_2: [&str; 4] = ["a100", "h100", "h100-nvl", "h200"];

pub fn set(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    architectures_agree(wanted, results);
    if let Some(path) = wanted.template.provider.size() {
        set.set(&path, wanted.machine.instance_type.clone())?;
    }
    report_stated_gpus(wanted, results);
    match wanted.template.provider {
        Provider::Aws | Provider::OpenStack => Ok(()),
        Provider::Azure => generations_agree(wanted, results),
        Provider::Gcp => on_gcp(set, wanted, results),
        Provider::VSphere => on_vsphere(set, wanted, results),
        Provider::Nutanix => on_nutanix(set, wanted, results),
        Provider::BareMetal => on_bare_metal(set, wanted, results),
    }
}

/// `capacity` may state GPUs of a type that, by its name, has none. GCP can attach some, and has a check of its own.
fn report_stated_gpus(wanted: &Planned<'_>, results: &mut Results) {
    let name = TypeName::parse(&wanted.machine.instance_type);
    let of_cloud = name.filter(|name| name.cloud == wanted.template.provider && name.cloud != Provider::Gcp);
    if let Some(series) = of_cloud.and_then(|name| name.series_without_gpus()) {
        let message = format!(
            "{} has no GPUs, as no machine of the {series} series of {} has any; choose another type",
            quoted(&wanted.machine.instance_type),
            wanted.template.provider.name()
        );
        results.warning("gpu", message).in_config(wanted.field("instanceType"));
    }
}

/// The image of the template must run on the machines.
fn architectures_agree(wanted: &Planned<'_>, results: &mut Results) {
    let (entry, name) = (wanted.entry, quoted(&wanted.machine.instance_type));
    let template = wanted.template.resource;
    match (wanted.figures.architecture, &wanted.template.architecture) {
        (Some(needed), Some(found)) if needed != found => {
            let way_out = match wanted.template_is_named {
                true => format!("name a template of {needed} machines"),
                false => format!("add a worker MachineSet of {needed} machines to the resources"),
            };
            let message = format!(
                "`spec.machines[{entry}].instanceType`: {name} is {needed}, and the image of this template is for \
                 {found}; {way_out}"
            );
            results.error("architecture", message).on(template);
        }
        (Some(needed), None) if needed != AMD64 => {
            let message = format!(
                "`spec.machines[{entry}].instanceType`: {name} is {needed}, and nothing in this template tells whether \
                 its image is too; check it"
            );
            results.warning("architecture", message).on(template);
        }
        _ => {}
    }
}

fn generations_agree(wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let mut path = provider_field("image.resourceID");
    let image: String = wanted.template.resource.get(&path)?.unwrap_or_default();
    let is_old = if image.is_empty() {
        // From the marketplace. Red Hat's images are of the second generation unless they say so; those of
        // Azure Red Hat OpenShift are of the first: `aro_419`, but `419-v2`.
        path = provider_field("image.sku");
        let text = |path: &FieldPath| wanted.template.resource.get::<String>(path);
        let is_aro = text(&provider_field("image.publisher"))?.as_deref() == Some("azureopenshift");
        text(&path)?.is_some_and(|sku| if is_aro { !sku.ends_with("-v2") } else { sku.contains("gen1") })
    } else {
        !image.split('/').any(|part| part.ends_with("-gen2"))
    };
    if is_old && GENERATION_2.contains(&wanted.figures.accelerator.model()) {
        let message = format!(
            "{} needs an image of generation 2, and by its name this is none; the installer's ends in \"-gen2\", one \
             of Azure Red Hat OpenShift in \"-v2\"",
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
            let message = format!("{} has no GPUs, and only N1 machines take attached ones", quoted(size));
            results.error("gpu", message).in_config(wanted.field("instanceType"));
        }
        return set.remove(&gpus);
    }
    let model = wanted.figures.accelerator.model();
    if !ATTACHED.contains(&model) || !wanted.figures.accelerator.as_str().starts_with("nvidia-") {
        let message = format!(
            "must be one of nvidia-{} for an N1 machine, got {}",
            ATTACHED.join(", nvidia-"),
            quoted(&wanted.figures.accelerator)
        );
        results.error("gpu", message).in_config(wanted.field("capacity.gpu"));
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
    let candidates = gpu::by_name(wanted.figures.accelerator.as_str());
    let is_wanted = |gpu: &Value| candidates.is_empty() || candidates.iter().any(|known| is(gpu, known));
    let asked = wanted.machine.capacity.as_ref().and_then(|capacity| capacity.device_id.clone());
    let device = match (asked, candidates.as_slice()) {
        (Some(asked), _) => Some(asked),
        // The template's own.
        (None, _) if there.len() == count && there.iter().all(is_wanted) => return Ok(()),
        (None, [only]) => PciId::parse(only.product),
        (None, _) => None,
    };
    if let Some(device) = device {
        return set.set(&path, vec![json!({"type": "DeviceID", "deviceID": device.number()}); count]);
    }
    let message = format!(
        "the template does not have the {count} {} of `spec.machines[{}].capacity`, and the name does not say which \
         PCI id they have; say it in `capacity.deviceId`",
        quoted(&wanted.figures.accelerator),
        wanted.entry
    );
    results.error("gpu", message).field(wanted.template.resource, &path);
    Ok(())
}

/// Whether Nutanix' words for a GPU, by its PCI id or by its name, mean this one.
fn is(gpu: &Value, known: &Gpu) -> bool {
    match (gpu.get("deviceID"), gpu.get("name").and_then(Value::as_str)) {
        (Some(id), _) => PciId::parse(known.product).is_some_and(|product| *id == json!(product.number())),
        (None, Some(name)) => gpu::by_name(name).iter().any(|named| named.product == known.product),
        (None, None) => false,
    }
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
    if set.value(&selector)?.is_none_or(|selector| selects_all(&selector)) {
        let message = format!(
            "any BareMetalHost would be taken; say in `spec.machines[{}].hostSelector` which labels those with GPUs have",
            wanted.entry
        );
        results.error("host-selector", message).field(wanted.template.resource, &selector);
    }
    Ok(())
}

/// Whether a selector leaves out no host.
fn selects_all(selector: &Value) -> bool {
    let is_empty = |part: &Value| match part {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    selector.as_object().is_none_or(|parts| parts.values().all(is_empty))
}
