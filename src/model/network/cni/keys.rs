//! Keys of CNI configurations that their plugins ignore.

use crate::model::Sited;
use crate::model::fields::Map;
use crate::platform::cni::{RANGE_KEYS, ROUTE_KEYS, WHEREABOUTS_KEYS, plugin_keys};

#[derive(Debug, Clone, PartialEq)]
pub struct UnknownKey {
    pub key: Sited<String>,
    /// The keys that may be meant: those that the object does not have. Required ones are misreads if they are missing.
    pub missing: Vec<&'static str>,
}

/// Adds the unknown keys of a plugin, if its type is known.
pub fn of_plugin(kind: &str, plugin: &Map<'_>, found: &mut Vec<UnknownKey>) {
    if let Some(known) = plugin_keys(kind) {
        add(plugin, &known, &[], found);
    }
}

/// Adds the unknown keys of the `ipam` of whereabouts.
pub fn of_whereabouts(ipam: &Map<'_>, found: &mut Vec<UnknownKey>) {
    add(ipam, &WHEREABOUTS_KEYS, &["range"], found);
}

/// Adds the unknown keys of one of several ranges.
pub fn of_range(range: &Map<'_>, found: &mut Vec<UnknownKey>) {
    add(range, &RANGE_KEYS, &["range"], found);
}

/// Adds the unknown keys of a route.
pub fn of_route(route: &Map<'_>, found: &mut Vec<UnknownKey>) {
    add(route, &ROUTE_KEYS, &["dst"], found);
}

fn add(map: &Map<'_>, known: &[&'static str], required: &[&str], found: &mut Vec<UnknownKey>) {
    let has = |key: &str| map.entries().any(|(own, _)| own.eq_ignore_ascii_case(key));
    let is_known = |key: &str| known.iter().any(|known| known.eq_ignore_ascii_case(key));
    let missing: Vec<&str> =
        known.iter().copied().filter(|key| !required.contains(key) && !has(key)).collect();
    for (key, field) in map.entries().filter(|(key, _)| !is_known(key)) {
        let key = Sited { value: key.to_owned(), site: field.site };
        found.push(UnknownKey { key, missing: missing.clone() });
    }
}
