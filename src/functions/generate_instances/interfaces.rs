//! The interfaces that every node needs for all instances, before their addresses are known.

use crate::krm::Order;
use std::net::IpAddr;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::Fleet;
use super::nodes::Node;
use super::plan::{Instance, Link, Network, vlan_interface};
use crate::formats::ip::{Family, Subnet};
use crate::platform::network_plan::{DEFAULT_MTU, NetworkName};

/// An interface of every node.
#[derive(Debug)]
pub struct Interface<'p> {
    pub name: String,
    pub kind: InterfaceKind<'p>,
    description: String,
    /// The MTU that the functionConfig gives.
    pub mtu: Option<u32>,
    /// The networks in which the nodes have an address.
    pub networks: Vec<&'p Network>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterfaceKind<'p> {
    /// A NIC that carries VLANs with large packets.
    Nic,
    Vlan {
        nic: &'p str,
        id: u16,
        is_port: bool,
    },
    /// The bridge of the control plane, on the NIC.
    Bridge,
    /// The bridge of one network, on a VLAN interface.
    OwnBridge {
        port: String,
    },
}

/// The interfaces by name, in the order in which they are written. An appended instance only appends.
pub type Interfaces<'p> = IndexMap<String, Interface<'p>>;

impl Fleet {
    pub fn interfaces(&self) -> Interfaces<'_> {
        let mut found = Interfaces::new();
        for instance in &self.instances {
            let mut networks: Vec<&Network> = instance.networks.iter().filter(|it| is_on_nodes(it)).collect();
            // In the order of install_yamls: VLANs, then the bridge.
            networks.order_by_key(|network| {
                let vlan = network.name.plan().and_then(|plan| plan.vlan);
                (vlan.is_none(), vlan)
            });
            for network in networks {
                self.add(instance, network, &mut found);
            }
            if instance.has_datacentre {
                self.add_bridge(&mut found);
            }
        }
        found
    }

    fn add<'p>(&'p self, instance: &Instance, network: &'p Network, found: &mut Interfaces<'p>) {
        let mtu = network.mtu.as_ref().map(|mtu| mtu.value);
        let interface = match &network.link {
            Link::Bridge { .. } => self.add_bridge(found),
            Link::Vlan { nic, id, bridge } => {
                add_nic(nic, mtu, found);
                let kind = InterfaceKind::Vlan { nic, id: id.value, is_port: bridge.is_some() };
                let description = vlan_description(instance, network.name);
                let port = vlan_interface(nic, id.value);
                let vlan = add_interface(port.clone(), kind, description, found);
                match bridge {
                    None => vlan,
                    Some(name) => {
                        vlan.mtu = vlan.mtu.max(mtu);
                        let kind = InterfaceKind::OwnBridge { port };
                        add_interface(name.clone(), kind, format!("Configuring bridge {name}"), found)
                    }
                }
            }
        };
        interface.mtu = interface.mtu.max(mtu);
        if network.nodes.is_some() {
            interface.networks.push(network);
        }
    }

    fn add_bridge<'i, 'p>(&'p self, found: &'i mut Interfaces<'p>) -> &'i mut Interface<'p> {
        let description = format!("Configuring Bridge {} with interface {}", self.bridge, self.interface);
        add_interface(self.bridge.clone(), InterfaceKind::Bridge, description, found)
    }

    /// The NIC of a node that carries what `nic` carries on the other nodes.
    pub fn nic_of<'n>(&'n self, node: &'n Node, nic: &'n str) -> &'n str {
        node.interface.as_deref().filter(|_| nic == self.interface).unwrap_or(nic)
    }
}

/// Whether anything on the nodes uses a network.
fn is_on_nodes(network: &Network) -> bool {
    network.nodes.is_some()
        || network.attach.is_some()
        || network.pool.is_some()
        || network.shares_with.is_some()
}

fn add_interface<'i, 'p>(
    name: String,
    kind: InterfaceKind<'p>,
    description: String,
    found: &'i mut Interfaces<'p>,
) -> &'i mut Interface<'p> {
    let new = || Interface { name: name.clone(), kind, description, mtu: None, networks: Vec::new() };
    found.entry(name.clone()).or_insert_with(new)
}

