//! References to pools that are not in the package.

use std::collections::{BTreeMap, HashSet};

use super::claim::{Claim, MOST_RELATED, load_balancers};
use super::package_pools::PackagePools;
use super::rules;
use crate::krm::{Results, quoted};
use crate::model::{Model, Site};
use crate::platform::metallb::Annotation;

/// What refers to a pool.
struct Reference<'m> {
    site: Site,
    claim: Option<Claim<'m>>,
}

/// Reports `unknown-pool`, once for each name. Without any pool in the package, nothing is known about pools.
pub fn unknown_pool(model: &Model<'_>, results: &mut Results) {
    let pools = PackagePools::new(model);
    if pools.is_empty() {
        return;
    }
    for (name, mut references) in references(model) {
        if !pools.named(name).is_empty() {
            continue;
        }
        references.sort_by(|a, b| a.site.cmp(&b.site));
        let Some(first) = references.first() else { continue };
        let hint = pools
            .nearest(name)
            .or(|| "correct the name, or add the pool, unless it is defined elsewhere".to_owned());
        let source = first.claim.map(Claim::source).unwrap_or_default();
        let message = format!("the pool {} is not in the package; {hint}{source}", quoted(name));
        let finding = results.warning(&rules::UNKNOWN_POOL, message);
        finding.location = first.site.location(model.items());
        let mut seen = HashSet::from([first.site.item]);
        let others = references.iter().filter(|reference| seen.insert(reference.site.item));
        for other in others.take(MOST_RELATED) {
            finding.related(other.site.location(model.items()), "this refers to it, too");
        }
    }
}

/// The references of deployed services and advertisements, by the name of the pool.
fn references<'m>(model: &'m Model<'_>) -> BTreeMap<&'m str, Vec<Reference<'m>>> {
    let mut references: BTreeMap<&str, Vec<Reference<'_>>> = BTreeMap::new();
    for claim in load_balancers(model) {
        if let Some(pool) = &claim.request.pool {
            let site = claim.service.site_of(Annotation::AddressPool);
            references.entry(pool).or_default().push(Reference { site, claim: Some(claim) });
        }
    }
    for pool in model.network.advertisements.iter().flat_map(|advertisement| &advertisement.pools) {
        let reference = Reference { site: pool.site.clone(), claim: None };
        references.entry(&pool.value).or_default().push(reference);
    }
    references
}
