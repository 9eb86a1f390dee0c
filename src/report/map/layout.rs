//! The order of networks, subnets and uses on the map.

use crate::krm::Order;
use std::collections::BTreeMap;

use super::chart::{Network, Purpose, Subnet, Use};

/// The order of names that end in numbers: `openstack2` before `openstack10`.
pub fn natural(name: &str) -> (String, u128, String) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[stem.len()..].parse().unwrap_or_default();
    (stem.to_owned(), number, name.to_owned())
}

/// Groups subnets by name: untagged networks first, then by VLAN, as plans are usually written.
pub fn networks(subnets: impl Iterator<Item = (String, Subnet)>) -> Vec<Network> {
    let mut by_name: BTreeMap<String, Network> = BTreeMap::new();
    for (name, mut subnet) in subnets {
        subnet.uses = merged(subnet.uses);
        let entry = by_name.entry(name.to_lowercase());
        entry.or_insert_with(|| Network { name, subnets: Vec::new() }).subnets.push(subnet);
    }
    let mut networks: Vec<Network> = by_name.into_values().collect();
    for network in &mut networks {
        network.subnets.order_by_key(|subnet| (subnet.cidr.range(), subnet.vlan));
    }
    networks.order_by_key(|network| {
        let vlan = network.subnets.iter().filter_map(|subnet| subnet.vlan).min();
        // The control plane comes before networks that only compute nodes are connected to.
        let is_elsewhere = network.subnets.iter().all(|subnet| subnet.interfaces.is_empty());
        (vlan, is_elsewhere, network.subnets.first().map(|subnet| subnet.cidr.range()))
    });
    networks
}

/// Sorts uses by purpose, instance and address. Machines with neighboring addresses become one use, and so do the
/// services of one address.
fn merged(mut uses: Vec<Use>) -> Vec<Use> {
    uses.sort_by_cached_key(|one| {
        let first = one.addresses.first().copied();
        (one.purpose, natural(&one.instance()), first, one.holders.clone())
    });
    let mut merged: Vec<Use> = Vec::new();
    for one in uses {
        match merged.last_mut() {
            Some(last) if is_one(last, &one) => last.add(one),
            _ => merged.push(one),
        }
    }
    merged
}

fn is_one(last: &Use, next: &Use) -> bool {
    let is_same_kind = (last.purpose, &last.instances) == (next.purpose, &next.instances);
    let is_near = match (last.addresses.as_slice(), next.addresses.as_slice()) {
        _ if last.addresses == next.addresses => last.purpose.is_of_machines() || last.is_vip(),
        ([one], [other]) => last.purpose.is_of_machines() && one.joined(other).is_some(),
        _ => false,
    };
    is_same_kind && is_near && (last.findings == next.findings || last.is_vip())
}

impl Use {
    fn is_vip(&self) -> bool {
        self.purpose == Purpose::Vip
    }

    fn add(&mut self, other: Use) {
        if let ([one], [next]) = (self.addresses.as_slice(), other.addresses.as_slice()) {
            self.addresses = one.joined(next).into_iter().collect();
        }
        // A host can have one address for several purposes, and neighboring ones.
        if self.holders.last() != other.holders.last() {
            self.holders.extend(other.holders);
        }
        self.findings.extend(other.findings);
    }
}
