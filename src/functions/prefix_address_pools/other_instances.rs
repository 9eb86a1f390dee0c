//! The other instances of the package: their control planes, and the pools that belong to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::instance::Instance;
use super::names::Names;
use crate::checks::rules;
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::ItemId;
use crate::model::network::{Network, Pool};

/// A resource of another namespace that requests pools.
#[derive(Debug)]
struct Requester {
    namespace: String,
    is_control_plane: bool,
    pools: BTreeSet<String>,
}

#[derive(Debug)]
pub struct OtherInstances {
    requesters: BTreeMap<ItemId, Requester>,
    /// Pools announced by an advertisement whose name begins with the namespace of another control plane: the
    /// namespace and the advertisement.
    announced: HashMap<String, (String, ItemId)>,
}

/// Another instance that a pool belongs to.
#[derive(Debug)]
pub struct PoolOwner {
    pub namespace: String,
    /// How the resources show it, for messages.
    evidence: String,
    /// The severity of a note about it. None if both the name and the scope of the pool show the owner.
    note: Option<Severity>,
}

impl OtherInstances {
    pub fn read(instance: &Instance, network: &Network) -> Self {
        let other = |namespace: &Option<String>| {
            namespace.clone().filter(|namespace| !instance.has(Some(namespace.as_str())))
        };
        let mut requesters = BTreeMap::new();
        for plane in &network.control_planes {
            let Some(namespace) = other(&plane.namespace) else { continue };
            requesters
                .insert(plane.item, Requester { namespace, is_control_plane: true, pools: BTreeSet::new() });
        }
        for service in &network.services {
            let Some((namespace, pool)) = other(&service.namespace).zip(service.request.pool.clone()) else {
                continue;
            };
            let new = || Requester { namespace, is_control_plane: false, pools: BTreeSet::new() };
            requesters.entry(service.site.item).or_insert_with(new).pools.insert(pool);
        }
        let mut others = OtherInstances { requesters, announced: HashMap::new() };
        for advertisement in &network.advertisements {
            let Some(namespace) = others.named(&advertisement.name, &instance.names).map(str::to_owned)
            else {
                continue;
            };
            for pool in &advertisement.pools {
                let owner = (namespace.clone(), advertisement.item);
                others.announced.entry(pool.value.clone()).or_insert(owner);
            }
        }
        others
    }

    /// What requests pools from other namespaces: the resource, its namespace and the names of the pools.
    pub fn requests(&self) -> impl Iterator<Item = (ItemId, &str, &BTreeSet<String>)> {
        self.requesters.iter().map(|(item, other)| (*item, other.namespace.as_str(), &other.pools))
    }

    /// Whether a name begins with the namespace of another control plane.
    pub fn has_name(&self, name: &str) -> bool {
        self.control_planes().any(|(_, plane)| begins_with(name, &plane.namespace))
    }

    fn control_planes(&self) -> impl Iterator<Item = (ItemId, &Requester)> {
        let all = self.requesters.iter().map(|(item, requester)| (*item, requester));
        all.filter(|(_, requester)| requester.is_control_plane)
    }

    /// The other instance that a pool belongs to, if its control plane is in the package: the name of the pool begins
    /// with its namespace, it requests the pool, the pool is open to it but not to this instance, or its advertisement
    /// announces the pool. A pool with the prefix of this instance belongs to this instance.
    pub fn owner(&self, pool: &Pool, instance: &Instance, items: &[Resource]) -> Option<PoolOwner> {
        if let Some(namespace) = self.named(&pool.name, &instance.names) {
            let is_scoped = pool.namespaces.iter().any(|other| other == namespace);
            let note = (!is_scoped).then_some(Severity::Info);
            let evidence = "its name begins with the namespace".to_owned();
            return Some(PoolOwner { namespace: namespace.to_owned(), evidence, note });
        }
        if instance.names.is_own(&pool.name) {
            return None;
        }
        let owner = |namespace: &str, evidence: String| {
            Some(PoolOwner { namespace: namespace.to_owned(), evidence, note: Some(Severity::Warning) })
        };
        for (item, plane) in self.control_planes() {
            if plane.pools.contains(&pool.name) {
                return owner(&plane.namespace, format!("{} requests it", item.get(items).id()));
            }
            if !pool.namespaces.contains(&instance.namespace) && pool.namespaces.contains(&plane.namespace) {
                return owner(&plane.namespace, "`serviceAllocation` reserves it".to_owned());
            }
        }
        let (namespace, advertisement) = self.announced.get(&pool.name)?;
        owner(namespace, format!("{} announces it", advertisement.get(items).id()))
    }

    /// The namespace of another control plane that a name begins with, if it is longer than the prefix of this
    /// instance that the name may also begin with.
    pub fn named(&self, name: &str, names: &Names) -> Option<&str> {
        let matching = self.control_planes().filter(|(_, plane)| begins_with(name, &plane.namespace));
        let longest = matching.map(|(_, plane)| plane.namespace.as_str()).max_by_key(|name| name.len())?;
        (!names.is_own(name) || longest.len() + 1 > names.own.len()).then_some(longest)
    }
}

impl PoolOwner {
    pub fn describe(&self) -> String {
        format!("this pool belongs to the namespace {} ({})", quoted(&self.namespace), self.evidence)
    }

    /// Reports that a pool is not changed.
    pub fn note(&self, pool: &Pool, items: &[Resource], results: &mut Results) {
        let Some(severity) = self.note else { return };
        let message = format!("{}, so it is not changed", self.describe());
        results.add(Finding::new(severity, &rules::FOREIGN_POOL, message)).on(pool.item.get(items));
    }
}

/// Whether a name begins with a namespace.
pub fn begins_with(name: &str, namespace: &str) -> bool {
    name.strip_prefix(namespace).is_some_and(|rest| rest.starts_with(['-', '.']))
}
