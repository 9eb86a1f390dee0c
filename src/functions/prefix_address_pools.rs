use crate::checks::rules;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::formats::dns;
use crate::formats::ip::IpList;
use crate::krm::{BadField, Fault, Function, Hint, Mistakes, Resource, Results, Transformer, quoted};
use crate::platform::metallb::Domain;
use crate::platform::openstack;

mod advertisements;
mod clashes;
mod ensure;
mod foreign;
mod joining;
mod moves;
mod names;
mod neighbours;
mod overlaps;
mod pools;
mod scope;
mod services;
mod vips;

use ensure::{Ensure, Gaps};
use neighbours::Neighbours;
use pools::Pools;
use services::Service;

/// Gives one of many OpenStack instances its own MetalLB pools, and its services their addresses there.
///
/// The pools of the package become those of the instance: IPAddressPools, L2Advertisements and
/// BGPAdvertisements get its prefix, references between them follow, and only its namespace may use the
/// pools. A name that has the prefix already is left alone, and so is that of an advertisement that announces
/// other pools too. If the base is already prefixed for another instance, `from` names the prefix to replace;
/// without it, such names are an error.
///
/// Pools of other instances are never taken over: those that another namespace's control plane in the package
/// asks for, whose name begins with its namespace, that are reserved for it or that its advertisement
/// announces, and without `pools` also those that only other namespaces may use. They are left alone, with a
/// note where the name does not say whose they are.
///
/// In its OpenStackControlPlane and its LoadBalancer Services the MetalLB annotations follow: the pool; the
/// sharing key, which counts for the whole cluster; and the addresses, which move into the pool's ranges
/// and keep their host number. Overrides are found wherever the control plane can have them: in every cell,
/// every Glance API, every RabbitMQ cluster, in lists. RabbitMQ never shares an address. If logging is
/// enabled, the annotations that it would get by default, which are another instance's, are written out for
/// this one. Everything else stays byte for byte.
///
/// What MetalLB would refuse or ignore is an error: pools that overlap, a pool that is defined twice, an
/// address outside its pool, an address asked for twice without a common key, two services with one key, one
/// address and one port, more services than addresses, two values for one annotation, an annotation that
/// MetalLB does not know. Where the service is not enabled, or the annotation reaches no Service, it is a
/// warning.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrefixAddressPools {
    /// The namespace of the instance. Control planes and Services of other namespaces are left alone; those
    /// without a namespace are the instance's.
    #[schemars(length(min = 1))]
    namespace: String,
    /// What the names begin with. Without it: the namespace and a dash.
    #[schemars(length(min = 1))]
    prefix: Option<String>,
    /// The exact prefix that the base already has, such as `rhoso1-`. The instance's prefix replaces it in the
    /// names of pools and advertisements, in `ipAddressPools` and in the annotations of services.
    #[schemars(length(min = 1))]
    from: Option<String>,
    /// The instance's pools, by their names without prefix; pools that live elsewhere must be named. Without
    /// it: every pool of the package but those of other instances.
    #[schemars(length(min = 1))]
    pools: Option<Vec<String>>,
    /// Whether only the instance's namespace may use the pools (`serviceAllocation.namespaces`). Without
    /// that, `pools` must be given.
    #[serde(default = "yes")]
    scope: bool,
    /// Whether the overrides of the control plane and LoadBalancer Services follow.
    #[serde(default = "yes")]
    services: bool,
    /// The address that a pool's services ask for, by the pool's name without prefix. It takes the place of
    /// the lowest one that they ask for; others keep their distance to it. RabbitMQ's move when they must.
    /// An address that no service gets is reported.
    #[serde(default)]
    addresses: BTreeMap<String, IpList>,
    /// The parts that must have an internal LoadBalancer: a list, or `enabled` for all that are enabled.
    /// What is missing is made as upstream has it. The parts are aodh, barbican, cinder, cloudkitty,
    /// designate, dns, glance, heat, ironic, keystone, manila, neutron, nova, octavia, placement, rabbitmq,
    /// swift and watcher.
    #[serde(default)]
    ensure: Ensure,
    /// Which prefix MetalLB's annotations have in the end.
    #[serde(default)]
    annotations: Annotations,
}

