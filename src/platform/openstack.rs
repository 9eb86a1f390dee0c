//! Kinds of Red Hat OpenStack Services on OpenShift, and where their fields are.

use crate::krm::{FieldPath, FieldPattern, Kind};

pub const CONTROL_PLANE: Kind = Kind::new("core.openstack.org/v1beta1", "OpenStackControlPlane");
pub const NODE_SET: Kind = Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneNodeSet");
pub const DATA_PLANE_SERVICE: Kind =
    Kind::new("dataplane.openstack.org/v1beta1", "OpenStackDataPlaneService");

/// A secret that the External Secrets Operator fetches from a store.
pub const EXTERNAL_SECRET: Kind = Kind::new("external-secrets.io/v1", "ExternalSecret");

/// Nova's API service: rendered behind the operator's own nova.conf, so that it has the last word.
pub fn nova_api_config() -> FieldPath {
    FieldPath::new("spec.nova.template.apiServiceTemplate.customServiceConfig")
}

/// Whether Nova is deployed at all; true when absent.
pub fn nova_enabled() -> FieldPath {
    FieldPath::new("spec.nova.enabled")
}

pub fn nova_scheduler_config() -> FieldPath {
    FieldPath::new("spec.nova.template.schedulerServiceTemplate.customServiceConfig")
}

/// Nova's cells, when a control plane names none.
pub const DEFAULT_CELLS: [&str; 2] = ["cell0", "cell1"];

/// Nova's cells by name.
pub fn nova_cell_templates() -> FieldPath {
    FieldPath::new("spec.nova.template.cellTemplates")
}

pub fn nova_cells() -> FieldPattern {
    FieldPattern::new("spec.nova.template.cellTemplates.*")
}

/// The conductor of a cell.
pub fn conductor_config(cell: FieldPath) -> FieldPath {
    cell.key("conductorServiceTemplate").key("customServiceConfig")
}
