//! Checks: what the program reports about resources. Every finding refers to a documented rule.
//!
//! A check decides from the model alone, so functions and the linter call the same checks.

pub mod addresses;
mod alias_without_device;
mod annotations;
mod claim;
mod cluster_autoscaler;
mod data_plane;
pub mod data_plane_services;
pub mod data_sources;
mod deployment_node_sets;
pub mod gpu_alias;
pub mod layer2;
mod linter;
mod metallb;
mod misspelt_kind;
mod network_misread;
mod node_name;
mod node_twice;
mod nova_aliases;
pub mod nova_cells;
pub mod nova_config;
mod one_cause;
mod package_pools;
mod placeholders;
mod plain_credential;
mod pool_not_advertised;
mod pool_not_allowed;
mod pools;
mod rabbitmq_key;
pub mod rules;
mod secrets;
mod selection;
mod shared_keys;
mod stage;
mod storage;
pub mod suppression;
mod sync_wave;
mod typo;
mod unknown_field;
mod unknown_pool;
mod unknown_service;
mod vip_conflict;
mod vip_outside_pool;
mod wrong_type;

pub use alias_without_device::alias_without_device;
pub use annotations::{both_prefixes, load_balancer_ip, no_service, not_a_load_balancer, unknown_annotation};
pub use claim::{Claim, load_balancers, severity};
pub use cluster_autoscaler::{cluster_autoscaler_name, gpu_limit_types};
pub use deployment_node_sets::deployment_without_node_set;
pub use linter::{CHECKS, Check, Ignores, check, check_with_crds, rules_of_checks};
pub use network_misread::network_misread;
pub use node_name::node_name;
pub use node_twice::node_twice;
pub use placeholders::{placeholders, report_placeholder};
pub use plain_credential::plain_credential;
pub use pool_not_advertised::pool_not_advertised;
pub use pool_not_allowed::pool_not_allowed;
pub use pools::{
    missing_name, no_addresses, pool_exhausted, pool_in_two_namespaces, pool_overlap, pool_twice, report_twin,
};
pub use rabbitmq_key::rabbitmq_key;
pub use secrets::{AbsentSecrets, SecretPolicy, secrets};
pub use selection::{PEDANTIC, Selection, UnknownName};
pub use shared_keys::shared_keys;
pub use stage::Stage;
pub use storage::{missing_storage_class, volumes_short};
pub use sync_wave::sync_wave;
pub use unknown_pool::unknown_pool;
pub use unknown_service::unknown_service;
pub use vip_conflict::vip_conflict;
pub use vip_outside_pool::{address_outside_pools, vip_outside_pool};
pub use wrong_type::{is_placeholder, wrong_type};