/// Which prefix MetalLB's annotations have in the end.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum Annotations {
    /// The one that they have; the default.
    #[default]
    #[serde(rename = "keep")]
    Keep,
    /// The one of today.
    #[serde(rename = "metallb.io")]
    Current,
    /// The deprecated one, which old releases of MetalLB need.
    #[serde(rename = "metallb.universe.tf")]
    Deprecated,
}

impl Annotations {
    fn domain(self) -> Option<Domain> {
        match self {
            Annotations::Keep => None,
            Annotations::Current => Some(Domain::Current),
            Annotations::Deprecated => Some(Domain::Deprecated),
        }
    }
}

/// Whether the name of a pool can begin with this.
fn is_prefix(text: &str) -> bool {
    dns::is_subdomain(&format!("{text}x")) && text.ends_with(['-', '.'])
}

fn yes() -> bool {
    true
}

impl Function for PrefixAddressPools {
    const KIND: &'static str = "PrefixAddressPools";
    const NAME: &'static str = "prefix-address-pools";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        self.checked()?;
        Ok(self)
    }
}

impl PrefixAddressPools {
    fn checked(&self) -> Result<(), BadField> {
        if !dns::is_label(&self.namespace) {
            return Err(BadField::new("namespace", "must be the name of a namespace, such as openstack2"));
        }
        let prefix = self.prefix();
        if !is_prefix(&prefix) {
            return Err(BadField::new(
                "prefix",
                "must be what the name of a pool can begin with, such as openstack2-: lower case letters, digits, `-` and `.`, and `-` or `.` at the end",
            ));
        }
        self.check_from(&prefix)?;
        if !self.scope && self.pools.is_none() {
            let message = "must name the instance's pools while `scope` is false: without a scope nothing shows whose a pool is";
            return Err(BadField::new("pools", message));
        }
        if self.pools.as_ref().is_some_and(Vec::is_empty) {
            let message = "must name at least one pool; without `pools`, every pool of the package is meant";
            return Err(BadField::new("pools", message));
        }
        let pools = self.pools.iter().flatten();
        let places = pools.clone().enumerate().map(|(i, name)| (format!("pools[{i}]"), name));
        let places = places.chain(self.addresses.keys().map(|name| (format!("addresses.{name}"), name)));
        for (place, name) in places {
            let prefixes = [Some(&prefix), self.from.as_ref()].into_iter().flatten();
            if let Some(base) = prefixes.into_iter().find_map(|prefix| name.strip_prefix(prefix.as_str())) {
                let message = format!("must be without the prefix: {}, not {}", quoted(base), quoted(name));
                return Err(BadField::new(place, message));
            }
        }
        for (i, name) in pools.clone().enumerate() {
            if let Some(first) = pools.clone().position(|other| other == name).filter(|first| *first < i) {
                let message =
                    format!("the pool {} is given twice, first in `spec.pools[{first}]`", quoted(name));
                return Err(BadField::new(format!("pools[{i}]"), message));
            }
        }
        let idle = [
            ("ensure", self.ensure != Ensure::default()),
            ("addresses", !self.addresses.is_empty()),
            ("annotations", self.annotations != Annotations::Keep),
        ];
        if let Some((field, _)) = idle.into_iter().find(|(_, is_given)| *is_given && !self.services) {
            return Err(BadField::new(field, "can do nothing while `services` is false"));
        }
        Ok(())
    }
}

