//! Where the addresses of services go: into the ranges of the instance's pools.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;

use super::pools::{Pool, Pools, elsewhere_message};
use super::services::Service;
use crate::formats::ip::{self, Family, IpList};
use crate::krm::{Resource, Results};
use crate::platform::metallb::Annotation;
use crate::platform::service_overrides::{self, RABBITMQ_DISTANCE};

/// Gives every service the instance's pool and key, and its addresses their new places.
pub fn assign(pools: &Pools, services: &mut [Service], items: &[Resource], results: &mut Results) {
    let moves: HashMap<String, Moves<'_>> =
        pools.iter().map(|pool| (pool.name.clone(), Moves::plan(pool, pools, services))).collect();
    let mut elsewhere = HashSet::new();
    for service in services.iter_mut() {
        let resource = &items[service.item];
        let pool = match service.pool.as_deref().map(|name| (name, pools.find(name))) {
            Some((name, None)) => {
                if pools.is_elsewhere(name) && elsewhere.insert((service.item, name.to_owned())) {
                    results.warning("pool-elsewhere", elsewhere_message(name)).field(resource, &service.at);
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
            results.error("address-outside-pool", moves.refusal(*ip)).field(resource, &place);
        }
        service.addresses = Some(list.map(|ip| moves.new_place(ip, service.is_alone).unwrap_or(ip)));
    }
    for i in 0..services.len() {
        if services[i].needs_address {
            services[i].addresses = free_address(pools, services, i).map(IpList::one);
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

/// How the addresses of one pool move.
struct Moves<'p> {
    pool: &'p Pool,
    /// The lowest address that services ask for, by family, inside the pool and outside.
    lowest: HashMap<(Family, bool), IpAddr>,
    /// Whether there are others than RabbitMQ.
    any_shared: bool,
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
        Moves { pool, lowest, any_shared }
    }

    /// Where an address goes; none when there is no place for it in the pool.
    fn new_place(&self, ip: IpAddr, is_alone: bool) -> Option<IpAddr> {
        let is_inside = self.pool.contains(ip);
        let at_its_distance = || {
            let lowest = self.lowest.get(&(Family::of(ip), is_inside))?;
            ip::at_same_distance(ip, *lowest, self.given(ip)?)
        };
        if !self.pool.is_known() {
            return if self.given(ip).is_some() { at_its_distance() } else { Some(ip) };
        }
        let stays_where_it_can = is_alone && self.any_shared;
        let moved = if self.given(ip).is_some() && !stays_where_it_can {
            at_its_distance()
        } else if is_inside {
            Some(ip)
        } else {
            let same_host = self.pool.same_host(ip);
            same_host.or_else(at_its_distance)
        };
        moved.filter(|ip| self.pool.contains(*ip))
    }

    fn given(&self, ip: IpAddr) -> Option<IpAddr> {
        self.pool.given.as_ref()?.of_family(Family::of(ip))
    }

    fn refusal(&self, ip: IpAddr) -> String {
        let (name, pool) = (&self.pool.name, self.pool.describe());
        if self.given(ip).is_some() {
            return format!(
                "{ip} would keep its distance behind `spec.addresses.{name}` and leave {pool}; give a lower one there, or change this"
            );
        }
        if !self.pool.sizes().contains_key(&Family::of(ip)) {
            return format!("{ip} is not in {pool}, which has no address of its family; add a range");
        }
        format!(
            "{ip} is not in {pool}, and nothing there has its host number; give an address in `spec.addresses.{name}`"
        )
    }
}

/// An address for a service that cannot share: where upstream has it, or the next one that is free.
fn free_address(pools: &Pools, services: &[Service], of: usize) -> Option<IpAddr> {
    let pool = pools.find(services[of].pool.as_deref()?)?;
    let taken: BTreeSet<IpAddr> = services
        .iter()
        .flat_map(|service| service.addresses.iter().flat_map(IpList::addresses))
        .copied()
        .collect();
    let upstream = || {
        let vips = service_overrides::usual_vips(&pool.name);
        vips.into_iter().find_map(|vip| pool.same_host(vip))
    };
    let shared = shared_address(pools, pool, services).and_then(|list| list.addresses().first().copied());
    let shared = shared.or_else(upstream)?;
    (RABBITMQ_DISTANCE..)
        .map_while(|distance| ip::behind(shared, distance))
        .take_while(|ip| !pool.is_known() || pool.contains(*ip))
        .find(|ip| !taken.contains(ip))
}

/// The lowest addresses that services of a pool share, or that they are given to share.
pub fn shared_address(pools: &Pools, pool: &Pool, services: &[Service]) -> Option<IpList> {
    let asked = services
        .iter()
        .filter(|service| !service.is_alone && service.key.is_some() && service.asks_for(pool, pools))
        .filter_map(|service| service.addresses.clone())
        .min_by_key(|list| list.addresses().to_vec());
    asked.or_else(|| pool.given.clone())
}
