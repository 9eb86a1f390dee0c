//! The size of the machines: its name, or the number of CPUs and the memory.

use super::PlannedSet;
use crate::checks::rules;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::instance_name::TypeName;
use crate::platform::provider::{self, Hardware, Memory, Provider};

pub fn set(set: &mut Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    let provider = planned.template.provider;
    if let Some(path) = provider.size() {
        set.set(&path, planned.machine.instance_type.clone())?;
    }
    report_stated_gpus(planned, results);
    match &provider.facts().hardware {
        Some(hardware) => set_hardware(set, hardware, planned, results),
        None => Ok(()),
    }
}

/// `capacity` may state GPUs for a type that, by its name, has none. GCP can attach GPUs to some types, so `gpus`
/// checks them.
fn report_stated_gpus(planned: &PlannedSet<'_>, results: &mut Results) {
    let provider = planned.template.provider;
    let name = TypeName::parse(&planned.machine.instance_type);
    let of_cloud = name.filter(|name| name.cloud == provider && provider != Provider::Gcp);
    if let Some(series) = of_cloud.and_then(|name| name.series_without_gpus()) {
        let message = format!(
            "{} has no GPUs: no machine of the {series} series of {} has any; choose another type",
            quoted(&planned.machine.instance_type),
            provider.name()
        );
        results.warning(&rules::MACHINE_GPU, message).in_config(planned.field("instanceType"));
    }
}

/// Sets CPUs and memory as far as `capacity` states them.
fn set_hardware(
    set: &mut Resource,
    hardware: &Hardware,
    planned: &PlannedSet<'_>,
    results: &mut Results,
) -> Result<(), Fault> {
    if let Some(cpus) = planned.figures.cpus {
        let per_socket = cpus_per_socket(set, hardware, cpus, planned, results)?;
        let number = if hardware.counts_sockets { cpus / per_socket } else { cpus };
        set.set(&provider::field(hardware.cpus), number)?;
    }
    match (planned.figures.memory_mib, &hardware.memory_format) {
        (None, _) => Ok(()),
        (Some(mib), Memory::Mib) => set.set(&provider::field(hardware.memory), mib),
        (Some(mib), Memory::Quantity) => set.set(&provider::field(hardware.memory), format!("{mib}Mi")),
    }
}

/// How many CPUs a socket has. Reports a number of CPUs that does not fill whole sockets.
fn cpus_per_socket(
    set: &Resource,
    hardware: &Hardware,
    cpus: u32,
    planned: &PlannedSet<'_>,
    results: &mut Results,
) -> Result<u32, Fault> {
    let path = provider::field(hardware.cpus_per_socket);
    let divisor = set.get::<u32>(&path)?.filter(|divisor| *divisor > 0).unwrap_or(1);
    if !cpus.is_multiple_of(divisor) {
        let message = format!(
            "`spec.machines[{}].capacity.cpus` is {cpus}, which is not a multiple of {divisor}; change one of them",
            planned.entry
        );
        results.error(&rules::CPUS_PER_SOCKET, message).field(planned.template.resource, &path);
    }
    Ok(divisor)
}
