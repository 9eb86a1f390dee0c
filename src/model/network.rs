//! The networks of a cluster: MetalLB's pools and advertisements, the services that request addresses, interfaces and
//! addresses of nodes, attachments of pods, and networks and addresses of compute nodes.

mod advertisements;
pub mod attachments;
pub mod cni;
pub mod hosts;
pub mod net_configs;
pub mod node_policies;
mod overrides;
pub mod plan;
mod pools;
pub mod ranges;
mod request;
pub mod segments;
mod services;
mod values;

use std::collections::HashSet;

use self::attachments::Attachment;
use self::hosts::Host;
use self::net_configs::NetConfig;
use self::node_policies::NodePolicy;
use super::{Misread, Site, World};

pub use advertisements::{Advertisement, PoolSelector, Protocol};
pub use overrides::{ControlPlane, Endpoint, Owner};
pub use pools::{Pool, PoolRange};
pub use request::{AnnotationLine, Conflict, Request};
pub use services::{Origin, Service};

/// What a set of resources says about the network. Every list is in the order of the items.
#[derive(Debug, Default)]
pub struct Network {
    pub pools: Vec<Pool>,
    pub advertisements: Vec<Advertisement>,
    pub services: Vec<Service>,
    pub control_planes: Vec<ControlPlane>,
    pub attachments: Vec<Attachment>,
    pub net_configs: Vec<NetConfig>,
    pub node_policies: Vec<NodePolicy>,
    pub hosts: Vec<Host>,
}

/// Returns the network, and what cannot be read.
pub fn read(world: &World<'_>) -> (Network, Vec<Misread>) {
    let mut misreads = Vec::new();
    let network = Network {
        pools: pools::read(world, &mut misreads),
        advertisements: advertisements::read(world, &mut misreads),
        services: services::read(world, &mut misreads),
        control_planes: overrides::read(world, &mut misreads),
        attachments: attachments::read(world, &mut misreads),
        net_configs: net_configs::read(world, &mut misreads),
        node_policies: node_policies::read(world, &mut misreads),
        hosts: hosts::read(world, &mut misreads),
    };
    (network, misreads)
}

/// Returns only pools, services and control planes, and what cannot be read of them.
pub fn read_services(world: &World<'_>) -> (Network, Vec<Misread>) {
    let mut misreads = Vec::new();
    let network = Network {
        pools: pools::read(world, &mut misreads),
        services: services::read(world, &mut misreads),
        control_planes: overrides::read(world, &mut misreads),
        ..Network::default()
    };
    (network, misreads)
}

/// The same, with what values files say as if it were in objects. Functions cannot change values as they change
/// objects, so only checks read them.
pub fn read_with_values(world: &World<'_>) -> (Network, Vec<Misread>) {
    let (mut network, mut misreads) = read(world);
    values::read(world, &mut network, &mut misreads);
    (network, misreads)
}

impl Network {
    /// The pools without duplicates: only the first object with each namespace and name.
    pub fn distinct_pools(&self) -> impl Iterator<Item = &Pool> {
        let mut seen = HashSet::new();
        self.pools.iter().filter(move |pool| {
            // Two values files name their pools alike, and patches give those of one instance other names.
            pool.from_values || seen.insert((&pool.namespace, &pool.name))
        })
    }

    /// The pool that contains a field.
    pub fn pool_at(&self, site: &Site) -> Option<&Pool> {
        containing(&self.pools, |pool| &pool.site, site)
    }

    /// The service whose annotations contain a field.
    pub fn service_at(&self, site: &Site) -> Option<&Service> {
        containing(&self.services, |service| &service.site, site)
    }
}

/// The entry of a list, which is in the order of the items, whose site contains a field.
fn containing<'n, T>(list: &'n [T], site_of: impl Fn(&T) -> &Site, field: &Site) -> Option<&'n T> {
    let first = list.partition_point(|entry| site_of(entry).item < field.item);
    let mut same_item = list[first..].iter().take_while(|entry| site_of(entry).item == field.item);
    same_item.find(|entry| field.path.starts_with(&site_of(entry).path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{Place, Resource};

    pub fn resource(text: &str) -> Resource {
        Resource::from_file(text.into(), 0..text.len(), Place::default()).unwrap()
    }

    pub fn network(items: &[Resource]) -> (Network, Vec<Misread>) {
        read(&World::new(items))
    }
}
