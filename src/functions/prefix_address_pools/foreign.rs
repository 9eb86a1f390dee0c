//! Names with the prefix of another instance, as in a base that was written for that instance.

use super::advertisements;
use super::instance::Instance;
use super::names::{Foreign, Names};
use super::other_instances::OtherInstances;
use super::plan::Planned;
use super::pools::{OtherPool, Pools};
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Finding, Resource, Severity, quoted};
use crate::model::network::{Network, Origin};

/// What refers to a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referrer {
    ControlPlane,
    Service,
    Advertisement,
}

/// The finding about a reference to a pool that does not belong to the instance.
pub fn judge(pools: &Pools<'_>, name: &str, referrer: Referrer) -> Finding {
    let names = pools.names;
    if names.is_from(name) {
        return Finding::new(Severity::Error, &rules::FOREIGN_PREFIX, missing(names, name));
    }
    let foreign = names.foreign(name, |role| pools.find(role).is_some());
    let other = pools.other(name);
    if let Some(foreign) = foreign.filter(|foreign| is_certain(pools, *foreign, other, referrer)) {
        return Finding::new(Severity::Error, &rules::FOREIGN_PREFIX, message(pools, name, foreign));
    }
    let hint = foreign.map(|foreign| {
        let prefix = foreign.prefix;
        format!(", or set `from: {prefix}` if {} is the prefix of another instance", quoted(prefix))
    });
    let hint = hint.unwrap_or_default();
    let pool = quoted(name);
    let (rule, message) = match other {
        Some(other) if other.is_owned => {
            let owners: Vec<String> = other.owners.iter().map(quoted).collect();
            let message = format!(
                "the pool {pool} belongs to the namespace {}, so this reference is not changed; give the instance its own pool",
                owners.join(", ")
            );
            (&rules::POOL_NOT_SELECTED, message)
        }
        Some(_) => {
            let message = format!(
                "the pool {pool} is in the package but does not belong to the instance, so this reference is not changed; if it belongs to the instance, list it in `spec.pools`{hint}"
            );
            (&rules::POOL_NOT_SELECTED, message)
        }
        None => {
            let message = format!(
                "the pool {pool} is not in the package, so this reference is not changed; if it belongs to the instance, list it in `spec.pools`{hint}"
            );
            (&rules::UNKNOWN_POOL, message)
        }
    };
    Finding::new(Severity::Warning, rule, message)
}

/// The finding about a service that requests another pool, if a function generates those of the instance. None for a
/// pool that the namespace of the service may use.
pub fn judge_generated(pools: &Pools<'_>, name: &str) -> Option<Finding> {
    let pool = quoted(name);
    let own = pools.bases().map(quoted).collect::<Vec<_>>().join(", ");
    match pools.other(name) {
        Some(other) if !other.owners.is_empty() => {
            let owners = other.owners.iter().map(quoted).collect::<Vec<_>>().join(", ");
            let message = format!("only the namespace {owners} may use the pool {pool}; use one of {own}");
            Some(Finding::new(Severity::Error, &rules::POOL_NOT_ALLOWED, message))
        }
        Some(_) => None,
        None => {
            let message = format!(
                "the pool {pool} is not in the package, so this reference is not changed; the pools of the instance are {own}"
            );
            Some(Finding::new(Severity::Warning, &rules::UNKNOWN_POOL, message))
        }
    }
}

/// Whether only the prefix of another instance explains the name. A pool that all instances share may have a similar
/// name.
fn is_certain(
    pools: &Pools<'_>,
    foreign: Foreign<'_>,
    other: Option<&OtherPool>,
    referrer: Referrer,
) -> bool {
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

fn message(pools: &Pools<'_>, name: &str, Foreign { prefix, role }: Foreign<'_>) -> String {
    let names = pools.names;
    let what = format!("the pool {} has the prefix of another instance", quoted(name));
    if let Some(from) = &names.from {
        return format!("{what}, but `from` replaces only {}; correct the name", quoted(from));
    }
    let will_exist = pools.find(role).is_some() || pools.other(name).is_some_and(|other| !other.is_owned);
    let missing = match will_exist {
        true => String::new(),
        false => format!(
            "; add that pool to the package, or list {} in `spec.pools` if it is defined elsewhere",
            quoted(role)
        ),
    };
    format!("{what}; set `from: {prefix}` to change it to {}{missing}", quoted(names.prefixed(role)))
}

/// The name has the prefix to replace, but the instance has no such pool.
fn missing(names: &Names, name: &str) -> String {
    format!(
        "the pool {} would become {}, which is not a pool of the instance; add that pool to the package, or list {} in `spec.pools` if it is defined elsewhere",
        quoted(name),
        quoted(names.prefixed(name)),
        quoted(names.base(name))
    )
}

/// The message about a pool of the package whose prefix clearly belongs to another instance.
pub fn pool_message(names: &Names, name: &str) -> Option<String> {
    let Foreign { prefix, role } =
        names.foreign(name, |_| false).filter(|foreign| names.is_sibling(foreign.prefix))?;
    let way_out = match &names.from {
        Some(from) => format!("`from` replaces only {}, so correct the name", quoted(from)),
        None => format!("set `from: {prefix}` to change it to {}", quoted(names.prefixed(role))),
    };
    Some(format!(
        "this pool has the prefix of another instance and would become {}; {way_out}, or list {} in `spec.pools` to add the prefix",
        quoted(names.prefixed(name)),
        quoted(name)
    ))
}

/// The fault if the instance has no pool, with a hint if a name has the prefix of another instance.
pub fn no_pool(pools: &Pools<'_>, instance: &Instance, network: &Network, others: &OtherInstances) -> Fault {
    let unowned = pools.others().filter(|name| !others.has_name(name));
    let overrides = network
        .services
        .iter()
        .filter(|service| service.origin != Origin::Service && instance.has(service.namespace.as_deref()));
    let mut names = unowned.chain(overrides.filter_map(|service| service.request.pool.as_deref()));
    let foreign = names.find_map(|name| Some((name, pools.names.foreign(name, |_| false)?.prefix)));
    let hint = match foreign {
        Some((name, prefix)) if pools.names.from.is_none() => {
            let name = quoted(name);
            format!("if {name} is from a base for another instance, set `from: {prefix}`; ")
        }
        _ => String::new(),
    };
    let message = format!(
        "the resources contain no IPAddressPool of the instance; {hint}if its pools are defined elsewhere, list them in `spec.pools`"
    );
    Fault::new(&rules::NO_MATCH, message)
}

/// Reports a `from` that no name has, and that no earlier run has replaced.
pub fn check_use(
    pools: &Pools<'_>,
    network: &Network,
    services: &[Planned<'_>],
    items: &[Resource],
) -> Result<(), Fault> {
    let Some(from) = &pools.names.from else { return Ok(()) };
    let is_prefixed = |name: &str| pools.names.is_from(name) || pools.names.is_own(name);
    let own = pools.iter().filter_map(|(_, pool)| Some(&pool.item?.get(items).id().name));
    let announced = network.advertisements.iter().flat_map(|it| it.pools.iter().map(|name| &name.value));
    let announced = announced.filter(|name| advertisements::is_own(pools, name));
    let requests = services.iter().map(|planned| &planned.service().request);
    let requested = requests.flat_map(|request| request.pool.iter().chain(&request.sharing_key));
    if own.chain(announced).chain(requested).any(|name| is_prefixed(name)) {
        return Ok(());
    }
    let message = format!(
        "no pool or service of the instance has a name that begins with {}; correct `from`, or remove it",
        quoted(from)
    );
    Err(Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.from")))
}
