//! Checks: what the program reports about resources. Every finding refers to a documented rule.
//!
//! A check decides from the model alone, so functions and the linter call the same checks.

mod address_outside_pool;
mod alias_without_device;
mod annotations;
mod claim;
mod cluster_autoscaler;
mod data_plane;
pub mod data_plane_services;
pub mod data_sources;
mod deployment_node_sets;
pub mod gpu_alias;
mod linter;
mod network_misread;
mod node_name;
mod node_twice;
mod nova_aliases;
pub mod nova_cells;
pub mod nova_config;
mod placeholders;
mod plain_credential;
mod pools;
pub mod rules;
mod secrets;
mod selection;
mod shared_addresses;
mod storage;
pub mod suppression;
mod sync_wave;
mod unknown_service;
mod wrong_type;

pub use address_outside_pool::address_outside_pools;
pub use alias_without_device::alias_without_device;
pub use annotations::{annotation_conflict, load_balancer_ip, no_service, unknown_annotation};
pub use claim::{Claim, severity};
pub use cluster_autoscaler::{cluster_autoscaler_name, gpu_limit_types};
pub use deployment_node_sets::deployment_without_node_set;
pub use linter::{CHECKS, Check, check, rules_of_checks};
pub use network_misread::network_misread;
pub use node_name::node_name;
pub use node_twice::node_twice;
pub use placeholders::placeholders;
pub use plain_credential::plain_credential;
pub use pools::{missing_name, no_addresses, pool_exhausted, pool_overlap, pool_twice};
pub use secrets::{SecretPolicy, secrets};
pub use selection::{PEDANTIC, Selection, UnknownName};
pub use shared_addresses::shared_addresses;
pub use storage::{missing_storage_class, volumes_short};
pub use sync_wave::sync_wave;
pub use unknown_service::unknown_service;
pub use wrong_type::{is_placeholder, wrong_type};
