//! The layer 2 networks of the subnets in NetConfigs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use super::{Interfaces, Link, Reach, Unplaced, is_point_to_point};
use crate::formats::cidr::Cidr;
use crate::model::network::Network;
use crate::model::network::net_configs::Subnet;

/// The position of a subnet: of its NetConfig, its network there, and itself in the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubnetId {
    pub config: usize,
    pub network: usize,
    pub subnet: usize,
}

impl SubnetId {
    pub fn get(self, network: &Network) -> &Subnet {
        &network.net_configs[self.config].networks[self.network].subnets[self.subnet]
    }
}

/// Every subnet, and where it is.
#[derive(Debug, Default)]
pub struct Subnets {
    reaches: BTreeMap<SubnetId, Reach>,
    by_name: HashMap<(usize, String), Vec<SubnetId>>,
    /// The NetConfigs by namespace. A namespace has one.
    configs: BTreeMap<Option<String>, usize>,
    unplaced: HashMap<(Option<String>, String, String), usize>,
}

impl Subnets {
    pub(super) fn read(network: &Network, interfaces: &Interfaces, attachments: &[Reach]) -> Self {
        let mut subnets = Subnets::default();
        let evidence = Evidence::new(network, interfaces, attachments);
        for (config, net_config) in network.net_configs.iter().enumerate() {
            let namespace = net_config.namespace.clone();
            subnets.configs.entry(namespace.clone()).or_insert(config);
            for (position, compute_network) in net_config.networks.iter().enumerate() {
                let name = compute_network.name.value.to_lowercase();
                for (at, subnet) in compute_network.subnets.iter().enumerate() {
                    let id = SubnetId { config, network: position, subnet: at };
                    let placed = evidence.reach(namespace.as_deref(), &name, subnet);
                    let vlan = subnet.vlan.as_ref().map(|vlan| vlan.value);
                    let reach = placed.unwrap_or_else(|| {
                        subnets.unplaced(namespace.as_deref(), &name, &subnet.name.value, vlan)
                    });
                    subnets.reaches.insert(id, reach);
                    subnets.by_name.entry((config, name.clone())).or_default().push(id);
                }
            }
        }
        subnets
    }

    pub fn reach(&self, subnet: SubnetId) -> &Reach {
        self.reaches.get(&subnet).unwrap_or(&Reach::Unknown)
    }

    pub fn all(&self) -> impl Iterator<Item = (SubnetId, &Reach)> {
        self.reaches.iter().map(|(id, reach)| (*id, reach))
    }

    /// The NetConfig of a namespace. If either of the two has no namespace yet, the only NetConfig.
    pub fn config_of(&self, namespace: Option<&str>) -> Option<usize> {
        if let Some(config) = self.configs.get(&namespace.map(str::to_owned)) {
            return Some(*config);
        }
        let (own, config) = self.configs.first_key_value().filter(|_| self.configs.len() == 1)?;
        (own.is_none() || namespace.is_none()).then_some(*config)
    }

    /// The subnets of a network in a NetConfig. Upper and lower case are the same.
    pub fn of_network(&self, config: usize, network: &str) -> &[SubnetId] {
        self.by_name.get(&(config, network.to_lowercase())).map_or(&[], Vec::as_slice)
    }

    /// The subnet that a node names. Upper and lower case are the same.
    pub fn find(&self, network: &Network, config: usize, name: &str, subnet: &str) -> Option<SubnetId> {
        let is_named = |id: &SubnetId| id.get(network).name.value.eq_ignore_ascii_case(subnet);
        self.of_network(config, name).iter().copied().find(is_named)
    }

    /// A network that only its names identify.
    pub(super) fn unplaced(
        &mut self,
        namespace: Option<&str>,
        network: &str,
        subnet: &str,
        vlan: Option<u16>,
    ) -> Reach {
        let next = self.unplaced.len();
        let key = (namespace.map(str::to_owned), network.to_lowercase(), subnet.to_lowercase());
        Reach::Unplaced(Unplaced { number: *self.unplaced.entry(key).or_insert(next), vlan })
    }
}

