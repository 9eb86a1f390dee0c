//! The services of instances whose pools another function generates.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::edits;
use super::ensure::Ensure;
use super::instance::{Instance, ServiceSettings};
use super::names::Names;
use super::plan::Planned;
use super::pools::{OwnPool, Pools};
use crate::formats::ip::{IpList, IpRange};
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::model::network::{Network, Pool};
use crate::model::{ItemId, Misread};

/// A pool that a function generates.
#[derive(Debug, Clone)]
pub struct GeneratedPool {
    /// The name without the prefix of the instance.
    pub name: String,
    pub range: IpRange,
    /// The field of the functionConfig that sets the range.
    pub field: FieldPath,
}

/// An instance whose pools a function generates. Their names begin with the namespace.
#[derive(Debug)]
pub struct InstanceServices {
    instance: Instance,
    pools: Vec<GeneratedPool>,
    /// The name of the control plane that instances get a copy of.
    template: Option<String>,
}

impl InstanceServices {
    pub fn new(namespace: &str, pools: Vec<GeneratedPool>, ensure: Ensure, template: Option<String>) -> Self {
        let names = Names::new(namespace, format!("{namespace}-"), None);
        let settings = ServiceSettings { addresses: BTreeMap::new(), ensure, domain: None };
        let instance = Instance {
            namespace: namespace.to_owned(),
            owns_unnamespaced: false,
            names,
            listed: None,
            is_scoped: true,
            services: Some(settings),
        };
        InstanceServices { instance, pools, template }
    }

    fn plan<'n>(
        &self,
        network: &'n Network,
        pools_by_name: &HashMap<&str, ItemId>,
        misreads: &[Misread],
        items: &[Resource],
        results: &mut Results,
    ) -> Vec<Planned<'n>> {
        let Some(settings) = &self.instance.services else { return Vec::new() };
        if self.instance.report_types(network, misreads, items, results) {
            return Vec::new();
        }
        let own = self.pools.iter().map(|pool| OwnPool {
            item: pools_by_name.get(self.instance.names.prefixed(&pool.name).as_str()).copied(),
            ranges: vec![pool.range],
            given: self.beginning(pool, network),
            field: pool.field.clone(),
            base: pool.name.clone(),
        });
        let pools = Pools::generated(&self.instance.names, own.collect(), &network.pools);
        self.instance.plan_services(settings, &pools, network, items, results)
    }

    /// Reports what is wrong with the services as they are. Copies of a template have its defects, which are reported
    /// once.
    fn check(
        &self,
        network: &Network,
        misreads: &[Misread],
        items: &[Resource],
        copied: &mut HashSet<(&'static str, Option<FieldPath>, String)>,
        results: &mut Results,
    ) {
        let planes = network.control_planes.iter();
        let mut own = planes.filter(|plane| self.instance.has(plane.namespace.as_deref()));
        let is_copied = own.any(|plane| Some(&plane.item.get(items).id().name) == self.template.as_ref());
        let mut found = Results::default();
        self.instance.check_services(network, misreads, items, &mut found);
        for finding in found.into_sorted() {
            let defect = (finding.rule.id, finding.location.field.clone(), finding.message.clone());
            if copied.insert(defect) || !is_copied {
                results.add(finding);
            }
        }
    }

    /// The first address of a pool, if it does not have the host numbers of the services that request it. They then
    /// move there together.
    fn beginning(&self, pool: &GeneratedPool, network: &Network) -> Option<IpList> {
        let names = &self.instance.names;
        let requests = |name: &String| names.base(name) == pool.name;
        let services = network.services.iter().filter(|service| {
            self.instance.has(service.namespace.as_deref())
                && service.is_for_metallb()
                && service.request.pool.as_ref().is_some_and(requests)
        });
        let mut addresses =
            services.flat_map(|service| service.request.addresses.iter().flat_map(IpList::addresses));
        let is_missing = |ip: &std::net::IpAddr| {
            !pool.range.contains(*ip)
                && pool.range.same_host(*ip).is_none()
                && pool.range.family() == crate::formats::ip::Family::of(*ip)
        };
        addresses.any(is_missing).then(|| IpList::one(pool.range.first()))
    }
}

/// Gives the services of all instances addresses in their pools. If any of them is not possible, none changes.
pub fn update(
    instances: &[InstanceServices],
    network: &Network,
    misreads: &[Misread],
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let by_name: HashMap<&str, ItemId> =
        network.distinct_pools().map(|pool: &Pool| (pool.name.as_str(), pool.item)).collect();
    let mut planned = Vec::new();
    let mut copied = HashSet::new();
    for instance in instances {
        instance.check(network, misreads, items, &mut copied, results);
        planned.extend(instance.plan(network, &by_name, misreads, items, results));
    }
    if results.has_errors() {
        return Ok(());
    }
    edits::write_services(&planned, None, items)
}
