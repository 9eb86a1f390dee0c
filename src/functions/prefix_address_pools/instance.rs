//! The instance that a functionConfig describes, and the changes to its resources.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::advertisements::Advertisements;
use super::drafts;
use super::edits;
use super::ensure::Ensure;
use super::foreign;
use super::names::Names;
use super::other_instances::OtherInstances;
use super::plan::{self, Planned};
use super::pools::Pools;
use crate::checks::{self, rules};
use crate::formats::ip::IpList;
use crate::krm::{CollectOrdered, Fault, FieldPath, Hint, Kind, Resource, Results, Transformer, quoted};
use crate::model::network::{self, Network, Service};
use crate::model::{Cause, ItemId, Misread, World};
use crate::platform::metallb::{self, Domain};
use crate::platform::{kubernetes, openstack};

#[derive(Debug)]
pub struct Instance {
    pub namespace: String,
    /// Whether objects without a namespace belong to the instance.
    pub owns_unnamespaced: bool,
    pub names: Names,
    /// The pools that the functionConfig lists, without the prefix. None if it lists none: then every pool of the
    /// package belongs to the instance, except those of other instances.
    pub listed: Option<Vec<String>>,
    /// Whether the pools are reserved for the namespace.
    pub is_scoped: bool,
    /// None if services are not changed.
    pub services: Option<ServiceSettings>,
}

/// How the annotations of services change.
#[derive(Debug)]
pub struct ServiceSettings {
    /// The addresses that the functionConfig gives to the services of a pool, by the pool's name without the prefix.
    pub addresses: BTreeMap<String, IpList>,
    pub ensure: Ensure,
    /// The domain that annotations get. None if they keep theirs.
    pub domain: Option<Domain>,
}

impl Instance {
    /// Whether an object in this namespace belongs to the instance.
    pub fn has(&self, namespace: Option<&str>) -> bool {
        namespace.map_or(self.owns_unnamespaced, |namespace| namespace == self.namespace)
    }

    /// The addresses that the functionConfig gives to the services of a pool.
    pub fn given_addresses(&self, pool: &str) -> Option<&IpList> {
        self.services.as_ref()?.addresses.get(pool)
    }
}

impl Transformer for Instance {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let (network, misreads) = network::read(&World::new(items));
        if self.report_types(&network, &misreads, items, results) {
            return Ok(());
        }
        let others = OtherInstances::read(self, &network);
        for pool in &network.pools {
            checks::missing_name(pool.item, items, results);
        }
        checks::pool_twice(&network, items, results);
        checks::pool_overlap(&network, items, results);
        let pools = Pools::survey(self, &network, &others, items, results)?;
        if pools.is_empty() {
            return Ok(());
        }
        let own_pools = pools.iter().filter_map(|(_, pool)| pool.item).collect();
        report_texts(&own_pools, &network, &misreads, items, results);
        let advertisements = Advertisements::survey(&pools, &network, &others);
        advertisements.check(&others, items, results);
        if !self.finds_names(&pools, &network, results) {
            return Ok(());
        }
        let services = match &self.services {
            Some(settings) => {
                self.check_services(&network, &misreads, items, results);
                self.plan_services(settings, &pools, &network, items, results)
            }
            None => Vec::new(),
        };
        foreign::check_use(&pools, &network, &services, items)?;
        if results.has_errors() {
            return Ok(());
        }
        if self.services.is_some() {
            self.warn_other_namespaces(&pools, &others, items, results);
        }
        edits::write_pools(self, &pools, &network, items, results)?;
        edits::write_advertisements(&pools, &advertisements, items, results)?;
        edits::write_services(&services, self.services.as_ref().and_then(|settings| settings.domain), items)
    }
}

impl Instance {
    /// Reports fields of the wrong type, and whether there are any. The caller then stops, because what follows from
    /// them would only repeat the mistake.
    pub(super) fn report_types(
        &self,
        network: &Network,
        misreads: &[Misread],
        items: &[Resource],
        results: &mut Results,
    ) -> bool {
        let types = misreads.iter().filter(|misread| {
            matches!(misread.cause, Cause::Type(_)) && self.reads(misread.site.item.get(items))
        });
        types.map(|misread| checks::network_misread(misread, network, items, results)).count() > 0
    }

