//! Whose a pool is, by the namespaces that may use it.

use crate::checks::rules;
use serde_json::Value;

use super::PrefixAddressPools;
use super::names::Names;
use super::neighbours::starts;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::metallb;

/// The namespaces that may use a pool, but for the instance's.
pub fn others(pool: &Resource, config: &PrefixAddressPools) -> Result<Vec<String>, Fault> {
    let mut others: Vec<String> = pool.get(&metallb::allowed_namespaces())?.unwrap_or_default();
    others.retain(|other| *other != config.namespace);
    Ok(others)
}

/// Whether a pool that has the instance's prefix, or the one that is replaced, is named for another namespace
/// that alone may use it: `openstack-2-internalapi` of `openstack-2`, beside the prefix `openstack-`.
pub fn is_named_for_others(
    pool: &Resource,
    names: &Names,
    config: &PrefixAddressPools,
) -> Result<bool, Fault> {
    let allowed: Vec<String> = pool.get(&metallb::allowed_namespaces())?.unwrap_or_default();
    let prefix = if names.is_own(&pool.id().name) { Some(&names.own) } else { names.from.as_ref() };
    let is_longer = |other: &str| prefix.is_some_and(|prefix| other.len() + 1 > prefix.len());
    let mut named = allowed.iter().filter(|other| starts(&pool.id().name, other) && is_longer(other));
    Ok(!allowed.contains(&config.namespace) && named.next().is_some())
}

/// Whether a pool has been made another instance's: only other namespaces may use it. If it does not begin
/// with the name of one, that is worth a word.
pub fn is_of_others(
    pool: &Resource,
    config: &PrefixAddressPools,
    results: &mut Results,
) -> Result<bool, Fault> {
    let allowed: Vec<String> = pool.get(&metallb::allowed_namespaces())?.unwrap_or_default();
    if allowed.is_empty() || allowed.contains(&config.namespace) {
        return Ok(false);
    }
    let name = &pool.id().name;
    if !allowed.iter().any(|other| starts(name, other)) {
        let message = format!(
            "only {} may use this pool, so that it is taken for another instance's and left alone; if it is the instance's, name it in `spec.pools`",
            list(&allowed)
        );
        results.warning(&rules::OTHER_NAMESPACE, message).field(pool, &metallb::allowed_namespaces());
    }
    Ok(true)
}

/// To take a pool away from others needs a word: its name in `pools`, or the one other namespace's prefix in
/// `from`.
pub fn check(
    pool: &Resource,
    names: &Names,
    config: &PrefixAddressPools,
    results: &mut Results,
) -> Result<(), Fault> {
    let others = others(pool, config)?;
    let may_take = config.pools.is_some() || (names.is_from(&pool.id().name) && others.len() == 1);
    if !others.is_empty() && !may_take {
        let message = format!(
            "{} could not use this pool any more; name the pool in `spec.pools` if that is wanted, and give `scope: false` too if not",
            list(&others)
        );
        results.error(&rules::SCOPE, message).field(pool, &metallb::allowed_namespaces());
    }
    Ok(())
}

/// Who may use the pool all the same.
pub fn warn_selectors(
    pool: &Resource,
    config: &PrefixAddressPools,
    results: &mut Results,
) -> Result<(), Fault> {
    let selectors: Vec<Value> = pool.get(&metallb::namespace_selectors())?.unwrap_or_default();
    if !selectors.is_empty() {
        let message = format!(
            "the namespaces that are selected here may use this pool too, not only {}; remove this if they should not",
            quoted(&config.namespace)
        );
        results.warning(&rules::SCOPE, message).field(pool, &metallb::namespace_selectors());
    }
    Ok(())
}

fn list(names: &[String]) -> String {
    names.iter().map(quoted).collect::<Vec<_>>().join(", ")
}
