//! The address and the sharing key of services that lack them: shared with other services, or a separate
//! address.

use crate::krm::{CollectOrdered, Order};
use std::collections::BTreeSet;
use std::net::IpAddr;

use super::drafts::Draft;
use super::moves::Deciding;
use super::pools::{OwnPool, PoolId, Pools};
use crate::formats::ip::{self, Family, IpList};
use crate::model::network::Request;
use crate::platform::service_overrides::{self, RABBITMQ_DISTANCE};

/// Completes the requests of the drafts that need it, in their order. Each takes those before it into account.
pub fn complete(pools: &Pools<'_>, drafts: &[Draft<'_>], moved: Vec<Request>) -> Vec<Request> {
    let mut requests: Vec<Option<Request>> = Vec::new();
    let mut incomplete: Vec<(usize, PoolId, Request)> = Vec::new();
    for (position, (draft, request)) in drafts.iter().zip(moved).enumerate() {
        match draft.own_pool().filter(|_| draft.is_completed) {
            Some(pool) => {
                requests.push(None);
                incomplete.push((position, pool, request));
            }
            None => requests.push(Some(request)),
        }
    }
    for (position, id, request) in incomplete {
        let completion = Completion { pools, id, pool: pools.get(id), drafts, requests: &requests, position };
        let (addresses, sharing_key) = completion.complete(&request);
        requests[position] = Some(Request { addresses, sharing_key, ..request });
    }
    requests.into_iter().flatten().collect()
}

/// One service to complete, and the others.
struct Completion<'a> {
    pools: &'a Pools<'a>,
    id: PoolId,
    pool: &'a OwnPool,
    drafts: &'a [Draft<'a>],
    /// None for services that are completed later.
    requests: &'a [Option<Request>],
    position: usize,
}

/// A complete service.
struct Other<'a> {
    draft: &'a Draft<'a>,
    request: &'a Request,
}

impl<'a> Completion<'a> {
    fn complete(&self, request: &Request) -> (Option<IpList>, Option<String>) {
        let is_rabbitmq = self.own().service.is_rabbitmq;
        match (request.addresses.clone(), request.sharing_key.clone()) {
            (Some(addresses), key) if is_rabbitmq => (Some(addresses), key),
            (None, key) if is_rabbitmq => (self.free_address(self.rabbitmq_distance()), key),
            (Some(addresses), None) => {
                let key = self.key_at(&addresses);
                (Some(addresses), Some(key))
            }
            (Some(addresses), key) => (Some(addresses), key),
            (None, key) => self.join(key.as_ref()),
        }
    }

    fn own(&self) -> &'a Draft<'a> {
        &self.drafts[self.position]
    }

