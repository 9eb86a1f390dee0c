//! Names with the prefix of another instance: what a base brings along that was made for one.

use super::names::{Foreign, Names};
use super::neighbours::Neighbours;
use super::pools::{Other, Pools};
use super::services::{self, Service};
use super::{PrefixAddressPools, advertisements};
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Resource, Results, Rule, Severity, quoted};
use crate::platform::openstack;

/// How bad something is, the rule, and the message.
pub type Verdict = (Severity, &'static Rule, String);

/// Whose reference to a pool it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referrer {
    ControlPlane,
    Service,
    Advertisement,
}

/// What to say about a reference to a pool that is none of the instance's.
pub fn judge(pools: &Pools, name: &str, referrer: Referrer) -> Verdict {
    let names = &pools.names;
    if names.is_from(name) {
        return (Severity::Error, &rules::FOREIGN_PREFIX, missing(names, name));
    }
    let foreign = names.foreign(name, |role| pools.find(role).is_some());
    let other = pools.other(name);
    if let Some(foreign) = foreign.filter(|foreign| is_certain(pools, *foreign, other, referrer)) {
        return (Severity::Error, &rules::FOREIGN_PREFIX, message(pools, name, foreign));
    }
    let hint = foreign.map(|foreign| {
        let prefix = foreign.prefix;
        format!(", or give `from: {prefix}` if {} is the prefix of another instance", quoted(prefix))
    });
    let hint = hint.unwrap_or_default();
    let pool = quoted(name);
    match other {
        Some(other) if other.is_fixed => {
            let owners: Vec<String> = other.owners.iter().map(quoted).collect();
            let message = format!(
                "the pool {pool} is one of the namespace {}, so this stays as it is; give the instance a pool of its own",
                owners.join(", ")
            );
            (Severity::Warning, &rules::POOL_NOT_SELECTED, message)
        }
        Some(_) => {
            let message = format!(
                "the pool {pool} is in the package and not the instance's, so this stays as it is; if it is the instance's, name it in `spec.pools`{hint}"
            );
            (Severity::Warning, &rules::POOL_NOT_SELECTED, message)
        }
        None => {
            let message = format!(
                "the pool {pool} is not in the package, so it keeps its name; if it is one of the instance's, name it in `spec.pools`{hint}"
            );
            (Severity::Warning, &rules::POOL_ELSEWHERE, message)
        }
    }
}

/// Whether nothing but another instance's prefix explains the name. A pool that all instances share may have
/// a name of this form, too.
fn is_certain(pools: &Pools, foreign: Foreign, other: Option<&Other>, referrer: Referrer) -> bool {
    let is_role = pools.find(foreign.role).is_some();
    let is_sibling = pools.names.is_sibling(foreign.prefix);
    match (other, referrer) {
        (Some(other), _) => {
            let owner = foreign.prefix.trim_end_matches(['-', '.']);
            is_sibling || other.owners.iter().any(|namespace| namespace == owner)
        }
        (None, Referrer::ControlPlane) => is_sibling || is_role || !pools.are_listed,
        (None, Referrer::Service) => is_sibling,
        (None, Referrer::Advertisement) => is_role,
    }
}

fn message(pools: &Pools, name: &str, Foreign { prefix, role }: Foreign) -> String {
    let names = &pools.names;
    let what = format!("the pool {} has the prefix of another instance", quoted(name));
    if let Some(from) = &names.from {
        return format!("{what}, and `from` replaces {} only; correct the name", quoted(from));
    }
    let will_be_there = pools.find(role).is_some() || pools.other(name).is_some_and(|other| !other.is_fixed);
    let missing = match will_be_there {
        true => String::new(),
        false => format!(
            "; add that pool to the package, or name {} in `spec.pools` if it lives elsewhere",
            quoted(role)
        ),
    };
    format!("{what}; give `from: {prefix}`, so that it becomes {}{missing}", quoted(names.prefixed(role)))
}

/// The prefix is the one that is replaced, but there is no such pool.
fn missing(names: &Names, name: &str) -> String {
    format!(
        "the pool {} would become {}, which is none of the instance's pools; add that pool to the package, or name {} in `spec.pools` if it lives elsewhere",
        quoted(name),
        quoted(names.prefixed(name)),
        quoted(names.base(name))
    )
}

/// What to say about a pool of the package whose prefix is, as far as a name can tell, another instance's.
pub fn pool_message(names: &Names, name: &str) -> Option<String> {
    let Foreign { prefix, role } =
        names.foreign(name, |_| false).filter(|foreign| names.is_sibling(foreign.prefix))?;
    let way_out = match &names.from {
        Some(from) => format!("`from` replaces {} only, so correct the name", quoted(from)),
        None => format!("give `from: {prefix}` to make it {}", quoted(names.prefixed(role))),
    };
    Some(format!(
        "this pool has the prefix of another instance and would become {}; {way_out}, or name {} in `spec.pools` if that is what you want",
        quoted(names.prefixed(name)),
        quoted(name)
    ))
}

/// Why nothing can be done without a pool, and what may have been meant.
pub fn no_pool(
    pools: &Pools,
    config: &PrefixAddressPools,
    items: &[Resource],
    neighbours: &Neighbours,
) -> Result<Fault, Fault> {
    let mut names: Vec<String> = pools.others().map(str::to_owned).collect();
    names.retain(|name| !neighbours.has_name(name));
    for (i, item) in items.iter().enumerate() {
        if config.has(item) && item.is(openstack::CONTROL_PLANE) {
            let asking = services::of_control_plane(i, item, &mut Results::default())?;
            names.extend(asking.into_iter().filter_map(|service| service.pool));
        }
    }
    let foreign = names.iter().find_map(|name| Some((name, pools.names.foreign(name, |_| false)?.prefix)));
    let hint = match foreign {
        Some((name, prefix)) if pools.names.from.is_none() => {
            let name = quoted(name);
            format!("if {name} comes from a base for another instance, give `from: {prefix}`; ")
        }
        _ => String::new(),
    };
    let message = format!(
        "there is no IPAddressPool of the instance among the resources; {hint}if its pools live elsewhere, name them in `spec.pools`"
    );
    Ok(Fault::new(&rules::NO_MATCH, message))
}

/// A `from` that no name has, and that no earlier run has replaced, is a mistake.
pub fn check_use(pools: &Pools, items: &[Resource], services: &[Service]) -> Result<(), Fault> {
    let Some(from) = &pools.names.from else { return Ok(()) };
    let is_met = |name: &str| pools.names.is_from(name) || pools.names.is_own(name);
    let names = pools.iter().filter_map(|pool| Some(items[pool.item?].id().name.as_str()));
    let announced = advertisements::references(pools, items)?;
    let mut names = names.chain(announced.iter().map(String::as_str));
    if names.any(is_met) || services.iter().flat_map(Service::given_names).any(is_met) {
        return Ok(());
    }
    let message = format!(
        "no pool or service of the instance has a name that begins with {}; correct `from`, or remove it",
        quoted(from)
    );
    Err(Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.from")))
}
