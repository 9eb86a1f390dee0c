//! Addresses that no pool contains.

use std::net::IpAddr;

use super::claim::{Claim, severity};
use super::rules;
use crate::formats::ip::IpList;
use crate::krm::{Finding, Resource, Results};
use crate::platform::metallb::Annotation;

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
