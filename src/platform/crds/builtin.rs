//! The fields that the program knows without the user's CRDs.

use std::sync::OnceLock;

use super::{Schemas, table};
use crate::platform::tables;

/// The fields of the kinds in the built-in table.
pub fn builtin() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| table::read(tables::crd_fields()))
}

/// The metadata of every kind.
pub fn metadata() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| table::read(METADATA))
}

/// The kind whose fields [`metadata`] has.
pub const ANY_KIND: (&str, &str) = ("v1", "Any");

const METADATA: &str = "\
v1/Any object+
 metadata object+
  annotations {}string
  generateName string
  labels {}string
  name string
  namespace string
";

/// Whether the built-in table may have a kind of this API group. The groups of Kubernetes itself have no dot or end in
/// `k8s.io`.
pub fn may_be_builtin(group: &str) -> bool {
    group.contains('.') && !group.ends_with(".k8s.io")
}