    /// The complete services that matter. A service that is deployed does not join one that is not.
    fn others(&self) -> impl Iterator<Item = Other<'a>> {
        let own_is_deployed = self.own().service.is_deployed;
        let complete = self
            .drafts
            .iter()
            .zip(self.requests)
            .filter_map(|(draft, request)| Some(Other { draft, request: request.as_ref()? }));
        complete.filter(move |other| other.draft.service.is_deployed || !own_is_deployed)
    }

    /// The addresses and keys that services of the pool share, lowest address first.
    fn shared(&self) -> Vec<(&'a IpList, &'a String)> {
        let is_inside = |list: &IpList| list.addresses().iter().all(|ip| self.pool.contains(*ip));
        let mut shared: Vec<_> = self
            .others()
            .filter(|other| !other.draft.service.is_rabbitmq && other.draft.own_pool() == Some(self.id))
            .filter_map(|other| {
                Some((other.request.addresses.as_ref()?, other.request.sharing_key.as_ref()?))
            })
            .filter(|(addresses, _)| !self.pool.is_known() || is_inside(addresses))
            .collect();
        shared.order_by_key(|(addresses, key)| (addresses.addresses(), *key));
        shared.dedup();
        shared
    }

    /// The key of the services with these addresses, or the name of the pool.
    fn key_at(&self, addresses: &IpList) -> String {
        let found = self.shared().into_iter().find(|(other, _)| *other == addresses);
        found.map_or_else(|| self.pools.names.prefixed(&self.pool.base), |(_, key)| key.clone())
    }

    /// The address and the key of other services that do not use the same ports. If all of them do, a
    /// separate address and no key. If no services share an address, an address that others can share.
    fn join(&self, own_key: Option<&String>) -> (Option<IpList>, Option<String>) {
        let shared = self.shared();
        let mut joinable = shared.iter().filter(|(_, key)| own_key.is_none_or(|own| own == *key));
        if let Some((addresses, key)) = joinable.find(|(addresses, _)| self.has_free_port(addresses)) {
            return (Some((*addresses).clone()), Some((*key).clone()));
        }
        if !shared.is_empty() && own_key.is_none() {
            return (self.free_address(1), None);
        }
        let key = own_key.cloned().unwrap_or_else(|| self.pools.names.prefixed(&self.pool.base));
        let usual = self.usual().filter(|list| !self.has_rival_at(list));
        let addresses = usual.or_else(|| self.free_address(1));
        let is_twin = |other: Other<'_>| {
            other.request.sharing_key.as_ref() == Some(&key) && self.has_common_port(&other)
        };
        let has_twin = addresses.is_none() && own_key.is_none() && self.others().any(is_twin);
        (addresses, (!has_twin).then_some(key))
    }

    /// RabbitMQ keeps its distance from the address that others share. If there are no others, the next run would move
    /// the first cluster to the given address, so it must get this address now.
    fn rabbitmq_distance(&self) -> u32 {
        let of_pool: Vec<&Draft<'_>> =
            self.drafts.iter().filter(|draft| draft.own_pool() == Some(self.id)).collect();
        let any_shared = Deciding::among(&of_pool).any_shared();
        if self.pool.given.is_some() && !any_shared { 0 } else { RABBITMQ_DISTANCE }
    }

    /// Whether another service prevents this one from using the usual address. The next run moves services of the pool
    /// to the given address, so a service without a pool does not prevent it: the two would clash then, and must be
    /// reported now.
    fn has_rival_at(&self, usual: &IpList) -> bool {
        let counts = |other: &Other<'_>| self.pool.given.is_none() || other.draft.own_pool() == Some(self.id);
        let mut lists = self.others().filter(counts).filter_map(|other| other.request.addresses.as_ref());
        lists.any(|list| have_common(list, usual))
    }

    fn has_free_port(&self, addresses: &IpList) -> bool {
        let is_there = |other: &Other<'_>| {
            other.request.addresses.as_ref().is_some_and(|list| have_common(list, addresses))
        };
        !self.others().filter(is_there).any(|other| self.has_common_port(&other))
    }

    fn has_common_port(&self, other: &Other<'_>) -> bool {
        self.own().service.ports.iter().any(|port| other.draft.service.ports.contains(port))
    }

    fn taken(&self) -> BTreeSet<IpAddr> {
        self.others()
            .flat_map(|other| other.request.addresses.iter().flat_map(IpList::addresses))
            .copied()
            .collect_ordered()
    }

    /// The address that services of the pool share: the given one, or that of the upstream samples. None if the ranges
    /// are unknown.
    fn usual(&self) -> Option<IpList> {
        let upstream = || {
            let vips = service_overrides::usual_vips(&self.pool.base).into_iter();
            let mut vips = vips.filter(|ip| self.pool.has_family(Family::of(*ip)));
            vips.find_map(|vip| self.pool.same_hosts(vip).next()).map(IpList::one)
        };
        self.pool.given.clone().or_else(upstream)
    }

    /// The next free address at this distance or more after the shared address.
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

fn have_common(a: &IpList, b: &IpList) -> bool {
    a.addresses().iter().any(|ip| b.addresses().contains(ip))
}
