//! The address plan: every range that addresses are handed out from and every address that is set, each with the
//! layer 2 networks that it is in.

use std::collections::HashSet;

use super::Network;
use super::hosts::Purpose;
use super::ranges::AddressRange;
use super::segments::{Reach, Segments, SubnetId, is_point_to_point};
use crate::formats::cidr::{Address, Cidr};
use crate::formats::ip::IpRange;
use crate::model::{Site, Sited};

/// The lists are in the order of the network. Objects that repeat others are left out.
#[derive(Debug, Default)]
pub struct AddressPlan {
    pub segments: Segments,
    pub ranges: Vec<PlannedRange>,
    pub node_addresses: Vec<AddressOfNode>,
    pub host_addresses: Vec<AddressOfHost>,
}

/// A range that addresses are handed out from.
#[derive(Debug)]
pub struct PlannedRange {
    pub holder: Holder,
    /// As written.
    pub text: String,
    pub site: Site,
    /// The range without excluded addresses.
    pub addresses: Vec<IpRange>,
    pub reach: Reach,
}

/// What hands out the addresses of a range, by its position in [`Network`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Pool(usize),
    Attachment(usize),
    Subnet(SubnetId),
}

/// A static address of an interface, from a policy.
#[derive(Debug)]
pub struct AddressOfNode {
    /// The positions of the policy and of its interface.
    pub policy: usize,
    pub interface: usize,
    pub address: Sited<Address>,
    pub network: Option<Cidr>,
    pub reach: Reach,
}

/// An address of a host.
#[derive(Debug)]
pub struct AddressOfHost {
    /// The position of the host.
    pub host: usize,
    pub purpose: Purpose,
    pub address: Sited<Address>,
    pub reach: Reach,
}

impl AddressPlan {
    pub fn of(network: &Network) -> Self {
        let segments = Segments::of(network);
        let mut ranges = pools(network, &segments);
        ranges.extend(attachments(network, &segments));
        ranges.extend(subnets(network, &segments));
        let node_addresses = node_addresses(network, &segments);
        let host_addresses = host_addresses(network, &segments);
        AddressPlan { segments, ranges, node_addresses, host_addresses }
    }
}

fn pools(network: &Network, segments: &Segments) -> Vec<PlannedRange> {
    let mut seen = HashSet::new();
    let pools = network.pools.iter().enumerate();
    let distinct = pools.filter(|(_, pool)| seen.insert((&pool.namespace, &pool.name)) || pool.from_values);
    distinct
        .flat_map(|(position, pool)| pool.ranges.iter().map(move |range| (position, range)))
        .map(|(position, range)| PlannedRange {
            holder: Holder::Pool(position),
            text: range.value.text.clone(),
            site: range.site.clone(),
            addresses: vec![range.value.range],
            reach: segments.pool(position).clone(),
        })
        .collect()
}

fn attachments(network: &Network, segments: &Segments) -> Vec<PlannedRange> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let attachments = network.attachments.iter().enumerate();
    for (position, attachment) in
        attachments.filter(|(_, attachment)| seen.insert((&attachment.namespace, &attachment.name)))
    {
        for range in &attachment.config.ranges {
            let exclude: Vec<IpRange> = range.exclude.iter().map(|cidr| cidr.value.range()).collect();
            let is_neighbors = is_point_to_point(&range.network.value);
            let reach = if is_neighbors { Reach::Alone } else { segments.attachment(position).clone() };
            found.push(planned(Holder::Attachment(position), &range.range, &exclude, reach));
        }
    }
    found
}

fn subnets(network: &Network, segments: &Segments) -> Vec<PlannedRange> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let is_first: Vec<bool> =
        network.net_configs.iter().map(|config| seen.insert((&config.namespace, &config.name))).collect();
    for (id, reach) in segments.subnets.all().filter(|(id, _)| is_first[id.config]) {
        let subnet = id.get(network);
        let exclude: Vec<IpRange> =
            subnet.exclude.iter().map(|address| IpRange::one(address.value.ip())).collect();
        for range in &subnet.allocation_ranges {
            found.push(planned(Holder::Subnet(id), range, &exclude, reach.clone()));
        }
    }
    found
}

fn planned(holder: Holder, range: &AddressRange, exclude: &[IpRange], reach: Reach) -> PlannedRange {
    let addresses = range.addresses.without(exclude);
    PlannedRange { holder, text: range.to_string(), site: range.site.clone(), addresses, reach }
}

fn node_addresses(network: &Network, segments: &Segments) -> Vec<AddressOfNode> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let policies = network.node_policies.iter().enumerate();
    for (position, policy) in policies.filter(|(_, policy)| seen.insert(&policy.name)) {
        for (at, interface) in policy.interfaces.iter().enumerate().filter(|(_, one)| one.is_up()) {
            for address in &interface.addresses {
                let network = address.network();
                let is_neighbors = network.as_ref().is_some_and(is_point_to_point);
                let reach = || segments.interfaces.reach(&interface.name.value);
                found.push(AddressOfNode {
                    policy: position,
                    interface: at,
                    address: address.address.clone(),
                    network,
                    reach: if is_neighbors { Reach::Alone } else { reach() },
                });
            }
        }
    }
    found
}

fn host_addresses(network: &Network, segments: &Segments) -> Vec<AddressOfHost> {
    let mut found = Vec::new();
    for (position, host) in network.hosts.iter().enumerate() {
        for (at, address) in host.addresses.iter().enumerate() {
            found.push(AddressOfHost {
                host: position,
                purpose: address.purpose,
                address: address.address.clone(),
                reach: segments.host(position, at).clone(),
            });
        }
    }
    found
}
