//! Facts: kinds, field paths, option names. Constants and small readers; no decisions.

pub mod architecture;
pub mod argocd;
pub mod autoscaler;
pub mod dataplane;
pub mod gpu;
pub mod gpu_label;
pub mod install_yamls;
pub mod instance;
pub mod instance_name;
pub mod interface_name;
pub mod kubernetes;
pub mod machine;
pub mod metallb;
pub mod network;
pub mod network_plan;
pub mod nova;
pub mod openstack;
pub mod operators;
pub mod provider;
pub mod secrets;
pub mod service_overrides;
pub mod storage;
pub mod waves;
pub mod zone;
