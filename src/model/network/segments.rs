//! Layer 2 networks: which of them an address or a range is in. Addresses collide only inside one of them.

mod hosts;
mod interfaces;
mod links;
mod nodes;
mod pools;
mod subnets;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use self::interfaces::Interfaces;
pub use self::links::{Link, Links};
pub use self::nodes::{NodeNetwork, NodeNetworks};
pub use self::subnets::{SubnetId, Subnets};
use super::Network;
use super::attachments::Attachment;
use crate::formats::cidr::Cidr;
use crate::platform::network::attachment::{BRIDGE, WITH_VLAN};

/// The networks that an address or a range is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    Links(BTreeSet<Link>),
    /// Every network that nodes are connected to: MetalLB announces on all interfaces.
    Everywhere,
    /// None that it shares with others: it is routed, inside a node, or between two neighbors.
    Alone,
    /// A network of compute nodes that no interface of a node is known for.
    Unplaced(Unplaced),
    Unknown,
}

/// A network of compute nodes, by its namespace, network and subnet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplaced {
    number: usize,
    vlan: Option<u16>,
}

/// Whether two addresses can collide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They are in one network.
    Same,
    Different,
    Unknown,
}

/// The layer 2 networks of pools, attachments and subnets, by their positions in [`Network`].
#[derive(Debug, Default)]
pub struct Segments {
    pub interfaces: Interfaces,
    pub nodes: NodeNetworks,
    pub subnets: Subnets,
    pools: Vec<Reach>,
    attachments: Vec<Reach>,
    hosts: Vec<Vec<Reach>>,
}

impl Segments {
    pub fn of(network: &Network) -> Self {
        let attached = network.attachments.iter().filter_map(|attachment| {
            let config = &attachment.config;
            config.interface.as_ref().map(|name| (name.value.as_str(), vlan_of(attachment)))
        });
        let announced = network.advertisements.iter().flat_map(|advertisement| &advertisement.interfaces);
        let announced = announced.map(|name| (name.value.as_str(), None));
        let interfaces = Interfaces::read(&network.node_policies, attached.chain(announced));
        let pools = pools::reaches(network, &interfaces);
        let has_policies = !network.node_policies.is_empty();
        let attachments: Vec<Reach> =
            network.attachments.iter().map(|one| attachment(one, &interfaces, has_policies)).collect();
        let nodes = NodeNetworks::read(network, &interfaces);
        let mut subnets = Subnets::read(network, &interfaces, &nodes, &attachments);
        let hosts = network.hosts.iter().map(|host| hosts::reaches(host, network, &mut subnets)).collect();
        Segments { interfaces, nodes, subnets, pools, attachments, hosts }
    }

    pub fn pool(&self, pool: usize) -> &Reach {
        &self.pools[pool]
    }

    pub fn attachment(&self, attachment: usize) -> &Reach {
        &self.attachments[attachment]
    }

    /// The network of one of a host's addresses.
    pub fn host(&self, host: usize, address: usize) -> &Reach {
        &self.hosts[host][address]
    }

    pub fn relation(&self, one: &Reach, other: &Reach) -> Relation {
        let differ = |a: Option<u16>, b: Option<u16>| a.zip(b).is_some_and(|(a, b)| a != b);
        match (one, other) {
            (Reach::Alone, _) | (_, Reach::Alone) => Relation::Different,
            (Reach::Unknown, _) | (_, Reach::Unknown) => Relation::Unknown,
            (Reach::Unplaced(a), Reach::Unplaced(b)) if a.number == b.number => Relation::Same,
            (Reach::Unplaced(a), Reach::Unplaced(b)) if differ(a.vlan, b.vlan) => Relation::Different,
            (Reach::Links(links), Reach::Unplaced(subnet))
            | (Reach::Unplaced(subnet), Reach::Links(links))
                if links.iter().all(|link| differ(self.interfaces.links.vlan_id(*link), subnet.vlan)) =>
            {
                Relation::Different
            }
            (Reach::Unplaced(_), _) | (_, Reach::Unplaced(_)) => Relation::Unknown,
            (Reach::Everywhere, _) | (_, Reach::Everywhere) => Relation::Same,
            (Reach::Links(a), Reach::Links(b)) if a.is_disjoint(b) => Relation::Different,
            (Reach::Links(_), Reach::Links(_)) => Relation::Same,
        }
    }
}

impl Reach {
    /// The network, if it is exactly one.
    pub fn link(&self) -> Option<Link> {
        match self {
            Reach::Links(links) if links.len() == 1 => links.first().copied(),
            _ => None,
        }
    }
}

impl Interfaces {
    /// The network that an interface of nodes is connected to.
    pub fn reach(&self, name: &str) -> Reach {
        self.links.get(name).map_or(Reach::Unknown, |link| self.reach_of(link))
    }

    /// The network of a VLAN of that interface.
    fn reach_of_vlan(&self, name: &str, id: u16) -> Reach {
        self.links.get_vlan(name, id).map_or(Reach::Unknown, |link| self.reach_of(link))
    }

    fn reach_of(&self, link: Link) -> Reach {
        if self.links.is_local(link) {
            Reach::Alone
        } else if self.links.is_ambiguous(link) {
            Reach::Unknown
        } else {
            Reach::Links(BTreeSet::from([link]))
        }
    }
}

/// Whether a network has room only for two neighbors, or for one address: a link between routers, or a loopback.
pub fn is_point_to_point(network: &Cidr) -> bool {
    network.range().size() <= 4
}

/// The VLAN that the configuration of an attachment adds to that of its interface.
fn vlan_of(attachment: &Attachment) -> Option<u16> {
    let config = &attachment.config;
    let plugin = config.plugin.as_ref()?.value.as_str();
    // The VLAN 0 is no VLAN.
    config.vlan.as_ref().map(|vlan| vlan.value).filter(|id| *id > 0 && WITH_VLAN.contains(&plugin))
}

fn attachment(attachment: &Attachment, interfaces: &Interfaces, has_policies: bool) -> Reach {
    let Some(name) = attachment.config.interface.as_ref().map(|name| name.value.as_str()) else {
        return Reach::Unknown;
    };
    let is_bridge = attachment.config.plugin.as_ref().is_some_and(|plugin| plugin.value == BRIDGE);
    if is_bridge && has_policies && !interfaces.is_known(name) {
        return Reach::Alone;
    }
    match vlan_of(attachment) {
        Some(id) => interfaces.reach_of_vlan(name, id),
        None => interfaces.reach(name),
    }
}

/// Whether two namespaces can be the same. A resource without one gets its namespace when it is applied.
fn can_be_same(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}
