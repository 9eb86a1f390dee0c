//! Where the addresses of services go: into the ranges of the instance's pools.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;

use super::joining;
use super::pools::{Pool, Pools, elsewhere_message, not_selected_message};
use super::services::Service;
use crate::formats::ip::{self, Family, IpList};
use crate::krm::{Resource, Results};
use crate::platform::metallb::Annotation;
use crate::platform::service_overrides::RABBITMQ_DISTANCE;

/// Gives every service the instance's pool and key, and its addresses their new places.
pub fn assign(pools: &Pools, services: &mut [Service], items: &[Resource], results: &mut Results) {
    let moves: HashMap<String, Moves<'_>> =
        pools.iter().map(|pool| (pool.name.clone(), Moves::plan(pool, pools, services))).collect();
    let mut said = HashSet::new();
    for service in services.iter_mut() {
        let resource = &items[service.item];
        let pool = match service.pool.as_deref().map(|name| (name, pools.find(name))) {
            Some((name, None)) => {
                if said.insert((service.item, name.to_owned())) {
                    let (rule, message) = match pools.is_elsewhere(name) {
                        true => ("pool-elsewhere", elsewhere_message(name)),
                        false => ("pool-not-selected", not_selected_message(name)),
                    };
                    results.warning(rule, message).field(resource, &service.at);
                }
                continue;
            }
            Some((_, found)) => found,
            None => None,
        };
        service.pool = pool.map(|pool| pools.prefixed(&pool.name));
        service.key = service.key.as_ref().map(|key| pools.prefixed(key));
        let Some(list) = service.addresses.clone() else { continue };
        let Some(moves) = pool.and_then(|pool| moves.get(&pool.name)) else {
            check_without_pool(pools, service, &list, resource, results);
            continue;
        };
        for ip in list.addresses().iter().filter(|ip| moves.new_place(**ip, service.is_alone).is_none()) {
            let place = service.place_of(Annotation::LoadBalancerIps);
            let (rule, message) = moves.refusal(*ip, service.is_alone);
            results.error(rule, message).field(resource, &place);
        }
        service.addresses = Some(list.map(|ip| moves.new_place(ip, service.is_alone).unwrap_or(ip)));
    }
    for i in 0..services.len() {
        if services[i].needs_address {
            joining::settle(pools, services, i);
        }
    }
}

/// MetalLB finds the pool by the address where none is named.
fn check_without_pool(
    pools: &Pools,
    service: &Service,
    list: &IpList,
    resource: &Resource,
    results: &mut Results,
) {
    if !pools.iter().all(Pool::is_known) {
        return;
    }
    for ip in list.addresses().iter().filter(|ip| !pools.iter().any(|pool| pool.contains(**ip))) {
        let message = format!(
            "{ip} is in no pool of the instance, and the service names none; name one with `{}`",
            Annotation::AddressPool.key(service.domain)
        );
        let place = service.place_of(Annotation::LoadBalancerIps);
        results.error("address-outside-pool", message).field(resource, &place);
    }
}

/// How the addresses of one pool move: each to a place of its own.
struct Moves<'p> {
    pool: &'p Pool,
    /// The lowest address that services ask for, by family, inside the pool and outside.
    lowest: HashMap<(Family, bool), IpAddr>,
    /// Whether there are others than RabbitMQ.
    any_shared: bool,
    /// Where an address goes, and whether it is RabbitMQ's.
    places: HashMap<(IpAddr, bool), IpAddr>,
}

impl<'p> Moves<'p> {
    fn plan(pool: &'p Pool, pools: &Pools, services: &[Service]) -> Self {
        let asking: Vec<&Service> = services.iter().filter(|s| s.asks_for(pool, pools)).collect();
        let any_shared = asking.iter().any(|service| !service.is_alone && service.addresses.is_some());
        let mut lowest: HashMap<(Family, bool), IpAddr> = HashMap::new();
        // RabbitMQ's addresses count only where there are no others.
        for service in asking.iter().filter(|service| service.is_alone != any_shared) {
            for ip in service.addresses.iter().flat_map(IpList::addresses) {
                let entry = lowest.entry((Family::of(*ip), pool.contains(*ip))).or_insert(*ip);
                *entry = (*entry).min(*ip);
            }
        }
        let mut moves = Moves { pool, lowest, any_shared, places: HashMap::new() };
        let old = asking.iter().flat_map(|service| {
            let addresses = service.addresses.iter().flat_map(IpList::addresses);
            addresses.map(|ip| (*ip, service.is_alone))
        });
        // First what the config wants, then what stays, then what may go to one place or another.
        let in_order: BTreeSet<(u8, bool, IpAddr)> = old
            .map(|(ip, is_alone)| match moves.is_put(ip, is_alone) {
                true => (0, is_alone, ip),
                false => (if pool.contains(ip) { 1 } else { 2 }, is_alone, ip),
            })
            .collect();
        for (_, is_alone, ip) in in_order {
            if let Some(place) = moves.find_place(ip, is_alone) {
                moves.places.insert((ip, is_alone), place);
            }
        }
        moves
    }

