//! The data plane: services that configure node sets, where their fields are, and which files Nova reads.

use serde_json::{Value, json};

use crate::formats::glob;
use crate::krm::{FieldPath, FieldPattern, Kind};

/// Runs services on node sets. Its spec is immutable after it is applied.
pub const DEPLOYMENT: Kind = Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneDeployment");

/// The operator's service that configures nova-compute, for cell1.
pub const NOVA: &str = "nova";

/// The cell of the operator's service `nova`.
pub const NOVA_CELL: &str = "cell1";

/// The cell for guests that were never scheduled. It has no compute nodes.
pub const CELL_WITHOUT_COMPUTES: &str = "cell0";

/// The annotation with Nova's cell for a node set. On a service, it records that the cell was assigned.
pub const CELL_ANNOTATION: &str = "nova.openstack.org/cell";

/// The annotation of a node set that was split off from another, which it names.
pub const SPLIT_FROM: &str = "fn.rhoso.dev/split-from";

pub const SERVICE_TYPE: &str = "edpmServiceType";

/// `edpmServiceType` of services that configure nova-compute.
pub const NOVA_TYPE: &str = "nova";

/// `edpmServiceType` of services that configure libvirt.
pub const LIBVIRT_TYPE: &str = "libvirt";

/// The operator's other services, which a node set may list too.
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

/// The services of a node set that lists none. Each has the type that it is named after.
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

/// The services that the operator creates itself.
pub fn stock_services() -> impl Iterator<Item = &'static str> {
    DEFAULT_SERVICES.into_iter().chain(OTHER_STOCK_SERVICES)
}

/// Whether the operator creates a service with this name itself.
pub fn is_stock(service: &str) -> bool {
    stock_services().any(|stock| stock == service)
}

pub fn services() -> FieldPath {
    FieldPath::new("spec.services")
}

/// The node sets of a Deployment.
pub fn node_sets() -> FieldPath {
    FieldPath::new("spec.nodeSets")
}

/// The services that a Deployment runs in place of those of its node sets.
pub fn services_override() -> FieldPath {
    FieldPath::new("spec.servicesOverride")
}

pub fn service_type() -> FieldPath {
    service_spec().key(SERVICE_TYPE)
}

pub fn service_spec() -> FieldPath {
    FieldPath::new("spec")
}

/// What a service reads: ConfigMaps and Secrets.
pub fn data_sources() -> FieldPath {
    FieldPath::new("spec.dataSources")
}

/// Fields of services before `dataSources` (openstack-operator f0ab14d8, June 2024). The API server drops them without
/// an error.
pub fn removed_sources() -> [FieldPath; 2] {
    [FieldPath::new("spec.configMaps"), FieldPath::new("spec.secrets")]
}

/// The playbook of a service, by its name in the collection.
pub fn playbook() -> FieldPath {
    FieldPath::new("spec.playbook")
}

/// What a service runs in place of a playbook of the collection.
pub fn own_playbooks() -> [FieldPath; 2] {
    [FieldPath::new("spec.playbookContents"), FieldPath::new("spec.role")]
}

/// The playbook of the operator's service `nova`.
pub const NOVA_PLAYBOOK: &str = "osp.edpm.nova";

/// The ConfigMap with more configuration that the operator's service `nova` reads, if it exists.
pub const NOVA_EXTRA_CONFIG: &str = "nova-extra-config";

pub const CONFIG_MAP_REF: &str = "configMapRef";

pub const SECRET_REF: &str = "secretRef";

/// The entry of `dataSources` for a ConfigMap.
pub fn config_map_source(name: &str) -> Value {
    json!({CONFIG_MAP_REF: {"name": name}})
}

/// The entry of `dataSources` for the Secret of a cell.
pub fn cell_source(cell: &str) -> Value {
    json!({SECRET_REF: {"name": cell_secret(cell)}})
}

/// The Ansible variable with the arguments of the kernel.
pub const KERNEL_ARGS: &str = "edpm_kernel_args";

/// Settings of all nodes of a node set.
pub fn node_template() -> FieldPath {
    FieldPath::new("spec.nodeTemplate")
}

/// The nodes of a node set. Each may override the settings of the template.
pub fn nodes() -> FieldPattern {
    FieldPattern::new("spec.nodes.*")
}

