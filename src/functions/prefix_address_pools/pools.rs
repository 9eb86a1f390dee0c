//! The instance's pools.

use crate::checks::rules;
use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;

use super::names::Names;
use super::neighbours::{Neighbours, Owner};
use super::{PrefixAddressPools, foreign, scope};
use crate::formats::ip::{Family, IpList, IpRange};
use crate::krm::{Fault, FieldPath, FieldPattern, Hint, Resource, Results, quoted};
use crate::platform::metallb;

/// A pool of the instance.
#[derive(Debug)]
pub struct Pool {
    /// Its name without the prefix.
    pub name: String,
    /// None when it lives elsewhere.
    pub item: Option<usize>,
    /// None of them when it lives elsewhere.
    pub ranges: Vec<IpRange>,
    /// The address that the config gives to its services.
    pub given: Option<IpList>,
}

impl Pool {
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.ranges.iter().any(|range| range.contains(ip))
    }

    /// The pool's addresses with the same host number.
    pub fn same_hosts(&self, ip: IpAddr) -> impl Iterator<Item = IpAddr> {
        self.ranges.iter().filter_map(move |range| range.same_host(ip))
    }

    pub fn is_known(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// The name and the ranges, for messages.
    pub fn describe(&self) -> String {
        let ranges: Vec<String> = self.ranges.iter().map(ToString::to_string).collect();
        let ranges = if ranges.is_empty() { String::new() } else { format!(" ({})", ranges.join(", ")) };
        format!("the pool {}{ranges}", quoted(&self.name))
    }

    /// The families that it has addresses of, and how many.
    pub fn sizes(&self) -> BTreeMap<Family, u128> {
        self.ranges.iter().fold(BTreeMap::new(), |mut sizes, range| {
            let size = sizes.entry(range.family()).or_insert(0u128);
            *size = size.saturating_add(range.size());
            sizes
        })
    }
}

#[derive(Debug)]
pub struct Pools {
    pub names: Names,
    pools: Vec<Pool>,
    /// The package's other pools.
    others: Vec<Other>,
    /// Whether the config lists the instance's pools.
    pub are_listed: bool,
}

/// A pool of the package that is not the instance's.
#[derive(Debug)]
pub struct Other {
    name: String,
    /// The namespaces that it is of, where that is known.
    pub owners: Vec<String>,
    /// Whether a control plane of the package owns it, so that nothing can make it the instance's.
    pub is_fixed: bool,
}

impl Other {
    fn of(name: &str, owner: Owner) -> Self {
        Other { name: name.to_owned(), owners: vec![owner.namespace], is_fixed: true }
    }
}

impl Pools {
    pub fn survey(
        config: &PrefixAddressPools,
        items: &[Resource],
        neighbours: &Neighbours,
        results: &mut Results,
    ) -> Result<Self, Fault> {
        let mut pools = Pools {
            names: Names::new(config),
            pools: Vec::new(),
            others: Vec::new(),
            are_listed: config.pools.is_some(),
        };
        let (mut refused, mut seen) = (Vec::new(), HashSet::new());
        for (i, item) in items.iter().enumerate().filter(|(_, item)| item.is(metallb::ADDRESS_POOL)) {
            let id = item.id();
            if id.name.is_empty() {
                let message = "this pool has no name, so nothing shows whose it is; give it one";
                results.error(&rules::POOL_NAME, message).field(item, &FieldPath::new("metadata"));
                continue;
            }
            if !seen.insert(id.object_key()) {
                let message =
                    format!("a pool {} is in the package already; remove one of them", quoted(&id.name));
                results.error(&rules::POOL_TWICE, message).field(item, &FieldPath::new("metadata.name"));
                continue;
            }
            let name = pools.names.base(&id.name).to_owned();
            let is_listed = config.pools.as_ref().map(|listed| listed.contains(&name));
            match neighbours.owner(item, &pools.names, config, items)? {
                Some(owner) if is_listed == Some(true) => refused.push((i, name, owner)),
                Some(owner) => {
                    if is_listed.is_none() {
                        owner.note(item, results);
                    }
                    pools.others.push(Other::of(&id.name, owner));
                }
                None if pools.is_ours(item, is_listed, config, results)? => {
                    pools.add(i, name, items, config, results)?;
                }
                None => {
                    let owners = scope::others(item, config)?;
                    pools.others.push(Other { name: id.name.clone(), owners, is_fixed: false });
                }
            }
        }
        for (i, name, owner) in refused {
            if pools.find(&name).is_none() {
                let message = format!(
                    "{}, so `spec.pools` cannot make it this instance's; give the instance a pool of its own",
                    owner.describe()
                );
                results.error(&rules::OTHER_NAMESPACE, message).on(&items[i]);
                // One report here is enough; its services are not reported again.
                pools.add(i, name, items, config, results)?;
            } else {
                owner.note(&items[i], results);
                pools.others.push(Other::of(&items[i].id().name, owner));
            }
        }
        pools.add_elsewhere(config, results);
        if pools.pools.is_empty() && !results.has_errors() {
            return Err(foreign::no_pool(&pools, config, items, neighbours)?);
        }
        pools.check_given(results);
        Ok(pools)
    }

