//! Checks: what the program reports about resources. Every finding refers to a documented rule.
//!
//! A check decides from the model alone, so functions and the linter call the same checks.

mod address_outside_pool;
pub mod addresses;
mod annotations;
mod claim;
mod cluster_autoscaler;
pub mod data_plane_services;
pub mod data_sources;
pub mod gpu_alias;
pub mod layer2;
mod linter;
mod network_misread;
mod node_name;
pub mod nova_cells;
pub mod nova_config;
mod pools;
pub mod rules;
mod secrets;
mod selection;
mod shared_addresses;
pub mod suppression;
mod sync_wave;
mod wrong_type;

pub use address_outside_pool::address_outside_pools;
pub use annotations::{annotation_conflict, load_balancer_ip, no_service, unknown_annotation};
pub use claim::{Claim, severity};
pub use cluster_autoscaler::{cluster_autoscaler_name, gpu_limit_types};
pub use linter::{CHECKS, Check, check, rules_of_checks};
pub use network_misread::network_misread;
pub use node_name::node_name;
pub use pools::{missing_name, no_addresses, pool_exhausted, pool_overlap, pool_twice};
pub use secrets::{SecretPolicy, secrets};
pub use selection::{PEDANTIC, Selection, UnknownName};
pub use shared_addresses::shared_addresses;
pub use sync_wave::sync_wave;
pub use wrong_type::wrong_type;
