//! The secrets of OpenStack services: each must exist, with the keys that the services read and values that they can
//! use.

mod keys;
mod values;

use std::collections::{HashMap, HashSet};

use crate::krm::{Resource, Results};
use crate::model::ItemId;
use crate::model::secrets::{Secrets, StoredSecret};
use crate::platform::secrets::is_openstack_secret;

/// How strict the checks are.
#[derive(Debug, Default)]
pub struct SecretPolicy {
    /// Whether all required secrets must be among the resources.
    pub complete: bool,
    /// The reason why values that are easy to guess are acceptable.
    pub accept_defaults: Option<String>,
}

pub fn secrets(secrets: &Secrets, policy: &SecretPolicy, items: &[Resource], results: &mut Results) {
    let mut by_name: HashMap<&str, Vec<&StoredSecret>> = HashMap::new();
    for secret in &secrets.stored {
        by_name.entry(&secret.name).or_default().push(secret);
    }
    let mut checked: HashSet<ItemId> = HashSet::new();
    for (namespace, name, needs) in secrets.needs.iter() {
        let same_name = by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        let found = in_namespace(same_name, namespace, items);
        match found.first() {
            Some(first) => keys::report_missing(first, &found, needs, items, results),
            None => keys::report_absent(name, needs, policy, items, results),
        }
        for secret in found {
            values::check(secret, needs, policy, items, results);
            checked.insert(secret.item);
        }
    }
    // No service reads these yet, but their names are those of OpenStack's secrets.
    let is_unread =
        |secret: &&StoredSecret| is_openstack_secret(&secret.name) && !checked.contains(&secret.item);
    for secret in secrets.stored.iter().filter(is_unread) {
        values::check(secret, &[], policy, items, results);
    }
}

/// The secrets of a namespace, or if there are none, those that may be in it.
fn in_namespace<'s>(
    secrets: &[&'s StoredSecret],
    namespace: Option<&str>,
    items: &[Resource],
) -> Vec<&'s StoredSecret> {
    let id = |secret: &StoredSecret| secret.item.get(items).id();
    let is_exact = |secret: &&&StoredSecret| id(secret).namespace.as_deref() == namespace;
    let exact: Vec<&StoredSecret> = secrets.iter().filter(is_exact).copied().collect();
    match exact.is_empty() {
        true => secrets.iter().filter(|secret| id(secret).may_be_in(namespace)).copied().collect(),
        false => exact,
    }
}
