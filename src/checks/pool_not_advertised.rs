//! Pools that no advertisement announces.

use std::collections::HashSet;

use super::package_pools::PackagePools;
use super::rules;
use crate::krm::{FieldPath, Results, quoted};
use crate::model::network::Advertisement;
use crate::model::{Model, Site};

/// Reports `pool-not-advertised` in packages with advertisements that all name their pools. One that names none
/// announces all pools; whether a selector matches a pool is not decided here.
pub fn pool_not_advertised(model: &Model<'_>, results: &mut Results) {
    let advertisements = &model.network.advertisements;
    let names_pools = |it: &Advertisement| !it.pools.is_empty() && !it.selects_pools;
    if advertisements.is_empty() || !advertisements.iter().all(names_pools) {
        return;
    }
    let pools = PackagePools::new(model);
    let mut announced: HashSet<&str> = HashSet::new();
    for name in advertisements.iter().flat_map(|it| &it.pools).map(|pool| pool.value.as_str()) {
        announced.insert(name);
        // The advertisement of a misspelt name is reported as `unknown-pool`.
        if pools.named(name).is_empty() {
            announced.extend(pools.nearest(name).name());
        }
    }
    for pool in model.network.distinct_pools().filter(|pool| !pool.name.is_empty()) {
        if announced.insert(&pool.name) {
            let message = format!(
                "no advertisement in the package announces the pool {}, so clients cannot reach its addresses; name it in an L2Advertisement or BGPAdvertisement",
                quoted(&pool.name)
            );
            let name = match pool.from_values {
                true => pool.site.clone(),
                false => Site::new(pool.item, FieldPath::new("metadata.name")),
            };
            results.warning(&rules::POOL_NOT_ADVERTISED, message).location = name.location(model.items());
        }
    }
}
