//! The pools of the instance.

use std::collections::HashMap;
use std::net::IpAddr;

use super::instance::Instance;
use super::names::Names;
use super::other_instances::{OtherInstances, PoolOwner};
use super::{foreign, scope};
use crate::checks::{self, rules};
use crate::formats::ip::IpList;
use crate::krm::{Fault, FieldPath, Hint, Resource, Results, quoted};
use crate::model::network::{Network, Pool};

pub use super::own_pool::OwnPool;
use super::own_pool::addresses_field;

/// A pool of the package that does not belong to the instance.
#[derive(Debug)]
pub struct OtherPool {
    name: String,
    /// The namespaces that it belongs to, as far as they are known.
    pub owners: Vec<String>,
    /// Whether a control plane of the package owns it. Then the functionConfig cannot claim it.
    pub is_owned: bool,
}

impl OtherPool {
    fn of(name: &str, owner: PoolOwner) -> Self {
        OtherPool { name: name.to_owned(), owners: vec![owner.namespace], is_owned: true }
    }
}

/// The position of a pool among those of the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolId(usize);

/// The pools of the package: those of the instance, and others.
#[derive(Debug)]
pub struct Pools<'i> {
    pub names: &'i Names,
    /// Whether the functionConfig lists the pools of the instance.
    pub are_listed: bool,
    /// Whether a function generates the pools of the instance.
    pub are_generated: bool,
    own: Vec<OwnPool>,
    own_by_base: HashMap<String, PoolId>,
    others: Vec<OtherPool>,
    others_by_name: HashMap<String, usize>,
}

