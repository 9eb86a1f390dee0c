//! VMware vSphere. Its providerSpec has no GPUs: the VM template includes them.

use super::{Facts, Hardware, Memory};

pub const FACTS: Facts = Facts {
    name: "vSphere",
    kind: "VSphereMachineProviderSpec",
    size: Some("template"),
    hardware: Some(Hardware {
        cpus: "numCPUs",
        counts_sockets: false,
        cpus_per_socket: "numCoresPerSocket",
        memory: "memoryMiB",
        memory_format: Memory::Mib,
    }),
    gpus: None,
    region: None,
    zones: None,
    spot: None,
    reservation: None,
    cluster_ids: &[],
    scales_from_zero: true,
    type_names: None,
};
