//! Where control planes name StorageClasses, and which of their services claim volumes.

use crate::krm::{FieldPath, FieldPattern};

/// The class for all services that name none.
pub fn default_class() -> FieldPath {
    FieldPath::new("spec.storageClass")
}

/// The fields of a control plane that name a StorageClass (CRD of openstack-operator 84322c77).
const CLASSES: [&str; 15] = [
    "spec.storageClass",
    "spec.designate.template.designateBackendbind9.storageClass",
    "spec.galera.templates.*.storageClass",
    "spec.glance.template.glanceAPIs.*.storage.storageClass",
    "spec.glance.template.storage.storageClass",
    "spec.ironic.template.ironicConductors[*].storageClass",
    "spec.ironic.template.ironicInspector.storageClass",
    "spec.ironic.template.storageClass",
    "spec.ovn.template.ovnDBCluster.*.storageClass",
    "spec.rabbitmq.templates.*.persistence.storageClassName",
    "spec.swift.template.storageClass",
    "spec.swift.template.swiftStorage.storageClass",
    "spec.telemetry.template.cloudkitty.storageClass",
    "spec.telemetry.template.metricStorage.customMonitoringStack.prometheusConfig.persistentVolumeClaim.storageClassName",
    "spec.telemetry.template.metricStorage.monitoringStack.storage.persistent.pvcStorageClass",
];

pub fn classes() -> impl Iterator<Item = FieldPattern> {
    CLASSES.iter().map(|text| FieldPattern::new(text))
}

/// A service that claims one volume for each replica.
#[derive(Debug)]
pub struct Claimant {
    /// What messages call it.
    pub name: &'static str,
    pub owners: &'static str,
    /// The field below an owner that names the StorageClass.
    pub class: &'static str,
}

/// The services whose StatefulSets have exactly one claim. Others claim volumes only with certain settings, and are not
/// counted.
pub const CLAIMANTS: [Claimant; 4] = [
    Claimant { name: "galera", owners: "spec.galera.templates.*", class: "storageClass" },
    Claimant { name: "rabbitmq", owners: "spec.rabbitmq.templates.*", class: "persistence.storageClassName" },
    Claimant { name: "ovn", owners: "spec.ovn.template.ovnDBCluster.*", class: "storageClass" },
    Claimant { name: "swift", owners: "spec.swift.template.swiftStorage", class: "storageClass" },
];

/// Glance: each API is one StatefulSet, or two if it is split. Each replica claims a volume for images, unless those are
/// stored elsewhere, and another one for a cache.
pub mod glance {
    use crate::krm::FieldPath;

    pub const APIS: &str = "spec.glance.template.glanceAPIs.*";

    /// What applies to all APIs that do not set it.
    pub fn template() -> FieldPath {
        FieldPath::new("spec.glance.template")
    }

    /// The default type of an API, which has two StatefulSets: one for internal and one for external requests.
    pub const SPLIT: &str = "split";
}