/// The nodes of a node set, by name.
pub fn node_list() -> FieldPath {
    FieldPath::new("spec.nodes")
}

/// The Ansible variable with the subnets that may connect to compute nodes by SSH.
pub const SSH_RANGES: &str = "edpm_sshd_allowed_ranges";

/// An Ansible variable of the template or of a node.
pub fn ansible_variable(owner: FieldPath, name: &'static str) -> FieldPath {
    owner.key("ansible").key("ansibleVars").key(name)
}

/// The ConfigMaps and Secrets with more Ansible variables of the template or of a node.
pub fn ansible_vars_from(owner: FieldPath) -> FieldPath {
    owner.key("ansible").key("ansibleVarsFrom")
}

/// The Secret in which the operator gives the configuration of a cell to its compute nodes.
pub fn cell_secret(cell: &str) -> String {
    format!("nova-{cell}-compute-config")
}

/// The cell that such a Secret belongs to.
pub fn cell_of_secret(name: &str) -> Option<&str> {
    name.strip_prefix("nova-")?.strip_suffix("-compute-config")
}

/// The service for all node sets of a cell that have no configuration of their own.
pub fn cell_service(cell: &str) -> String {
    format!("nova-{cell}")
}

/// The cell that such a service belongs to.
pub fn cell_of_service(name: &str) -> Option<&str> {
    name.strip_prefix("nova-")
}

/// Whether a name is that of a cell by convention: `cell` and a number. cell0 has no compute nodes.
pub fn is_usual_cell(name: &str) -> bool {
    let number = name.strip_prefix("cell").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && name != CELL_WITHOUT_COMPUTES
}

/// Whether the operators create a Secret with this name for compute nodes, without options for PCI devices.
pub fn is_operator_secret(name: &str) -> bool {
    cell_of_secret(name).is_some() || name == NOVA_MIGRATION_KEY
}

/// The Secret with the key for migrations between compute nodes.
const NOVA_MIGRATION_KEY: &str = "nova-migration-ssh-key";

/// The service that writes `device_spec` options for SR-IOV network cards on the hosts.
pub const DERIVE_DEVICE_SPEC: &str = "derive-pci-devicespec";

/// Whether nova-compute gets a file with this name. kolla copies no others into the container, and reports
/// nothing.
pub fn reaches_nova(file: &str) -> bool {
    is_nova_config(file) || glob::matches("provider*.yaml", file)
}

/// Whether a file with this name is part of Nova's configuration.
pub fn is_nova_config(file: &str) -> bool {
    glob::matches("*nova*.conf", file)
}

/// The name of Nova in the table of options.
pub const NOVA_PROJECT: &str = "nova";

/// The project in the table of options whose configuration services of a type give to their nodes.
pub fn project(service_type: &str) -> Option<&'static str> {
    match service_type {
        NOVA_TYPE => Some(NOVA_PROJECT),
        "telemetry" => Some("ceilometer"),
        _ => service_type.starts_with("neutron-").then_some("neutron"),
    }
}

/// Whether a file with this name is part of the configuration of a project.
pub fn is_config_of(project: &str, file: &str) -> bool {
    match project {
        NOVA_PROJECT => is_nova_config(file),
        "ceilometer" => glob::matches("*ceilometer*.conf", file),
        _ => glob::matches("*.conf", file),
    }
}

/// What the operator's service `nova` reads, for any cell, and with one more ConfigMap.
pub fn nova_sources(cell: &str, config_map: Option<&str>) -> Vec<Value> {
    let mut sources: Vec<Value> = config_map.map(config_map_source).into_iter().collect();
    sources.extend([
        cell_source(cell),
        json!({SECRET_REF: {"name": NOVA_MIGRATION_KEY}}),
        json!({CONFIG_MAP_REF: {"name": NOVA_EXTRA_CONFIG, "optional": true}}),
    ]);
    sources
}

/// The spec of the operator's service `nova`, for any cell, and with one more ConfigMap.
pub fn nova_service(cell: &str, config_map: Option<&str>) -> Value {
    json!({
        SERVICE_TYPE: NOVA_TYPE,
        "playbook": NOVA_PLAYBOOK,
        "dataSources": nova_sources(cell, config_map),
        "caCerts": "combined-ca-bundle",
        "containerImageFields": ["NovaComputeImage"],
    })
}
