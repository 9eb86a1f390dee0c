//! The layer 2 networks of the subnets in NetConfigs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Interfaces, Link, NodeNetworks, Reach, Unplaced, is_point_to_point};
use crate::formats::cidr::Cidr;
use crate::krm::CollectOrdered;
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
    /// The positions of attachments to the same network.
    attachments: HashMap<SubnetId, Vec<usize>>,
    by_name: HashMap<(usize, String), Vec<SubnetId>>,
    /// The NetConfigs by namespace. A namespace has one.
    configs: BTreeMap<Option<String>, usize>,
    unplaced: HashMap<(Option<String>, String, String), usize>,
}

impl Subnets {
    pub(super) fn read(
        network: &Network,
        interfaces: &Interfaces,
        nodes: &NodeNetworks,
        attachments: &[Reach],
    ) -> Self {
        let mut subnets = Subnets::default();
        let evidence = Evidence { interfaces, nodes, attachments };
        let by_name = AttachmentsByName::new(network);
        for (config, net_config) in network.net_configs.iter().enumerate() {
            let namespace = net_config.namespace.clone();
            subnets.configs.entry(namespace.clone()).or_insert(config);
            for (position, compute_network) in net_config.networks.iter().enumerate() {
                let name = compute_network.name.value.to_lowercase();
                for (at, subnet) in compute_network.subnets.iter().enumerate() {
                    let id = SubnetId { config, network: position, subnet: at };
                    let attached = by_name.of_subnet(namespace.as_deref(), &name, subnet, network);
                    let placed = evidence.reach(subnet, &attached);
                    subnets.attachments.insert(id, attached);
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

    /// The attachments to the network of a subnet: of the same name and namespace, with a range in the subnet.
    pub fn attachments(&self, subnet: SubnetId) -> &[usize] {
        self.attachments.get(&subnet).map_or(&[], Vec::as_slice)
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
    interfaces: &'n Interfaces,
    nodes: &'n NodeNetworks,
    attachments: &'n [Reach],
}

impl Evidence<'_> {
    /// None if nothing shows it.
    fn reach(&self, subnet: &Subnet, attached: &[usize]) -> Option<Reach> {
        let cidr = &subnet.cidr.as_ref()?.value;
        if is_point_to_point(cidr) {
            return Some(Reach::Alone);
        }
        let vlan = subnet.vlan.as_ref().map(|vlan| vlan.value);
        self.of_attachments(attached).or_else(|| self.of_nodes(cidr, vlan))
    }

    /// The network of the attachments, if they agree.
    fn of_attachments(&self, attached: &[usize]) -> Option<Reach> {
        let known = attached.iter().map(|position| &self.attachments[*position]);
        let mut known = known.filter(|reach| **reach != Reach::Unknown);
        let first = known.next()?;
        known.all(|other| other == first).then(|| first.clone())
    }

    /// The interface with an address in the subnet.
    fn of_nodes(&self, cidr: &Cidr, vlan: Option<u16>) -> Option<Reach> {
        let has_vlan = |link: &Link| {
            let own = self.interfaces.links.vlan_id(*link);
            own.zip(vlan).is_none_or(|(own, vlan)| own == vlan)
        };
        let links: BTreeSet<Link> =
            self.nodes.inside(cidr).map(|node| node.link).filter(has_vlan).collect_ordered();
        let link = links.first().filter(|_| links.len() == 1)?;
        Some(self.interfaces.reach_of(*link)).filter(|reach| *reach != Reach::Unknown)
    }
}

/// The positions of attachments, by their names in lower case and by namespace.
struct AttachmentsByName<'n>(HashMap<String, BTreeMap<Option<&'n str>, Vec<usize>>>);

impl<'n> AttachmentsByName<'n> {
    fn new(network: &'n Network) -> Self {
        let mut found: HashMap<String, BTreeMap<Option<&str>, Vec<usize>>> = HashMap::new();
        for (position, attachment) in network.attachments.iter().enumerate() {
            let of_name = found.entry(attachment.name.to_lowercase()).or_default();
            of_name.entry(attachment.namespace.as_deref()).or_default().push(position);
        }
        AttachmentsByName(found)
    }

    fn of_subnet(
        &self,
        namespace: Option<&str>,
        name: &str,
        subnet: &Subnet,
        network: &Network,
    ) -> Vec<usize> {
        let (Some(by_namespace), Some(cidr)) = (self.0.get(name), &subnet.cidr) else { return Vec::new() };
        // Without a namespace, it may be any. A namespace also gets the attachments that have none yet.
        let near: Vec<&Vec<usize>> = match namespace {
            None => by_namespace.values().collect(),
            Some(_) => [None, namespace].iter().filter_map(|key| by_namespace.get(key)).collect(),
        };
        let is_inside = |position: &usize| {
            let mut ranges = network.attachments[*position].config.ranges.iter();
            ranges.any(|range| range.network.value.range().overlaps(&cidr.value.range()))
        };
        near.into_iter().flatten().copied().filter(is_inside).collect()
    }
}
