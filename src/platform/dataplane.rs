//! The data plane: node sets, the services that set them up, and what services read.

use serde_json::{Value, json};

use crate::formats::glob;
use crate::krm::FieldPath;

/// The service that sets up Nova's compute, for cell1.
pub const NOVA: &str = "nova";

/// The cell of the stock service.
pub const NOVA_CELL: &str = "cell1";

/// What `edpmServiceType` says, of services that are Nova's compute.
pub const NOVA_TYPE: &str = "nova";

/// The services of a node set that names none, each of the type it is named after.
pub const DEFAULT_SERVICES: [&str; 16] = [
    "redhat",
    "download-cache",
    "bootstrap",
    "configure-network",
    "validate-network",
    "install-os",
    "configure-os",
    "ssh-known-hosts",
    "run-os",
    "reboot-os",
    "install-certs",
    "ovn",
    "neutron-metadata",
    "libvirt",
    "nova",
    "telemetry",
];

pub fn services() -> FieldPath {
    FieldPath::new("spec.services")
}

pub fn service_type() -> FieldPath {
    FieldPath::new("spec.edpmServiceType")
}

pub fn data_sources() -> FieldPath {
    FieldPath::new("spec.dataSources")
}

/// Kernel arguments of all nodes of a set, and those of single nodes, which take their place.
pub fn kernel_args() -> FieldPath {
    FieldPath::new("spec.nodeTemplate.ansible.ansibleVars.edpm_kernel_args")
}

pub fn kernel_args_of_nodes() -> FieldPath {
    FieldPath::new("spec.nodes.*.ansible.ansibleVars.edpm_kernel_args")
}

/// The secret in which the operator hands a cell's configuration to its computes.
pub fn cell_secret(cell: &str) -> String {
    format!("nova-{cell}-compute-config")
}

/// The cell that a secret is for, if it is such a secret.
pub fn cell_of_secret(name: &str) -> Option<&str> {
    name.strip_prefix("nova-")?.strip_suffix("-compute-config")
}

/// Whether the containers of a compute see a file of this name: others are left behind without a word.
pub fn is_seen_by_nova(key: &str) -> bool {
    glob::matches("*nova*.conf", key) || glob::matches("provider*.yaml", key)
}

/// The spec of a service like the stock one, for a cell, with one more ConfigMap.
pub fn nova_service(cell: &str, config_map: &str) -> Value {
    json!({
        "edpmServiceType": NOVA_TYPE,
        "playbook": "osp.edpm.nova",
        "dataSources": [
            {"configMapRef": {"name": config_map}},
            {"secretRef": {"name": cell_secret(cell)}},
            {"secretRef": {"name": "nova-migration-ssh-key"}},
            {"configMapRef": {"name": "nova-extra-config", "optional": true}},
        ],
        "caCerts": "combined-ca-bundle",
        "containerImageFields": ["NovaComputeImage"],
    })
}
