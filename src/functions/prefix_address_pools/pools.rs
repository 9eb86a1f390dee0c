//! The instance's pools and what announces them.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::{PrefixAddressPools, scope};
use crate::formats::ip::{Family, IpList, IpRange};
use crate::krm::{Fault, FieldPath, Id, Resource, Results, did_you_mean, quoted};
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

/// Whose pools an advertisement announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Announces {
    OnlyOurs,
    OthersToo,
}

#[derive(Debug)]
pub struct Pools {
    prefix: String,
    pools: Vec<Pool>,
    /// The package's other pools.
    others: Vec<String>,
}

impl Pools {
    pub fn survey(
        config: &PrefixAddressPools,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<Self, Fault> {
        let mut pools = Pools { prefix: config.prefix(), pools: Vec::new(), others: Vec::new() };
        for (i, item) in items.iter().enumerate().filter(|(_, item)| item.is(metallb::ADDRESS_POOL)) {
            let name = pools.base(&item.id().name).to_owned();
            let is_ours = match &config.pools {
                Some(names) => names.contains(&name),
                None => pools.has_prefix(item) || !scope::is_of_others(item, config, results)?,
            };
            if is_ours {
                pools.check_twin(&name, item, items, results);
                if config.scope {
                    scope::check(item, config, results)?;
                }
                let given = config.addresses.get(&name).cloned();
                pools.pools.push(Pool { ranges: ranges(item, results)?, item: Some(i), given, name });
            } else {
                pools.others.push(name);
            }
        }
        for name in config
            .pools
            .iter()
            .flatten()
            .filter(|name| pools.find(name).is_none())
            .cloned()
            .collect::<Vec<_>>()
        {
            let hint = did_you_mean(&name, pools.others.iter().map(String::as_str))
                .map(|near| format!("; did you mean {}?", quoted(near)))
                .unwrap_or_default();
            let message = format!(
                "the pool {} is not in the package; it may live elsewhere, so addresses in it are not checked, and move only by `spec.addresses.{name}`{hint}",
                quoted(&name)
            );
            results.warning("pool-elsewhere", message);
            let given = config.addresses.get(&name).cloned();
            pools.pools.push(Pool { item: None, ranges: Vec::new(), given, name });
        }
        if pools.pools.is_empty() {
            let message = "there is no IPAddressPool of the instance among the resources; name its pools in `spec.pools` if they live elsewhere";
            return Err(Fault::new("no-match", message));
        }
        pools.check_given(results);
        pools.check_names(config, items, results)?;
        Ok(pools)
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
            results.error("pool-twice", message).field(item, &FieldPath::new("metadata.namespace"));
        }
    }

    fn has_prefix(&self, item: &Resource) -> bool {
        self.base(&item.id().name) != item.id().name
    }

    fn check_names(
        &self,
        config: &PrefixAddressPools,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        for (i, item) in items.iter().enumerate() {
            let is_pool = self.iter().any(|pool| pool.item == Some(i));
            let new = Id { name: self.prefixed(&item.id().name), ..item.id().clone() };
            if (is_pool || self.announces(item, config)? == Some(Announces::OnlyOurs))
                && new != *item.id()
                && items.iter().any(|other| other.id().object_key() == new.object_key())
            {
                let message = format!(
                    "this would be {}, which is there already; remove one of them",
                    quoted(&new.name)
                );
                results.error("name-taken", message).field(item, &FieldPath::new("metadata.name"));
            }
        }
        Ok(())
    }

    /// What an advertisement has to do with the instance, if anything. One that names no pool announces
    /// all, and is the instance's where all are.
    fn announces(&self, item: &Resource, config: &PrefixAddressPools) -> Result<Option<Announces>, Fault> {
        if !(item.is(metallb::L2_ADVERTISEMENT) || item.is(metallb::BGP_ADVERTISEMENT)) {
            return Ok(None);
        }
        let pools = self.announced(item)?;
        let ours = pools.iter().filter(|(_, pool)| self.find(pool).is_some()).count();
        let has_all = config.pools.is_none() && self.others.is_empty();
        Ok(match (ours, pools.len()) {
            (0, 0) => has_all.then_some(Announces::OnlyOurs),
            (0, _) => None,
            (ours, all) if ours == all => Some(Announces::OnlyOurs),
            _ => Some(Announces::OthersToo),
        })
    }

