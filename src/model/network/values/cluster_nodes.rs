//! The nodes of the cluster in a `network-values` file, each of which gets a NodeNetworkConfigurationPolicy.

use std::collections::{BTreeMap, HashMap};

use super::interfaces::interfaces;
use super::plan::Plan;
use crate::formats::cidr::Address;
use crate::model::Sited;
use crate::model::fields::{Field, Map};
use crate::model::network::node_policies::{NodePolicy, NodeRoute, dns_server, route};
use crate::platform::kubernetes::HOSTNAME;
use crate::platform::values::{BGP, CONTROL_PLANE, is_node};

/// A node and its addresses.
#[derive(Debug)]
pub struct PlannedNode {
    name: Sited<String>,
    host_name: Sited<String>,
    /// By network.
    pub addresses: HashMap<String, Sited<Address>>,
    /// The addresses of its links to routers.
    pub links: Vec<Sited<Address>>,
    pub loopbacks: Vec<Sited<Address>>,
    routes: Vec<NodeRoute>,
}

/// The links of every node to its routers.
#[derive(Debug)]
pub struct Links {
    pub cards: Vec<Sited<String>>,
    pub prefix_length: Option<Sited<u8>>,
}

/// The policies of an instance, which is the first one or a later one. Later ones have the same nodes and their number in
/// the names of policies.
pub fn policies(data: &Map<'_>, plan: &Plan, instance: usize) -> Vec<NodePolicy> {
    let common_routes = data.get("routes").map(routes).unwrap_or_default();
    let dns = data.map("dns-resolver").map("config");
    let dns_servers = dns.each("server", |field| field.parse(dns_server));
    let links = links(data);
    let policy = |(key, map): (&str, Map<'_>)| {
        let node = node(key, &map, plan);
        NodePolicy {
            item: map.site.item,
            interfaces: interfaces(&node, plan, &links),
            name: if instance == 1 { node.name.value } else { format!("{}-{instance}", node.name.value) },
            selector: BTreeMap::from([(HOSTNAME.to_owned(), node.host_name)]),
            routes: common_routes.iter().chain(&node.routes).cloned().collect(),
            dns_servers: dns_servers.clone(),
            captures: Vec::new(),
        }
    };
    let nodes = data.entries().filter(|(key, _)| is_node(key));
    nodes.filter_map(|(key, field)| Some((key, field.into_map()?))).map(policy).collect()
}

fn node(key: &str, map: &Map<'_>, plan: &Plan) -> PlannedNode {
    // The name may be a placeholder, but each entry is for one node.
    let unnamed = || Sited { value: key.to_owned(), site: map.site.clone() };
    let name = map.string("name").unwrap_or_else(unnamed);
    let loopback = |key| map.get(key).and_then(|field| field.parse(Address::parse));
    PlannedNode {
        host_name: map.string("node_name").unwrap_or_else(|| name.clone()),
        name,
        addresses: addresses(map, plan),
        links: map.each("bgp_ip", |field| field.parse(Address::parse)),
        loopbacks: ["loopback_ip", "loopback_ipv6"].into_iter().filter_map(loopback).collect(),
        routes: map.get("routes").map(routes).unwrap_or_default(),
    }
}

/// The addresses that the node gets. On a bridge of its own, it has the gateway instead.
fn addresses(map: &Map<'_>, plan: &Plan) -> HashMap<String, Sited<Address>> {
    let is_planned = |key: &str| {
        plan.network(key).is_some_and(|network| !network.is_local || network.key == CONTROL_PLANE)
    };
    let address = |(key, field): (&str, Field<'_>)| {
        let network = key.strip_suffix("_ip").filter(|network| is_planned(network))?;
        Some((network.to_owned(), field.parse(Address::parse)?))
    };
    map.entries().filter_map(address).collect()
}

/// A list of routes, or a section with one.
fn routes(field: Field<'_>) -> Vec<NodeRoute> {
    let read = |field: Field<'_>| route(&field.map());
    match field.clone().into_map() {
        Some(section) => section.each("config", |field| Some(read(field))),
        None => field.list().into_iter().map(read).collect(),
    }
}

fn links(data: &Map<'_>) -> Links {
    let Some(bgp) = data.get(BGP).and_then(Field::into_map) else {
        return Links { cards: Vec::new(), prefix_length: None };
    };
    Links { cards: bgp.each("ifaces", Field::string), prefix_length: bgp.number("prefix-length", 128) }
}
