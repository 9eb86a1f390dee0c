//! The secrets of OpenStack services: each must exist, with the keys that the services read and values that they can
//! use.

mod keys;
mod values;

use std::collections::{HashMap, HashSet};

use crate::krm::{Resource, Results};
use crate::model::secrets::{self, Secrets, StoredSecret};
use crate::model::{ItemId, Model};
use crate::platform::secrets::is_openstack_secret;

/// How strict the checks are.
#[derive(Debug, Default)]
pub struct SecretPolicy {
    pub absent: AbsentSecrets,
    /// The reason why values that are easy to guess are acceptable.
    pub accept_defaults: Option<String>,
}

/// How secrets that are not among the resources are reported.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum AbsentSecrets {
    /// A required secret is an error.
    Error,
    #[default]
    Warning,
    /// As a warning, if the namespace has another secret that is needed. A package without secrets gets them from
    /// elsewhere.
    WarningBesideOthers,
}

/// Reports what is wrong with the secrets of a package, if it has any.
pub(super) fn package_secrets(model: &Model<'_>, results: &mut Results) {
    let (stored, misreads) = secrets::read(&model.world);
    if stored.stored.is_empty() || super::wrong_type(&misreads, results) {
        return;
    }
    let policy = SecretPolicy { absent: AbsentSecrets::WarningBesideOthers, accept_defaults: None };
    self::secrets(&stored, &policy, model.items(), results);
}

pub fn secrets(secrets: &Secrets, policy: &SecretPolicy, items: &[Resource], results: &mut Results) {
    let mut by_name: HashMap<&str, Vec<&StoredSecret>> = HashMap::new();
    for secret in &secrets.stored {
        by_name.entry(&secret.name).or_default().push(secret);
    }
    let mut checked: HashSet<ItemId> = HashSet::new();
    let find = |namespace: Option<&str>, name: &str| {
        let same_name = by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        in_namespace(same_name, namespace, items)
    };
    let found = secrets.needs.iter().filter(|(namespace, name, _)| !find(*namespace, name).is_empty());
    let with_secrets: HashSet<Option<&str>> = found.map(|(namespace, ..)| namespace).collect();
    for (namespace, name, needs) in secrets.needs.iter() {
        let found = find(namespace, name);
        match found.first() {
            Some(first) => keys::report_missing(first, &found, needs, policy, items, results),
            None if policy.absent == AbsentSecrets::WarningBesideOthers
                && !with_secrets.contains(&namespace) => {}
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
