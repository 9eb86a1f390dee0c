//! Adds to a policy of the package what it lacks. What it has stays as it is.

mod conflicts;
mod stacks;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;

use serde_json::{Value, json};

use super::Fleet;
use super::hosts::Taken;
use super::interfaces::{Interface, InterfaceKind, Interfaces};
use super::node_addresses::occupied;
use super::nodes::Node;
use super::plan::Source;
use super::policies::NodeRoute;
use crate::checks::rules;
use crate::formats::ip::Subnet;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::model::Site;
use crate::model::network::node_policies::{Interface as Existing, NodePolicy};
use crate::platform::kubernetes::HOSTNAME;
use crate::platform::network::node_policy::NODE_SELECTOR;

pub struct Merge<'a> {
    fleet: &'a Fleet,
    interfaces: &'a Interfaces<'a>,
    routes: &'a [NodeRoute],
    taken: &'a BTreeMap<Subnet, Vec<Taken<'a>>>,
    given: &'a [Resource],
    /// The addresses of all nodes, and where policies of the package have them.
    nodes_by_address: HashMap<IpAddr, Vec<(String, Option<Site>)>>,
}

impl<'a> Merge<'a> {
    pub fn new(
        fleet: &'a Fleet,
        interfaces: &'a Interfaces<'a>,
        routes: &'a [NodeRoute],
        taken: &'a BTreeMap<Subnet, Vec<Taken<'a>>>,
        given: &'a [Resource],
    ) -> Self {
        Merge { fleet, interfaces, routes, taken, given, nodes_by_address: HashMap::new() }
    }

    /// Records the addresses of a node without a policy.
    pub fn add_planned(&mut self, node: &Node) {
        for interface in self.interfaces.values() {
            for (ip, _) in interface.addresses(node) {
                self.add_address(ip, node, None);
            }
        }
    }

    fn add_address(&mut self, ip: IpAddr, node: &Node, site: Option<Site>) {
        self.nodes_by_address.entry(ip).or_default().push((node.name.clone(), site));
    }

    /// The policy with what it lacks.
    pub fn policy(
        &mut self,
        node: &Node,
        policy: &NodePolicy,
        results: &mut Results,
    ) -> Result<Resource, Fault> {
        let resource = policy.item.get(self.given);
        let path = FieldPath::new("spec.desiredState.interfaces");
        let mut states: Vec<Value> = resource.get(&path)?.unwrap_or_default();
        let existing = by_name(policy, &states);
        for interface in self.interfaces.values() {
            match existing.get(interface.name.as_str()) {
                Some((existing, position)) => {
                    self.update(node, interface, existing, &mut states[*position], results);
                }
                None => {
                    self.check_vlan(node, interface, policy, results);
                    states.push(interface.state(node, self.fleet));
                    for (ip, _) in interface.addresses(node) {
                        self.add_address(ip, node, None);
                    }
                }
            }
        }
        let mut merged = resource.copy()?;
        merged.set(&path, states)?;
        // A policy that was found by its name must not give the addresses to other nodes.
        if policy.hostname().is_none() {
            let path = FieldPath::new("spec").key(NODE_SELECTOR).key(HOSTNAME);
            merged.set(&path, node.name.as_str())?;
        }
        self.add_routes(policy, &mut merged)?;
        Ok(merged)
    }

    /// Adds addresses to an interface of the policy.
    fn update(
        &mut self,
        node: &Node,
        interface: &Interface<'_>,
        existing: &Existing,
        state: &mut Value,
        results: &mut Results,
    ) {
        if let Some((site, message)) = self.conflict(node, interface, existing) {
            let finding = results.error(&rules::INSTANCE_CONFLICT, message);
            finding.at(site.location(self.given));
            return;
        }
        let is_large = |mtu: u32| existing.mtu.as_ref().is_some_and(|there| there.value >= mtu);
        let is_enough = |mtu: &u32| interface.kind == InterfaceKind::Nic && is_large(*mtu);
        if let Some(mtu) = interface.mtu.filter(|mtu| !is_enough(mtu)) {
            state["mtu"] = json!(mtu);
        }
        for network in &interface.networks {
            let Some(planned) = network.node_address(node.index) else { continue };
            let subnet = network.subnet.value;
            let there =
                existing.addresses.iter().find(|it| subnet.number_of(it.address.value.ip()).is_some());
            let Some(there) = there else {
                self.add_address(planned, node, None);
                if !stacks::add(state, planned, subnet) {
                    let message = format!(
                        "the interface {} gets its addresses from DHCP, so NMState would ignore {planned}; set `dhcp: false`",
                        quoted(&interface.name)
                    );
                    let site = &existing.name.site;
                    results.error(&rules::INSTANCE_CONFLICT, message).at(site.location(self.given));
                }
                continue;
            };
            let (ip, site) = (there.address.value.ip(), &there.address.site);
            self.add_address(ip, node, Some(site.clone()));
            if let Some(taken) = occupied(self.taken, subnet).find(ip) {
                let message =
                    format!("the node has the address {ip}, which is in {taken}; change one of them");
                results.error(&rules::INSTANCE_CONFLICT, message).at(site.location(self.given));
            }
            let first = network.nodes.as_ref();
            if let Some(Source::Given(path)) = first.map(|first| &first.source)
                && ip != planned
            {
                let message = format!(
                    "the node keeps the address {ip}, although `{path}` plans {planned}; correct one of them"
                );
                results.warning(&rules::KEPT_ADDRESS, message).at(site.location(self.given));
            }
        }
    }

    fn add_routes(&self, policy: &NodePolicy, merged: &mut Resource) -> Result<(), Fault> {
        let destination = |subnet: Subnet| Some((subnet.host(0)?, subnet.prefix_length()));
        let there: HashSet<(IpAddr, u8)> = policy
            .routes
            .iter()
            .filter_map(|route| Some(&route.destination.as_ref()?.value))
            .map(|cidr| (cidr.first(), cidr.prefix_length()))
            .collect();
        let is_there =
            |route: &&NodeRoute| destination(route.destination).is_some_and(|it| there.contains(&it));
        let missing: Vec<Value> =
            self.routes.iter().filter(|route| !is_there(route)).map(NodeRoute::state).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let path = FieldPath::new("spec.desiredState.routes.config");
        let mut routes: Vec<Value> = merged.get(&path)?.unwrap_or_default();
        routes.extend(missing);
        merged.set(&path, routes)
    }

    /// Reports addresses that two nodes have.
    pub fn check_twice(&self, results: &mut Results) {
        for (ip, nodes) in &self.nodes_by_address {
            let Some((name, site)) = nodes.iter().find(|(_, site)| site.is_some()) else { continue };
            let Some((other, _)) = nodes.iter().find(|(other, _)| other != name) else { continue };
            let message = format!(
                "{ip} is also the address of {}; change it here, or give that node another `index`",
                quoted(other)
            );
            let Some(site) = site else { continue };
            results.error(&rules::INSTANCE_CONFLICT, message).at(site.location(self.given));
        }
    }
}

/// The interfaces of a policy with their positions in the list.
fn by_name<'m>(policy: &'m NodePolicy, states: &[Value]) -> HashMap<&'m str, (&'m Existing, usize)> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    for (position, state) in states.iter().enumerate() {
        if let Some(name) = state.get("name").and_then(Value::as_str) {
            positions.entry(name).or_insert(position);
        }
    }
    let mut found = HashMap::new();
    for interface in &policy.interfaces {
        let name = interface.name.value.as_str();
        if let Some(position) = positions.get(name) {
            found.entry(name).or_insert((interface, *position));
        }
    }
    found
}
