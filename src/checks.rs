//! Checks: what the program reports about resources. Every finding refers to a documented rule.
//!
//! A check decides from the model alone, so functions and the linter call the same checks.

mod annotations;
mod claim;
mod cluster_autoscaler;
pub mod data_plane_services;
pub mod data_sources;
pub mod gpu_alias;
mod linter;
mod network_misread;
mod node_name;
pub mod nova_cells;
pub mod nova_config;
mod pools;
pub mod rules;
mod secrets;
mod selection;
pub mod suppression;
mod sync_wave;
mod vip_conflict;
mod vip_outside_pool;
mod wrong_type;

pub use annotations::{both_prefixes, load_balancer_ip, no_service, unknown_annotation};
pub use claim::{Claim, severity};
pub use cluster_autoscaler::{cluster_autoscaler_name, gpu_limit_types};
pub use linter::{CHECKS, Check, check, rules_of_checks};
pub use network_misread::network_misread;
pub use node_name::node_name;
pub use pools::{missing_name, no_addresses, pool_exhausted, pool_overlap, pool_twice};
pub use secrets::{SecretPolicy, secrets};
pub use selection::{PEDANTIC, Selection, UnknownName};
pub use sync_wave::sync_wave;
pub use vip_conflict::shared_addresses;
pub use vip_outside_pool::address_outside_pools;
pub use wrong_type::wrong_type;
