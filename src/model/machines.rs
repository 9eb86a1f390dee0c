//! MachineSets, and the autoscalers that scale them.

mod autoscalers;
mod replicas;
mod set;
mod taints;

pub use self::autoscalers::{
    ClusterAutoscaler, GpuLimit, MachineAutoscaler, cluster_autoscalers, machine_autoscalers,
};
pub use self::replicas::{ReplicaRange, replicas};
pub use self::set::{MachineSet, sets};
pub use self::taints::{Taint, Toleration};
