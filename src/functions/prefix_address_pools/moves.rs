//! How the addresses of a pool's services move into its ranges.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use super::drafts::Draft;
use super::pools::OwnPool;
use crate::checks::rules;
use crate::formats::ip::{self, Family, IpList};
use crate::krm::{CollectOrdered, Rule};
use crate::model::network::Service;
use crate::platform::service_overrides::RABBITMQ_DISTANCE;

/// The services of a pool that decide where its addresses go: those that are deployed and have or get an address, or
/// the others if there are none.
pub struct Deciding<'d> {
    drafts: Vec<&'d Draft<'d>>,
    are_deployed: bool,
}

impl<'d> Deciding<'d> {
    /// Selects among the services of one pool.
    pub fn among(of_pool: &[&'d Draft<'d>]) -> Self {
        let with_address = of_pool.iter().copied().filter(|draft| draft.has_address());
        let (deployed, idle): (Vec<_>, Vec<_>) = with_address.partition(|draft| draft.service.is_deployed);
        let are_deployed = !deployed.is_empty();
        Deciding { drafts: if are_deployed { deployed } else { idle }, are_deployed }
    }

    /// Whether there are services other than RabbitMQ.
    pub fn any_shared(&self) -> bool {
        self.drafts.iter().any(|draft| !draft.service.is_rabbitmq)
    }

    /// The addresses of the services, and whether they belong to RabbitMQ.
    fn addresses(&self) -> impl Iterator<Item = (IpAddr, bool)> {
        self.drafts.iter().flat_map(|draft| {
            let addresses = draft.service.request.addresses.iter().flat_map(IpList::addresses);
            addresses.map(|ip| (*ip, draft.service.is_rabbitmq))
        })
    }
}

/// The moves of the addresses of one pool. Different addresses stay different.
pub struct Moves<'p> {
    pool: &'p OwnPool,
    /// The lowest requested address, by family, inside the pool and outside.
    lowest: HashMap<(Family, bool), IpAddr>,
    /// Whether any of the services is deployed.
    any_deployed: bool,
    /// Whether there are services other than RabbitMQ.
    any_shared: bool,
    /// The new addresses of services that are deployed, by the old address and whether it belongs to RabbitMQ.
    moves: BTreeMap<(IpAddr, bool), IpAddr>,
}

