//! Finds the subnet that a range is in: the smallest network around it that may be in the same layer 2 network.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use super::chart::{Subnet, Use};
use crate::formats::cidr::Cidr;
use crate::formats::ip::IpRange;
use crate::model::network::segments::{Link, Reach, Relation, Segments};

/// The subnets found so far. They are numbered in the order in which they are found.
pub struct Subnets<'s> {
    segments: &'s Segments,
    all: Vec<Found>,
    /// The subnets with the same addresses.
    by_cidr: HashMap<(IpAddr, u8), Vec<usize>>,
    by_place: HashMap<(IpAddr, u8, Place), usize>,
    prefix_lengths: BTreeSet<u8>,
}

/// What tells apart subnets with the same addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Link(Link),
    Vlan(Option<u16>),
    Alone,
}

/// A subnet, and how it got its name.
pub struct Found {
    pub subnet: Subnet,
    reach: Reach,
    name: Option<(Naming, String)>,
}

/// What a subnet is named after, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    NetConfig,
    Attachment,
    Pool,
    Interface,
}

impl<'s> Subnets<'s> {
    pub fn new(segments: &'s Segments) -> Self {
        let (by_cidr, by_place) = (HashMap::new(), HashMap::new());
        Subnets { segments, all: Vec::new(), by_cidr, by_place, prefix_lengths: BTreeSet::new() }
    }

    /// The subnet with these addresses, which a resource mentions.
    pub fn declare(&mut self, cidr: &Cidr, reach: &Reach, vlan: Option<u16>) -> usize {
        let vlan = reach.link().and_then(|link| self.segments.interfaces.links.vlan_id(link)).or(vlan);
        let position = match self.known(cidr.first(), cidr.prefix_length(), reach, vlan) {
            Some(position) => position,
            None => self.add(cidr, reach, vlan, false),
        };
        let found = &mut self.all[position];
        found.subnet.is_assumed = false;
        found.subnet.vlan = found.subnet.vlan.or(vlan);
        if found.reach.link().is_none() && reach.link().is_some() {
            found.reach = reach.clone();
        }
        let place = place(reach, vlan);
        self.by_place.entry((cidr.first(), cidr.prefix_length(), place)).or_insert(position);
        position
    }

    /// The smallest subnet that contains the addresses. If there is none, the usual network around them.
    pub fn around(&mut self, addresses: &IpRange, reach: &Reach) -> Option<usize> {
        for length in self.prefix_lengths.iter().rev() {
            let Ok(network) = Cidr::from_parts(addresses.first(), *length) else { continue };
            let position = self.known(network.first(), *length, reach, None);
            if network.range().contains(addresses.last()) && position.is_some() {
                return position;
            }
        }
        let cidr = addresses.usual_network()?;
        Some(self.add(&cidr, reach, None, true))
    }

    fn known(&self, first: IpAddr, length: u8, reach: &Reach, vlan: Option<u16>) -> Option<usize> {
        let same_addresses = self.by_cidr.get(&(first, length))?;
        let links = match reach {
            Reach::Links(links) => links.iter().copied().collect(),
            _ => Vec::new(),
        };
        let on_link =
            links.into_iter().find_map(|link| self.by_place.get(&(first, length, Place::Link(link))));
        let here = on_link.or_else(|| self.by_place.get(&(first, length, place(reach, vlan))));
        let may_be_same = |position: &&usize| {
            let other = &self.all[**position];
            let is_other_vlan = other.subnet.vlan.zip(vlan).is_some_and(|(one, other)| one != other);
            !is_other_vlan && self.segments.relation(&other.reach, reach) != Relation::Different
        };
        // With many subnets of the same addresses, what may be in any of them is shown in the first.
        here.or_else(|| same_addresses.first().filter(may_be_same)).copied()
    }

    fn add(&mut self, cidr: &Cidr, reach: &Reach, vlan: Option<u16>, is_assumed: bool) -> usize {
        let position = self.all.len();
        let (first, length) = (cidr.first(), cidr.prefix_length());
        self.by_cidr.entry((first, length)).or_default().push(position);
        self.by_place.insert((first, length, place(reach, vlan)), position);
        self.prefix_lengths.insert(length);
        let subnet = Subnet {
            // As the address of the network, and not as one of a node.
            cidr: Cidr::from_parts(first, length).unwrap_or_else(|_| cidr.clone()),
            is_assumed,
            vlan,
            interfaces: BTreeSet::new(),
            instances: BTreeSet::new(),
            uses: Vec::new(),
            findings: BTreeSet::new(),
        };
        self.all.push(Found { subnet, reach: reach.clone(), name: None });
        position
    }

    pub fn get(&mut self, position: usize) -> &mut Subnet {
        &mut self.all[position].subnet
    }

    pub fn add_use(&mut self, position: usize, one: Use) {
        let subnet = self.get(position);
        subnet.instances.extend(one.instances.iter().cloned());
        subnet.uses.push(one);
    }

    /// Names a subnet, unless it already has a name that is as good.
    pub fn name(&mut self, position: usize, naming: Naming, name: &str) {
        let own = &mut self.all[position].name;
        if own.as_ref().is_none_or(|(known, _)| naming < *known) {
            *own = Some((naming, name.to_owned()));
        }
    }

    /// The subnets with their names.
    pub fn finish(self) -> impl Iterator<Item = (String, Subnet)> {
        self.all.into_iter().map(|found| {
            let name = found.name.map_or_else(|| found.subnet.cidr.to_string(), |(_, name)| name);
            (name, found.subnet)
        })
    }
}

fn place(reach: &Reach, vlan: Option<u16>) -> Place {
    match (reach, reach.link()) {
        (_, Some(link)) => Place::Link(link),
        (Reach::Alone, _) => Place::Alone,
        _ => Place::Vlan(vlan),
    }
}