    /// Whether a pool that no control plane of another namespace owns is the instance's.
    fn is_ours(
        &self,
        item: &Resource,
        is_listed: Option<bool>,
        config: &PrefixAddressPools,
        results: &mut Results,
    ) -> Result<bool, Fault> {
        let name = &item.id().name;
        if let Some(is_listed) = is_listed {
            return Ok(is_listed);
        }
        if self.names.is_own(name) || self.names.is_from(name) {
            return Ok(!scope::is_named_for_others(item, &self.names, config)?);
        }
        if scope::is_of_others(item, config, results)? {
            return Ok(false);
        }
        if let Some(message) = foreign::pool_message(&self.names, name) {
            results.error(&rules::FOREIGN_PREFIX, message).field(item, &FieldPath::new("metadata.name"));
        }
        Ok(true)
    }

    fn add(
        &mut self,
        i: usize,
        name: String,
        items: &[Resource],
        config: &PrefixAddressPools,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let item = &items[i];
        self.check_twin(&name, item, items, results);
        if config.scope {
            scope::check(item, &self.names, config, results)?;
        }
        let given = config.addresses.get(&name).cloned();
        self.pools.push(Pool { ranges: ranges(item, results)?, item: Some(i), given, name });
        Ok(())
    }

    /// The pools that the config lists and the package does not have.
    fn add_elsewhere(&mut self, config: &PrefixAddressPools, results: &mut Results) {
        for name in config.pools.iter().flatten() {
            if self.find(name).is_some() {
                continue;
            }
            let others = self.others.iter().map(|other| self.names.base(&other.name));
            let hint = Hint::among(name, others).suffix();
            let message = format!(
                "the pool {} is not in the package; it may live elsewhere, so addresses in it are not checked, and move only by `spec.addresses.{name}`{hint}",
                quoted(name)
            );
            results.warning(&rules::POOL_ELSEWHERE, message);
            let given = config.addresses.get(name).cloned();
            self.pools.push(Pool { item: None, ranges: Vec::new(), given, name: name.clone() });
        }
    }

    /// MetalLB reads the pools of one namespace, so that one of two with the same name is not meant.
    fn check_twin(&self, name: &str, item: &Resource, items: &[Resource], results: &mut Results) {
        let twin = self.find(name).and_then(|pool| items.get(pool.item?));
        if let Some(twin) = twin.filter(|twin| twin.id().namespace != item.id().namespace) {
            let message = format!(
                "{} is a pool {} too, in another namespace, and MetalLB reads one namespace only; remove one of them",
                twin.id(),
                quoted(name)
            );
            results.error(&rules::POOL_TWICE, message).field(item, &FieldPath::new("metadata.namespace"));
        }
    }

    /// An address that its pool does not have is said once, and not followed.
    fn check_given(&mut self, results: &mut Results) {
        for pool in self.pools.iter_mut().filter(|pool| pool.is_known()) {
            let wrong = |ip: &&IpAddr| !pool.contains(**ip);
            if let Some(ip) = pool.given.iter().flat_map(IpList::addresses).find(wrong) {
                let (name, range) = (&pool.name, pool.describe());
                let message = format!("`spec.addresses.{name}` is {ip}, which is not in {range}");
                results.error(&rules::ADDRESS_OUTSIDE_POOL, message);
                pool.given = None;
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Pool> {
        self.pools.iter()
    }

    /// The names of the instance's pools, without prefix.
    pub fn bases(&self) -> impl Iterator<Item = &str> {
        self.pools.iter().map(|pool| pool.name.as_str())
    }

    /// The instance's pool of this name, with or without the prefix.
    pub fn find(&self, name: &str) -> Option<&Pool> {
        let base = self.names.base(name);
        self.pools.iter().find(|pool| pool.name == base)
    }

    /// The pool of the package, not the instance's, that has exactly this name.
    pub fn other(&self, name: &str) -> Option<&Other> {
        self.others.iter().find(|other| other.name == name)
    }

    /// The names of the package's other pools.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        self.others.iter().map(|other| other.name.as_str())
    }

    /// Writes names and scope.
    pub fn write(
        &self,
        items: &mut [Resource],
        config: &PrefixAddressPools,
        results: &mut Results,
    ) -> Result<(), Fault> {
        for item in self.iter().filter_map(|pool| pool.item) {
            let pool = &mut items[item];
            pool.set(&FieldPath::new("metadata.name"), self.names.prefixed(&pool.id().name))?;
            if config.scope {
                pool.set(&metallb::allowed_namespaces(), vec![config.namespace.as_str()])?;
                scope::warn_selectors(pool, config, results)?;
            }
            if pool.id().namespace.as_ref() == Some(&config.namespace) {
                let message = "MetalLB reads pools in its own namespace only, and this is the instance's; did a `namespace:` of kustomize move it?";
                results
                    .warning(&rules::POOL_NAMESPACE, message)
                    .field(pool, &FieldPath::new("metadata.namespace"));
            }
        }
        Ok(())
    }
}

fn ranges(pool: &Resource, results: &mut Results) -> Result<Vec<IpRange>, Fault> {
    let mut ranges = Vec::new();
    let places = pool.fields(&FieldPattern::each_of(&metallb::addresses()))?;
    if places.is_empty() {
        let message = "this pool has no addresses, and MetalLB refuses it; add a range";
        results.error(&rules::BAD_RANGE, message).field(pool, &metallb::addresses());
    }
    for path in places {
        let text: String = pool.get(&path)?.unwrap_or_default();
        match IpRange::parse(&text) {
            Ok(range) => ranges.push(range),
            Err(why) => {
                let message = format!("MetalLB cannot read {}: {why}", quoted(&text));
                results.error(&rules::BAD_RANGE, message).field(pool, &path);
            }
        }
    }
    Ok(ranges)
}