/// A VLAN cannot have a larger MTU than its NIC.
fn add_nic<'p>(nic: &'p str, mtu: Option<u32>, found: &mut Interfaces<'p>) {
    let Some(mtu) = mtu.filter(|mtu| *mtu > DEFAULT_MTU) else { return };
    let description = "carries VLANs with a larger MTU".to_owned();
    let interface = add_interface(nic.to_owned(), InterfaceKind::Nic, description, found);
    interface.mtu = interface.mtu.max(Some(mtu));
}

/// As in install_yamls; further instances add their namespace.
fn vlan_description(instance: &Instance, network: NetworkName) -> String {
    let text = match network {
        NetworkName::Octavia => "Octavia vlan host interface".to_owned(),
        NetworkName::Designateext => "designate external vlan interface".to_owned(),
        _ => format!("{network} vlan interface"),
    };
    if instance.slot == 0 { text } else { format!("{text} of {}", instance.namespace) }
}

impl Interface<'_> {
    /// The addresses of a node, with their subnets.
    pub fn addresses(&self, node: &Node) -> impl Iterator<Item = (IpAddr, Subnet)> {
        self.networks
            .iter()
            .filter_map(|network| Some((network.node_address(node.index)?, network.subnet.value)))
    }

    /// The interface of a node in NMState's format, with all of its addresses.
    pub fn state(&self, node: &Node, fleet: &Fleet) -> Value {
        let mut state = json!({"description": self.description, "name": self.name, "state": "up"});
        let mut set = |key: &str, value: Value| state[key] = value;
        match &self.kind {
            InterfaceKind::Nic => {}
            InterfaceKind::Vlan { nic, id, is_port } => {
                set("type", json!("vlan"));
                let mut vlan = json!({"base-iface": fleet.nic_of(node, nic), "id": id});
                if !is_port {
                    vlan["reorder-headers"] = json!(true);
                }
                set("vlan", vlan);
            }
            InterfaceKind::Bridge => {
                set("type", json!("linux-bridge"));
                let nic = fleet.nic_of(node, &fleet.interface);
                set("bridge", bridge(json!({"name": nic, "vlan": {}})));
            }
            InterfaceKind::OwnBridge { port } => {
                set("type", json!("linux-bridge"));
                set("bridge", bridge(json!({"name": port})));
            }
        }
        let is_bridge = matches!(self.kind, InterfaceKind::Bridge | InterfaceKind::OwnBridge { .. });
        let mtu = self.mtu.or(is_bridge.then_some(DEFAULT_MTU));
        if let Some(mtu) = mtu {
            set("mtu", json!(mtu));
        }
        if self.has_stacks() {
            for (family, key) in [(Family::V4, "ipv4"), (Family::V6, "ipv6")] {
                let addresses = self.addresses(node).filter(|(ip, _)| Family::of(*ip) == family);
                set(key, stack(family, addresses.map(|(ip, subnet)| address(ip, subnet)).collect()));
            }
        }
        state
    }

    /// Whether the interface can have addresses.
    fn has_stacks(&self) -> bool {
        match self.kind {
            InterfaceKind::Nic => false,
            InterfaceKind::OwnBridge { .. } => !self.networks.is_empty(),
            InterfaceKind::Vlan { is_port, .. } => !is_port,
            InterfaceKind::Bridge => true,
        }
    }
}

fn bridge(port: Value) -> Value {
    json!({"options": {"stp": {"enabled": false}}, "port": [port]})
}

pub fn address(ip: IpAddr, subnet: Subnet) -> Value {
    json!({"ip": ip.to_string(), "prefix-length": subnet.prefix_length()})
}

/// The section of one family.
pub fn stack(family: Family, addresses: Vec<Value>) -> Value {
    if addresses.is_empty() {
        return json!({"enabled": false});
    }
    let mut stack = json!({"address": addresses, "enabled": true, "dhcp": false});
    if family == Family::V6 {
        stack["autoconf"] = json!(false);
    }
    stack
}
