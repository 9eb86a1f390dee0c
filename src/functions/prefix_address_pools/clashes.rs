//! What cannot be together: services that ask for one address, and more of them than a pool has.

use crate::checks::rules;
use std::collections::BTreeSet;
use std::net::IpAddr;

use super::pools::{Pool, Pools};
use super::services::Service;
use crate::formats::ip::{Family, IpList};
use crate::krm::{Location, Resource, Results, quoted};
use crate::platform::metallb::{self, Annotation};
use crate::platform::service_overrides::Port;

pub fn report(pools: &Pools, services: &[Service], items: &[Resource], results: &mut Results) {
    let mut there: Vec<&Service> = services.iter().filter(|service| service.exists).collect();
    // New services come last in the list, but not in the text that the next run reads.
    there.sort_by_key(|service| (service.item, &service.at));
    for (i, service) in there.iter().enumerate() {
        // An object that a list holds twice is one object to a cluster, and no rival of itself.
        let is_itself =
            |other: &Service| other.at == service.at && items[other.item].id() == items[service.item].id();
        let mut others = there[..i].iter().filter(|other| !is_itself(other));
        let clash = others.find_map(|other| Clash::between(other, service).map(|clash| (other, clash)));
        if let Some((other, clash)) = clash {
            clash.say(service, other, items, results);
        }
        report_key_of_rabbitmq(service, &there, items, results);
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

    fn say(self, service: &Service, other: &Service, items: &[Resource], results: &mut Results) {
        let resource = &items[service.item];
        let party = Location::of_field(&items[other.item], &other.place_of(Annotation::LoadBalancerIps));
        let can_share = !service.is_alone && !other.is_alone;
        let other = other.describe(items);
        let key = quoted(service.key.as_deref().unwrap_or_default());
        match self {
            Clash::Address(ip) => {
                let message = if can_share {
                    format!(
                        "{ip} is also asked for by {other}, and the two have no sharing key in common; give one of them another address, or both the same `{}`",
                        Annotation::AllowSharedIp.key(service.domain)
                    )
                } else {
                    format!(
                        "{ip} is also asked for by {other}, and RabbitMQ cannot share; give one of them another address"
                    )
                };
                results
                    .error(&rules::ADDRESS_TWICE, message)
                    .field(resource, &service.place_of(Annotation::LoadBalancerIps))
                    .related(party, "the other one");
            }
            Clash::Port((port, protocol), ip) => {
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so that they cannot share {ip} by the key {key}; give one of them an address of its own, and no key"
                );
                results
                    .error(&rules::PORT_TWICE, message)
                    .field(resource, &service.place_of(Annotation::AllowSharedIp))
                    .related(party, "the other one");
            }
            Clash::Key((port, protocol)) => {
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so that the key {key} cannot bring them together; give each its own address, and no key"
                );
                results
                    .warning(&rules::PORT_TWICE, message)
                    .field(resource, &service.at)
                    .related(party, "the other one");
            }
        }
    }
}

/// RabbitMQ's clusters listen on the same ports, so that a key does no good: the next one that has it, too,
/// cannot come to the same address.
fn report_key_of_rabbitmq(service: &Service, there: &[&Service], items: &[Resource], results: &mut Results) {
    if !service.is_alone || service.key.is_none() {
        return;
    }
    let addresses = || service.addresses.iter().flat_map(IpList::addresses);
    let has_one = |list: &IpList| addresses().any(|ip| list.addresses().contains(ip));
    let mut others = there.iter().filter(|other| !other.is_alone);
    let place = service.place_of(Annotation::AllowSharedIp);
    if let Some(other) = others.find(|other| other.addresses.as_ref().is_some_and(has_one)) {
        let message = format!(
            "RabbitMQ must have an address of its own, and this shares that of {}; give it another one, and no key",
            other.describe(items)
        );
        results.error(&rules::RABBITMQ_KEY, message).field(&items[service.item], &place);
    } else {
        let message = "RabbitMQ must have an address of its own, so that it needs no sharing key; remove it";
        results.warning(&rules::RABBITMQ_KEY, message).field(&items[service.item], &place);
    }
}

/// A pool must have an address for each that is asked for, and one for each that MetalLB shall choose: of
/// which family that is, nobody knows here.
fn report_exhausted(
    pools: &Pools,
    pool: &Pool,
    services: &[&Service],
    items: &[Resource],
    results: &mut Results,
) {
    let asking = services.iter().filter(|service| service.asks_for(pool, pools));
    let (fixed, open): (Vec<&Service>, Vec<&Service>) = asking.partition(|s| s.addresses.is_some());
    let has_place = |key: &str| fixed.iter().any(|service| service.key.as_deref() == Some(key));
    let sharing: BTreeSet<&str> =
        open.iter().filter_map(|service| service.key.as_deref()).filter(|key| !has_place(key)).collect();
    let free = sharing.len() + open.iter().filter(|service| service.key.is_none()).count();
    let taken: BTreeSet<IpAddr> =
        fixed.iter().flat_map(|s| s.addresses.iter().flat_map(IpList::addresses)).copied().collect();
    let wanted = |family: Family| free + taken.iter().filter(|ip| Family::of(**ip) == family).count();
    let sizes = pool.sizes();
    if let (Some((family, size)), Some(item)) = (sizes.first_key_value(), pool.item)
        && sizes.iter().all(|(family, size)| wanted(*family) as u128 > *size)
    {
        let message = format!(
            "{} has {size} address{}, and the instance's services need {}; add a range, or let services share",
            pool.describe(),
            if *size == 1 { "" } else { "es" },
            wanted(*family)
        );
        results.error(&rules::POOL_EXHAUSTED, message).field(&items[item], &metallb::addresses());
    }
}
