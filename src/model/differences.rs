//! How two sets of objects differ: by the identity of objects and by field, not by line.

mod fields;
mod texts;
mod values;

use std::collections::HashMap;

use serde_json::Value;

pub use self::fields::{FieldChange, Side};

use crate::krm::{FieldPath, Id, ObjectKey, Order, Resource};

/// An object that differs.
#[derive(Debug)]
pub struct ObjectChange {
    /// The identity in the new set, or in the old one if the object is removed.
    pub id: Id,
    pub kind: ChangeKind,
}

#[derive(Debug)]
pub enum ChangeKind {
    Added,
    Removed,
    /// The fields that differ, in the order of the new object.
    Changed(Vec<FieldChange>),
}

/// The objects that differ, sorted by kind, namespace and name.
pub fn between(old: &[&Resource], new: &[&Resource]) -> Vec<ObjectChange> {
    let mut changes = Vec::new();
    let mut rest: HashMap<(ObjectKey, usize), &Resource> = numbered(old).collect();
    let mut added = Vec::new();
    for (key, item) in numbered(new) {
        match rest.remove(&key) {
            Some(before) => changes.extend(compare(before, item)),
            None => added.push(item),
        }
    }
    let mut removed: Vec<&Resource> = rest.into_values().collect();
    removed.order_by(|a, b| a.id().cmp(b.id()));
    for item in added {
        // kustomize renames a generated ConfigMap or Secret whenever its contents change.
        let is_former = |other: &&Resource| {
            let (own, other) = (item.id(), other.id());
            let hashless = without_hash(&own.name);
            hashless.is_some()
                && hashless == without_hash(&other.name)
                && (own.group(), &own.kind, &own.namespace) == (other.group(), &other.kind, &other.namespace)
        };
        match removed.iter().position(is_former) {
            Some(at) => changes.extend(compare(removed.remove(at), item)),
            None => changes.push(ObjectChange { id: item.id().clone(), kind: ChangeKind::Added }),
        }
    }
    changes
        .extend(removed.iter().map(|item| ObjectChange { id: item.id().clone(), kind: ChangeKind::Removed }));
    changes.order_by(|a, b| {
        (&a.id.kind, &a.id.namespace, &a.id.name).cmp(&(&b.id.kind, &b.id.namespace, &b.id.name))
    });
    changes
}

/// Objects by what identifies them. Those with equal identities are compared in their order.
fn numbered<'r>(items: &[&'r Resource]) -> impl Iterator<Item = ((ObjectKey, usize), &'r Resource)> {
    let mut seen: HashMap<ObjectKey, usize> = HashMap::new();
    items.iter().map(move |item| {
        let key = item.id().object_key();
        let count = seen.entry(key.clone()).or_default();
        *count += 1;
        ((key, *count), *item)
    })
}

fn compare(old: &Resource, new: &Resource) -> Option<ObjectChange> {
    if old.text() == new.text() {
        return None;
    }
    let value = |item: &Resource| item.value(&FieldPath::default()).ok().flatten().unwrap_or(Value::Null);
    let fields = fields::between(new.id(), &value(old), &value(new));
    (!fields.is_empty()).then(|| ObjectChange { id: new.id().clone(), kind: ChangeKind::Changed(fields) })
}

/// A name without the hash that kustomize appends, which has ten characters of a small alphabet.
fn without_hash(name: &str) -> Option<&str> {
    let (name, hash) = name.rsplit_once('-')?;
    let is_hash = hash.len() == 10 && hash.bytes().all(|byte| b"2456789bcdfghkmt".contains(&byte));
    is_hash.then_some(name)
}
