//! Kinds of Red Hat OpenStack Services on OpenShift, and where their fields are.

use crate::krm::{FieldPath, Kind};

pub const CONTROL_PLANE: Kind = Kind::new("core.openstack.org/v1beta1", "OpenStackControlPlane");
/// The release that a control plane runs. The operator creates it with the name of the control plane if it is missing.
pub const VERSION: Kind = Kind::new("core.openstack.org/v1beta1", "OpenStackVersion");
pub const NODE_SET: Kind = Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneNodeSet");
pub const DATA_PLANE_SERVICE: Kind =
    Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneService");

/// A Secret that the External Secrets Operator fetches from a store.
pub const EXTERNAL_SECRET: Kind = Kind::new("external-secrets.io/v1", "ExternalSecret");

/// Nova. Without this section, the operator does not deploy Nova.
pub fn nova() -> FieldPath {
    FieldPath::new("spec.nova")
}

/// The configuration of Nova's API. The operator adds it after its own, so it takes precedence.
pub fn nova_api_config() -> FieldPath {
    FieldPath::new("spec.nova.template.apiServiceTemplate.customServiceConfig")
}

/// Whether Nova is deployed. The CRD defaults it to true as soon as `spec.nova` exists.
pub fn nova_enabled() -> FieldPath {
    FieldPath::new("spec.nova.enabled")
}

/// The configuration of Nova's scheduler.
pub fn nova_scheduler_config() -> FieldPath {
    FieldPath::new("spec.nova.template.schedulerServiceTemplate.customServiceConfig")
}

/// The settings of OVN.
pub fn ovn_template() -> FieldPath {
    FieldPath::new("spec.ovn.template")
}

/// The interfaces of provider networks, by the name of the physical network.
pub fn nic_mappings() -> FieldPath {
    ovn_template().key("ovnController").key("nicMappings")
}

/// Nova's cells if the control plane lists none.
pub const DEFAULT_CELLS: [&str; 2] = ["cell0", "cell1"];

/// Nova's cells by name.
pub fn nova_cell_templates() -> FieldPath {
    FieldPath::new("spec.nova.template.cellTemplates")
}

/// The configuration of a cell's conductor.
pub fn conductor_config(cell: FieldPath) -> FieldPath {
    cell.key("conductorServiceTemplate").key("customServiceConfig")
}

/// The metadata service for all cells.
pub fn nova_metadata() -> FieldPath {
    cell_metadata(FieldPath::new("spec.nova.template"))
}

/// The metadata service of a cell.
pub fn cell_metadata(cell: FieldPath) -> FieldPath {
    cell.key("metadataServiceTemplate")
}

/// The noVNC proxy of a cell.
pub fn cell_vnc_proxy(cell: FieldPath) -> FieldPath {
    cell.key("noVNCProxyServiceTemplate")
}

/// The compute services that run beside the control plane, such as those for Ironic, by name.
pub fn cell_computes(cell: FieldPath) -> FieldPath {
    cell.key("novaComputeTemplates")
}

/// Whether a part is deployed.
pub fn enabled(part: FieldPath) -> FieldPath {
    part.key("enabled")
}

/// The last keys of the field with the namespace of a Topology, from the end.
pub const TOPOLOGY_NAMESPACE: [&str; 2] = ["namespace", "topologyRef"];

/// The TLS settings of the Routes that openstack-operator's webhook checks (`validateTLSOverrideSpec`).
pub static ROUTES: [&str; 17] = [
    "spec.barbican.apiOverride.route.spec.tls",
    "spec.cinder.apiOverride.route.spec.tls",
    "spec.designate.apiOverride.route.spec.tls",
    "spec.glance.apiOverrides.*.route.spec.tls",
    "spec.heat.apiOverride.route.spec.tls",
    "spec.ironic.apiOverride.route.spec.tls",
    "spec.keystone.apiOverride.route.spec.tls",
    "spec.manila.apiOverride.route.spec.tls",
    "spec.neutron.apiOverride.route.spec.tls",
    "spec.nova.apiOverride.route.spec.tls",
    "spec.octavia.apiOverride.route.spec.tls",
    "spec.placement.apiOverride.route.spec.tls",
    "spec.swift.proxyOverride.route.spec.tls",
    "spec.telemetry.alertmanagerOverride.route.spec.tls",
    "spec.telemetry.aodhApiOverride.route.spec.tls",
    "spec.telemetry.prometheusOverride.route.spec.tls",
    "spec.watcher.apiOverride.route.spec.tls",
];

/// What the TLS settings of a Route need.
pub const REQUIRED_OF_ROUTES: [&str; 2] = ["certificate", "key"];