impl<'p> Moves<'p> {
    /// Plans the moves for the services of the pool.
    pub fn plan(pool: &'p OwnPool, drafts: &[&Draft<'_>]) -> Self {
        let deciding = Deciding::among(drafts);
        let (any_shared, any_deployed) = (deciding.any_shared(), deciding.are_deployed);
        let mut lowest: HashMap<(Family, bool), IpAddr> = HashMap::new();
        // The addresses of RabbitMQ count only if there are no others.
        for (ip, _) in deciding.addresses().filter(|(_, is_rabbitmq)| *is_rabbitmq != any_shared) {
            let entry = lowest.entry((Family::of(ip), pool.contains(ip))).or_insert(ip);
            *entry = (*entry).min(ip);
        }
        let mut moves = Moves { pool, lowest, any_deployed, any_shared, moves: BTreeMap::new() };
        // First the addresses that the functionConfig places, then those that stay, then those with a choice.
        let in_order: BTreeSet<(u8, bool, IpAddr)> = deciding
            .addresses()
            .filter(|_| any_deployed)
            .map(|(ip, is_rabbitmq)| match moves.is_placed(ip, is_rabbitmq) {
                true => (0, is_rabbitmq, ip),
                false => (if pool.contains(ip) { 1 } else { 2 }, is_rabbitmq, ip),
            })
            .collect_ordered();
        for (_, is_rabbitmq, ip) in in_order {
            if let Some(new) = moves.find_address(ip, is_rabbitmq) {
                moves.moves.insert((ip, is_rabbitmq), new);
            }
        }
        moves
    }

    /// The new address. None if the pool has no address for it. A service that is not deployed takes no
    /// address from others.
    pub fn new_address(&self, ip: IpAddr, service: &Service) -> Option<IpAddr> {
        match service.is_deployed {
            true => self.moves.get(&(ip, service.is_rabbitmq)).copied(),
            false => self.idle_address(ip, service.is_rabbitmq),
        }
    }

    /// The new address of a service that is not deployed: the one that it would get if it were, or else any that the
    /// next run does not move. In a pool that is not in the package, that is also its own.
    fn idle_address(&self, ip: IpAddr, is_rabbitmq: bool) -> Option<IpAddr> {
        if !self.is_placed(ip, is_rabbitmq) {
            let mut candidates = self.candidates(ip, is_rabbitmq).into_iter();
            let found = candidates.find(|new| !(is_rabbitmq && self.is_reserved(*new)));
            return found.or((!self.pool.is_known()).then_some(ip));
        }
        let mut candidates: Vec<IpAddr> = self.at_its_distance(ip).into_iter().collect();
        if self.any_deployed && self.pool.is_known() {
            candidates.extend(Some(ip).into_iter().chain(self.pool.same_hosts(ip)));
        }
        candidates.extend(self.given(ip));
        candidates.into_iter().find(|new| !self.pool.is_known() || self.pool.contains(*new))
    }

    fn find_address(&self, ip: IpAddr, is_rabbitmq: bool) -> Option<IpAddr> {
        self.candidates(ip, is_rabbitmq).into_iter().find(|new| {
            self.taken_by(*new, ip, is_rabbitmq).is_none() && !(is_rabbitmq && self.is_reserved(*new))
        })
    }

    /// The other address that already moves to `new`. An address inside the pool may be the result of an earlier run for
    /// an address outside, so these two may become the same, except for RabbitMQ.
    fn taken_by(&self, new: IpAddr, ip: IpAddr, is_rabbitmq: bool) -> Option<IpAddr> {
        let is_on_same_side = |other: IpAddr| self.pool.contains(other) == self.pool.contains(ip);
        let mut others = self.moves.iter().filter(|((old, other_is_rabbitmq), other_new)| {
            **other_new == new && *old != ip && (is_rabbitmq || *other_is_rabbitmq || is_on_same_side(*old))
        });
        others.next().map(|((old, _), _)| *old)
    }

    /// The addresses that an address can move to, best first.
    fn candidates(&self, ip: IpAddr, is_rabbitmq: bool) -> Vec<IpAddr> {
        let at_its_distance = self.at_its_distance(ip);
        let after_given = |given| {
            let after = (RABBITMQ_DISTANCE..).map_while(move |distance| ip::plus(given, distance));
            after.take(self.moves.len() + 1)
        };
        if !self.pool.is_known() {
            let Some(given) = self.given(ip) else { return vec![ip] };
            let stays = self.lowest_beside(ip).is_none().then_some(ip);
            let first = if is_rabbitmq { at_its_distance.or(stays) } else { at_its_distance };
            let more = first.filter(|_| is_rabbitmq).map(|_| after_given(given));
            return first.into_iter().chain(more.into_iter().flatten()).collect();
        }
        let mut found = Vec::new();
        if !self.is_placed(ip, is_rabbitmq) {
            if self.pool.contains(ip) {
                found.push(ip);
            } else {
                found.extend(self.pool.same_hosts(ip));
            }
        }
        if found.is_empty() || is_rabbitmq {
            found.extend(at_its_distance);
        }
        if is_rabbitmq && let Some(given) = self.given(ip) {
            found.extend(after_given(given));
        }
        found.retain(|new| self.pool.contains(*new));
        found
    }

    /// The address that is as far from the given address as it was from the lowest one.
    fn at_its_distance(&self, ip: IpAddr) -> Option<IpAddr> {
        ip::at_same_distance(ip, self.lowest_beside(ip)?, self.given(ip)?)
    }

    /// The lowest of the addresses that move together with this one.
    fn lowest_beside(&self, ip: IpAddr) -> Option<IpAddr> {
        self.lowest.get(&(Family::of(ip), self.pool.contains(ip))).copied()
    }

    /// Whether the functionConfig places this address. If others share an address, RabbitMQ keeps its own if it can.
    fn is_placed(&self, ip: IpAddr, is_rabbitmq: bool) -> bool {
        self.given(ip).is_some() && !(is_rabbitmq && self.any_shared)
    }

    /// Whether services that share an address get this one, now or in a later run.
    fn is_reserved(&self, new: IpAddr) -> bool {
        self.any_shared && self.given(new) == Some(new)
    }

    fn given(&self, ip: IpAddr) -> Option<IpAddr> {
        self.pool.given.as_ref()?.of_family(Family::of(ip))
    }

    /// The rule and the message for an address that cannot move.
    pub fn refusal(&self, ip: IpAddr, service: &Service) -> (&'static Rule, String) {
        let (pool, is_rabbitmq) = (self.pool.describe(), service.is_rabbitmq);
        let field = format!("`{}`", self.pool.field);
        if !service.is_deployed {
            let message = format!("{ip} is not in {pool}; correct it before you enable this service");
            return (&rules::VIP_OUTSIDE_POOL, message);
        }
        let candidates = self.candidates(ip, is_rabbitmq);
        if let Some(new) = candidates.iter().find(|new| is_rabbitmq && self.is_reserved(**new)) {
            let message = format!(
                "{ip} would become {new} in {pool}, which {field} gives to services that share it; give RabbitMQ another address"
            );
            return (&rules::VIP_CONFLICT, message);
        }
        let taken = candidates.iter().find_map(|new| Some((new, self.taken_by(*new, ip, is_rabbitmq)?)));
        if let Some((new, other)) = taken {
            let way_out = if is_rabbitmq { "" } else { ", or give both the same address" };
            let message = format!(
                "{ip} and {other} would both become {new} in {pool}; give this service another address{way_out}"
            );
            return (&rules::VIP_CONFLICT, message);
        }
        let message = if self.given(ip).is_some() {
            format!(
                "{ip} moves together with the lowest address, which {field} sets, and would leave {pool}; set a lower address there, or change this one"
            )
        } else if !self.pool.has_family(Family::of(ip)) {
            format!("{ip} is not in {pool}, which has no addresses of its family; add a range")
        } else {
            format!(
                "{ip} is not in {pool}, and no address there has its host number; set an address in {field}"
            )
        };
        (&rules::VIP_OUTSIDE_POOL, message)
    }
}
