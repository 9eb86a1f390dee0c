//! The advertisements that announce pools of the instance.

use std::collections::{HashMap, HashSet};

use super::foreign::{self, Referrer};
use super::other_instances::OtherInstances;
use super::pools::Pools;
use crate::checks::{self, rules};
use crate::krm::{FieldPath, Id, Order, Resource, Results, Severity, quoted};
use crate::model::ItemId;
use crate::model::network::{Advertisement, Network};
use crate::platform::metallb;

/// The pools that an advertisement announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announces {
    OnlyOwn,
    /// Pools of the instance, and other pools.
    OthersToo,
    /// No pool of the instance.
    OnlyOthers,
}

/// The advertisements of the package, and what they announce.
#[derive(Debug)]
pub struct Advertisements<'n> {
    pools: &'n Pools<'n>,
    all: Vec<(&'n Advertisement, Announces)>,
}

/// Whether a name refers to a pool of the instance and does not exactly match another pool.
pub fn is_own(pools: &Pools<'_>, name: &str) -> bool {
    pools.other(name).is_none() && pools.find(name).is_some()
}

fn announces(pools: &Pools<'_>, others: &OtherInstances, advertisement: &Advertisement) -> Announces {
    if others.named(&advertisement.name, pools.names).is_some() {
        return Announces::OnlyOthers;
    }
    let own = advertisement.pools.iter().filter(|name| is_own(pools, &name.value)).count();
    match (own, advertisement.pools.len()) {
        // It announces all pools of the package, or those that it selects.
        (0, 0) if !pools.are_listed && pools.others().next().is_none() => Announces::OnlyOwn,
        (0, _) => Announces::OnlyOthers,
        (own, all) if own == all => Announces::OnlyOwn,
        _ => Announces::OthersToo,
    }
}

impl<'n> Advertisements<'n> {
    pub fn survey(pools: &'n Pools<'n>, network: &'n Network, others: &OtherInstances) -> Self {
        let all = network.advertisements.iter().map(|it| (it, announces(pools, others, it))).collect();
        Advertisements { pools, all }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'n Advertisement, Announces)> {
        self.all.iter().copied()
    }

    /// The advertisements that get the prefix.
    fn renamed(&self) -> impl Iterator<Item = ItemId> {
        let own = self.iter().filter(|(_, announces)| *announces == Announces::OnlyOwn);
        own.map(|(advertisement, _)| advertisement.item)
    }

    /// Reports references to unknown pools, advertisements without a name, and names that two objects would have.
    pub fn check(&self, others: &OtherInstances, items: &[Resource], results: &mut Results) {
        for (advertisement, announces) in self.iter() {
            self.check_references(advertisement, announces, others, items, results);
        }
        for item in self.renamed() {
            checks::missing_name(item, items, results);
        }
        self.check_names(items, results);
    }

    /// Reports references to pools that are neither in the package nor listed. An advertisement that announces no pool
    /// of the instance is not checked, unless its pools have the prefix of an instance that is not in the package.
    fn check_references(
        &self,
        advertisement: &Advertisement,
        announces: Announces,
        others: &OtherInstances,
        items: &[Resource],
        results: &mut Results,
    ) {
        for name in &advertisement.pools {
            if self.pools.find(&name.value).is_some() || self.pools.other(&name.value).is_some() {
                continue;
            }
            let mut finding = foreign::judge(self.pools, &name.value, Referrer::Advertisement);
            let is_certain = finding.severity == Severity::Error && !others.has_name(&name.value);
            if announces != Announces::OnlyOthers || is_certain {
                finding.location = name.site.location(items);
                results.add(finding);
            }
        }
    }

    fn check_names(&self, items: &[Resource], results: &mut Results) {
        let pools = self.pools.iter().filter_map(|(_, pool)| pool.item);
        let mut renamed: Vec<ItemId> = pools.chain(self.renamed()).collect();
        renamed.order();
        let of_metallb = items.iter().filter(|item| item.id().group() == metallb::ADDRESS_POOL.group());
        let existing: HashSet<_> = of_metallb.map(|item| item.id().object_key()).collect();
        let mut taken: HashMap<_, &Resource> = HashMap::new();
        for resource in renamed.into_iter().map(|item| item.get(items)) {
            let id = resource.id();
            if id.name.is_empty() {
                continue;
            }
            let new = Id { name: self.pools.names.prefixed(&id.name), ..id.clone() };
            let twin = taken.insert(new.object_key(), resource).filter(|twin| twin.id().name != id.name);
            if new == *id {
                // Do not report the one that already has the name.
                continue;
            }
            let name = quoted(&new.name);
            let message = match twin {
                _ if existing.contains(&new.object_key()) => {
                    format!("this would become {name}, which already exists; remove one of them")
                }
                Some(twin) => format!("this and {} would both become {name}; remove one of them", twin.id()),
                None => continue,
            };
            results.error(&rules::NAME_TAKEN, message).field(resource, &FieldPath::new("metadata.name"));
        }
    }
}
