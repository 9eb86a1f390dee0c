//! Checks: what the program reports about resources. Every finding has a rule, and every rule a manual.
//!
//! A check decides from the model alone. Functions and the linter call the same checks.

mod address_outside_pool;
mod annotations;
mod claim;
mod misreads;
mod pools;
pub mod rules;
mod shared_addresses;

pub use address_outside_pool::address_outside_pools;
pub use annotations::{annotation_conflict, load_balancer_ip, no_service, unknown_annotation};
pub use claim::{Claim, severity};
pub use misreads::misread;
pub use pools::{missing_name, no_addresses, pool_exhausted, pool_overlap, pool_twice};
pub use shared_addresses::shared_addresses;
