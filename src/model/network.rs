//! Networks: interfaces and addresses of nodes, attachments of pods, networks and addresses of compute nodes.

pub mod attachments;
pub mod cni;
pub mod net_configs;
pub mod ranges;

use self::attachments::Attachment;
use self::net_configs::NetConfig;
use super::{Misread, World};

/// What a set of resources says about networks.
#[derive(Debug, Default)]
pub struct Network {
    pub attachments: Vec<Attachment>,
    pub net_configs: Vec<NetConfig>,
}

/// Reads all of it.
pub fn read(world: &World<'_>) -> (Network, Vec<Misread>) {
    let mut misreads = Vec::new();
    let network = Network {
        attachments: attachments::read(world, &mut misreads),
        net_configs: net_configs::read(world, &mut misreads),
    };
    (network, misreads)
}
