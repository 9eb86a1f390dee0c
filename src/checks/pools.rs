//! IPAddressPools: their names, their ranges, and how many addresses they have.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::IpAddr;

use super::claim::{Claim, MOST_RELATED};
use super::rules;
use crate::formats::ip::{self, Family, IpList, IpRange};
use crate::krm::{CollectOrdered, FieldPath, Resource, Results, quoted};
use crate::model::network::{Network, Pool, PoolRange};
use crate::model::{ItemId, Site, Sited};
use crate::platform::metallb::Annotation;

/// Reports `missing-name` for an object without a name.
pub fn missing_name(item: ItemId, items: &[Resource], results: &mut Results) {
    let resource = item.get(items);
    if resource.id().name.is_empty() {
        let message = format!("this {} has no name; set `metadata.name`", resource.id().kind);
        results.error(&rules::MISSING_NAME, message).field(resource, &FieldPath::new("metadata"));
    }
}

/// Reports `pool-twice` for a pool that repeats the namespace and name of an earlier one.
pub fn pool_twice(network: &Network, items: &[Resource], results: &mut Results) {
    let mut seen = HashSet::new();
    for pool in network.pools.iter().filter(|pool| !pool.name.is_empty() && !pool.from_values) {
        if !seen.insert((&pool.namespace, &pool.name)) {
            let name = quoted(&pool.name);
            let message = format!("the package already has a pool {name}; remove one of them");
            let path = FieldPath::new("metadata.name");
            results.error(&rules::POOL_TWICE, message).field(pool.item.get(items), &path);
        }
    }
}

/// Reports `pool-twice` for pools with the same name in two namespaces. A pool without a namespace may get that of the
/// other.
pub fn pool_in_two_namespaces(network: &Network, items: &[Resource], results: &mut Results) {
    let mut first_of_name: HashMap<&str, &Pool> = HashMap::new();
    for pool in network.distinct_pools().filter(|pool| !pool.from_values && !pool.name.is_empty()) {
        if pool.namespace.is_none() {
            continue;
        }
        let first = *first_of_name.entry(&pool.name).or_insert(pool);
        if first.namespace != pool.namespace {
            report_twin(pool, first.item, &pool.name, items, results);
        }
    }
}

/// Reports `pool-twice` for a pool and its twin in another namespace. MetalLB reads only one namespace, so it ignores
/// one of them.
pub fn report_twin(pool: &Pool, twin: ItemId, name: &str, items: &[Resource], results: &mut Results) {
    let message = format!(
        "{} is another pool {}, and MetalLB reads the pools of only one namespace; remove one of them",
        twin.get(items).id(),
        quoted(name)
    );
    let path = FieldPath::new("metadata.namespace");
    let finding = results.error(&rules::POOL_TWICE, message).field(pool.item.get(items), &path);
    finding.related(Site::new(twin, path).location(items), "the other pool");
}

/// Reports `bad-address` for a pool without addresses.
pub fn no_addresses(pool: &Pool, items: &[Resource], results: &mut Results) {
    if !pool.has_addresses {
        let message = "this pool has no addresses, so MetalLB rejects it; add a range";
        results.error(&rules::NO_ADDRESSES, message).location = pool.addresses.location(items);
    }
}

/// Reports `pool-overlap` for ranges that overlap, within one pool and between pools (`poolsFor` in MetalLB's
/// internal/config). MetalLB reads only one namespace, so pools of different namespaces are not compared.
pub fn pool_overlap(network: &Network, items: &[Resource], results: &mut Results) {
    let mut by_namespace: BTreeMap<_, Vec<RangeOf<'_>>> = BTreeMap::new();
    for pool in network.distinct_pools() {
        let ranges = pool.ranges.iter().map(|range| (pool, range));
        by_namespace.entry(&pool.namespace).or_default().extend(ranges);
    }
    for found in by_namespace.values() {
        let ranges: Vec<IpRange> = found.iter().map(|(_, sited)| sited.value.range).collect();
        for (a, b) in ip::overlaps(&ranges) {
            report_overlap(found[a.min(b)], found[a.max(b)], items, results);
        }
    }
}

/// A range and its pool.
type RangeOf<'n> = (&'n Pool, &'n Sited<PoolRange>);

fn report_overlap(
    (first_pool, first): RangeOf<'_>,
    (second_pool, second): RangeOf<'_>,
    items: &[Resource],
    results: &mut Results,
) {
    let place = if first_pool.site == second_pool.site {
        format!("`{}` of the same pool", first.site.path)
    } else {
        format!("{} `{}`", first.site.item.get(items).id(), first.site.path)
    };
    let message = format!(
        "{} overlaps {} in {place}, and MetalLB rejects overlapping ranges; change one of them",
        quoted(&second.value.text),
        quoted(&first.value.text)
    );
    let finding = results.error(&rules::POOL_OVERLAP, message);
    finding.location = second.site.location(items);
    finding.related(first.site.location(items), "the other range");
}

/// Reports `pool-exhausted` for a pool with fewer addresses than these claims on it need: one for each requested
/// address, and one for each that MetalLB must choose. MetalLB may choose from any family.
pub fn pool_exhausted(pool: &Pool, claims: &[Claim<'_>], items: &[Resource], results: &mut Results) {
    let deployed = claims.iter().filter(|claim| claim.service.is_deployed).map(|claim| claim.request);
    let (fixed, open): (Vec<_>, Vec<_>) = deployed.partition(|request| request.addresses.is_some());
    let fixed_keys: HashSet<_> = fixed.iter().filter_map(|request| request.sharing_key.as_ref()).collect();
    let open_keys: HashSet<_> = open.iter().filter_map(|request| request.sharing_key.as_ref()).collect();
    let without_key = open.iter().filter(|request| request.sharing_key.is_none()).count();
    let chosen = without_key + open_keys.difference(&fixed_keys).count();
    let requested: BTreeSet<IpAddr> = fixed
        .iter()
        .flat_map(|request| request.addresses.iter().flat_map(IpList::addresses))
        .copied()
        .collect_ordered();
    let needed = |family| chosen + requested.iter().filter(|ip| Family::of(**ip) == family).count();
    let mut sizes: BTreeMap<Family, u128> = BTreeMap::new();
    for range in pool.ranges() {
        let size = sizes.entry(range.family()).or_default();
        *size = size.saturating_add(range.size());
    }
    if sizes.iter().any(|(family, size)| needed(*family) as u128 <= *size) {
        return;
    }
    let Some((family, size)) = sizes.first_key_value() else { return };
    let message = format!(
        "this pool has {size} address{}, but its services need {}; add a range, or let services share an address",
        if *size == 1 { "" } else { "es" },
        needed(*family)
    );
    let finding = results.error(&rules::POOL_EXHAUSTED, message).at(pool.addresses.location(items));
    for claim in claims.iter().filter(|claim| claim.service.is_deployed).take(MOST_RELATED) {
        let location = claim.service.site_of(Annotation::AddressPool).location(items);
        finding.related(location, "this needs an address");
    }
}