    /// Where an address goes; none when there is no place for it in the pool.
    fn new_place(&self, ip: IpAddr, is_alone: bool) -> Option<IpAddr> {
        self.places.get(&(ip, is_alone)).copied()
    }

    fn find_place(&self, ip: IpAddr, is_alone: bool) -> Option<IpAddr> {
        self.candidates(ip, is_alone).into_iter().find(|place| self.taken_by(*place, ip, is_alone).is_none())
    }

    /// Which other address has this place already. One that is inside may be what one from outside has
    /// become before, so that these two may meet, but for RabbitMQ's.
    fn taken_by(&self, place: IpAddr, ip: IpAddr, is_alone: bool) -> Option<IpAddr> {
        let is_beside = |other: IpAddr| self.pool.contains(other) == self.pool.contains(ip);
        let mut others = self.places.iter().filter(|((old, other_is_alone), new)| {
            **new == place && *old != ip && (is_alone || *other_is_alone || is_beside(*old))
        });
        others.next().map(|((old, _), _)| *old)
    }

    /// Where an address may go, the best first.
    fn candidates(&self, ip: IpAddr, is_alone: bool) -> Vec<IpAddr> {
        let at_its_distance = self.at_its_distance(ip);
        if !self.pool.is_known() {
            return if self.given(ip).is_some() { at_its_distance.into_iter().collect() } else { vec![ip] };
        }
        let mut found = Vec::new();
        if !self.is_put(ip, is_alone) {
            if self.pool.contains(ip) {
                found.push(ip);
            } else {
                found.extend(self.pool.same_hosts(ip));
            }
        }
        if found.is_empty() || is_alone {
            found.extend(at_its_distance);
        }
        if is_alone && let Some(given) = self.given(ip) {
            let behind = (RABBITMQ_DISTANCE..).map_while(|distance| ip::behind(given, distance));
            found.extend(behind.take_while(|ip| self.pool.contains(*ip)).take(self.places.len() + 1));
        }
        found.retain(|place| self.pool.contains(*place));
        found
    }

    fn at_its_distance(&self, ip: IpAddr) -> Option<IpAddr> {
        let lowest = self.lowest.get(&(Family::of(ip), self.pool.contains(ip)))?;
        ip::at_same_distance(ip, *lowest, self.given(ip)?)
    }

    /// Whether the config says where this goes. RabbitMQ stays where it can beside others.
    fn is_put(&self, ip: IpAddr, is_alone: bool) -> bool {
        self.given(ip).is_some() && !(is_alone && self.any_shared)
    }

    fn given(&self, ip: IpAddr) -> Option<IpAddr> {
        self.pool.given.as_ref()?.of_family(Family::of(ip))
    }

    /// The rule and the message where there is no place for an address.
    fn refusal(&self, ip: IpAddr, is_alone: bool) -> (&'static str, String) {
        let (name, pool) = (&self.pool.name, self.pool.describe());
        let taken = self
            .candidates(ip, is_alone)
            .into_iter()
            .find_map(|c| Some((c, self.taken_by(c, ip, is_alone)?)));
        if let Some((place, other)) = taken {
            let way_out = if is_alone { "" } else { ", or both the same" };
            let message = format!(
                "{ip} would become {place} in {pool}, and so does {other}; give this another address{way_out}"
            );
            return ("address-twice", message);
        }
        let message = if self.given(ip).is_some() {
            format!(
                "{ip} would keep its distance behind `spec.addresses.{name}` and leave {pool}; give a lower one there, or change this"
            )
        } else if !self.pool.sizes().contains_key(&Family::of(ip)) {
            format!("{ip} is not in {pool}, which has no address of its family; add a range")
        } else {
            format!(
                "{ip} is not in {pool}, and nothing there has its host number; give an address in `spec.addresses.{name}`"
            )
        };
        ("address-outside-pool", message)
    }
}
