//! The kinds that an AppProject allows, by name.

use serde::Serialize;

use crate::formats::dns;
use crate::krm::{FieldPath, Hint, Mistakes, quoted};
use crate::platform::scopes::{self, Scope};

/// A kind as an AppProject names it. `*` is any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupKind {
    pub group: String,
    pub kind: String,
}

const ANY: &str = "*";

impl GroupKind {
    pub fn new(group: &str, kind: &str) -> Self {
        GroupKind { group: group.to_owned(), kind: kind.to_owned() }
    }

    /// Reads a kind, with or without its group.
    fn read(text: &str, scope: Scope) -> Result<Self, String> {
        if text == ANY {
            return Ok(GroupKind::new(ANY, ANY));
        }
        let (group, kind, known) = match text.rsplit_once('/') {
            Some((group, kind)) if is_group(group) && is_kind(kind) => (group, kind, scopes::of(group, kind)),
            Some(_) => {
                return Err(format!(
                    "must be a kind, or a group and a kind such as `machine.openshift.io/MachineSet`, got {}",
                    quoted(text)
                ));
            }
            None => {
                let (group, scope) = scopes::named(text).ok_or_else(|| unknown(text, scope))?;
                (group, text, Some(scope))
            }
        };
        match (scope, known) {
            (Scope::Cluster, Some(Scope::Namespaced)) => {
                Err(format!("{} is in namespaces; move it to `namespacedKinds`", quoted(text)))
            }
            (Scope::Namespaced, Some(Scope::Cluster)) => {
                Err(format!("{} is cluster-scoped; move it to `clusterKinds`", quoted(text)))
            }
            _ => Ok(GroupKind::new(group, kind)),
        }
    }
}

/// Reads a list of kinds. A kind that is listed twice counts once.
pub fn read(texts: &[String], scope: Scope, path: &FieldPath, mistakes: &mut Mistakes) -> Vec<GroupKind> {
    let mut kinds = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let kind = mistakes.value(path.clone().index(i), GroupKind::read(text, scope));
        kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
    }
    kinds
}

fn unknown(text: &str, scope: Scope) -> String {
    let hint = Hint::among(text, scopes::names(scope))
        .or(|| "write its group too, such as `machine.openshift.io/MachineSet`".to_owned());
    format!("is not a known kind, got {}; {hint}", quoted(text))
}

fn is_group(text: &str) -> bool {
    text.is_empty() || text == ANY || dns::is_subdomain(text)
}

fn is_kind(text: &str) -> bool {
    let is_name =
        text.starts_with(|c: char| c.is_ascii_uppercase()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    text == ANY || is_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_with_and_without_their_group() {
        let read = |text: &str| GroupKind::read(text, Scope::Namespaced);
        assert_eq!(read("MachineSet"), Ok(GroupKind::new("machine.openshift.io", "MachineSet")));
        assert_eq!(read("/Endpoints"), Ok(GroupKind::new("", "Endpoints")));
        assert_eq!(read("example.com/*"), Ok(GroupKind::new("example.com", "*")));
        assert_eq!(read("*"), Ok(GroupKind::new("*", "*")));
        for text in ["", "/", "machine.openshift.io/v1beta1/MachineSet", "example.com/thing", "Namespace"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
