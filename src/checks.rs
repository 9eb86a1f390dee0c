//! Checks: what the program reports about resources. Every finding has a rule, and every rule a manual.

mod cluster_autoscaler;
mod misread;
mod node_name;
pub mod rules;
mod secrets;
mod sync_wave;

pub use cluster_autoscaler::{cluster_autoscaler_name, gpu_limit_types};
pub use misread::misreads;
pub use node_name::node_name;
pub use secrets::{SecretPolicy, secrets};
pub use sync_wave::sync_wave;
