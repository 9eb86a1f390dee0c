//! MachineSets of OpenShift's machine API: paths, labels and annotations that all providers share.

use super::autoscaler::SCALED_BY;
use crate::krm::{FieldPath, Kind};

pub const MACHINE_SET: Kind = Kind::new("machine.openshift.io/v1beta1", "MachineSet");
pub const NAMESPACE: &str = "openshift-machine-api";

/// The longest name of a MachineSet. The names of its Machines are six characters longer, and have at most 63.
pub const LONGEST_NAME: usize = 57;

/// The longest infrastructure name that the installer creates.
pub const LONGEST_CLUSTER: usize = 27;

/// Labels of MachineSets and Machines: the cluster's infrastructure name, the MachineSet, the role.
pub const CLUSTER: &str = "machine.openshift.io/cluster-api-cluster";
pub const SET: &str = "machine.openshift.io/cluster-api-machineset";
pub const ROLE: &str = "machine.openshift.io/cluster-api-machine-role";

/// The role of the Machines of a worker MachineSet.
pub const WORKER: &str = "worker";

/// What precedes the infrastructure name in labels of GCP and categories of Nutanix.
pub const OWNED_BY: &str = "kubernetes-io-cluster-";

/// The prefix of labels that mark MachineSets that Hive may delete.
pub const HIVE: &str = "hive.openshift.io/";

/// Labels of nodes. Limits of the autoscaler use the value of `ACCELERATOR` as their type.
pub const ACCELERATOR: &str = "cluster-api/accelerator";
pub const GPU_PRESENT: &str = "nvidia.com/gpu.present";
pub const GPU_ROLE: &str = "node-role.kubernetes.io/gpu";
pub const NODE_ROLE: &str = "node-role.kubernetes.io/";
pub const WORKER_ROLE: &str = "node-role.kubernetes.io/worker";
pub const STORAGE_NODE: &str = "cluster.ocs.openshift.io/openshift-storage";
pub const ARCHITECTURE: &str = "kubernetes.io/arch";
pub const INSTANCE_TYPE: &str = "node.kubernetes.io/instance-type";

/// Annotations that describe what a machine has. The providers' controllers write them, the autoscaler's
/// operator reads them.
pub const CPUS: &str = "machine.openshift.io/vCPU";
pub const MEMORY: &str = "machine.openshift.io/memoryMb";
pub const GPUS: &str = "machine.openshift.io/GPU";
pub const MAX_PODS: &str = "machine.openshift.io/maxPods";

/// Annotations of one MachineSet that would be wrong on any other: its autoscaler with the minimum and maximum size.
pub const PERSONAL: [&str; 3] = [
    SCALED_BY,
    "machine.openshift.io/cluster-api-autoscaler-node-group-min-size",
    "machine.openshift.io/cluster-api-autoscaler-node-group-max-size",
];

/// Marks a resource that is only an input: hosts do not render it.
pub const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";

pub fn name() -> FieldPath {
    FieldPath::new("metadata.name")
}

pub fn labels() -> FieldPath {
    FieldPath::new("metadata.labels")
}

pub fn annotations() -> FieldPath {
    FieldPath::new("metadata.annotations")
}

pub fn spec() -> FieldPath {
    FieldPath::new("spec")
}

pub fn selector() -> FieldPath {
    FieldPath::new("spec.selector")
}

pub fn replicas() -> FieldPath {
    FieldPath::new("spec.replicas")
}

pub fn selector_labels() -> FieldPath {
    FieldPath::new("spec.selector.matchLabels")
}

pub fn machine_labels() -> FieldPath {
    FieldPath::new("spec.template.metadata.labels")
}

pub fn node_labels() -> FieldPath {
    FieldPath::new("spec.template.spec.metadata.labels")
}

pub fn taints() -> FieldPath {
    FieldPath::new("spec.template.spec.taints")
}

/// What the provider needs to create the machines. `provider` has its fields.
pub fn provider_spec() -> FieldPath {
    FieldPath::new("spec.template.spec.providerSpec.value")
}
