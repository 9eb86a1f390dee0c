//! How the addresses of a pool's services move into its ranges.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use super::pools::{Pool, Pools};
use super::services::Service;
use crate::checks::rules;
use crate::formats::ip::{self, Family, IpList};
use crate::krm::Rule;
use crate::platform::service_overrides::RABBITMQ_DISTANCE;

/// The services of a pool that decide where its addresses go: those that are deployed and have an address or
/// get one, or the others where there are none.
pub struct Deciding<'s> {
    services: Vec<&'s Service>,
    are_live: bool,
}

impl<'s> Deciding<'s> {
    pub fn among(services: &'s [Service], pool: &Pool, pools: &Pools) -> Self {
        let has_address = |service: &Service| service.addresses.is_some() || service.needs_address;
        let asking = services.iter().filter(|s| s.asks_for(pool, pools) && has_address(s));
        let (live, idle): (Vec<&Service>, Vec<&Service>) = asking.partition(|service| service.exists);
        let are_live = !live.is_empty();
        Deciding { services: if are_live { live } else { idle }, are_live }
    }

    /// Whether there are others than RabbitMQ.
    pub fn any_shared(&self) -> bool {
        self.services.iter().any(|service| !service.is_alone)
    }
}

/// How the addresses of one pool move: each to a place of its own.
pub struct Moves<'p> {
    pool: &'p Pool,
    /// The lowest address that services ask for, by family, inside the pool and outside.
    lowest: HashMap<(Family, bool), IpAddr>,
    /// Whether any of the services is deployed.
    any_live: bool,
    /// Whether there are others than RabbitMQ.
    any_shared: bool,
    /// Where an address of what is deployed goes, and whether it is RabbitMQ's.
    places: BTreeMap<(IpAddr, bool), IpAddr>,
}

impl<'p> Moves<'p> {
    pub fn plan(pool: &'p Pool, pools: &Pools, services: &[Service]) -> Self {
        let deciding = Deciding::among(services, pool, pools);
        let any_shared = deciding.any_shared();
        let mut lowest: HashMap<(Family, bool), IpAddr> = HashMap::new();
        // RabbitMQ's addresses count only where there are no others.
        for service in deciding.services.iter().filter(|service| service.is_alone != any_shared) {
            for ip in service.addresses.iter().flat_map(IpList::addresses) {
                let entry = lowest.entry((Family::of(*ip), pool.contains(*ip))).or_insert(*ip);
                *entry = (*entry).min(*ip);
            }
        }
        let any_live = deciding.are_live;
        let mut moves = Moves { pool, lowest, any_live, any_shared, places: BTreeMap::new() };
        let live = deciding.services.iter().filter(|_| any_live);
        let old = live.flat_map(|service| {
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

    /// Where an address goes; none when there is no place for it in the pool. What is not deployed takes no
    /// place from others.
    pub fn new_place(&self, ip: IpAddr, service: &Service) -> Option<IpAddr> {
        match service.exists {
            true => self.places.get(&(ip, service.is_alone)).copied(),
            false => self.idle_place(ip, service.is_alone),
        }
    }

    /// Where an address goes that nobody has: where it would go if its service were deployed, or else to any
    /// place from where the next run does not move it.
    fn idle_place(&self, ip: IpAddr, is_alone: bool) -> Option<IpAddr> {
        if !self.is_put(ip, is_alone) {
            let mut places = self.candidates(ip, is_alone).into_iter();
            return places.find(|place| !(is_alone && self.is_reserved(*place)));
        }
        let mut places: Vec<IpAddr> = self.at_its_distance(ip).into_iter().collect();
        if self.any_live && self.pool.is_known() {
            places.extend(Some(ip).into_iter().chain(self.pool.same_hosts(ip)));
        }
        places.extend(self.given(ip));
        places.into_iter().find(|place| !self.pool.is_known() || self.pool.contains(*place))
    }

    fn find_place(&self, ip: IpAddr, is_alone: bool) -> Option<IpAddr> {
        self.candidates(ip, is_alone).into_iter().find(|place| {
            self.taken_by(*place, ip, is_alone).is_none() && !(is_alone && self.is_reserved(*place))
        })
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
        let behind_given = |given| {
            let behind = (RABBITMQ_DISTANCE..).map_while(move |distance| ip::plus(given, distance));
            behind.take(self.places.len() + 1)
        };
        if !self.pool.is_known() {
            let Some(given) = self.given(ip) else { return vec![ip] };
            let stays = self.lowest_beside(ip).is_none().then_some(ip);
            let first = if is_alone { at_its_distance.or(stays) } else { at_its_distance };
            let more = first.filter(|_| is_alone).map(|_| behind_given(given));
            return first.into_iter().chain(more.into_iter().flatten()).collect();
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
            found.extend(behind_given(given));
        }
        found.retain(|place| self.pool.contains(*place));
        found
    }

    fn at_its_distance(&self, ip: IpAddr) -> Option<IpAddr> {
        ip::at_same_distance(ip, self.lowest_beside(ip)?, self.given(ip)?)
    }

    /// The lowest of the addresses that move together with this one.
    fn lowest_beside(&self, ip: IpAddr) -> Option<IpAddr> {
        self.lowest.get(&(Family::of(ip), self.pool.contains(ip))).copied()
    }

    /// Whether the config says where this goes. RabbitMQ stays where it can beside others.
    fn is_put(&self, ip: IpAddr, is_alone: bool) -> bool {
        self.given(ip).is_some() && !(is_alone && self.any_shared)
    }

    /// Whether the services that share an address get this one, some of them only later.
    fn is_reserved(&self, place: IpAddr) -> bool {
        self.any_shared && self.given(place) == Some(place)
    }

    fn given(&self, ip: IpAddr) -> Option<IpAddr> {
        self.pool.given.as_ref()?.of_family(Family::of(ip))
    }

    /// The rule and the message where there is no place for an address.
    pub fn refusal(&self, ip: IpAddr, service: &Service) -> (&'static Rule, String) {
        let (name, pool, is_alone) = (&self.pool.name, self.pool.describe(), service.is_alone);
        if !service.exists {
            let message = format!("{ip} is not in {pool}; correct it before you enable this");
            return (&rules::ADDRESS_OUTSIDE_POOL, message);
        }
        let candidates = self.candidates(ip, is_alone);
        if let Some(place) = candidates.iter().find(|place| is_alone && self.is_reserved(**place)) {
            let message = format!(
                "{ip} would become {place} in {pool}, which `spec.addresses.{name}` gives to services that can share it; give this another address"
            );
            return (&rules::ADDRESS_TWICE, message);
        }
        let taken = candidates.iter().find_map(|place| Some((place, self.taken_by(*place, ip, is_alone)?)));
        if let Some((place, other)) = taken {
            let way_out = if is_alone { "" } else { ", or both the same" };
            let message = format!(
                "{ip} would become {place} in {pool}, and so does {other}; give this another address{way_out}"
            );
            return (&rules::ADDRESS_TWICE, message);
        }
        let message = if self.given(ip).is_some() {
            format!(
                "{ip} would be as far from `spec.addresses.{name}` as before, which is outside {pool}; set a lower address there, or change this one"
            )
        } else if !self.pool.sizes().contains_key(&Family::of(ip)) {
            format!("{ip} is not in {pool}, which has no address of its family; add a range")
        } else {
            format!(
                "{ip} is not in {pool}, and nothing there has its host number; give an address in `spec.addresses.{name}`"
            )
        };
        (&rules::ADDRESS_OUTSIDE_POOL, message)
    }
}