impl<'i> Pools<'i> {
    /// Finds the pools of the instance, and reports pools whose owner the functionConfig and the package disagree about.
    pub fn survey(
        instance: &'i Instance,
        network: &Network,
        others: &OtherInstances,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<Self, Fault> {
        let mut pools = Pools {
            names: &instance.names,
            are_listed: instance.listed.is_some(),
            are_generated: false,
            own: Vec::new(),
            own_by_base: HashMap::new(),
            others: Vec::new(),
            others_by_name: HashMap::new(),
        };
        let mut refused = Vec::new();
        for pool in network.distinct_pools().filter(|pool| !pool.name.is_empty()) {
            let base = instance.names.base(&pool.name);
            let is_listed = instance.listed.as_ref().map(|listed| listed.iter().any(|name| name == base));
            match others.owner(pool, instance, items) {
                Some(owner) if is_listed == Some(true) => refused.push((pool, owner)),
                Some(owner) => {
                    if is_listed.is_none() {
                        owner.note(pool, items, results);
                    }
                    pools.push_other(OtherPool::of(&pool.name, owner));
                }
                None if is_own(pool, is_listed, instance, items, results) => {
                    pools.add(pool, instance, items, results);
                }
                None => {
                    let owners = scope::other_namespaces(pool, instance);
                    pools.push_other(OtherPool { name: pool.name.clone(), owners, is_owned: false });
                }
            }
        }
        for (pool, owner) in refused {
            pools.add_refused(pool, owner, instance, items, results);
        }
        pools.add_elsewhere(instance, results);
        if pools.own.is_empty() && !results.has_errors() {
            return Err(foreign::no_pool(&pools, instance, network, others));
        }
        pools.check_given(results);
        Ok(pools)
    }

    /// The pools that a function generates for an instance, and the others of the package.
    pub fn generated(names: &'i Names, own: Vec<OwnPool>, package: &[Pool]) -> Self {
        let mut pools = Pools {
            names,
            are_listed: false,
            are_generated: true,
            own: Vec::new(),
            own_by_base: HashMap::new(),
            others: Vec::new(),
            others_by_name: HashMap::new(),
        };
        own.into_iter().for_each(|pool| pools.push_own(pool));
        for pool in package.iter().filter(|pool| !names.is_own(&pool.name)) {
            let owners = pool.namespaces.clone();
            pools.push_other(OtherPool { name: pool.name.clone(), owners, is_owned: false });
        }
        pools
    }

    /// Adds a pool of the package.
    fn add(&mut self, pool: &Pool, instance: &Instance, items: &[Resource], results: &mut Results) {
        let base = self.names.base(&pool.name).to_owned();
        self.check_twin(&base, pool, items, results);
        if instance.is_scoped {
            scope::check(pool, instance, items, results);
        }
        checks::no_addresses(pool, items, results);
        let given = instance.given_addresses(&base).cloned();
        let field = addresses_field(&base);
        self.push_own(OwnPool { ranges: pool.ranges().collect(), item: Some(pool.item), given, field, base });
    }

    /// Adds a pool that the functionConfig lists although it belongs to another instance, unless another pool has the
    /// listed name.
    fn add_refused(
        &mut self,
        pool: &Pool,
        owner: PoolOwner,
        instance: &Instance,
        items: &[Resource],
        results: &mut Results,
    ) {
        if self.find(&pool.name).is_some() {
            owner.note(pool, items, results);
            self.push_other(OtherPool::of(&pool.name, owner));
            return;
        }
        let message = format!(
            "{}, so `spec.pools` cannot claim it for this instance; give the instance its own pool",
            owner.describe()
        );
        results.error(&rules::FOREIGN_POOL, message).on(pool.item.get(items));
        // Counted as a pool of the instance, so that its services are not reported as well.
        self.add(pool, instance, items, results);
    }

    /// Adds the pools that the functionConfig lists and the package does not have.
    fn add_elsewhere(&mut self, instance: &Instance, results: &mut Results) {
        for (index, name) in instance.listed.iter().flatten().enumerate() {
            if self.find(name).is_some() {
                continue;
            }
            let others = self.others.iter().map(|other| self.names.base(&other.name));
            let hint = Hint::among(name, others).suffix();
            let message = format!(
                "the pool {} is not in the package, so its addresses are not checked, and change only to those in `spec.addresses.{name}`{hint}",
                quoted(name)
            );
            let path = FieldPath::new("spec.pools").index(index);
            results.warning(&rules::POOL_ELSEWHERE, message).in_config(path);
            let given = instance.given_addresses(name).cloned();
            let field = addresses_field(name);
            self.push_own(OwnPool { item: None, ranges: Vec::new(), given, field, base: name.clone() });
        }
    }

    fn push_own(&mut self, pool: OwnPool) {
        self.own_by_base.entry(pool.base.clone()).or_insert(PoolId(self.own.len()));
        self.own.push(pool);
    }

    fn push_other(&mut self, pool: OtherPool) {
        self.others_by_name.entry(pool.name.clone()).or_insert(self.others.len());
        self.others.push(pool);
    }

    /// Reports a pool of the instance with the same name in another namespace.
    fn check_twin(&self, base: &str, pool: &Pool, items: &[Resource], results: &mut Results) {
        let twin = self.find(base).and_then(|id| self.get(id).item);
        if let Some(twin) = twin.filter(|twin| twin.get(items).id().namespace != pool.namespace) {
            checks::report_twin(pool, twin, base, items, results);
        }
    }

    /// Reports given addresses outside their pool. They are reported once, and then ignored.
    fn check_given(&mut self, results: &mut Results) {
        for pool in self.own.iter_mut().filter(|pool| pool.is_known()) {
            let is_outside = |ip: &&IpAddr| !pool.contains(**ip);
            if let Some(ip) = pool.given.iter().flat_map(IpList::addresses).find(is_outside) {
                let message = format!("{ip} is not in {}", pool.describe());
                let path = pool.field.clone();
                results.error(&rules::VIP_OUTSIDE_POOL, message).in_config(path);
                pool.given = None;
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// The pools of the instance.
    pub fn iter(&self) -> impl Iterator<Item = (PoolId, &OwnPool)> {
        self.own.iter().enumerate().map(|(position, pool)| (PoolId(position), pool))
    }

    pub fn get(&self, id: PoolId) -> &OwnPool {
        &self.own[id.0]
    }

    /// The names of the instance's pools, without the prefix.
    pub fn bases(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(|pool| pool.base.as_str())
    }

    /// The pool of the instance with this name, with or without the prefix.
    pub fn find(&self, name: &str) -> Option<PoolId> {
        self.own_by_base.get(self.names.base(name)).copied()
    }

    /// The pool of the package that has exactly this name and does not belong to the instance.
    pub fn other(&self, name: &str) -> Option<&OtherPool> {
        self.others_by_name.get(name).map(|position| &self.others[*position])
    }

    /// The names of the package's other pools.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        self.others.iter().map(|other| other.name.as_str())
    }
}

/// Whether a pool belongs to the instance, if no control plane of another namespace owns it.
fn is_own(
    pool: &Pool,
    is_listed: Option<bool>,
    instance: &Instance,
    items: &[Resource],
    results: &mut Results,
) -> bool {
    let names = &instance.names;
    if let Some(is_listed) = is_listed {
        return is_listed;
    }
    if names.is_own(&pool.name) || names.is_from(&pool.name) {
        return !scope::is_named_for_others(pool, instance);
    }
    if scope::is_reserved_for_others(pool, instance, items, results) {
        return false;
    }
    if let Some(message) = foreign::pool_message(names, &pool.name) {
        let path = FieldPath::new("metadata.name");
        results.error(&rules::FOREIGN_PREFIX, message).field(pool.item.get(items), &path);
    }
    true
}
