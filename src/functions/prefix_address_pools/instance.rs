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
use crate::krm::{Fault, FieldPath, Hint, Kind, Resource, Results, Transformer, quoted};
use crate::model::network::{self, Network};
use crate::model::{Cause, ItemId, Misread, World};
use crate::platform::metallb::{self, Domain};
use crate::platform::{kubernetes, openstack};

#[derive(Debug)]
pub struct Instance {
    pub namespace: String,
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
    /// Whether an object in this namespace belongs to the instance. An object without a namespace does.
    pub fn has(&self, namespace: Option<&str>) -> bool {
        namespace.is_none_or(|namespace| namespace == self.namespace)
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
        let advertisements = Advertisements::survey(&pools, &network, &others);
        advertisements.check(&others, items, results);
        self.check_addresses(&pools, results);
        let services = match &self.services {
            Some(settings) => self.plan_services(settings, &pools, &network, items, results),
            None => Vec::new(),
        };
        report_texts(&pools, &services, &network, &misreads, items, results);
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
    fn report_types(
        &self,
        network: &Network,
        misreads: &[Misread],
        items: &[Resource],
        results: &mut Results,
    ) -> bool {
        let types = misreads.iter().filter(|misread| {
            matches!(misread.cause, Cause::Type(_)) && self.reads(misread.site.item.get(items))
        });
        types.map(|misread| checks::misread(misread, network, items, results)).count() > 0
    }

    /// Whether the function looks at a resource.
    fn reads(&self, resource: &Resource) -> bool {
        let is_one_of = |kinds: &[Kind]| kinds.iter().any(|kind| resource.is(*kind));
        let is_other = || !self.has(resource.id().namespace.as_deref());
        is_one_of(&[metallb::ADDRESS_POOL, metallb::L2_ADVERTISEMENT, metallb::BGP_ADVERTISEMENT])
            || (is_one_of(&[openstack::CONTROL_PLANE, kubernetes::SERVICE])
                && (self.services.is_some() || is_other()))
    }

    /// Reports addresses for pools that the instance does not have.
    fn check_addresses(&self, pools: &Pools<'_>, results: &mut Results) {
        let given = self.services.iter().flat_map(|settings| settings.addresses.keys());
        for name in given.filter(|name| pools.find(name).is_none()) {
            let hint = Hint::among(name, pools.bases())
                .or(|| format!("they are {}", pools.bases().map(quoted).collect::<Vec<_>>().join(", ")));
            let message = format!("the instance has no pool {}; {hint}", quoted(name));
            let path = FieldPath::new("spec.addresses").key(name.clone());
            results.error(&rules::NO_MATCH, message).in_config(path);
        }
    }

    fn plan_services<'n>(
        &self,
        settings: &ServiceSettings,
        pools: &Pools<'_>,
        network: &'n Network,
        items: &[Resource],
        results: &mut Results,
    ) -> Vec<Planned<'n>> {
        for service in network.services.iter().filter(|s| self.has(s.namespace.as_deref())) {
            checks::load_balancer_ip(service, items, results);
            checks::no_service(service, items, results);
            checks::unknown_annotation(service, items, results);
            checks::annotation_conflict(service, items, results);
        }
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
                requested.iter().filter(is_own).map(|name| self.names.base(name)).collect();
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

/// Reports ranges and addresses of the instance that cannot be read.
fn report_texts(
    pools: &Pools<'_>,
    services: &[Planned<'_>],
    network: &Network,
    misreads: &[Misread],
    items: &[Resource],
    results: &mut Results,
) {
    let pools = pools.iter().filter_map(|(_, pool)| pool.item);
    let own: HashSet<ItemId> =
        pools.chain(services.iter().map(|planned| planned.service().site.item)).collect();
    let is_own =
        |misread: &&Misread| matches!(misread.cause, Cause::Text { .. }) && own.contains(&misread.site.item);
    for misread in misreads.iter().filter(is_own) {
        checks::misread(misread, network, items, results);
    }
}
