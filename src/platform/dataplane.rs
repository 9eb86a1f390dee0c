//! The data plane: node sets, the services that set them up, and what services read.

use serde_json::{Value, json};

use crate::formats::glob;
use crate::krm::{Fault, FieldPath, Resource, position};
use crate::platform::openstack;

/// The service that sets up Nova's compute, for cell1.
pub const NOVA: &str = "nova";

/// The cell of the stock service.
pub const NOVA_CELL: &str = "cell1";

/// What `edpmServiceType` says, of services that are Nova's compute.
pub const NOVA_TYPE: &str = "nova";

/// What `edpmServiceType` says, of services that are libvirt.
pub const LIBVIRT_TYPE: &str = "libvirt";

/// Stock services that a node set may list besides.
pub const OTHER_STOCK_SERVICES: [&str; 21] = [
    "accel-drivers",
    "ceph-client",
    "ceph-hci-pre",
    "cleanup",
    "configure-ovs-dpdk",
    "ddp-package-option",
    "derive-pci-devicespec",
    "fips-status",
    "frr",
    "instanceha-monitoring",
    "logging",
    "migrate-network",
    "neutron-dhcp",
    "neutron-ovn",
    "neutron-sriov",
    "ovn-bgp-agent",
    "swift",
    "telemetry-power-monitoring",
    "update",
    "update-services",
    "update-system",
];

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

/// Whether the operator brings a service itself.
pub fn is_stock(service: &str) -> bool {
    DEFAULT_SERVICES.contains(&service) || OTHER_STOCK_SERVICES.contains(&service)
}

/// The services of a node set, by name.
pub fn services_of(node_set: &Resource) -> Result<Vec<String>, Fault> {
    let there: Option<Vec<Value>> = node_set.get(&services())?;
    let Some(there) = there else { return Ok(DEFAULT_SERVICES.map(str::to_owned).to_vec()) };
    let mut names = Vec::new();
    for index in 0..there.len() {
        names.extend(node_set.get::<String>(&services().index(index))?);
    }
    Ok(names)
}

/// The type of a service: what it says itself, else its name; none for one that nobody knows.
pub fn type_of_service(
    name: &str,
    items: &[Resource],
    namespace: Option<&str>,
) -> Result<Option<String>, Fault> {
    match position(items, openstack::DATA_PLANE_SERVICE, namespace, name) {
        Some(at) => Ok(Some(items[at].get(&service_type())?.unwrap_or_else(|| name.to_owned()))),
        None => Ok(is_stock(name).then(|| name.to_owned())),
    }
}

pub fn services() -> FieldPath {
    FieldPath::new("spec.services")
}

pub fn service_type() -> FieldPath {
    FieldPath::new("spec.edpmServiceType")
}

pub fn data_sources() -> FieldPath {
    FieldPath::new("spec.dataSources")
}

/// The Ansible variable with the arguments of the kernel.
pub const KERNEL_ARGS: &str = "edpm_kernel_args";

/// What holds for all nodes of a set.
pub fn node_template() -> FieldPath {
    FieldPath::new("spec.nodeTemplate")
}

/// The nodes of a set, each of which may say for itself what holds for all.
pub fn nodes() -> FieldPath {
    FieldPath::new("spec.nodes.*")
}

pub fn kernel_args(node: FieldPath) -> FieldPath {
    node.key("ansible").key("ansibleVars").key(KERNEL_ARGS)
}

/// Where variables come from besides: every source that stands beside `ansibleVars`.
pub fn vars_from(variable: FieldPath) -> FieldPath {
    variable.parent().parent().key("ansibleVarsFrom").each()
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
