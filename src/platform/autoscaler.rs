//! OpenShift's cluster autoscaler: the ClusterAutoscaler, MachineAutoscalers, and their annotations on MachineSets.

use crate::krm::{FieldPath, Kind};

pub const CLUSTER_AUTOSCALER: Kind = Kind::new("autoscaling.openshift.io/v1", "ClusterAutoscaler");
pub const MACHINE_AUTOSCALER: Kind = Kind::new("autoscaling.openshift.io/v1beta1", "MachineAutoscaler");

/// The name of the only ClusterAutoscaler that the operator reads.
pub const DEFAULT_NAME: &str = "default";

/// The MachineAutoscaler of a MachineSet. The autoscaler's operator sets this annotation.
pub const SCALED_BY: &str = "autoscaling.openshift.io/machineautoscaler";

/// Annotations that tell the autoscaler what a machine has. Its operator adds missing ones, and does not correct existing ones.
pub const CAPACITY: &str = "capacity.cluster-autoscaler.kubernetes.io/";
pub const CAPACITY_CPU: &str = "capacity.cluster-autoscaler.kubernetes.io/cpu";
pub const CAPACITY_MEMORY: &str = "capacity.cluster-autoscaler.kubernetes.io/memory";
pub const CAPACITY_GPU_COUNT: &str = "capacity.cluster-autoscaler.kubernetes.io/gpu-count";
pub const CAPACITY_GPU_TYPE: &str = "capacity.cluster-autoscaler.kubernetes.io/gpu-type";
pub const CAPACITY_LABELS: &str = "capacity.cluster-autoscaler.kubernetes.io/labels";

/// The name of the MachineSet that a MachineAutoscaler scales.
pub fn target_name() -> FieldPath {
    FieldPath::new("spec.scaleTargetRef.name")
}

pub fn min_replicas() -> FieldPath {
    FieldPath::new("spec.minReplicas")
}

pub fn max_replicas() -> FieldPath {
    FieldPath::new("spec.maxReplicas")
}

pub fn max_nodes_total() -> FieldPath {
    FieldPath::new("spec.resourceLimits.maxNodesTotal")
}

/// The fields of a limit for GPUs.
pub const LIMIT_TYPE: &str = "type";
pub const LIMIT_MIN: &str = "min";
pub const LIMIT_MAX: &str = "max";

/// The list of limits for GPUs, one entry for each value of the label `cluster-api/accelerator`.
pub fn gpu_limits() -> FieldPath {
    FieldPath::new("spec.resourceLimits.gpus")
}
