//! Hosts and their addresses: the nodes of node sets and of roles, bare metal hosts, and nodes of the cluster.

mod legacy_nodes;
mod machines;
mod node_sets;

pub(super) use self::machines::controller;
use self::machines::{bare_metal_host, node};
use self::node_sets::node_set;
pub(super) use self::node_sets::{networks, nodes};
use crate::formats::cidr::Address;
use crate::krm::Resource;
use crate::model::fields::{Reading, STRICT};
use crate::model::{ItemId, Misread, Sited, World};
use crate::platform::kubernetes::{BARE_METAL_HOST, NODE};
use crate::platform::openstack::NODE_SET;

#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    pub item: ItemId,
    /// The namespace of its object. Hosts of a values file have that of the instance they belong to.
    pub namespace: Option<String>,
    pub origin: Origin,
    pub name: String,
    /// The name that a node set gives the node; its key otherwise.
    pub host_name: Option<Sited<String>>,
    /// The networks of a node set's node: its own, or those of the template.
    pub networks: Vec<HostNetwork>,
    /// Every address that is known, including those of the networks.
    pub addresses: Vec<HostAddress>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A node set, or a node of the data plane of 2023.
    NodeSet,
    BareMetalHost,
    Node,
}

#[derive(Debug, Clone, PartialEq)]
pub struct HostNetwork {
    pub name: Sited<String>,
    pub subnet: Option<Sited<String>>,
    /// None when infra-operator chooses an address. On the control plane network of a preprovisioned node, the address
    /// that Ansible uses becomes the fixed address.
    pub fixed_ip: Option<Sited<Address>>,
    pub is_default_route: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct HostAddress {
    pub address: Sited<Address>,
    pub purpose: Purpose,
}

/// What a host has an address for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Ansible connects to it.
    Ansible,
    /// It is fixed in the network at this position of the host's networks.
    Fixed { network: usize },
    /// It was found on a network card when the host was inspected.
    Inspected,
    /// It belongs to the management controller and not to the host itself.
    Controller,
    /// The node reports it.
    Node,
}

pub fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Host> {
    let mut found = Vec::new();
    for (kind, hosts) in [
        (NODE_SET, node_set as fn(ItemId, &Resource, &Reading<'_>) -> Vec<Host>),
        (BARE_METAL_HOST, |item, resource, reading| vec![bare_metal_host(item, resource, reading)]),
        (NODE, |item, resource, reading| vec![node(item, resource, reading)]),
    ] {
        for (item, resource) in world.of_kind(kind) {
            let reading = Reading::new(item, resource, STRICT);
            let namespace = &resource.id().namespace;
            let hosts = hosts(item, resource, &reading).into_iter();
            found.extend(hosts.map(|host| Host { namespace: namespace.clone(), ..host }));
            misreads.extend(reading.finish().0);
        }
    }
    found.extend(legacy_nodes::read(world, misreads));
    found
}

impl Host {
    pub(super) fn new(item: ItemId, origin: Origin, name: &str) -> Self {
        let (networks, addresses) = (Vec::new(), Vec::new());
        let name = name.to_owned();
        Host { item, namespace: None, origin, name, host_name: None, networks, addresses }
    }

    pub(super) fn add(&mut self, address: Option<Sited<Address>>, purpose: Purpose) {
        self.addresses.extend(address.map(|address| HostAddress { address, purpose }));
    }
}
