//! The data plane: node sets, the services that set them up, and what services read.

use crate::krm::rules;
use serde_json::{Value, json};

use crate::formats::glob;
use crate::krm::{Fault, FieldPath, FieldPattern, Kind, Resource, position};
use crate::platform::openstack;

/// Runs services on node sets. Its spec is immutable once it is applied.
pub const DEPLOYMENT: Kind = Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneDeployment");

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
    let default = || DEFAULT_SERVICES.map(str::to_owned).to_vec();
    Ok(names_at(&services(), node_set)?.unwrap_or_else(default))
}

/// The services that a Deployment runs in place of those of its node sets. An empty list overrides nothing.
pub fn services_override_of(deployment: &Resource) -> Result<Vec<String>, Fault> {
    Ok(names_at(&services_override(), deployment)?.unwrap_or_default())
}

/// The node sets of a Deployment, by name.
pub fn node_sets_of(deployment: &Resource) -> Result<Vec<String>, Fault> {
    Ok(names_at(&FieldPath::new("spec.nodeSets"), deployment)?.unwrap_or_default())
}

fn names_at(path: &FieldPath, item: &Resource) -> Result<Option<Vec<String>>, Fault> {
    let Some(list) = item.get::<Vec<Value>>(path)? else { return Ok(None) };
    let name = |index| {
        let path = path.clone().index(index);
        let missing = || Fault::new(&rules::WRONG_TYPE, "must be a string, but is null").field(item, &path);
        item.get::<String>(&path)?.ok_or_else(missing)
    };
    (0..list.len()).map(name).collect::<Result<_, Fault>>().map(Some)
}

/// Where the first service of a type is in a list of services. The data plane ignores any other of that type.
pub fn first_of_type(
    kind: &str,
    services: &[String],
    items: &[Resource],
    namespace: Option<&str>,
) -> Result<Option<usize>, Fault> {
    for (index, name) in services.iter().enumerate() {
        if type_of_service(name, items, namespace)?.as_deref() == Some(kind) {
            return Ok(Some(index));
        }
    }
    Ok(None)
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

pub fn services_override() -> FieldPath {
    FieldPath::new("spec.servicesOverride")
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
pub fn nodes() -> FieldPattern {
    FieldPattern::new("spec.nodes.*")
}

pub fn kernel_args(node: FieldPath) -> FieldPath {
    node.key("ansible").key("ansibleVars").key(KERNEL_ARGS)
}

/// Where variables come from besides: every source that stands beside `ansibleVars`.
pub fn vars_from(variable: FieldPath) -> FieldPattern {
    FieldPattern::each_of(&variable.parent().parent().key("ansibleVarsFrom"))
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
    is_config_of_nova(key) || glob::matches("provider*.yaml", key)
}

/// Whether a file of this name is part of Nova's configuration.
pub fn is_config_of_nova(key: &str) -> bool {
    glob::matches("*nova*.conf", key)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_keep_their_index() {
        let node_set = |services: Value| {
            Resource::new(&json!({"kind": "OpenStackDataPlaneNodeSet", "spec": {"services": services}}))
                .unwrap()
        };
        let names = services_of(&node_set(json!(["bootstrap", "nova"]))).unwrap();
        assert_eq!(names, ["bootstrap", "nova"]);
        assert_eq!(services_of(&node_set(Value::Null)).unwrap(), DEFAULT_SERVICES);
        let fault = services_of(&node_set(json!(["bootstrap", null, "nova"]))).unwrap_err();
        assert!(fault.to_string().contains("`spec.services[1]`: must be a string, but is null"), "{fault}");
    }
}
