use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::formats::dns;
use crate::formats::ip::IpList;
use crate::krm::{FieldPath, Function, Mistakes, quoted};
use crate::platform::metallb::Domain;

mod advertisements;
mod completion;
mod drafts;
mod edits;
mod ensure;
mod foreign;
mod gaps;
mod instance;
mod moves;
mod names;
mod other_instances;
mod own_pool;
mod plan;
mod pools;
mod scope;
pub mod services;

pub use ensure::Ensure;
use instance::{Instance, ServiceSettings};
use names::Names;

/// Gives one of several OpenStack instances its own MetalLB pools, and moves the addresses of its services into
/// these pools.
///
/// IPAddressPools, L2Advertisements and BGPAdvertisements get the prefix of the instance. References between them are
/// updated, and only the namespace of the instance may use the pools. Names that already have the prefix are not
/// changed. An advertisement that also announces pools of other instances keeps its name. If the base already has the
/// prefix of another instance, set `from` to replace it; without `from`, such names are an error.
///
/// Pools of other instances are not changed. A pool belongs to another instance if a control plane of another
/// namespace in the package requests it, if its name begins with that namespace, if it is reserved for that
/// namespace, or if an advertisement of that instance announces it. If `pools` is not set, a pool that only
/// other namespaces may use also belongs to another instance. The function reports such a pool if its name
/// does not identify the owner.
///
/// In the OpenStackControlPlane and the LoadBalancer Services of the instance, the MetalLB annotations are updated:
///
/// - the pool
/// - the sharing key, which applies to the whole cluster
/// - the addresses, which move into the ranges of the pool and keep their host number
///
/// The function finds every service override that the control plane can have: in all cells, Glance APIs and
/// RabbitMQ clusters, and in lists. RabbitMQ clusters do not share addresses. If logging is enabled without
/// annotations, the function adds them, because the CRD's defaults belong to another instance. Everything
/// else is preserved byte for byte.
///
/// The function reports an error if MetalLB would reject or ignore something: overlapping pools, two pools
/// with the same name, an address outside its pool, an address that two services request without a common
/// sharing key, two services with the same sharing key, address and port, more services than addresses, an
/// annotation with two values, and an unknown annotation. The function reports a warning instead if the
/// service is not enabled, or if the annotation reaches no Service.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrefixAddressPools {
    /// The namespace of the instance. Control planes and Services of other namespaces are not changed. Those without
    /// a namespace are treated as part of the instance.
    #[schemars(length(min = 1))]
    namespace: String,
    /// The prefix of the names. Defaults to the namespace followed by a hyphen.
    #[schemars(length(min = 1))]
    prefix: Option<String>,
    /// The exact prefix that the base already has, such as `rhoso1-`. The prefix of the instance replaces it in the
    /// names of pools and advertisements, in `ipAddressPools` and in the annotations of services.
    #[schemars(length(min = 1))]
    from: Option<String>,
    /// The pools of the instance, by their names without the prefix. Pools that are not in the package must be listed.
    /// Defaults to all pools in the package, except those of other instances.
    #[schemars(length(min = 1))]
    pools: Option<Vec<String>>,
    /// Whether only the namespace of the instance may use the pools (`serviceAllocation.namespaces`). If this is
    /// false, `pools` is required.
    #[serde(default = "yes")]
    scope: bool,
    /// Whether to update the service overrides of the control plane, and LoadBalancer Services.
    #[serde(default = "yes")]
    services: bool,
    /// The address that the services of a pool request, keyed by the name of the pool without the prefix. It
    /// replaces the lowest address that they request. Other addresses keep their distance from it. The
    /// addresses of RabbitMQ change only if necessary. The function reports an address that no service gets.
    #[serde(default)]
    addresses: BTreeMap<String, IpList>,
    /// The parts of the control plane that must have an internal LoadBalancer: a list, or `enabled` for all
    /// enabled parts. Missing fields are added as in the upstream samples. The parts are aodh, barbican,
    /// cinder, cloudkitty, designate, dns, glance, heat, ironic, keystone, manila, neutron, nova, octavia,
    /// placement, rabbitmq, swift and watcher.
    #[serde(default)]
    ensure: Ensure,
    /// The domain of the MetalLB annotations.
    #[serde(default)]
    annotations: Annotations,
}

/// The domain of the MetalLB annotations.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum Annotations {
    /// Annotations keep their domain. This is the default.
    #[default]
    #[serde(rename = "keep")]
    Keep,
    /// The current domain.
    #[serde(rename = "metallb.io")]
    Current,
    /// The deprecated domain, which old MetalLB releases require.
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

