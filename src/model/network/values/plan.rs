//! The address plan of a `network-values` file, and the objects that kustomize creates from it.

use std::collections::{BTreeMap, HashMap};

use super::networks::{PlannedNetwork, PlannedPool};
use crate::model::fields::{Field, Map};
use crate::model::network::attachments::Attachment;
use crate::model::network::net_configs::{ComputeNetwork, NetConfig, subnet};
use crate::model::network::{Advertisement, Pool, Protocol};
use crate::model::{ItemId, Sited};
use crate::platform::values::{BGP, CONTROL_PLANE, OF_A_NETWORK, is_node, is_rendered};

#[derive(Debug)]
pub struct Plan {
    pub networks: Vec<PlannedNetwork>,
    positions: HashMap<String, usize>,
    /// The bridge of the control plane network.
    pub bridge: Option<Sited<String>>,
    /// Whether nodes announce addresses by BGP.
    is_routed: bool,
    /// What follows the name of a network in the names of its interface and pool: patches add `2` to those of the
    /// second instance.
    suffix: String,
    /// The links of compute nodes to their routers.
    links: Vec<ComputeNetwork>,
}

impl Plan {
    pub fn read(data: &Map<'_>) -> Self {
        let bgp = data.get(BGP).and_then(Field::into_map);
        let has_links = |(key, field): (&str, Field<'_>)| {
            is_node(key) && field.into_map().is_some_and(|node| node.get("bgp_ip").is_some())
        };
        let is_routed = bgp.is_some() || data.entries().any(has_links);
        let networks: Vec<PlannedNetwork> = data
            .entries()
            .filter(|(key, _)| is_rendered(key))
            .filter_map(|(key, field)| Some((key, field.into_map().filter(is_network)?)))
            .map(|(key, map)| PlannedNetwork::read(key, &map, is_routed))
            .collect();
        let subnets = bgp.and_then(|bgp| bgp.get("subnets")?.into_map());
        let links = subnets.iter().flat_map(Map::entries).map(link).collect();
        let bridge = data.string("bridgeName").or_else(|| bridge_of_pods(&networks));
        let positions = networks.iter().enumerate().map(|(at, network)| (network.key.clone(), at)).collect();
        Plan { bridge, is_routed, suffix: suffix(&networks), links, networks, positions }
    }

    /// Whether the file has no networks, so that it is no address plan.
    pub fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    pub fn network(&self, key: &str) -> Option<&PlannedNetwork> {
        self.networks.get(*self.positions.get(key)?)
    }

    /// The name of a network's interface and of its pool.
    pub fn name_of(&self, network: &PlannedNetwork) -> Sited<String> {
        Sited { value: format!("{}{}", network.key, self.suffix), site: network.site.clone() }
    }

    fn with_pools(&self) -> impl Iterator<Item = (&PlannedNetwork, &PlannedPool)> {
        self.networks.iter().filter_map(|network| Some((network, network.pool.as_ref()?)))
    }

    /// MetalLB's namespace is not in the file. All pools of a cluster are in the same one.
    pub fn pools(&self) -> Vec<Pool> {
        let pool = |(network, pool): (&PlannedNetwork, &PlannedPool)| Pool {
            item: pool.site.item,
            site: pool.site.clone(),
            addresses: pool.site.clone(),
            from_values: true,
            name: self.name_of(network).value,
            namespace: None,
            labels: BTreeMap::new(),
            ranges: pool.ranges.clone(),
            has_addresses: true,
            namespaces: Vec::new(),
            selects_namespaces: false,
        };
        self.with_pools().map(pool).collect()
    }

    pub fn advertisements(&self) -> Vec<Advertisement> {
        let advertisement = |(network, pool): (&PlannedNetwork, &PlannedPool)| {
            let name = self.name_of(network);
            let bridge = self.bridge.as_ref().filter(|_| network.key == CONTROL_PLANE);
            let interface = bridge.or(network.interface.as_ref()).unwrap_or(&name).clone();
            Advertisement {
                item: pool.site.item,
                protocol: if self.is_routed { Protocol::Bgp } else { Protocol::Layer2 },
                interfaces: if self.is_routed { Vec::new() } else { vec![interface] },
                selects_pools: false,
                selectors: Vec::new(),
                namespace: None,
                name: name.value.clone(),
                pools: vec![name],
            }
        };
        self.with_pools().map(advertisement).collect()
    }

    pub fn attachments(&self, namespace: &str) -> Vec<Attachment> {
        let attachment = |network: &PlannedNetwork| {
            Some(Attachment {
                item: network.site.item,
                namespace: Some(namespace.to_owned()),
                name: network.key.clone(),
                config: network.attachment.clone()?,
            })
        };
        self.networks.iter().filter_map(attachment).collect()
    }

    pub fn net_config(&self, item: ItemId, namespace: &str) -> NetConfig {
        let networks = self.networks.iter().filter_map(|network| network.compute.as_ref());
        NetConfig {
            item,
            namespace: Some(namespace.to_owned()),
            name: "netconfig".to_owned(),
            networks: networks.chain(&self.links).cloned().collect(),
        }
    }
}

fn is_network(map: &Map<'_>) -> bool {
    OF_A_NETWORK.iter().any(|key| map.get(key).is_some() || map.is_unread::<()>(key, &None))
}

/// A network of links, each of which is a subnet.
fn link((name, field): (&str, Field<'_>)) -> ComputeNetwork {
    ComputeNetwork {
        name: Sited { value: name.to_owned(), site: field.site.clone() },
        dns_domain: None,
        mtu: None,
        subnets: field.list().into_iter().filter_map(subnet).collect(),
    }
}

/// The bridge that pods use in the control plane network, in a file that does not name it.
fn bridge_of_pods(networks: &[PlannedNetwork]) -> Option<Sited<String>> {
    let network = networks.iter().find(|network| network.key == CONTROL_PLANE)?;
    let card = network.interface.as_ref().map(|card| &card.value);
    network.attachment.as_ref()?.interface.clone().filter(|found| Some(&found.value) != card)
}

/// The suffix that all interfaces have; empty if they differ, because one of them may be misspelt.
fn suffix(networks: &[PlannedNetwork]) -> String {
    let with_pools = networks.iter().filter(|network| network.pool.is_some() && network.key != CONTROL_PLANE);
    let mut suffixes = with_pools
        .filter_map(|network| Some((network, network.interface.as_ref()?)))
        .map(|(network, interface)| interface.value.strip_prefix(&network.key));
    let first = suffixes.next().flatten().unwrap_or_default();
    if suffixes.all(|other| other == Some(first)) { first.to_owned() } else { String::new() }
}
