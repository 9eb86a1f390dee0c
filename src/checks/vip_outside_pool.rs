//! Addresses that no pool contains.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::claim::{Claim, and_others, load_balancers, severity};
use super::package_pools::PackagePools;
use super::rules;
use crate::formats::ip::IpList;
use crate::krm::{Finding, Resource, Results, quoted};
use crate::model::Model;
use crate::model::network::Pool;
use crate::platform::metallb::Annotation;

/// Reports `vip-outside-pool`, once for each pool and address.
pub fn vip_outside_pool(model: &Model<'_>, results: &mut Results) {
    let pools = PackagePools::new(model);
    let knows_all = !pools.is_empty() && pools.knows_all();
    let mut outside: BTreeMap<(Option<&str>, IpAddr), Vec<Claim<'_>>> = BTreeMap::new();
    for claim in load_balancers(model) {
        let name = claim.request.pool.as_deref();
        for ip in claim.request.addresses.iter().flat_map(IpList::addresses) {
            let is_outside = match name {
                Some(name) => is_outside(*ip, pools.named(name), &pools),
                None => knows_all && pools.containing(*ip).is_none(),
            };
            if is_outside {
                outside.entry((name, *ip)).or_default().push(claim);
            }
        }
    }
    for ((name, ip), claims) in outside {
        match name.and_then(|name| pools.named(name).first()) {
            Some(pool) => report_outside(pool, ip, &claims, &pools, model, results),
            None => report_in_no_pool(ip, &claims, model, results),
        }
    }
}

/// Whether an address is certainly outside the pools with a name, of which MetalLB has one.
fn is_outside(ip: IpAddr, named: &[&Pool], pools: &PackagePools<'_>) -> bool {
    let found = pools.containing(ip).map(|pool| &pool.site);
    // Pools may overlap, so the address may be in another pool as well.
    let contains = |pool: &Pool| found == Some(&pool.site) || pool.ranges().any(|range| range.contains(ip));
    !named.is_empty() && named.iter().all(|pool| pools.knows(pool) && !contains(pool))
}

fn report_outside(
    pool: &Pool,
    ip: IpAddr,
    claims: &[Claim<'_>],
    pools: &PackagePools<'_>,
    model: &Model<'_>,
    results: &mut Results,
) {
    let [first, others @ ..] = claims else { return };
    let way_out = match pools.containing(ip) {
        Some(other) => format!("it is in the pool {}; correct the address or the pool", quoted(&other.name)),
        None => "correct the address, or add a range to the pool".to_owned(),
    };
    let message = format!(
        "this requests {ip}{}, which is not in the pool {}; {way_out}{}",
        and_others(others.len()),
        quoted(&pool.name),
        first.source()
    );
    let finding = results.error(&rules::VIP_OUTSIDE_POOL, message);
    finding.location = first.service.site_of(Annotation::LoadBalancerIps).location(model.items());
    if let Some(range) = pool.ranges.first() {
        finding.related(range.site.location(model.items()), "the pool");
    }
}

/// The service names no pool, so any pool of the cluster may contain the address.
fn report_in_no_pool(ip: IpAddr, claims: &[Claim<'_>], model: &Model<'_>, results: &mut Results) {
    let [first, others @ ..] = claims else { return };
    let message = format!(
        "this requests {ip}{}, which no pool in the package contains; correct the address, unless the cluster has another pool",
        and_others(others.len())
    );
    results.warning(&rules::VIP_OUTSIDE_POOL, message).location =
        first.service.site_of(Annotation::LoadBalancerIps).location(model.items());
}

/// Reports `vip-outside-pool` for a service that names no pool: MetalLB finds the pool by the address, so one of
/// the pools that the service may use must contain it.
pub fn address_outside_pools(
    claim: Claim<'_>,
    is_in_a_pool: impl Fn(IpAddr) -> bool,
    items: &[Resource],
    results: &mut Results,
) {
    let addresses = claim.request.addresses.iter().flat_map(IpList::addresses);
    for ip in addresses.filter(|ip| !is_in_a_pool(**ip)) {
        let message = format!(
            "no IPAddressPool that this service may use contains {ip}; correct the address, or name a pool with `{}`",
            Annotation::AddressPool.key(claim.service.domain)
        );
        let finding = Finding::new(severity(claim.service), &rules::VIP_OUTSIDE_POOL, message);
        results.add(finding).location = claim.service.site_of(Annotation::LoadBalancerIps).location(items);
    }
}
