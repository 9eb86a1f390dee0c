//! What a service gets that does not say enough: the address and the key of others, or an address of its own.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::moves::Deciding;
use super::pools::{Pool, Pools};
use super::services::Service;
use crate::formats::ip::{self, Family, IpList};
use crate::platform::service_overrides::{self, RABBITMQ_DISTANCE};

/// Completes a service whose pool is known, when those before it are complete.
pub fn settle(pools: &Pools, services: &mut [Service], of: usize) {
    let service = &services[of];
    let Some(pool) = service.pool.as_deref().and_then(|name| pools.find(name)) else { return };
    let joint = Joint { pools, pool, services, of };
    let (addresses, key) = match (&service.addresses, &service.key) {
        (Some(addresses), key) if service.is_alone => (Some(addresses.clone()), key.clone()),
        (None, key) if service.is_alone => (joint.free_address(joint.rabbitmq_distance()), key.clone()),
        (Some(addresses), None) => (Some(addresses.clone()), Some(joint.key_at(addresses))),
        (Some(addresses), key) => (Some(addresses.clone()), key.clone()),
        (None, _) => joint.join(),
    };
    (services[of].addresses, services[of].key) = (addresses, key);
    services[of].needs_address = false;
}

struct Joint<'a> {
    pools: &'a Pools,
    pool: &'a Pool,
    services: &'a [Service],
    of: usize,
}

impl Joint<'_> {
    fn others(&self) -> impl Iterator<Item = &Service> {
        // What is deployed does not join what is not.
        let own = &self.services[self.of];
        let counts = |service: &Service| !service.needs_address && (service.exists || !own.exists);
        let others = self.services.iter().enumerate().filter(|(i, _)| *i != self.of);
        others.map(|(_, service)| service).filter(move |service| counts(service))
    }

    /// What services of the pool share: addresses and key, the lowest first.
    fn shared(&self) -> Vec<(&IpList, &String)> {
        let sharing = self.others().filter(|s| !s.is_alone && s.asks_for(self.pool, self.pools));
        let mut shared: Vec<_> =
            sharing.filter_map(|s| Some((s.addresses.as_ref()?, s.key.as_ref()?))).collect();
        let is_inside = |list: &IpList| list.addresses().iter().all(|ip| self.pool.contains(*ip));
        shared.retain(|(addresses, _)| !self.pool.is_known() || is_inside(addresses));
        shared.sort_by_key(|(addresses, key)| (addresses.addresses(), *key));
        shared.dedup();
        shared
    }

    /// The key of those that have these addresses, or the pool's name.
    fn key_at(&self, addresses: &IpList) -> String {
        let there = self.shared().into_iter().find(|(other, _)| *other == addresses);
        there.map_or_else(|| self.pools.names.prefixed(&self.pool.name), |(_, key)| key.clone())
    }

    /// The address and the key of others whose ports are not the service's; an address of its own, and no
    /// key, where all have its port; and where nobody shares, an address that others may share.
    fn join(&self) -> (Option<IpList>, Option<String>) {
        let own_key = self.services[self.of].key.as_ref();
        let shared = self.shared();
        let mut joinable = shared.iter().filter(|(_, key)| own_key.is_none_or(|own| own == *key));
        if let Some((addresses, key)) = joinable.find(|(addresses, _)| self.has_port_free(addresses)) {
            return (Some((*addresses).clone()), Some((*key).clone()));
        }
        if !shared.is_empty() && own_key.is_none() {
            return (self.free_address(1), None);
        }
        let key = own_key.cloned().unwrap_or_else(|| self.pools.names.prefixed(&self.pool.name));
        let usual = self.usual().filter(|list| !self.is_rival_at(list));
        let addresses = usual.or_else(|| self.free_address(1));
        let is_beside = |s: &&Service| s.key.as_ref() == Some(&key) && self.has_common_port(s);
        let has_twin = addresses.is_none() && own_key.is_none() && self.others().any(|s| is_beside(&s));
        (addresses, (!has_twin).then_some(key))
    }

    /// RabbitMQ keeps away from the address that others share. Where there are no others, the next run moves
    /// the first of its clusters to the address of the config, so that it must go there now.
    fn rabbitmq_distance(&self) -> u32 {
        let any_shared = Deciding::among(self.services, self.pool, self.pools).any_shared();
        if self.pool.given.is_some() && !any_shared { 0 } else { RABBITMQ_DISTANCE }
    }

    /// Whether another service keeps this one from the usual address. The next run moves services of the
    /// pool to the address of the config, so that a service that names no pool does not count there: the
    /// two would clash then, and must do so now.
    fn is_rival_at(&self, usual: &IpList) -> bool {
        let counts = |s: &&Service| self.pool.given.is_none() || s.asks_for(self.pool, self.pools);
        let mut taken = self.others().filter(counts).flat_map(|s| s.addresses.iter());
        taken.any(|list| list.addresses().iter().any(|ip| usual.addresses().contains(ip)))
    }

    fn has_port_free(&self, addresses: &IpList) -> bool {
        let has_one = |list: &IpList| list.addresses().iter().any(|ip| addresses.addresses().contains(ip));
        let mut there = self.others().filter(|s| s.addresses.as_ref().is_some_and(has_one));
        !there.any(|service| self.has_common_port(service))
    }

    fn has_common_port(&self, other: &Service) -> bool {
        self.services[self.of].ports.iter().any(|port| other.ports.contains(port))
    }

    fn taken(&self) -> BTreeSet<IpAddr> {
        self.others().flat_map(|s| s.addresses.iter().flat_map(IpList::addresses)).copied().collect()
    }

    /// What the config gives the pool's services to share, or upstream; none where the range is not known.
    fn usual(&self) -> Option<IpList> {
        let fits = |ip: &IpAddr| self.pool.sizes().contains_key(&Family::of(*ip));
        let upstream = || {
            let mut vips = service_overrides::usual_vips(&self.pool.name).into_iter().filter(fits);
            vips.find_map(|vip| self.pool.same_hosts(vip).next()).map(IpList::one)
        };
        self.pool.given.clone().or_else(upstream)
    }

    /// The next address that is free, so far behind the one that others share.
    fn free_address(&self, distance: u32) -> Option<IpList> {
        let shared = self.shared().first().map(|(addresses, _)| (*addresses).clone());
        let start = *shared.or_else(|| self.usual())?.addresses().first()?;
        let taken = self.taken();
        (distance..)
            .map_while(|distance| ip::plus(start, distance))
            .take_while(|ip| !self.pool.is_known() || self.pool.contains(*ip))
            .find(|ip| !taken.contains(ip))
            .map(IpList::one)
    }
}
