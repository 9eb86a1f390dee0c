//! Where the addresses of services go: into the ranges of the instance's pools.

use crate::checks::rules;
use std::collections::{BTreeMap, HashMap};

use super::foreign::{self, Referrer};
use super::joining;
use super::moves::Moves;
use super::pools::{Pool, Pools};
use super::services::Service;
use crate::formats::ip::{Family, IpList};
use crate::krm::{FieldPath, Finding, Resource, Results, quoted};
use crate::platform::metallb::Annotation;
use crate::platform::openstack;

/// Gives every service the instance's pool and key, and its addresses their new places.
pub fn assign(pools: &Pools, services: &mut [Service], items: &[Resource], results: &mut Results) {
    let moves: HashMap<String, Moves<'_>> =
        pools.iter().map(|pool| (pool.name.clone(), Moves::plan(pool, pools, services))).collect();
    report_strange_pools(pools, services, items, results);
    for service in services.iter_mut() {
        let pool = match service.pool.as_deref().map(|name| pools.find(name)) {
            Some(None) => continue,
            Some(found) => found,
            None => None,
        };
        let resource = &items[service.item];
        service.pool = pool.map(|pool| pools.names.prefixed(&pool.name));
        service.key = service.key.as_ref().map(|key| pools.names.prefixed(key));
        let Some(list) = service.addresses.clone() else { continue };
        let Some(moves) = pool.and_then(|pool| moves.get(&pool.name)) else {
            check_without_pool(pools, service, &list, resource, results);
            continue;
        };
        for ip in list.addresses().iter().filter(|ip| moves.new_place(**ip, service).is_none()) {
            let place = service.place_of(Annotation::LoadBalancerIps);
            let (rule, message) = moves.refusal(*ip, service);
            results.add(Finding::new(service.severity(), rule, message)).field(resource, &place);
        }
        service.addresses = Some(list.map(|ip| moves.new_place(ip, service).unwrap_or(ip)));
    }
    for i in 0..services.len() {
        if services[i].needs_address {
            joining::settle(pools, services, i);
        }
    }
}

/// Reports pools that services ask for and that are not the instance's: each once a resource, as bad as it is
/// for the worst of its services.
fn report_strange_pools(pools: &Pools, services: &[Service], items: &[Resource], results: &mut Results) {
    let mut strange: BTreeMap<(usize, &str), &Service> = BTreeMap::new();
    for service in services {
        let Some(name) = service.pool.as_deref().filter(|name| pools.find(name).is_none()) else { continue };
        let worst = strange.entry((service.item, name)).or_insert(service);
        if service.exists && !worst.exists {
            *worst = service;
        }
    }
    for ((item, name), service) in strange {
        let is_control_plane = items[item].is(openstack::CONTROL_PLANE);
        let referrer = if is_control_plane { Referrer::ControlPlane } else { Referrer::Service };
        let (severity, rule, message) = foreign::judge(pools, name, referrer);
        let finding = Finding::new(severity.max(service.severity()), rule, message);
        results.add(finding).field(&items[item], &service.at);
    }
}

/// Reports addresses of the config that nobody gets.
pub fn report_unused(pools: &Pools, services: &[Service], results: &mut Results) {
    for pool in pools.iter() {
        let asking = || services.iter().filter(|service| service.asks_for(pool, pools));
        for ip in pool.given.iter().flat_map(IpList::addresses) {
            let has_family = |service: &Service| {
                service.addresses.as_ref().is_some_and(|list| list.of_family(Family::of(*ip)).is_some())
            };
            if asking().any(has_family) {
                continue;
            }
            let name = quoted(&pool.name);
            let why = match asking().next() {
                None => format!("no service of the instance asks for the pool {name}"),
                Some(_) => {
                    format!(
                        "no service of the instance asks for an address of this family in the pool {name}"
                    )
                }
            };
            let message = format!("{why}, so {ip} is not used; remove it, or annotate a service");
            results
                .warning(&rules::UNUSED_ADDRESS, message)
                .in_config(FieldPath::new("spec.addresses").key(pool.name.clone()));
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
        let finding = Finding::new(service.severity(), &rules::ADDRESS_OUTSIDE_POOL, message);
        results.add(finding).field(resource, &place);
    }
}
