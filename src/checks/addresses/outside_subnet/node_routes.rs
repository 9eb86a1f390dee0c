//! Next hops that an interface of a node cannot reach.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use super::is_link_local;
use crate::checks::rules;
use crate::formats::ip::Family;
use crate::krm::{Results, quoted};
use crate::model::network::node_policies::{InterfaceAddress, NodePolicy, NodeRoute};
use crate::model::{ItemId, Model};

/// Reports next hops of policies, each once for every interface. Only interfaces whose addresses are all known are
/// judged. This is a warning, because NetworkManager adds a direct route to such a next hop, which may exist there.
pub fn node_routes(model: &Model<'_>, results: &mut Results) {
    let interfaces = Interfaces::of(model);
    for policy in &model.network.node_policies {
        let routes = || policy.routes.iter().filter(|route| !route.is_absent);
        let mut seen = HashSet::new();
        let direct: Vec<&NodeRoute> = routes().filter(|route| gateway(route).is_none()).collect();
        for route in routes() {
            let (Some(ip), Some(next_hop), Some(name)) = (gateway(route), &route.next_hop, &route.interface)
            else {
                continue;
            };
            if is_link_local(ip) || direct.iter().any(|other| reaches(other, &name.value, ip)) {
                continue;
            }
            let addresses = interfaces.addresses(policy, &name.value, Family::of(ip));
            let networks: Option<Vec<_>> = addresses.iter().map(|address| address.network()).collect();
            let is_reached =
                networks.is_none_or(|networks| networks.iter().any(|network| network.range().contains(ip)));
            let Some(first) = addresses.first().filter(|_| !is_reached) else { continue };
            if is_used(ip, policy, model) || !seen.insert((&name.value, ip)) {
                continue;
            }
            let message = format!(
                "{} is outside the networks of {}, and the node can reach it only if it is in the same layer 2 network; correct the next hop or the address",
                quoted(&next_hop.value),
                quoted(&name.value)
            );
            let finding = results.warning(&rules::OUTSIDE_SUBNET, message);
            finding.location = next_hop.site.location(model.items());
            finding.related(first.address.site.location(model.items()), "the address of the interface");
        }
    }
}

/// Whether the package uses the network of a next hop for something else, so that it probably exists: nodes have no
/// address in the ctlplane network of BGP topologies, but its router and its pods are there.
fn is_used(ip: IpAddr, policy: &NodePolicy, model: &Model<'_>) -> bool {
    let mut ranges = model.network.attachments.iter().flat_map(|attachment| &attachment.config.ranges);
    policy.dns_servers.iter().any(|server| server.value.ip() == ip)
        || ranges.any(|range| range.network.value.range().contains(ip))
}

/// The router that a route leads to. NMState also writes none as 0.0.0.0.
fn gateway(route: &NodeRoute) -> Option<IpAddr> {
    route.next_hop.as_ref().map(|next_hop| next_hop.value.ip()).filter(|ip| !ip.is_unspecified())
}

/// Whether a route without a router makes an address reachable on an interface.
fn reaches(route: &NodeRoute, interface: &str, ip: IpAddr) -> bool {
    let is_here = route.interface.as_ref().is_some_and(|name| name.value == interface);
    is_here && route.destination.as_ref().is_some_and(|to| to.value.range().contains(ip))
}

/// The static addresses of interfaces, by the node that a policy is for, and by name.
#[derive(Debug, Default)]
struct Interfaces<'m> {
    addresses: HashMap<(Option<&'m str>, &'m str), Vec<&'m InterfaceAddress>>,
    /// The interfaces that policies for single nodes set addresses on.
    of_one_node: HashSet<&'m str>,
    /// The interfaces with further addresses, which only the cluster knows.
    open: HashSet<(&'m str, Family)>,
}

impl<'m> Interfaces<'m> {
    fn of(model: &'m Model<'_>) -> Self {
        let misread: HashSet<ItemId> = model.misreads.iter().map(|misread| misread.site.item).collect();
        let mut found = Interfaces::default();
        for policy in &model.network.node_policies {
            let is_open = !policy.captures.is_empty() || misread.contains(&policy.item);
            let node = policy.hostname().map(|name| name.value.as_str());
            for interface in policy.interfaces.iter().filter(|interface| interface.is_up()) {
                let name = interface.name.value.as_str();
                let automatic = interface.automatic.iter().copied();
                found.open.extend(automatic.map(|family| (name, family)));
                if is_open {
                    found.open.extend([(name, Family::V4), (name, Family::V6)]);
                }
                if node.is_some() && !interface.addresses.is_empty() {
                    found.of_one_node.insert(name);
                }
                found.addresses.entry((node, name)).or_default().extend(&interface.addresses);
            }
        }
        found
    }

    /// The addresses of an interface on the nodes of a policy; none if there may be others.
    fn addresses(&self, policy: &NodePolicy, name: &'m str, family: Family) -> Vec<&'m InterfaceAddress> {
        let node = policy.hostname().map(|name| name.value.as_str());
        let is_open =
            self.open.contains(&(name, family)) || (node.is_none() && self.of_one_node.contains(name));
        if is_open {
            return Vec::new();
        }
        let of_all = self.addresses.get(&(None, name)).into_iter();
        let of_node = node.and_then(|node| self.addresses.get(&(Some(node), name)));
        let addresses = of_all.chain(of_node).flatten().copied();
        addresses.filter(|address| Family::of(address.address.value.ip()) == family).collect()
    }
}
