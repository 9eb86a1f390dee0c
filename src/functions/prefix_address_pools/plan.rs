//! What the services of the instance should request: the pool and the sharing key with the prefix of the
//! instance, and addresses in the pool.

use std::collections::{BTreeMap, HashMap};

use super::completion;
use super::drafts::{ChosenPool, Draft};
use super::foreign::{self, Referrer};
use super::moves::Moves;
use super::pools::{OwnPool, PoolId, Pools};
use crate::checks::{self, Claim, rules, severity};
use crate::formats::ip::{Family, IpList};
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::ItemId;
use crate::model::network::{Network, Origin, Request, Service};
use crate::platform::metallb::Annotation;

/// A service of the instance, and what it should request.
#[derive(Debug)]
pub struct Planned<'n> {
    pub draft: Draft<'n>,
    pub request: Request,
}

impl Planned<'_> {
    /// The service before the change.
    pub fn service(&self) -> &Service {
        &self.draft.service
    }

    fn claim(&self) -> Claim<'_> {
        Claim { service: self.service(), request: &self.request }
    }
}

/// Plans the requests of all services, and reports those that are not possible.
pub fn plan<'n>(
    pools: &Pools<'_>,
    drafts: Vec<Draft<'n>>,
    items: &[Resource],
    results: &mut Results,
) -> Vec<Planned<'n>> {
    report_other_pools(pools, &drafts, items, results);
    let by_pool = group_by_pool(drafts.iter().map(|draft| (draft.own_pool(), draft)));
    let moves: HashMap<PoolId, Moves<'_>> =
        by_pool.into_iter().map(|(id, drafts)| (id, Moves::plan(pools.get(id), &drafts))).collect();
    let moved: Vec<Request> =
        drafts.iter().map(|draft| move_request(draft, pools, &moves, items, results)).collect();
    let requests = completion::complete(pools, &drafts, moved);
    drafts.into_iter().zip(requests).map(|(draft, request)| Planned { draft, request }).collect()
}

fn group_by_pool<T>(all: impl Iterator<Item = (Option<PoolId>, T)>) -> BTreeMap<PoolId, Vec<T>> {
    let mut by_pool: BTreeMap<PoolId, Vec<T>> = BTreeMap::new();
    for (pool, value) in all {
        if let Some(pool) = pool {
            by_pool.entry(pool).or_default().push(value);
        }
    }
    by_pool
}

/// The request of a service with the names of the instance, and its addresses moved into the pool.
fn move_request(
    draft: &Draft<'_>,
    pools: &Pools<'_>,
    moves: &HashMap<PoolId, Moves<'_>>,
    items: &[Resource],
    results: &mut Results,
) -> Request {
    let service = &draft.service;
    let mut request = service.request.clone();
    if matches!(draft.pool, ChosenPool::Other(_)) {
        return request;
    }
    request.sharing_key = request.sharing_key.map(|key| pools.names.prefixed(&key));
    let Some(id) = draft.own_pool() else {
        if pools.iter().all(|(_, pool)| pool.is_known()) {
            let is_in_a_pool = |ip| pools.iter().any(|(_, pool)| pool.contains(ip));
            checks::address_outside_pools(Claim::from(&**service), is_in_a_pool, items, results);
        }
        return request;
    };
    request.pool = Some(pools.names.prefixed(&pools.get(id).base));
    let Some((list, moves)) = request.addresses.take().zip(moves.get(&id)) else { return request };
    for ip in list.addresses().iter().filter(|ip| moves.new_address(**ip, service).is_none()) {
        let (rule, message) = moves.refusal(*ip, service);
        let finding = results.add(Finding::new(severity(service), rule, message));
        finding.location = service.site_of(Annotation::LoadBalancerIps).location(items);
    }
    request.addresses = Some(list.map(|ip| moves.new_address(ip, service).unwrap_or(ip)));
    request
}

/// Reports requests for pools that do not belong to the instance: each pool once per resource, with the severity of
/// the most severe.
fn report_other_pools(pools: &Pools<'_>, drafts: &[Draft<'_>], items: &[Resource], results: &mut Results) {
    let mut others: BTreeMap<(ItemId, &str), &Service> = BTreeMap::new();
    for draft in drafts {
        let ChosenPool::Other(name) = &draft.pool else { continue };
        let first = others.entry((draft.service.site.item, name)).or_insert(&draft.service);
        if draft.service.is_deployed && !first.is_deployed {
            *first = &draft.service;
        }
    }
    for ((_, name), service) in others {
        let is_service = service.origin == Origin::Service;
        let referrer = if is_service { Referrer::Service } else { Referrer::ControlPlane };
        let finding = match pools.are_generated {
            true => foreign::judge_generated(pools, name),
            false => Some(foreign::judge(pools, name, referrer)),
        };
        let Some(mut finding) = finding else { continue };
        finding.severity = finding.severity.max(severity(service));
        finding.location = service.site.location(items);
        results.add(finding);
    }
}

/// Reports planned requests that MetalLB would refuse, and given addresses that no service gets.
pub fn check(
    pools: &Pools<'_>,
    services: &[Planned<'_>],
    network: &Network,
    items: &[Resource],
    results: &mut Results,
) {
    let claims: Vec<Claim<'_>> = services.iter().map(Planned::claim).collect();
    checks::vip_conflict(&claims, items, results);
    checks::shared_keys(&claims, items, results);
    checks::rabbitmq_key(&claims, Severity::Error, items, results);
    let of_services = services.iter().map(|planned| (planned.draft.own_pool(), planned.claim()));
    let by_pool = group_by_pool(of_services);
    let by_item: HashMap<ItemId, _> = network.pools.iter().map(|pool| (pool.item, pool)).collect();
    for (id, own) in pools.iter() {
        let claims = by_pool.get(&id).map(Vec::as_slice).unwrap_or_default();
        if let Some(pool) = own.item.and_then(|item| by_item.get(&item)) {
            checks::pool_exhausted(pool, claims, items, results);
        }
        report_unused(own, claims, results);
    }
}

/// Reports the addresses of the functionConfig that no service gets.
fn report_unused(pool: &OwnPool, claims: &[Claim<'_>], results: &mut Results) {
    for ip in pool.given.iter().flat_map(IpList::addresses) {
        let family = Family::of(*ip);
        let addresses = |claim: &Claim<'_>| claim.request.addresses.as_ref()?.of_family(family);
        if claims.iter().any(|claim| addresses(claim).is_some()) {
            continue;
        }
        let what = if claims.is_empty() { "the pool" } else { "an address of this family in the pool" };
        let message = format!(
            "no service of the instance requests {what} {}, so {ip} is not used; remove it, or annotate a service",
            quoted(&pool.base)
        );
        results.warning(&rules::UNUSED_ADDRESS, message).in_config(pool.field.clone());
    }
}
