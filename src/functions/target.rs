//! The control plane to change.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::krm::{Fault, FieldPath, Id, Mistakes, quoted, rules};

/// Selects control planes by name, by namespace, or by both, and node sets by namespace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    /// `metadata.name` of the control plane.
    name: Option<String>,
    /// `metadata.namespace` of the control plane.
    namespace: Option<String>,
}

impl Target {
    /// Reports a target that selects everything.
    pub fn check(target: Option<&Target>, mistakes: &mut Mistakes) {
        if target.is_some_and(|target| target.name.is_none() && target.namespace.is_none()) {
            let message =
                "must have a `name` or a `namespace`; to change every control plane, remove `target`";
            mistakes.add(FieldPath::new("spec.target"), message);
        }
    }

    /// No control plane matches. `names` are those that the resources contain.
    pub fn no_match(target: Option<&Target>, names: Vec<String>) -> Fault {
        match (target, names.as_slice()) {
            (Some(target), [_, ..]) => {
                let names: Vec<String> = names.iter().map(quoted).collect();
                let message = format!(
                    "no OpenStackControlPlane matches {target}; the resources contain {}",
                    names.join(", ")
                );
                Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.target"))
            }
            _ => Fault::new(&rules::NO_MATCH, "the resources contain no OpenStackControlPlane"),
        }
    }

    pub fn matches(&self, id: &Id) -> bool {
        self.name.as_ref().is_none_or(|name| *name == id.name) && self.has_namespace_of(id)
    }

    pub fn has_namespace_of(&self, id: &Id) -> bool {
        self.namespace.as_ref().is_none_or(|namespace| Some(namespace) == id.namespace.as_ref())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |key: &str, value: &Option<String>| value.as_ref().map(|v| format!("{key} {}", quoted(v)));
        let parts = [part("name", &self.name), part("namespace", &self.namespace)];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