/// What shows which link a subnet is on.
struct Evidence<'n> {
    network: &'n Network,
    interfaces: &'n Interfaces,
    attachment_reaches: &'n [Reach],
    /// By name in lower case and by namespace.
    attachments: HashMap<String, BTreeMap<Option<&'n str>, Vec<usize>>>,
    /// The links of the addresses that nodes have, one address for each network and link.
    node_addresses: BTreeMap<IpAddr, BTreeSet<Link>>,
}

impl<'n> Evidence<'n> {
    fn new(network: &'n Network, interfaces: &'n Interfaces, attachment_reaches: &'n [Reach]) -> Self {
        let mut attachments: HashMap<String, BTreeMap<Option<&str>, Vec<usize>>> = HashMap::new();
        for (position, attachment) in network.attachments.iter().enumerate() {
            let of_name = attachments.entry(attachment.name.to_lowercase()).or_default();
            of_name.entry(attachment.namespace.as_deref()).or_default().push(position);
        }
        let mut node_addresses: BTreeMap<IpAddr, BTreeSet<Link>> = BTreeMap::new();
        let mut seen: BTreeSet<(IpAddr, u8, Link)> = BTreeSet::new();
        for policy in &network.node_policies {
            for interface in policy.interfaces.iter().filter(|interface| interface.is_up()) {
                let Some(link) = interfaces.links.get(&interface.name.value) else { continue };
                for address in &interface.addresses {
                    let Some(cidr) = address.network().filter(|cidr| !is_point_to_point(cidr)) else {
                        continue;
                    };
                    if seen.insert((cidr.first(), cidr.prefix_length(), link)) {
                        node_addresses.entry(address.address.value.ip()).or_default().insert(link);
                    }
                }
            }
        }
        Evidence { network, interfaces, attachment_reaches, attachments, node_addresses }
    }

    /// None if nothing shows it.
    fn reach(&self, namespace: Option<&str>, network: &str, subnet: &Subnet) -> Option<Reach> {
        let cidr = &subnet.cidr.as_ref()?.value;
        if is_point_to_point(cidr) {
            return Some(Reach::Alone);
        }
        self.of_attachments(namespace, network, cidr).or_else(|| {
            let vlan = subnet.vlan.as_ref().map(|vlan| vlan.value);
            self.of_nodes(cidr, vlan)
        })
    }

    /// The attachment of the instance's pods to the network of the same name.
    fn of_attachments(&self, namespace: Option<&str>, network: &str, cidr: &Cidr) -> Option<Reach> {
        let by_namespace = self.attachments.get(network)?;
        // Without a namespace, it may be any. A namespace also gets the attachments that have none yet.
        let near: Vec<&Vec<usize>> = match namespace {
            None => by_namespace.values().collect(),
            Some(_) => [None, namespace].iter().filter_map(|key| by_namespace.get(key)).collect(),
        };
        let mut found: Option<&Reach> = None;
        for position in near.into_iter().flatten() {
            let mut ranges = self.network.attachments[*position].config.ranges.iter();
            let is_here = ranges.any(|range| range.network.value.range().overlaps(&cidr.range()));
            let reach = &self.attachment_reaches[*position];
            if !is_here || *reach == Reach::Unknown {
                continue;
            }
            if found.is_some_and(|found| found != reach) {
                return None;
            }
            found = Some(reach);
        }
        found.cloned()
    }

    /// The interface with an address in the subnet.
    fn of_nodes(&self, cidr: &Cidr, vlan: Option<u16>) -> Option<Reach> {
        let inside = self.node_addresses.range(cidr.first()..=cidr.last()).flat_map(|(_, links)| links);
        let has_vlan = |link: &&Link| {
            let own = self.interfaces.links.vlan_id(**link);
            own.zip(vlan).is_none_or(|(own, vlan)| own == vlan)
        };
        let links: BTreeSet<Link> = inside.filter(has_vlan).copied().collect();
        let link = links.first().filter(|_| links.len() == 1)?;
        Some(self.interfaces.reach_of(*link)).filter(|reach| *reach != Reach::Unknown)
    }
}
