//! What an unknown field was probably meant to be.

use std::collections::HashMap;

use crate::checks::typo;
use crate::krm::{FieldPath, Hint};
use crate::platform::crds::{NodeId, Object, Schema, Schemas};

/// What the user may have meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Suggestion {
    /// The name of a field beside it, or the path of another one.
    pub(super) target: String,
    /// Whether nothing else can have been meant. A new release may add a field that exists elsewhere.
    pub(super) is_sure: bool,
}

/// Looks beside the field for a similar name, and then for the same name one level above, below and anywhere else.
/// `ancestors` are the nodes from the root to the parent of the field.
pub(super) fn suggest(path: &FieldPath, ancestors: &[NodeId], schemas: &Schemas) -> Option<Suggestion> {
    let name = path.last_key()?;
    let parent = object(*ancestors.last()?, schemas)?;
    let names = || parent.names().filter(|name| has(parent, name, schemas));
    let beside = Hint::among(name, names()).name();
    let sure = |target: String| Some(Suggestion { target, is_sure: true });
    let is_metadata = ["annotations", "labels", "name", "namespace"].contains(&name);
    if is_metadata && ancestors.len() == 1 {
        return sure(format!("metadata.{name}"));
    }
    // Nothing but `spec` is usual at the top.
    if let Some(target) = beside.filter(|target| typo::is_typo(name, target) || ancestors.len() == 1) {
        return sure(target.to_owned());
    }
    if let Some(target) = above(path, ancestors, name, schemas) {
        return sure(target.to_string());
    }
    if let Some(owner) = below(parent, name, schemas) {
        return sure(path.clone().parent().join(&owner).key(name.to_owned()).to_string());
    }
    let guess = |target: String| Some(Suggestion { target, is_sure: false });
    if let Some(target) = beside.or_else(|| only(names().filter(|known| ends_with(known, name)))) {
        return guess(target.to_owned());
    }
    let root = *ancestors.first()?;
    guess(anywhere(root, name, schemas)?.to_string())
}

fn object(node: NodeId, schemas: &Schemas) -> Option<&Object> {
    match schemas.get(node) {
        Schema::Object(object) => Some(object),
        _ => None,
    }
}

/// The field with this name beside the parent.
fn above(path: &FieldPath, ancestors: &[NodeId], name: &str, schemas: &Schemas) -> Option<FieldPath> {
    let [.., grandparent, _] = ancestors else { return None };
    has(object(*grandparent, schemas)?, name, schemas)
        .then(|| path.clone().parent().parent().key(name.to_owned()))
}

/// The only field beside it that has a field with this name. For an annotation, its usual place.
fn below(parent: &Object, name: &str, schemas: &Schemas) -> Option<FieldPath> {
    if name.contains('/') {
        let metadata = parent.field("metadata").and_then(|node| object(node, schemas))?;
        return metadata.field("annotations").map(|_| FieldPath::new("metadata.annotations"));
    }
    let is_owner = |node| object(node, schemas).is_some_and(|object| has(object, name, schemas));
    let owners = parent.fields().filter(|(_, node)| is_owner(*node)).map(|(child, _)| child);
    only(owners).map(|owner| FieldPath::default().key(owner.to_owned()))
}

/// Whether a name in camel case ends with another: `ansibleHost` with `host`.
fn ends_with(known: &str, name: &str) -> bool {
    let mut letters = name.chars();
    let capitalized = letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str());
    capitalized.is_some_and(|word| known.ends_with(&word))
}

fn only<T>(mut names: impl Iterator<Item = T>) -> Option<T> {
    names.next().filter(|_| names.next().is_none())
}

fn has(object: &Object, name: &str, schemas: &Schemas) -> bool {
    object.field(name).is_some_and(|node| *schemas.get(node) != Schema::Removed)
}

/// The only field of the kind with this name. A path through a list or a mapping names no field.
fn anywhere(root: NodeId, name: &str, schemas: &Schemas) -> Option<FieldPath> {
    let mut counts = HashMap::new();
    let mut path = FieldPath::default();
    let mut node = root;
    // The nodes are many, and most names occur nowhere or often, so there is no path before it is known to be the only one.
    while count(node, name, schemas, &mut counts) == 1 {
        let object = object(node, schemas)?;
        if has(object, name, schemas) {
            return Some(path.key(name.to_owned()));
        }
        let (child, next) = object.fields().find(|(_, child)| counts.get(child) == Some(&1))?;
        (path, node) = (path.key(child.to_owned()), next);
    }
    None
}

/// The number of fields with this name, at most 2.
fn count(node: NodeId, name: &str, schemas: &Schemas, counts: &mut HashMap<NodeId, usize>) -> usize {
    let Some(object) = object(node, schemas) else { return 0 };
    if let Some(count) = counts.get(&node) {
        return *count;
    }
    let mut found = usize::from(has(object, name, schemas));
    for (_, child) in object.fields() {
        found = (found + count(child, name, schemas, counts)).min(2);
    }
    counts.insert(node, found);
    found
}
