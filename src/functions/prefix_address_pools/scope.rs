//! The owner of a pool, judged by the namespaces that may use it.

use super::instance::Instance;
use super::other_instances::begins_with;
use crate::checks::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::network::Pool;
use crate::platform::metallb;

/// The namespaces that may use a pool, without that of the instance.
pub fn other_namespaces(pool: &Pool, instance: &Instance) -> Vec<String> {
    pool.namespaces.iter().filter(|other| **other != instance.namespace).cloned().collect()
}

/// Whether a pool with the instance's prefix, or the prefix that it replaces, is named for another namespace that
/// alone may use it. For example, `openstack-2-internalapi` belongs to `openstack-2`, although it also begins with
/// the prefix `openstack-`.
pub fn is_named_for_others(pool: &Pool, instance: &Instance) -> bool {
    let names = &instance.names;
    let prefix = if names.is_own(&pool.name) { Some(&names.own) } else { names.from.as_ref() };
    let is_longer = |other: &str| prefix.is_some_and(|prefix| other.len() + 1 > prefix.len());
    let is_named_for = |other: &String| begins_with(&pool.name, other) && is_longer(other);
    !pool.namespaces.contains(&instance.namespace) && pool.namespaces.iter().any(is_named_for)
}

/// Whether only other namespaces may use a pool. Reports it, unless the pool has the name of one of them.
pub fn is_reserved_for_others(
    pool: &Pool,
    instance: &Instance,
    items: &[Resource],
    results: &mut Results,
) -> bool {
    if pool.namespaces.is_empty() || pool.namespaces.contains(&instance.namespace) {
        return false;
    }
    if !pool.namespaces.iter().any(|other| begins_with(&pool.name, other)) {
        let message = format!(
            "only {} may use this pool, so it belongs to another instance and is not changed; if it belongs to this one, list it in `spec.pools`",
            list(&pool.namespaces)
        );
        let resource = pool.item.get(items);
        results.warning(&rules::FOREIGN_POOL, message).field(resource, &metallb::allowed_namespaces());
    }
    true
}

/// Reports other namespaces that would lose access to a pool. The functionConfig can accept this: it lists the pool, or
/// `from` is the prefix of the only other namespace.
pub fn check(pool: &Pool, instance: &Instance, items: &[Resource], results: &mut Results) {
    let others = other_namespaces(pool, instance);
    let is_accepted = instance.listed.is_some() || (instance.names.is_from(&pool.name) && others.len() == 1);
    if !others.is_empty() && !is_accepted {
        let message = format!(
            "{} would lose access to this pool; list the pool in `spec.pools` to reserve it anyway, or also set `scope: false` to keep it open",
            list(&others)
        );
        let resource = pool.item.get(items);
        results.error(&rules::SHARED_POOL, message).field(resource, &metallb::allowed_namespaces());
    }
}

/// Reports selectors that keep a pool open to other namespaces.
pub fn warn_selectors(pool: &Pool, instance: &Instance, items: &[Resource], results: &mut Results) {
    if pool.selects_namespaces {
        let message = format!(
            "namespaces that these selectors match may also use the pool, not only {}; remove the selectors if they should not",
            quoted(&instance.namespace)
        );
        let resource = pool.item.get(items);
        results
            .warning(&rules::NAMESPACE_SELECTORS, message)
            .field(resource, &metallb::namespace_selectors());
    }
}

fn list(names: &[String]) -> String {
    names.iter().map(quoted).collect::<Vec<_>>().join(", ")
}
