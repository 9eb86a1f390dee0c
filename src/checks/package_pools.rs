//! The pools of a package, by name and by address.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use crate::formats::ip::RangeIndex;
use crate::krm::Hint;
use crate::model::network::Pool;
use crate::model::{ItemId, Model};

/// The pools that have a name.
pub(super) struct PackagePools<'m> {
    by_name: HashMap<&'m str, Vec<&'m Pool>>,
    by_address: RangeIndex<&'m Pool>,
    /// Sorted, so that the hint is the same in every run if two names are equally close.
    names: Vec<&'m str>,
    /// Resources with values that cannot be read, which are reported by other rules.
    unread: HashSet<ItemId>,
}

impl<'m> PackagePools<'m> {
    pub fn new(model: &'m Model<'_>) -> Self {
        let named = || model.network.distinct_pools().filter(|pool| !pool.name.is_empty());
        let mut by_name: HashMap<&str, Vec<&Pool>> = HashMap::new();
        for pool in named() {
            by_name.entry(&pool.name).or_default().push(pool);
        }
        let ranges = named().flat_map(|pool| pool.ranges().map(move |range| (range, pool)));
        let unread = model.misreads.iter().map(|misread| misread.site.item).collect();
        let mut names: Vec<&str> = by_name.keys().copied().collect();
        names.sort_unstable();
        PackagePools { by_name, by_address: RangeIndex::new(ranges), names, unread }
    }

    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The pools with this name. There are several if they are in different namespaces.
    pub fn named(&self, name: &str) -> &[&'m Pool] {
        self.by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The only pool with each name.
    pub fn unique(&self) -> impl Iterator<Item = &'m Pool> {
        self.by_name.values().filter(|pools| pools.len() == 1).flatten().copied()
    }

    /// A pool that contains an address.
    pub fn containing(&self, ip: IpAddr) -> Option<&'m Pool> {
        self.by_address.get(ip).copied()
    }

    /// The pool that a misspelt name may mean.
    pub fn nearest(&self, name: &str) -> Hint<'m> {
        Hint::among(name, self.names.iter().copied())
    }

    /// Whether all addresses of a pool are known.
    pub fn knows(&self, pool: &Pool) -> bool {
        !pool.ranges.is_empty() && !self.unread.contains(&pool.item)
    }

    /// Whether all addresses of all pools are known.
    pub fn knows_all(&self) -> bool {
        self.by_name.values().flatten().all(|pool| self.knows(pool))
    }
}
