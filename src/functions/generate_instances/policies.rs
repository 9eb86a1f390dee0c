//! The policy of each node: a new one, or the one in the package with what it lacks.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::interfaces::Interfaces;
use super::merge::Merge;
use super::nodes::Node;
use super::plan::Network;
use super::{Fleet, Only, hosts};
use crate::checks;
use crate::formats::ip::Subnet;
use crate::krm::{Fault, Object, Resource, Results};
use crate::model::network::node_policies::{self, NodePolicy};
use crate::model::{self, ItemId, Misread, World};
use crate::platform::kubernetes::{HOSTNAME, WORKER_ROLE};
use crate::platform::network::NODE_POLICY;
use crate::platform::network::node_policy::{DESIRED_STATE, NODE_SELECTOR};

/// The label by which install_yamls finds its policies.
const INTERFACE_LABEL: &str = "osp/interface";

impl Fleet {
    /// The policies of all nodes. Those in the package are returned with their additions.
    pub fn policies(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let is_instance = matches!(self.only, Only::Instance(_));
        if is_instance && (self.node_selector.is_some() || self.nodes.is_empty()) {
            return Ok(Vec::new());
        }
        let nodes = self.all_nodes(given, results)?;
        self.check_nodes(&nodes, results);
        if is_instance || results.has_errors() {
            return Ok(Vec::new());
        }
        let world = World::new(given);
        let mut misreads = Vec::new();
        let existing = node_policies::read(&world, &mut misreads);
        let existing = Existing::new(&existing);
        let mut unread: HashMap<ItemId, Vec<&Misread>> = HashMap::new();
        for misread in &misreads {
            unread.entry(misread.site.item).or_default().push(misread);
        }
        let taken = hosts::taken(&self.instances);
        let interfaces = self.interfaces();
        let routes = self.routes();
        let mut generated = Vec::new();
        let mut merge = Merge::new(self, &interfaces, &routes, &taken, given);
        for node in &nodes {
            let name = format!("{}-{}", self.interface, node.name);
            let Some(policy) = existing.of(node, &name, &interfaces) else {
                generated.push(self.new_policy(node, &name, &interfaces, &routes)?);
                if !existing.is_empty() {
                    merge.add_planned(node);
                }
                continue;
            };
            match unread.get(&policy.item) {
                Some(misreads) => {
                    for misread in misreads {
                        checks::network_misread(misread, &model::network::Network::default(), given, results);
                    }
                }
                None => generated.push(merge.policy(node, policy, results)?),
            }
        }
        merge.check_twice(results);
        Ok(generated)
    }

    fn new_policy(
        &self,
        node: &Node,
        name: &str,
        interfaces: &Interfaces<'_>,
        routes: &[NodeRoute],
    ) -> Result<Resource, Fault> {
        // `json!` would copy these values, of which there are many.
        let interfaces: Value = interfaces.values().map(|interface| interface.state(node, self)).collect();
        let mut state = Map::from_iter([("interfaces".to_owned(), interfaces)]);
        if !routes.is_empty() {
            let routes: Vec<Value> = routes.iter().map(NodeRoute::state).collect();
            state.insert("routes".to_owned(), json!({"config": routes}));
        }
        let labels = Map::from_iter([(INTERFACE_LABEL.to_owned(), json!(self.interface))]);
        let selector = json!({HOSTNAME: node.name, WORKER_ROLE: ""});
        let spec = [(DESIRED_STATE.to_owned(), Value::Object(state)), (NODE_SELECTOR.to_owned(), selector)];
        Object::new(NODE_POLICY, name).labels(labels).field("spec", Map::from_iter(spec)).build()
    }

    /// The routes of the nodes: those of networks in which they have an address.
    fn routes(&self) -> Vec<NodeRoute> {
        let mut found: Vec<NodeRoute> = Vec::new();
        let mut destinations: HashSet<Subnet> = HashSet::new();
        for network in self.instances.iter().flat_map(|instance| &instance.networks) {
            if !self.has_node_addresses(network) {
                continue;
            }
            for route in &network.routes {
                let route = NodeRoute {
                    destination: route.destination,
                    next_hop: route.next_hop.value,
                    interface: network.link.interface(),
                };
                // Two routes to one destination would compete, so the nodes get the first one.
                if destinations.insert(route.destination) {
                    found.push(route);
                }
            }
        }
        found
    }

    /// Whether the nodes have an address in a network, perhaps through another instance.
    fn has_node_addresses(&self, network: &Network) -> bool {
        let owner = network.shares_with.map_or(Some(network), |position| {
            self.instances.get(position).and_then(|instance| instance.network(network.name))
        });
        owner.is_some_and(|owner| owner.nodes.is_some())
    }
}

/// A route of all nodes.
#[derive(Debug, PartialEq, Eq)]
pub struct NodeRoute {
    pub destination: Subnet,
    pub next_hop: std::net::IpAddr,
    pub interface: String,
}

impl NodeRoute {
    pub fn state(&self) -> Value {
        json!({
            "destination": self.destination.to_string(),
            "next-hop-address": self.next_hop.to_string(),
            "next-hop-interface": self.interface,
        })
    }
}

/// The policies in the package.
struct Existing<'m> {
    by_host: HashMap<&'m str, Vec<&'m NodePolicy>>,
    by_name: HashMap<&'m str, &'m NodePolicy>,
}

impl<'m> Existing<'m> {
    fn new(policies: &'m [NodePolicy]) -> Self {
        let mut existing = Existing { by_host: HashMap::new(), by_name: HashMap::new() };
        for policy in policies {
            match policy.hostname() {
                Some(host) => existing.by_host.entry(&host.value).or_default().push(policy),
                None => {
                    existing.by_name.entry(&policy.name).or_insert(policy);
                }
            }
        }
        existing
    }

    fn is_empty(&self) -> bool {
        self.by_host.is_empty() && self.by_name.is_empty()
    }

    /// The policy of a node. If several are for its host, the one with the expected name, then the first one that has
    /// any of the interfaces.
    fn of(&self, node: &Node, name: &str, interfaces: &Interfaces<'_>) -> Option<&'m NodePolicy> {
        let Some(of_host) = self.by_host.get(node.name.as_str()) else {
            return self.by_name.get(name).copied();
        };
        let has_any = |policy: &&&NodePolicy| {
            policy.interfaces.iter().any(|interface| interfaces.contains_key(&interface.name.value))
        };
        let named = of_host.iter().find(|policy| policy.name == name);
        named.or_else(|| of_host.iter().find(has_any)).or(of_host.first()).copied()
    }
}
