//! What cannot be together: services that ask for one address, and more of them than a pool has.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::pools::{Pool, Pools};
use super::services::Service;
use crate::formats::ip::{Family, IpList};
use crate::krm::{Resource, Results, quoted};
use crate::platform::metallb::{self, Annotation};
use crate::platform::service_overrides::Port;

pub fn report(pools: &Pools, services: &[Service], items: &[Resource], results: &mut Results) {
    let there: Vec<&Service> = services.iter().filter(|service| service.exists).collect();
    for (i, service) in there.iter().enumerate() {
        let clash =
            there[..i].iter().find_map(|other| Clash::between(other, service).map(|clash| (other, clash)));
        if let Some((other, clash)) = clash {
            clash.say(service, &other.describe(items), &items[service.item], results);
        }
    }
    for pool in pools.iter().filter(|pool| pool.is_known()) {
        report_exhausted(pools, pool, &there, items, results);
    }
}

/// Why two services cannot both have what they ask for.
enum Clash {
    /// One address, and no common key.
    Address(IpAddr),
    /// One key, one address, one port.
    Port(Port, IpAddr),
    /// One key and one port, and MetalLB must find them two addresses.
    Key(Port),
}

impl Clash {
    fn between(a: &Service, b: &Service) -> Option<Self> {
        let port = || a.ports.iter().find(|port| b.ports.contains(port)).copied();
        let has_common_key = a.key.is_some() && a.key == b.key;
        match (&a.addresses, &b.addresses) {
            (Some(first), Some(second)) => {
                let common = *first.addresses().iter().find(|ip| second.addresses().contains(ip))?;
                if has_common_key {
                    port().map(|port| Clash::Port(port, common))
                } else {
                    Some(Clash::Address(common))
                }
            }
            _ if has_common_key && a.pool == b.pool => port().map(Clash::Key),
            _ => None,
        }
    }

    fn say(self, service: &Service, other: &str, resource: &Resource, results: &mut Results) {
        let key = quoted(service.key.as_deref().unwrap_or_default());
        match self {
            Clash::Address(ip) => {
                let message = format!(
                    "{ip} is also asked for by {other}, and the two have no sharing key in common; give one of them another address, or both the same `{}`",
                    Annotation::AllowSharedIp.key(service.domain)
                );
                results
                    .error("address-twice", message)
                    .field(resource, &service.place_of(Annotation::LoadBalancerIps));
            }
            Clash::Port((port, protocol), ip) => {
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so that they cannot share {ip} by the key {key}; give one of them an address of its own, and no key"
                );
                results
                    .error("port-twice", message)
                    .field(resource, &service.place_of(Annotation::AllowSharedIp));
            }
            Clash::Key((port, protocol)) => {
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so that the key {key} cannot bring them together; give each its own address, and no key"
                );
                results.warning("port-twice", message).field(resource, &service.at);
            }
        }
    }
}

/// A pool must have an address for each that is asked for, and one for each that MetalLB shall choose.
fn report_exhausted(
    pools: &Pools,
    pool: &Pool,
    services: &[&Service],
    items: &[Resource],
    results: &mut Results,
) {
    let asking: Vec<&&Service> = services.iter().filter(|s| s.asks_for(pool, pools)).collect();
    for family in [Family::V4, Family::V6] {
        let size = pool
            .ranges
            .iter()
            .filter(|range| range.family() == family)
            .fold(0u128, |sum, range| sum.saturating_add(range.size()));
        let fixed: BTreeSet<IpAddr> = asking
            .iter()
            .flat_map(|service| service.addresses.iter().flat_map(IpList::addresses))
            .filter(|ip| Family::of(**ip) == family)
            .copied()
            .collect();
        let keys: BTreeSet<&str> =
            asking.iter().filter(|s| s.addresses.is_some()).filter_map(|s| s.key.as_deref()).collect();
        let open = asking.iter().filter(|service| service.addresses.is_none());
        let alone = open.clone().filter(|service| service.key.is_none()).count();
        let sharing: BTreeSet<&str> =
            open.filter_map(|service| service.key.as_deref()).filter(|key| !keys.contains(key)).collect();
        let wanted = fixed.len() + alone + sharing.len();
        if size > 0
            && wanted as u128 > size
            && let Some(item) = pool.item
        {
            let message = format!(
                "{} has {size} addresses, and the instance's services need {wanted}; add a range, or let services share",
                pool.describe()
            );
            results.error("pool-exhausted", message).field(&items[item], &metallb::addresses());
        }
    }
}
