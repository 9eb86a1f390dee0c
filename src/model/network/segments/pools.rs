//! The networks that MetalLB announces pools in.

use std::collections::{BTreeSet, HashMap};

use super::{Interfaces, Link, Reach, can_be_same};
use crate::model::network::{Advertisement, Network, Pool, PoolSelector, Protocol};

/// A pool on more links than any package has networks is on unknown ones, so that many such pools cost little.
const MOST_LINKS: usize = 256;

/// What advertisements together say about a pool.
#[derive(Debug, Clone, Default)]
struct Announced {
    links: BTreeSet<Link>,
    is_everywhere: bool,
    /// By a route, or on an interface that leads nowhere else.
    is_alone: bool,
    is_unclear: bool,
}

impl Announced {
    fn of(advertisement: &Advertisement, interfaces: &Interfaces) -> Self {
        let mut announced = Announced::default();
        match advertisement.protocol {
            Protocol::Bgp => announced.is_alone = true,
            Protocol::Layer2 => announced.is_everywhere = advertisement.interfaces.is_empty(),
        }
        for name in &advertisement.interfaces {
            match interfaces.reach(&name.value) {
                Reach::Links(links) => announced.links.extend(links),
                Reach::Alone => announced.is_alone = true,
                _ => announced.is_unclear = true,
            }
        }
        announced
    }

    fn add(&mut self, other: &Announced) {
        if self.links.len() <= MOST_LINKS {
            self.links.extend(other.links.iter().take(MOST_LINKS + 1));
        }
        self.is_everywhere |= other.is_everywhere;
        self.is_alone |= other.is_alone;
        self.is_unclear |= other.is_unclear;
    }

    fn reach(self) -> Reach {
        match self {
            Announced { is_everywhere: true, .. } => Reach::Everywhere,
            Announced { links, .. } if links.len() > MOST_LINKS => Reach::Unknown,
            Announced { links, .. } if !links.is_empty() => Reach::Links(links),
            Announced { is_alone: true, is_unclear: false, .. } => Reach::Alone,
            _ => Reach::Unknown,
        }
    }
}

pub fn reaches(network: &Network, interfaces: &Interfaces) -> Vec<Reach> {
    let pools = Index::new(&network.pools);
    let mut announced: Vec<Announced> = vec![Announced::default(); network.pools.len()];
    let mut of_all: HashMap<Option<&str>, Announced> = HashMap::new();
    for advertisement in &network.advertisements {
        let own = Announced::of(advertisement, interfaces);
        let namespace = advertisement.namespace.as_deref();
        let is_near = |pool: &usize| can_be_same(network.pools[*pool].namespace.as_deref(), namespace);
        if advertisement.pools.is_empty() && !advertisement.selects_pools {
            of_all.entry(namespace).or_default().add(&own);
        }
        for name in &advertisement.pools {
            for pool in pools.named(&name.value).filter(is_near) {
                announced[pool].add(&own);
            }
        }
        for selector in &advertisement.selectors {
            for pool in pools.selected(selector, &network.pools).into_iter().filter(is_near) {
                if selector.has_expressions {
                    announced[pool].is_unclear = true;
                } else {
                    announced[pool].add(&own);
                }
            }
        }
    }
    let with_all = |(mut announced, pool): (Announced, &Pool)| {
        for (namespace, all) in &of_all {
            if can_be_same(pool.namespace.as_deref(), *namespace) {
                announced.add(all);
            }
        }
        announced.reach()
    };
    announced.into_iter().zip(&network.pools).map(with_all).collect()
}

/// Pools by name and by label, so that not every advertisement has to be compared with every pool.
struct Index<'n> {
    by_name: HashMap<&'n str, Vec<usize>>,
    by_label: HashMap<&'n str, HashMap<&'n str, Vec<usize>>>,
    all: Vec<usize>,
}

impl<'n> Index<'n> {
    fn new(pools: &'n [Pool]) -> Self {
        let mut index =
            Index { by_name: HashMap::new(), by_label: HashMap::new(), all: (0..pools.len()).collect() };
        for (position, pool) in pools.iter().enumerate() {
            index.by_name.entry(&pool.name).or_default().push(position);
            for (key, value) in &pool.labels {
                index.by_label.entry(key).or_default().entry(value).or_default().push(position);
            }
        }
        index
    }

    fn named(&self, name: &str) -> impl Iterator<Item = usize> {
        self.by_name.get(name).into_iter().flatten().copied()
    }

    /// The pools with all labels of a selector. Without labels it selects every pool.
    fn selected(&self, selector: &PoolSelector, pools: &[Pool]) -> Vec<usize> {
        // The rarest label leaves the fewest pools to compare.
        let with_label = |(key, value): (&String, &String)| {
            let values = self.by_label.get(key.as_str());
            values.and_then(|values| values.get(value.as_str())).map_or(&[][..], Vec::as_slice)
        };
        let candidates = selector.labels.iter().map(with_label).min_by_key(|pools| pools.len());
        let has_all = |pool: &usize| {
            selector.labels.iter().all(|(key, value)| pools[*pool].labels.get(key) == Some(value))
        };
        candidates.unwrap_or(&self.all).iter().copied().filter(has_all).collect()
    }
}
