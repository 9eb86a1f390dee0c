//! The interfaces of a node in a `network-values` file. Each has the name of its network, except on the control plane
//! network, whose interface is a bridge.

use super::cluster_nodes::{Links, PlannedNode};
use super::networks::PlannedNetwork;
use super::plan::Plan;
use crate::formats::cidr::Address;
use crate::model::Sited;
use crate::model::network::node_policies::{Interface, InterfaceAddress, InterfaceKind};
use crate::platform::network::attachment::BRIDGE;
use crate::platform::values::CONTROL_PLANE;

pub fn interfaces(node: &PlannedNode, plan: &Plan, links: &Links) -> Vec<Interface> {
    let mut found = Vec::new();
    for network in &plan.networks {
        if network.key == CONTROL_PLANE {
            found.extend(of_control_plane(network, node, plan));
        } else {
            found.extend(of_network(network, node, plan));
        }
    }
    // A placeholder among them would move the addresses to other cards.
    if links.cards.len() == node.links.len() {
        for (card, address) in links.cards.iter().zip(&node.links) {
            let card = interface(card, Some(InterfaceKind::Ethernet));
            found.push(Interface { addresses: vec![with_prefix(address, &links.prefix_length)], ..card });
        }
    }
    found.extend(loopback(node));
    found
}

/// The card and its bridge, or a bridge without a card if each node has its own.
fn of_control_plane(network: &PlannedNetwork, node: &PlannedNode, plan: &Plan) -> Vec<Interface> {
    let card = network.interface.as_ref().filter(|_| !network.is_local);
    let card_interface = card.map(|card| interface(card, Some(InterfaceKind::Ethernet)));
    let mut found: Vec<Interface> = card_interface.into_iter().collect();
    if plan.bridge.is_some() || network.is_local || card.is_none() {
        let name = plan.bridge.clone().unwrap_or_else(|| plan.name_of(network));
        // A bridge without ports is local to its node, so one with an unknown port must not look like it.
        let is_known = network.is_local || card.is_some();
        let bridge = interface(&name, is_known.then_some(InterfaceKind::LinuxBridge));
        found.push(Interface { ports: card.into_iter().cloned().collect(), ..bridge });
    }
    for interface in &mut found {
        interface.mtu.clone_from(&network.mtu);
    }
    let addresses = node.addresses.get(CONTROL_PLANE).into_iter().chain(&network.gateway);
    if let Some(last) = found.last_mut() {
        last.addresses.extend(addresses.map(|address| with_prefix(address, &network.prefix_length)));
    }
    found
}

/// The interface of a network that the node has an address or a VLAN in, and the bridge of its pods.
fn of_network(network: &PlannedNetwork, node: &PlannedNode, plan: &Plan) -> Vec<Interface> {
    let address = node.addresses.get(&network.key).or(network.gateway.as_ref());
    if !network.is_on_nodes && address.is_none() {
        return Vec::new();
    }
    let kind = match &network.base {
        _ if network.is_local => Some(InterfaceKind::LinuxBridge),
        Some(_) if network.vlan.is_some() => Some(InterfaceKind::Vlan),
        _ => None,
    };
    let name = plan.name_of(network);
    let own = Interface {
        base: network.base.clone(),
        vlan: network.vlan.clone(),
        mtu: network.mtu.clone(),
        addresses: address.map(|address| with_prefix(address, &network.prefix_length)).into_iter().collect(),
        ..interface(&name, kind)
    };
    let port = Some(name).filter(|_| !network.is_local);
    let bridge = bridge_of_pods(network, plan).map(|bridge| Interface {
        ports: port.into_iter().collect(),
        ..interface(bridge, Some(InterfaceKind::LinuxBridge))
    });
    std::iter::once(own).chain(bridge).collect()
}

/// The bridge that an attachment adds above the interface of its network, such as `octbr`.
fn bridge_of_pods<'p>(network: &'p PlannedNetwork, plan: &Plan) -> Option<&'p Sited<String>> {
    let config = network.attachment.as_ref()?;
    let bridge =
        config.interface.as_ref().filter(|_| config.plugin.as_ref().is_some_and(|p| p.value == BRIDGE))?;
    let is_known = |name: &String| *name == bridge.value;
    let is_other = !is_known(&plan.name_of(network).value)
        && !plan.bridge.as_ref().is_some_and(|control| is_known(&control.value));
    is_other.then_some(bridge)
}

fn loopback(node: &PlannedNode) -> Option<Interface> {
    let first = node.loopbacks.first()?;
    let name = Sited { value: "lo".to_owned(), site: first.site.clone() };
    let host = |address: &Sited<Address>| {
        let longest = if address.value.ip().is_ipv4() { 32 } else { 128 };
        let prefix_length = Sited { value: longest, site: address.site.clone() };
        with_prefix(address, &Some(prefix_length))
    };
    Some(Interface { addresses: node.loopbacks.iter().map(host).collect(), ..interface(&name, None) })
}

fn interface(name: &Sited<String>, kind: Option<InterfaceKind>) -> Interface {
    Interface {
        name: name.clone(),
        kind: kind.map(|kind| Sited { value: kind, site: name.site.clone() }),
        state: None,
        base: None,
        vlan: None,
        mtu: None,
        ports: Vec::new(),
        access_ports: Vec::new(),
        addresses: Vec::new(),
        automatic: Vec::new(),
    }
}

/// The prefix length of another family is not that of the address.
fn with_prefix(address: &Sited<Address>, prefix_length: &Option<Sited<u8>>) -> InterfaceAddress {
    let is_ipv4 = address.value.ip().is_ipv4();
    let prefix_length = prefix_length.clone().filter(|length| !is_ipv4 || length.value <= 32);
    InterfaceAddress { address: address.clone(), prefix_length }
}
