//! Whether the addresses of all nodes fit between the other hosts of each subnet.

use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;

use super::hosts::{self, Taken};
use super::nodes::Node;
use super::plan::{Instance, Network, Source};
use super::{Fleet, NODES};
use crate::checks::rules;
use crate::formats::ip::{Family, IpRange, Subnet};
use crate::krm::Results;
use crate::platform::network_plan::NetworkName;

impl Network {
    /// The address of a node in this network. None if the nodes have none, or if the subnet ends before it.
    pub fn node_address(&self, index: u32) -> Option<IpAddr> {
        let first = self.nodes.as_ref()?.value;
        self.subnet.value.host(self.subnet.value.number_of(first)?.checked_add(index.into())?)
    }
}

/// The hosts of one subnet that are not for nodes.
#[derive(Debug)]
pub struct Occupied<'p>(&'p [Taken<'p>]);

impl<'p> Occupied<'p> {
    /// What an address is for. The ranges do not overlap, except for those of pods.
    pub fn find(&self, ip: IpAddr) -> Option<&'p Taken<'p>> {
        let point = IpRange::between(ip, ip)?;
        let end = self.0.partition_point(|taken| taken.range.first() <= point.first());
        // An attachment of another instance may begin later and end earlier, so look at a few.
        self.0[..end].iter().rev().find(|taken| taken.range.contains(ip))
    }

    /// The number of the first host from which on this many are free.
    fn room(&self, subnet: Subnet, count: u128) -> Option<String> {
        let mut first = 1;
        for taken in self.0 {
            let (start, end) =
                (subnet.number_of(taken.range.first())?, subnet.number_of(taken.range.last())?);
            if start >= first + count {
                break;
            }
            first = first.max(end.checked_add(1)?);
        }
        let number = match subnet.family() {
            Family::V4 => first.to_string(),
            Family::V6 => format!("{first:x}"),
        };
        (first.checked_add(count)? <= subnet.last_host()).then_some(number)
    }
}

impl Fleet {
    /// Reports networks in which the nodes do not fit. A default that does not fit is reported for one instance.
    pub fn check_nodes(&self, nodes: &[Node], results: &mut Results) {
        let taken = hosts::taken(&self.instances);
        let mut reported: HashSet<NetworkName> = HashSet::new();
        for instance in &self.instances {
            for network in &instance.networks {
                let is_own = |source: &Source| {
                    source.path().starts_with(&super::plan::instance_path(instance.position))
                };
                let is_given = |source: &Source| matches!(source, Source::Given(_)) && is_own(source);
                let Some(first) = &network.nodes else { continue };
                if !is_given(&first.source) && reported.contains(&network.name) {
                    continue;
                }
                if let Some(message) = misfit(instance, network, nodes, &taken) {
                    reported.insert(network.name);
                    results.error(&rules::WRONG_VALUE, message).in_config(first.source.path());
                }
            }
        }
    }
}

/// Why the nodes do not fit into a network.
fn misfit(
    instance: &Instance,
    network: &Network,
    nodes: &[Node],
    taken: &BTreeMap<Subnet, Vec<Taken<'_>>>,
) -> Option<String> {
    let subnet = network.subnet.value;
    let occupied = Occupied(taken.get(&subnet)?);
    let first = network.nodes.as_ref()?.value;
    let highest = nodes.iter().map(|node| node.index).max()?;
    let count = u128::from(highest) + 1;
    let is_free = |index: u32| {
        let address = network.node_address(index);
        address.is_some_and(|address| occupied.find(address).is_none())
    };
    let failed = nodes.iter().filter(|node| !is_free(node.index)).min_by_key(|node| node.index)?;
    let obstacle = match network.node_address(failed.index) {
        Some(address) => format!("{address} is in {}", occupied.find(address)?),
        None => format!("{subnet} ends before that"),
    };
    let way_out = match occupied.room(subnet, count) {
        Some(room) => format!("set `{NODES}: {room}` for this network, or move the other hosts"),
        None => {
            format!("no {count} addresses in a row are free in {subnet}, so give the network a larger `cidr`")
        }
    };
    Some(format!(
        "{} in {} has no room for the nodes: {} needed from {first} on, {} free, and {obstacle}; {way_out}",
        network.name, instance.namespace, count, failed.index
    ))
}

/// What is taken in a subnet.
pub fn occupied<'p>(taken: &'p BTreeMap<Subnet, Vec<Taken<'p>>>, subnet: Subnet) -> Occupied<'p> {
    Occupied(taken.get(&subnet).map(Vec::as_slice).unwrap_or_default())
}