impl Transformer for PrefixAddressPools {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let neighbours = Neighbours::read(self, items)?;
        overlaps::report(items, results)?;
        let pools = Pools::survey(self, items, &neighbours, results)?;
        if pools.iter().next().is_none() {
            return Ok(());
        }
        advertisements::check(&pools, items, &neighbours, results)?;
        if let Some(name) = self.addresses.keys().find(|name| pools.find(name).is_none()) {
            return Err(Fault::new(&rules::NO_MATCH, unknown_pool(name, &pools)));
        }
        let services = if self.services { self.plan(items, &pools, results)? } else { Vec::new() };
        foreign::check_use(&pools, items, &services)?;
        if results.has_errors() {
            return Ok(());
        }
        if self.services {
            self.warn_others(items, &pools, &neighbours, results);
        }
        pools.write(items, self, results)?;
        advertisements::write(&pools, &neighbours, items, results)?;
        let (new, there): (Vec<&Service>, Vec<&Service>) = services.iter().partition(|s| s.is_new());
        // From the last to the first: an alias is written out before the value it stands for is changed.
        for service in there.into_iter().rev().chain(new) {
            service.write(&mut items[service.item], self.annotations.domain())?;
        }
        Ok(())
    }
}

impl PrefixAddressPools {
    fn check_from(&self, own: &str) -> Result<(), BadField> {
        let Some(from) = &self.from else { return Ok(()) };
        let message = if from == own {
            format!("{} is the instance's own prefix; remove `from`", quoted(from))
        } else if from.starts_with(own) {
            format!(
                "must not begin with the instance's own prefix {}; give the instance another `prefix`",
                quoted(own)
            )
        } else if !is_prefix(from) {
            "must be the whole prefix of the base, with `-` or `.` at the end, such as rhoso1-".to_owned()
        } else {
            return Ok(());
        };
        Err(BadField::new("from", message))
    }

    fn prefix(&self) -> String {
        self.prefix.clone().unwrap_or_else(|| format!("{}-", self.namespace))
    }

    /// The instance's services as they shall be.
    fn plan(&self, items: &[Resource], pools: &Pools, results: &mut Results) -> Result<Vec<Service>, Fault> {
        let mut services = Vec::new();
        let mut planes = 0;
        for (i, item) in items.iter().enumerate() {
            if !self.has(item) {
                continue;
            }
            if item.is(openstack::CONTROL_PLANE) {
                planes += 1;
                let found = services::of_control_plane(i, item, results)?;
                let mut gaps = Gaps { item: i, plane: item, pools, services: found };
                gaps.fill_logging(results)?;
                gaps.fill(&self.ensure, results)?;
                services.extend(gaps.services);
            } else {
                services.extend(services::of_service(i, item, results)?);
            }
        }
        if planes == 0 && self.ensure != Ensure::default() {
            let namespace = quoted(&self.namespace);
            let message = format!(
                "there is no OpenStackControlPlane in the namespace {namespace}, so `ensure` can do nothing"
            );
            return Err(Fault::new(&rules::NO_MATCH, message));
        }
        vips::assign(pools, &mut services, items, results);
        clashes::report(pools, &services, items, results);
        vips::report_unused(pools, &services, results);
        Ok(services)
    }

    fn has(&self, item: &Resource) -> bool {
        item.id().namespace.as_ref().is_none_or(|namespace| *namespace == self.namespace)
    }

    /// What asks from another namespace for a pool that is now the instance's.
    fn warn_others(&self, items: &[Resource], pools: &Pools, neighbours: &Neighbours, results: &mut Results) {
        for (i, asked) in neighbours.asking() {
            let is_ours = |name: &&String| {
                !pools.names.is_from(name) && pools.other(name).is_none() && pools.find(name).is_some()
            };
            let bases: BTreeSet<&str> =
                asked.iter().filter(is_ours).map(|name| pools.names.base(name)).collect();
            if bases.is_empty() {
                continue;
            }
            let message = format!(
                "this asks for {} from the namespace {}, but in this package it is a pool of {}; is one of the namespaces wrong?",
                bases.into_iter().map(quoted).collect::<Vec<_>>().join(", "),
                quoted(items[i].id().namespace.as_deref().unwrap_or_default()),
                quoted(&self.namespace)
            );
            results.warning(&rules::OTHER_NAMESPACE, message).on(&items[i]);
        }
    }
}

fn unknown_pool(name: &str, pools: &Pools) -> String {
    let hint = Hint::among(name, pools.bases())
        .or(|| format!("they are {}", pools.bases().map(quoted).collect::<Vec<_>>().join(", ")));
    format!("`spec.addresses` names {}, which is none of the instance's pools; {hint}", quoted(name))
}
