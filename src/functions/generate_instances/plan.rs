//! The plan: every instance with its networks, and where each value comes from.

use std::fmt;
use std::net::IpAddr;

use crate::formats::ip::{IpRange, Subnet};
use crate::krm::FieldPath;
use crate::platform::network_plan::NetworkName;

/// Where a value of the plan comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A field of the functionConfig.
    Given(FieldPath),
    /// The default plan, moved to the slot of the instance at this position of the list.
    Slot { slot: u32, position: usize },
}

impl Source {
    /// The field to report.
    pub fn path(&self) -> FieldPath {
        match self {
            Source::Given(path) => path.clone(),
            Source::Slot { position, .. } => instance_path(*position),
        }
    }
}

/// For messages.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Given(path) => write!(f, "`{path}`"),
            Source::Slot { slot, position } => write!(f, "slot {slot}, `{}`", instance_path(*position)),
        }
    }
}

pub fn instance_path(position: usize) -> FieldPath {
    FieldPath::new("spec.instances").index(position)
}

/// A value, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    pub value: T,
    pub source: Source,
}

impl<T> Sourced<T> {
    pub fn new(value: T, source: Source) -> Self {
        Sourced { value, source }
    }
}

#[derive(Debug)]
pub struct Instance {
    pub namespace: String,
    /// The position in the list.
    pub position: usize,
    pub slot: u32,
    /// In the order of their names.
    pub networks: Vec<Network>,
    /// Whether the instance has provider networks on the bridge.
    pub has_datacentre: bool,
    pub computes: Vec<Compute>,
}

impl Instance {
    pub fn network(&self, name: NetworkName) -> Option<&Network> {
        self.networks.iter().find(|network| network.name == name)
    }

    /// The name of a cluster-wide object of the instance.
    pub fn prefixed(&self, name: impl fmt::Display) -> String {
        format!("{}-{name}", self.namespace)
    }
}

/// A compute node.
#[derive(Debug)]
pub struct Compute {
    pub name: String,
    pub address: Sourced<IpAddr>,
}

/// A network of an instance.
#[derive(Debug, Clone)]
pub struct Network {
    pub name: NetworkName,
    pub subnet: Sourced<Subnet>,
    pub link: Link,
    pub mtu: Option<Sourced<u32>>,
    pub gateway: Option<Sourced<IpAddr>>,
    pub routes: Vec<Route>,
    pub dns_domain: String,
    /// The position of the instance that has the same network; the nodes have the addresses of that one.
    pub shares_with: Option<usize>,
    /// The address of the first node. None if nodes have no address, or that of another instance.
    pub nodes: Option<Sourced<IpAddr>>,
    pub attach: Option<Sourced<IpRange>>,
    pub pool: Option<Sourced<IpRange>>,
    pub allocate: Vec<Sourced<IpRange>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    pub destination: Subnet,
    pub next_hop: Sourced<IpAddr>,
}

/// How the nodes reach a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// Untagged, through the bridge of the control plane.
    Bridge {
        name: String,
    },
    Vlan {
        nic: String,
        id: Sourced<u16>,
        bridge: Option<String>,
    },
}

impl Link {
    /// The interface that pods are attached to and that services are announced on.
    pub fn interface(&self) -> String {
        match self {
            Link::Bridge { name } | Link::Vlan { bridge: Some(name), .. } => name.clone(),
            Link::Vlan { nic, id, bridge: None } => vlan_interface(nic, id.value),
        }
    }

    pub fn vlan(&self) -> Option<&Sourced<u16>> {
        match self {
            Link::Bridge { .. } => None,
            Link::Vlan { id, .. } => Some(id),
        }
    }
}

/// The name of a VLAN interface, on all nodes.
pub fn vlan_interface(nic: &str, id: u16) -> String {
    format!("{nic}.{id}")
}
