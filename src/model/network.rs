//! Networks: interfaces and addresses of nodes, attachments of pods, networks and addresses of compute nodes.

pub mod attachments;
pub mod cni;
pub mod hosts;
pub mod net_configs;
pub mod node_policies;
pub mod ranges;

use self::attachments::Attachment;
use self::hosts::Host;
use self::net_configs::NetConfig;
use self::node_policies::NodePolicy;
use super::{Misread, World};

/// What a set of resources says about networks.
#[derive(Debug, Default)]
pub struct Network {
    pub attachments: Vec<Attachment>,
    pub net_configs: Vec<NetConfig>,
    pub node_policies: Vec<NodePolicy>,
    pub hosts: Vec<Host>,
}

/// Reads all of it.
pub fn read(world: &World<'_>) -> (Network, Vec<Misread>) {
    let mut misreads = Vec::new();
    let network = Network {
        attachments: attachments::read(world, &mut misreads),
        net_configs: net_configs::read(world, &mut misreads),
        node_policies: node_policies::read(world, &mut misreads),
        hosts: hosts::read(world, &mut misreads),
    };
    (network, misreads)
}
