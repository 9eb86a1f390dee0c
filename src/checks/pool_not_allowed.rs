//! Pools that are reserved for other namespaces.

use std::collections::BTreeMap;

use super::claim::{Claim, and_others, load_balancers};
use super::package_pools::PackagePools;
use super::rules;
use crate::formats::ip::IpList;
use crate::krm::{Results, quoted};
use crate::model::network::Pool;
use crate::model::{Model, Site};
use crate::platform::metallb::{self, Annotation};

/// Reports `pool-not-allowed`, once for each pool and namespace. MetalLB compares the namespace whether a service names
/// the pool or requests an address in it.
pub fn pool_not_allowed(model: &Model<'_>, results: &mut Results) {
    let pools = PackagePools::new(model);
    let mut refused: BTreeMap<(&str, &str), (&Pool, Vec<Claim<'_>>)> = BTreeMap::new();
    for claim in load_balancers(model) {
        let Some(namespace) = claim.service.namespace.as_deref() else { continue };
        let requested = requested(claim, &pools);
        if let Some(pool) =
            requested.first().filter(|_| requested.iter().all(|pool| excludes(pool, namespace)))
        {
            refused.entry((&pool.name, namespace)).or_insert((pool, Vec::new())).1.push(claim);
        }
    }
    for ((name, namespace), (pool, claims)) in refused {
        let [first, others @ ..] = claims.as_slice() else { continue };
        let allowed: Vec<String> = pool.namespaces.iter().map(quoted).collect();
        let message = format!(
            "this requests the pool {} from the namespace {}{}, but only {} may use the pool; add the namespace there, or request another pool{}",
            quoted(name),
            quoted(namespace),
            and_others(others.len()),
            allowed.join(", "),
            first.source()
        );
        let finding = results.error(&rules::POOL_NOT_ALLOWED, message);
        let annotation =
            if first.request.pool.is_some() { Annotation::AddressPool } else { Annotation::LoadBalancerIps };
        finding.location = first.service.site_of(annotation).location(model.items());
        let namespaces = Site::new(pool.item, metallb::allowed_namespaces());
        finding.related(namespaces.location(model.items()), "the namespaces that may use the pool");
    }
}

/// The pools that a service requests, by name or by address. MetalLB has only one of several with the same name.
fn requested<'m>(claim: Claim<'m>, pools: &PackagePools<'m>) -> Vec<&'m Pool> {
    match &claim.request.pool {
        Some(name) => pools.named(name).to_vec(),
        None => {
            let addresses = claim.request.addresses.iter().flat_map(IpList::addresses);
            addresses.filter_map(|ip| pools.containing(*ip)).collect()
        }
    }
}

/// Whether a pool is certainly closed to a namespace. Selectors may allow more namespaces than the list.
fn excludes(pool: &Pool, namespace: &str) -> bool {
    let is_listed = pool.namespaces.iter().any(|allowed| allowed == namespace);
    !pool.namespaces.is_empty() && !pool.selects_namespaces && !is_listed
}