fn yes() -> bool {
    true
}

impl Function for PrefixAddressPools {
    const KIND: &'static str = "PrefixAddressPools";
    const NAME: &'static str = "prefix-address-pools";

    type Ready = Instance;

    fn check(self) -> Result<Instance, Mistakes> {
        let mut mistakes = Mistakes::default();
        let has_namespace = dns::is_label(&self.namespace);
        if !has_namespace {
            mistakes.add(field("namespace"), "must be the name of a namespace, such as openstack2");
        }
        let default = || has_namespace.then(|| format!("{}-", self.namespace));
        let prefix = self.prefix.clone().or_else(default);
        let prefix = prefix.and_then(|prefix| mistakes.value(field("prefix"), own_prefix(prefix)));
        if let Some(from) = &self.from {
            mistakes.value(field("from"), check_from(from, prefix.as_deref()));
        }
        self.check_pools(prefix.as_deref(), &mut mistakes);
        self.check_unused(&mut mistakes);
        let names = Names::new(&self.namespace, prefix.unwrap_or_default(), self.from);
        let settings = || ServiceSettings {
            addresses: self.addresses,
            ensure: self.ensure,
            domain: self.annotations.domain(),
        };
        mistakes.unless_any(|| Instance {
            namespace: self.namespace,
            owns_unnamespaced: true,
            names,
            listed: self.pools,
            is_scoped: self.scope,
            services: self.services.then(settings),
        })
    }
}

impl PrefixAddressPools {
    fn check_pools(&self, prefix: Option<&str>, mistakes: &mut Mistakes) {
        if !self.scope && self.pools.is_none() {
            let message = "must list the pools of the instance if `scope` is false, because no scope shows which pools belong to it";
            mistakes.add(field("pools"), message);
        }
        if self.pools.as_ref().is_some_and(Vec::is_empty) {
            let message = "must list at least one pool; remove `pools` to use all pools of the package";
            mistakes.add(field("pools"), message);
        }
        let prefixes = [prefix, self.from.as_deref()];
        let check_prefix = |name: &str| {
            let base = prefixes.iter().flatten().find_map(|prefix| name.strip_prefix(prefix));
            base.map(|base| {
                format!("must not have the prefix: use {} instead of {}", quoted(base), quoted(name))
            })
        };
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, name) in self.pools.iter().flatten().enumerate() {
            let path = field("pools").index(index);
            if let Some(message) = check_prefix(name) {
                mistakes.add(path, message);
            } else if let Some(first) = first.get(name.as_str()) {
                let message = format!("the pool {} is already listed in `spec.pools[{first}]`", quoted(name));
                mistakes.add(path, message);
            } else {
                first.insert(name, index);
            }
        }
        for name in self.addresses.keys() {
            if let Some(message) = check_prefix(name) {
                mistakes.add(field("addresses").key(name.clone()), message);
            }
        }
    }

    /// Reports fields that have no effect.
    fn check_unused(&self, mistakes: &mut Mistakes) {
        let for_services = [
            ("ensure", !self.ensure.is_empty()),
            ("addresses", !self.addresses.is_empty()),
            ("annotations", self.annotations != Annotations::Keep),
        ];
        for (name, _) in for_services.into_iter().filter(|(_, is_set)| *is_set && !self.services) {
            mistakes.add(field(name), "has no effect if `services` is false; remove one of them");
        }
    }
}

fn field(name: &'static str) -> FieldPath {
    FieldPath::new("spec").key(name)
}

/// Whether the name of a pool can begin with this text.
fn is_prefix(text: &str) -> bool {
    dns::is_subdomain(&format!("{text}x")) && text.ends_with(['-', '.'])
}

fn own_prefix(prefix: String) -> Result<String, &'static str> {
    if is_prefix(&prefix) {
        Ok(prefix)
    } else {
        Err(
            "must be the beginning of a name, such as openstack2-: lower case letters, digits, `-` and `.`, with `-` or `.` at the end",
        )
    }
}

/// Checks the prefix to replace. `own` is None if the prefix of the instance is not valid.
fn check_from(from: &str, own: Option<&str>) -> Result<(), String> {
    if own == Some(from) {
        Err(format!("{} is the prefix of the instance; remove `from`", quoted(from)))
    } else if let Some(own) = own.filter(|own| from.starts_with(own)) {
        Err(format!("must not begin with the prefix of the instance, {}; set another `prefix`", quoted(own)))
    } else if !is_prefix(from) {
        Err("must be the whole prefix of the base, with `-` or `.` at the end, such as rhoso1-".to_owned())
    } else {
        Ok(())
    }
}
