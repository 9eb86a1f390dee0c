//! Whose a pool is, by the namespaces that may use it.

use serde_json::Value;

use super::PrefixAddressPools;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::metallb;

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
    let begins = |other: &String| name.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('-'));
    if !allowed.iter().any(begins) {
        let message = format!(
            "only {} may use this pool, so that it is taken for another instance's and left alone; if it is the instance's, name it in `spec.pools`",
            list(&allowed)
        );
        results.warning("other-namespace", message).field(pool, &metallb::allowed_namespaces());
    }
    Ok(true)
}

/// To take a pool away from others needs a word: its name in `pools`.
pub fn check(pool: &Resource, config: &PrefixAddressPools, results: &mut Results) -> Result<(), Fault> {
    let mut others: Vec<String> = pool.get(&metallb::allowed_namespaces())?.unwrap_or_default();
    others.retain(|other| *other != config.namespace);
    if !others.is_empty() && config.pools.is_none() {
        let message = format!(
            "{} could not use this pool any more; name the pool in `spec.pools` if that is wanted, and give `scope: false` too if not",
            list(&others)
        );
        results.error("scope", message).field(pool, &metallb::allowed_namespaces());
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
        results.warning("scope", message).field(pool, &metallb::namespace_selectors());
    }
    Ok(())
}

fn list(names: &[String]) -> String {
    names.iter().map(quoted).collect::<Vec<_>>().join(", ")
}
