//! The fields that the program knows without the user's CRDs.

use std::sync::OnceLock;

use super::{Schemas, table};
use crate::platform::tables;

/// The fields of the kinds in the built-in table.
pub fn builtin() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| table::read(tables::crd_fields()))
}

/// Whether the built-in table may have a kind of this API group. The groups of Kubernetes itself have no dot or end in
/// `k8s.io`.
pub fn may_be_builtin(group: &str) -> bool {
    group.contains('.') && !group.ends_with(".k8s.io")
}
