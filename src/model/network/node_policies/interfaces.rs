//! Interfaces of nodes, and their addresses.

use crate::formats::cidr::{Address, Cidr};
use crate::formats::ip::Family;
use crate::model::Sited;
use crate::model::fields::{Field, Map};
use crate::platform::network::HIGHEST_VLAN;
use crate::platform::network::node_policy::{PORTS, WITH_BASE, WITH_PORTS};

#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    pub name: Sited<String>,
    /// None for an existing interface of any type.
    pub kind: Option<Sited<InterfaceKind>>,
    pub state: Option<Sited<String>>,
    /// The interface below a VLAN, macvlan or VXLAN.
    pub base: Option<Sited<String>>,
    pub vlan: Option<Sited<u16>>,
    pub mtu: Option<Sited<u32>>,
    /// The ports of a bridge or bond, without those in `access_ports`.
    pub ports: Vec<Sited<String>>,
    /// The ports of a bridge that connect to one of its VLANs.
    pub access_ports: Vec<AccessPort>,
    /// The addresses that the node gets, without those of a disabled family.
    pub addresses: Vec<InterfaceAddress>,
    /// The families whose addresses also come from DHCP or router advertisements.
    pub automatic: Vec<Family>,
}

impl Interface {
    /// Whether the policy removes the interface.
    pub fn is_absent(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.value == "absent")
    }

    /// Whether the policy configures the interface and does not remove, disable or ignore it.
    pub fn is_up(&self) -> bool {
        self.state.as_ref().is_none_or(|state| state.value == "up")
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct AccessPort {
    pub name: Sited<String>,
    pub vlan: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterfaceKind {
    Bond,
    Ethernet,
    LinuxBridge,
    MacVlan,
    OvsBridge,
    OvsInterface,
    Vlan,
    Other(String),
}

impl InterfaceKind {
    fn of(text: &str) -> Self {
        match text {
            "bond" => InterfaceKind::Bond,
            "ethernet" => InterfaceKind::Ethernet,
            "linux-bridge" => InterfaceKind::LinuxBridge,
            "mac-vlan" => InterfaceKind::MacVlan,
            "ovs-bridge" => InterfaceKind::OvsBridge,
            "ovs-interface" => InterfaceKind::OvsInterface,
            "vlan" => InterfaceKind::Vlan,
            other => InterfaceKind::Other(other.to_owned()),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct InterfaceAddress {
    pub address: Sited<Address>,
    pub prefix_length: Option<Sited<u8>>,
}

impl InterfaceAddress {
    /// The network that the address is in.
    pub fn network(&self) -> Option<Cidr> {
        Cidr::from_parts(self.address.value.ip(), self.prefix_length.as_ref()?.value).ok()
    }
}

/// None for an interface without a name: NMState finds some by their MAC address.
pub fn interface(field: Field<'_>) -> Option<Interface> {
    let interface = field.map();
    let name = interface.string("name");
    if interface.get("identifier").is_none() {
        interface.require(&["name"]);
    }
    let vlan = interface.map("vlan");
    let other_base = || WITH_BASE.iter().find_map(|key| interface.map(key).string("base-iface"));
    let kind = interface.string("type").map(|kind| kind.map(|text| InterfaceKind::of(&text)));
    let state = interface.string("state");
    let base = vlan.string("base-iface").or_else(other_base);
    let vlan = vlan.number("id", HIGHEST_VLAN);
    let mtu = interface.number("mtu", u32::MAX.into());
    let (access_ports, ports): (Vec<Port>, Vec<Port>) =
        ports(&interface).into_iter().partition(|port| port.vlan.is_some());
    let stacks = [(Family::V4, "ipv4"), (Family::V6, "ipv6")];
    let stacks = stacks.map(|(family, key)| stack(family, &interface.map(key)));
    Some(Interface {
        kind,
        state,
        base,
        vlan,
        mtu,
        ports: ports.into_iter().map(|port| port.name).collect(),
        access_ports: access_ports.into_iter().filter_map(Port::access).collect(),
        automatic: stacks.iter().filter(|stack| stack.is_automatic).map(|stack| stack.family).collect(),
        addresses: stacks.into_iter().flat_map(|stack| stack.addresses).collect(),
        name: name?,
    })
}

/// A port, and the VLAN of the bridge that it connects to.
struct Port {
    name: Sited<String>,
    vlan: Option<u16>,
}

impl Port {
    fn access(self) -> Option<AccessPort> {
        Some(AccessPort { name: self.name, vlan: self.vlan? })
    }
}

fn ports(interface: &Map<'_>) -> Vec<Port> {
    let mut found = Vec::new();
    for section in WITH_PORTS.iter().map(|key| interface.map(key)) {
        let lists = PORTS.iter().map(|key| section.each(key, port));
        found.extend(lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default());
    }
    found.into_iter().flatten().collect()
}

/// A port of a bond is a name; one of a bridge is a mapping with a name, or with the ports of a bond.
fn port(field: Field<'_>) -> Option<Vec<Port>> {
    if field.is_string() {
        return Some(field.string().map(|name| Port { name, vlan: None }).into_iter().collect());
    }
    let port = field.map();
    let vlan = port.map("vlan");
    // A trunk port may have a tag too, its native VLAN.
    let is_access = vlan.string("mode").is_some_and(|mode| mode.value == "access");
    let tag = vlan.number("tag", HIGHEST_VLAN).filter(|_| is_access).map(|tag| tag.value);
    let bond = port.get("link-aggregation").map(Field::map);
    let members: Option<Vec<Sited<String>>> = bond.map(|bond| {
        PORTS.iter().flat_map(|key| bond.each(key, |field| field.map().string("name"))).collect()
    });
    let names = members.unwrap_or_else(|| port.string("name").into_iter().collect());
    Some(names.into_iter().map(|name| Port { name, vlan: tag }).collect())
}

/// The addresses of one family.
struct Stack {
    family: Family,
    addresses: Vec<InterfaceAddress>,
    is_automatic: bool,
}

fn stack(family: Family, stack: &Map<'_>) -> Stack {
    let is_set = |key| stack.boolean(key).map(|flag| flag.value);
    let is_enabled = is_set("enabled").unwrap_or(true);
    let is_automatic = [is_set("dhcp"), is_set("autoconf")].contains(&Some(true));
    let addresses = stack.each("address", |field| address(family, &field.map()));
    let addresses = if is_enabled { addresses } else { Vec::new() };
    Stack { family, addresses, is_automatic: is_enabled && is_automatic }
}

fn address(family: Family, map: &Map<'_>) -> Option<InterfaceAddress> {
    map.require(&["ip", "prefix-length"]);
    let of_family = |text: &str| {
        let address = Address::parse(text)?;
        match (family, Family::of(address.ip()) == family) {
            (_, true) => Ok(address),
            (Family::V4, false) => Err("it is an IPv6 address in `ipv4`".to_owned()),
            (Family::V6, false) => Err("it is an IPv4 address in `ipv6`".to_owned()),
        }
    };
    let longest = if family == Family::V4 { 32 } else { 128 };
    let prefix_length = map.number("prefix-length", longest);
    Some(InterfaceAddress { address: map.get("ip")?.parse(of_family)?, prefix_length })
}