    /// Whether the function looks at a resource.
    fn reads(&self, resource: &Resource) -> bool {
        let is_one_of = |kinds: &[Kind]| kinds.iter().any(|kind| resource.is(*kind));
        let is_other = || !self.has(resource.id().namespace.as_deref());
        is_one_of(&[metallb::ADDRESS_POOL, metallb::L2_ADVERTISEMENT, metallb::BGP_ADVERTISEMENT])
            || (is_one_of(&[openstack::CONTROL_PLANE, kubernetes::SERVICE])
                && (self.services.is_some() || is_other()))
    }

    /// Whether the instance has what the functionConfig refers to. Reports what is missing. The caller then
    /// stops, because services that do not get what was meant for them would be reported as well.
    fn finds_names(&self, pools: &Pools<'_>, network: &Network, results: &mut Results) -> bool {
        let Some(settings) = &self.services else { return true };
        let unknown: Vec<&String> =
            settings.addresses.keys().filter(|name| pools.find(name).is_none()).collect();
        for name in &unknown {
            let hint = Hint::among(name, pools.bases())
                .or(|| format!("its pools are {}", pools.bases().map(quoted).collect::<Vec<_>>().join(", ")));
            let message = format!("the instance has no pool {}; {hint}", quoted(name));
            let path = FieldPath::new("spec.addresses").key((*name).clone());
            results.error(&rules::NO_MATCH, message).in_config(path);
        }
        let mut planes = network.control_planes.iter();
        let has_plane = planes.any(|plane| self.has(plane.namespace.as_deref()));
        let can_ensure = has_plane || settings.ensure.is_empty();
        if !can_ensure {
            let namespace = quoted(&self.namespace);
            let message =
                format!("the namespace {namespace} has no OpenStackControlPlane, so `ensure` has no effect");
            results.error(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.ensure"));
        }
        unknown.is_empty() && can_ensure
    }

    /// Reports what is wrong with the services of the instance as they are.
    pub(super) fn check_services(
        &self,
        network: &Network,
        misreads: &[Misread],
        items: &[Resource],
        results: &mut Results,
    ) {
        let is_own = |service: &&Service| self.has(service.namespace.as_deref());
        let own: Vec<&Service> = network.services.iter().filter(is_own).collect();
        for service in &own {
            checks::load_balancer_ip(service, items, results);
            checks::no_service(service, items, results);
            checks::unknown_annotation(service, items, results);
            checks::both_prefixes(service, items, results);
        }
        let own = own.iter().map(|service| service.site.item).collect();
        report_texts(&own, network, misreads, items, results);
    }

    pub(super) fn plan_services<'n>(
        &self,
        settings: &ServiceSettings,
        pools: &Pools<'_>,
        network: &'n Network,
        items: &[Resource],
        results: &mut Results,
    ) -> Vec<Planned<'n>> {
        let drafts = drafts::collect(self, settings, pools, network, items, results);
        let services = plan::plan(pools, drafts, items, results);
        plan::check(pools, &services, network, items, results);
        services
    }

    /// Reports requests from other namespaces for pools that are now reserved for the instance.
    fn warn_other_namespaces(
        &self,
        pools: &Pools<'_>,
        others: &OtherInstances,
        items: &[Resource],
        results: &mut Results,
    ) {
        for (item, namespace, requested) in others.requests() {
            let is_own = |name: &&String| {
                !self.names.is_from(name) && pools.other(name).is_none() && pools.find(name).is_some()
            };
            let bases: BTreeSet<&str> =
                requested.iter().filter(is_own).map(|name| self.names.base(name)).collect_ordered();
            if bases.is_empty() {
                continue;
            }
            let message = format!(
                "this requests the pool {} from the namespace {}, but in this package the pool belongs to {}; check both namespaces",
                bases.into_iter().map(quoted).collect::<Vec<_>>().join(", "),
                quoted(namespace),
                quoted(&self.namespace)
            );
            results.warning(&rules::POOL_NOT_ALLOWED, message).on(item.get(items));
        }
    }
}

/// Reports ranges and addresses of these resources that cannot be read.
fn report_texts(
    of: &HashSet<ItemId>,
    network: &Network,
    misreads: &[Misread],
    items: &[Resource],
    results: &mut Results,
) {
    let texts = misreads.iter().filter(|misread| matches!(misread.cause, Cause::Text { .. }));
    for misread in texts.filter(|misread| of.contains(&misread.site.item)) {
        checks::network_misread(misread, network, items, results);
    }
}