    /// The pools that an advertisement names, and where.
    fn announced(&self, advertisement: &Resource) -> Result<Vec<(FieldPath, String)>, Fault> {
        let fields = advertisement.fields(&metallb::advertised_pools())?;
        fields.into_iter().map(|at| Ok((at.clone(), advertisement.get(&at)?.unwrap_or_default()))).collect()
    }

    /// An address that its pool does not have is said once, and not followed.
    fn check_given(&mut self, results: &mut Results) {
        for pool in self.pools.iter_mut().filter(|pool| pool.is_known()) {
            let wrong = |ip: &&IpAddr| !pool.contains(**ip);
            if let Some(ip) = pool.given.iter().flat_map(IpList::addresses).find(wrong) {
                let (name, range) = (&pool.name, pool.describe());
                let message = format!("`spec.addresses.{name}` is {ip}, which is not in {range}");
                results.error("address-outside-pool", message);
                pool.given = None;
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Pool> {
        self.pools.iter()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.pools.iter().map(|pool| pool.name.as_str())
    }

    /// The instance's pool of this name, with or without the prefix.
    pub fn find(&self, name: &str) -> Option<&Pool> {
        let base = self.base(name);
        self.pools.iter().find(|pool| pool.name == base)
    }

    /// Whether a pool is neither the instance's nor in the package.
    pub fn is_elsewhere(&self, name: &str) -> bool {
        self.find(name).is_none() && !self.others.iter().any(|other| other == self.base(name))
    }

    fn base<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(&self.prefix).filter(|base| !base.is_empty()).unwrap_or(name)
    }

    /// The name with the prefix, once.
    pub fn prefixed(&self, name: &str) -> String {
        format!("{}{}", self.prefix, self.base(name))
    }

    /// Writes names, references and scope.
    pub fn rename(
        &self,
        items: &mut [Resource],
        config: &PrefixAddressPools,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let name = FieldPath::new("metadata.name");
        for item in self.iter().filter_map(|pool| pool.item) {
            let pool = &mut items[item];
            pool.set(&name, self.prefixed(&pool.id().name))?;
            if config.scope {
                pool.set(&metallb::allowed_namespaces(), vec![config.namespace.as_str()])?;
                scope::warn_selectors(pool, config, results)?;
            }
            if pool.id().namespace.as_ref() == Some(&config.namespace) {
                let message = "MetalLB reads pools in its own namespace only, and this is the instance's; did a `namespace:` of kustomize move it?";
                results.warning("pool-namespace", message).field(pool, &FieldPath::new("metadata.namespace"));
            }
        }
        for item in items.iter_mut() {
            match self.announces(item, config)? {
                None => continue,
                Some(Announces::OnlyOurs) => item.set(&name, self.prefixed(&item.id().name))?,
                Some(Announces::OthersToo) => {
                    let message = "this announces pools that are not the instance's too, so that it keeps its name; better give the instance an advertisement of its own";
                    results
                        .warning("shared-advertisement", message)
                        .field(item, &metallb::advertised_pools().parent());
                }
            }
            for (at, pool) in self.announced(item)? {
                if self.find(&pool).is_some() {
                    item.set(&at, self.prefixed(&pool))?;
                } else if self.is_elsewhere(&pool) {
                    results.warning("pool-elsewhere", elsewhere_message(&pool)).field(item, &at);
                }
            }
        }
        Ok(())
    }
}

pub fn not_selected_message(pool: &str) -> String {
    format!(
        "the pool {} is in the package and not the instance's, so that this stays as it is; if it is the instance's, name it in `spec.pools`",
        quoted(pool)
    )
}

pub fn elsewhere_message(pool: &str) -> String {
    format!(
        "the pool {} is not in the package, so it keeps its name; if it is one of the instance's, name it in `spec.pools`",
        quoted(pool)
    )
}

fn ranges(pool: &Resource, results: &mut Results) -> Result<Vec<IpRange>, Fault> {
    let mut ranges = Vec::new();
    let places = pool.fields(&metallb::addresses().each())?;
    if places.is_empty() {
        let message = "this pool has no addresses, and MetalLB refuses it; add a range";
        results.error("bad-range", message).field(pool, &metallb::addresses());
    }
    for path in places {
        let text: String = pool.get(&path)?.unwrap_or_default();
        match IpRange::parse(&text) {
            Ok(range) => ranges.push(range),
            Err(why) => {
                let message = format!("MetalLB cannot read {}: {why}", quoted(&text));
                results.error("bad-range", message).field(pool, &path);
            }
        }
    }
    Ok(ranges)
}
