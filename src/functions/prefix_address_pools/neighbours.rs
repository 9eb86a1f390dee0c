//! The other instances of the package: their control planes, and the pools that are theirs.

use crate::checks::rules;
use std::collections::BTreeSet;

use super::PrefixAddressPools;
use super::names::Names;
use super::services;
use crate::krm::{Fault, Finding, Resource, Results, Severity, quoted};
use crate::platform::{metallb, openstack};

/// What asks for pools from another namespace.
#[derive(Debug)]
struct Neighbour {
    item: usize,
    namespace: String,
    is_control_plane: bool,
    pools: BTreeSet<String>,
}

#[derive(Debug)]
pub struct Neighbours(Vec<Neighbour>);

/// Whose a pool is, and how that shows.
#[derive(Debug)]
pub struct Owner {
    pub namespace: String,
    /// For messages.
    evidence: String,
    /// How severe a note about it is; none where the name and the scope both tell whose the pool is.
    note: Option<Severity>,
}

impl Neighbours {
    /// Reads what other namespaces have. Whatever else is wrong there is not for this function to say.
    pub fn read(config: &PrefixAddressPools, items: &[Resource]) -> Result<Self, Fault> {
        let mut unsaid = Results::default();
        let mut found = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let Some(namespace) = item.id().namespace.clone().filter(|name| *name != config.namespace) else {
                continue;
            };
            let is_control_plane = item.is(openstack::CONTROL_PLANE);
            let asking = if is_control_plane {
                services::of_control_plane(i, item, &mut unsaid)?
            } else {
                services::of_service(i, item, &mut unsaid)?.into_iter().collect()
            };
            let pools: BTreeSet<String> = asking.into_iter().filter_map(|service| service.pool).collect();
            if is_control_plane || !pools.is_empty() {
                found.push(Neighbour { item: i, namespace, is_control_plane, pools });
            }
        }
        Ok(Neighbours(found))
    }

    /// What asks for pools from other namespaces: the resource, and the pools' names.
    pub fn asking(&self) -> impl Iterator<Item = (usize, &BTreeSet<String>)> {
        self.0.iter().map(|neighbour| (neighbour.item, &neighbour.pools))
    }

    /// Whether a name begins with the namespace of another control plane.
    pub fn has_name(&self, name: &str) -> bool {
        self.planes().any(|plane| starts(name, &plane.namespace))
    }

    fn planes(&self) -> impl Iterator<Item = &Neighbour> {
        self.0.iter().filter(|neighbour| neighbour.is_control_plane)
    }

    /// The other instance that a pool is clearly of, if any: its control plane is in the package, and the
    /// pool has its name, is open to it and not to this one, is what it asks for, or what its advertisement
    /// announces. A pool with this instance's prefix is this instance's.
    pub fn owner(
        &self,
        pool: &Resource,
        names: &Names,
        config: &PrefixAddressPools,
        items: &[Resource],
    ) -> Result<Option<Owner>, Fault> {
        let allowed: Vec<String> = pool.get(&metallb::allowed_namespaces())?.unwrap_or_default();
        if let Some(namespace) = self.named(&pool.id().name, names) {
            let is_scoped = allowed.iter().any(|other| other == namespace);
            let note = (!is_scoped).then_some(Severity::Info);
            let evidence = "the name begins with it".to_owned();
            return Ok(Some(Owner { namespace: namespace.to_owned(), evidence, note }));
        }
        if names.is_own(&pool.id().name) {
            return Ok(None);
        }
        let note = Some(Severity::Warning);
        for plane in self.planes() {
            let evidence = if plane.pools.contains(&pool.id().name) {
                format!("{} asks for it", items[plane.item].id())
            } else if !allowed.contains(&config.namespace) && allowed.contains(&plane.namespace) {
                "`serviceAllocation` reserves it".to_owned()
            } else {
                continue;
            };
            let namespace = plane.namespace.clone();
            return Ok(Some(Owner { namespace, evidence, note }));
        }
        for item in items.iter().filter(|item| metallb::is_advertisement(item)) {
            let Some(namespace) = self.named(&item.id().name, names) else { continue };
            if metallb::announced(item)?.iter().any(|(_, name)| *name == pool.id().name) {
                let evidence = format!("{} announces it", item.id());
                return Ok(Some(Owner { namespace: namespace.to_owned(), evidence, note }));
            }
        }
        Ok(None)
    }

    /// The namespace of another control plane that a name begins with, if the instance's prefix does not
    /// explain more of the name.
    pub fn named(&self, name: &str, names: &Names) -> Option<&str> {
        let begins = self.planes().filter(|plane| starts(name, &plane.namespace));
        let longest = begins.map(|plane| plane.namespace.as_str()).max_by_key(|namespace| namespace.len())?;
        (!names.is_own(name) || longest.len() + 1 > names.own.len()).then_some(longest)
    }
}

impl Owner {
    pub fn describe(&self) -> String {
        format!("this is a pool of the namespace {} ({})", quoted(&self.namespace), self.evidence)
    }

    /// Notes that a pool is not touched.
    pub fn note(&self, pool: &Resource, results: &mut Results) {
        let Some(severity) = self.note else { return };
        let message = format!("{}, so it is left alone", self.describe());
        results.add(Finding::new(severity, &rules::OTHER_NAMESPACE, message)).on(pool);
    }
}

/// Whether a name begins with a namespace.
pub fn starts(name: &str, namespace: &str) -> bool {
    name.strip_prefix(namespace).is_some_and(|rest| rest.starts_with(['-', '.']))
}
