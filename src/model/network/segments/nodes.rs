//! The networks that nodes have addresses in.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use super::{Interfaces, Link, is_point_to_point};
use crate::formats::cidr::Cidr;
use crate::model::Site;
use crate::model::network::Network;

/// The networks of all static addresses in policies, each once for every link that it is on.
#[derive(Debug, Default)]
pub struct NodeNetworks {
    all: Vec<NodeNetwork>,
    by_address: BTreeMap<IpAddr, Vec<usize>>,
    by_link: HashMap<Link, Vec<usize>>,
}

/// A network that a node has an address in.
#[derive(Debug)]
pub struct NodeNetwork {
    pub link: Link,
    pub cidr: Cidr,
    /// The interface of the first node that has such an address.
    pub interface: String,
    pub address: Site,
}

impl NodeNetworks {
    pub(super) fn read(network: &Network, interfaces: &Interfaces) -> Self {
        let mut found = NodeNetworks::default();
        let mut seen: BTreeSet<(IpAddr, u8, Link)> = BTreeSet::new();
        let configured = network.node_policies.iter().flat_map(|policy| &policy.interfaces);
        for interface in configured.filter(|interface| interface.is_up()) {
            let Some(link) = interfaces.links.get(&interface.name.value) else { continue };
            for address in &interface.addresses {
                let Some(cidr) = address.network().filter(|cidr| !is_point_to_point(cidr)) else { continue };
                if !seen.insert((cidr.first(), cidr.prefix_length(), link)) {
                    continue;
                }
                let position = found.all.len();
                found.by_address.entry(address.address.value.ip()).or_default().push(position);
                found.by_link.entry(link).or_default().push(position);
                let interface = interface.name.value.clone();
                found.all.push(NodeNetwork { link, cidr, interface, address: address.address.site.clone() });
            }
        }
        found
    }

    /// The networks with an address inside a subnet.
    pub fn inside(&self, subnet: &Cidr) -> impl Iterator<Item = &NodeNetwork> {
        let positions = self.by_address.range(subnet.first()..=subnet.last());
        positions.flat_map(|(_, positions)| positions).map(|position| &self.all[*position])
    }

    /// The networks on a link.
    pub fn on(&self, link: Link) -> impl Iterator<Item = &NodeNetwork> {
        self.by_link.get(&link).into_iter().flatten().map(|position| &self.all[*position])
    }
}
