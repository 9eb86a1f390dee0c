//! The networks of a cluster: MetalLB's pools and advertisements, the services that request addresses, interfaces and
//! addresses of nodes, attachments of pods, and networks and addresses of compute nodes.

mod advertisements;
pub mod attachments;
pub mod cni;
pub mod hosts;
pub mod net_configs;
pub mod node_policies;
mod overrides;
mod pools;
pub mod ranges;
mod services;

use std::collections::HashSet;

use self::attachments::Attachment;
use self::hosts::Host;
use self::net_configs::NetConfig;
use self::node_policies::NodePolicy;
use super::{Misread, Site, World};

pub use advertisements::Advertisement;
pub use overrides::{ControlPlane, Endpoint, Owner};
pub use pools::{Pool, PoolRange};
pub use services::{AnnotationLine, Conflict, Origin, Request, Service};

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

impl Network {
    /// The pools without duplicates: only the first pool with each namespace and name.
    pub fn distinct_pools(&self) -> impl Iterator<Item = &Pool> {
        let mut seen = HashSet::new();
        self.pools.iter().filter(move |pool| seen.insert((&pool.namespace, &pool.name)))
    }

    /// The service whose annotations contain a field.
    pub fn service_at(&self, site: &Site) -> Option<&Service> {
        let first = self.services.partition_point(|service| service.site.item < site.item);
        let mut same_item = self.services[first..].iter().take_while(|s| s.site.item == site.item);
        same_item.find(|service| site.path.starts_with(&service.site.path))
    }
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
