//! The services of the instance, before their addresses are planned.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::gaps::Gaps;
use super::instance::{Instance, ServiceSettings};
use super::pools::{PoolId, Pools};
use crate::krm::{FieldPath, Resource, Results};
use crate::model::ItemId;
use crate::model::network::{Network, Service};

/// A service of the instance: one that exists, or one that is added.
#[derive(Debug)]
pub struct Draft<'n> {
    pub service: Cow<'n, Service>,
    pub pool: ChosenPool,
    /// Whether it gets the address and the sharing key that it lacks.
    pub is_completed: bool,
    /// The field of its type, if the type must be added.
    pub added_type: Option<FieldPath>,
}

/// The pool that a service requests, or gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChosenPool {
    None,
    Own(PoolId),
    /// A pool that does not belong to the instance.
    Other(String),
}

impl ChosenPool {
    fn of(service: &Service, pools: &Pools<'_>) -> Self {
        let Some(name) = &service.request.pool else { return ChosenPool::None };
        pools.find(name).map_or_else(|| ChosenPool::Other(name.clone()), ChosenPool::Own)
    }
}

impl Draft<'_> {
    pub fn own_pool(&self) -> Option<PoolId> {
        match self.pool {
            ChosenPool::Own(id) => Some(id),
            ChosenPool::None | ChosenPool::Other(_) => None,
        }
    }

    /// Whether it has an address, or gets one.
    pub fn has_address(&self) -> bool {
        self.service.request.addresses.is_some() || self.is_completed
    }
}

/// The services of the instance, in the order of the items. Services that are added follow those of their control
/// plane.
pub fn collect<'n>(
    instance: &Instance,
    settings: &ServiceSettings,
    pools: &Pools<'_>,
    network: &'n Network,
    items: &[Resource],
    results: &mut Results,
) -> Vec<Draft<'n>> {
    let mut by_item: BTreeMap<ItemId, Vec<Draft<'n>>> = BTreeMap::new();
    for service in network.services.iter().filter(|service| service.is_for_metallb()) {
        if instance.has(service.namespace.as_deref()) {
            let pool = ChosenPool::of(service, pools);
            let service = Cow::Borrowed(service);
            let draft = Draft { pool, is_completed: false, added_type: None, service };
            by_item.entry(draft.service.site.item).or_default().push(draft);
        }
    }
    let planes = network.control_planes.iter().filter(|plane| instance.has(plane.namespace.as_deref()));
    for plane in planes {
        let drafts = by_item.entry(plane.item).or_default();
        let mut gaps = Gaps { plane, pools, drafts, items, results };
        gaps.fill_logging();
        gaps.fill(&settings.ensure);
    }
    by_item.into_values().flatten().collect()
}
