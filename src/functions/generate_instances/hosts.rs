//! Hosts of a subnet that two purposes cannot both have.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::net::IpAddr;

use super::plan::{Instance, Network, Source};
use crate::formats::ip::{IpRange, Subnet, overlaps};
use crate::krm::{Mistakes, Order};
use crate::platform::network_plan::NetworkName;

/// What hosts are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose<'p> {
    /// The first address of the subnet.
    Network,
    /// The last address of an IPv4 subnet.
    Broadcast,
    /// A gateway or next hop.
    Router,
    Attach,
    Pool,
    Allocate,
    Compute(&'p str),
}

/// For messages.
impl fmt::Display for Purpose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Network => f.write_str("the address of the subnet itself"),
            Purpose::Broadcast => f.write_str("the broadcast address of the subnet"),
            Purpose::Router => f.write_str("the router"),
            Purpose::Attach => f.write_str("`attach`"),
            Purpose::Pool => f.write_str("`pool`"),
            Purpose::Allocate => f.write_str("`allocate`"),
            Purpose::Compute(name) => write!(f, "the host {name}"),
        }
    }
}

/// Hosts with a purpose.
#[derive(Debug)]
pub struct Taken<'p> {
    pub range: IpRange,
    pub purpose: Purpose<'p>,
    pub instance: &'p Instance,
    pub network: NetworkName,
    pub source: &'p Source,
}

/// For messages, with the place.
impl fmt::Display for Taken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_edge() {
            true => f.write_str(&self.describe()),
            false => write!(f, "{} ({})", self.describe(), self.source),
        }
    }
}

/// What is taken in each subnet, sorted.
pub fn taken(instances: &[Instance]) -> BTreeMap<Subnet, Vec<Taken<'_>>> {
    let mut found: BTreeMap<Subnet, Vec<Taken<'_>>> = BTreeMap::new();
    for instance in instances {
        for network in &instance.networks {
            let of_network = of_network(instance, network);
            found.entry(network.subnet.value).or_default().extend(of_network);
        }
    }
    for taken in found.values_mut() {
        taken.order_by_key(|taken| taken.range);
        // Instances that share a network may have the same router.
        taken.dedup_by(|a, b| a.range == b.range && a.purpose == b.purpose && a.is_point());
    }
    found
}

fn of_network<'p>(instance: &'p Instance, network: &'p Network) -> Vec<Taken<'p>> {
    let subnet = network.subnet.value;
    let name = network.name;
    let taken = |range, purpose, source| Taken { range, purpose, instance, network: name, source };
    let one = |ip: IpAddr, purpose, source| Some(taken(IpRange::between(ip, ip)?, purpose, source));
    let source = &network.subnet.source;
    let mut found = Vec::new();
    // With one or two addresses, a subnet has no broadcast address.
    if subnet.last_host() > 1 {
        let last = subnet.host(subnet.last_host()).filter(IpAddr::is_ipv4);
        found.extend(subnet.host(0).and_then(|ip| one(ip, Purpose::Network, source)));
        found.extend(last.and_then(|ip| one(ip, Purpose::Broadcast, source)));
    }
    let gateway = network.gateway.iter();
    let routers = gateway.chain(network.routes.iter().map(|route| &route.next_hop));
    found.extend(routers.filter_map(|ip| one(ip.value, Purpose::Router, &ip.source)));
    found.extend(network.attach.iter().map(|it| taken(it.value, Purpose::Attach, &it.source)));
    // A pool outside the subnet is compared with the other subnets instead.
    let inside = |range: &IpRange| subnet.number_of(range.first()).is_some();
    let pool = network.pool.iter().filter(|pool| inside(&pool.value));
    found.extend(pool.map(|it| taken(it.value, Purpose::Pool, &it.source)));
    found.extend(network.allocate.iter().map(|it| taken(it.value, Purpose::Allocate, &it.source)));
    if name == NetworkName::Ctlplane {
        let computes = instance.computes.iter();
        found.extend(computes.filter_map(|compute| {
            one(compute.address.value, Purpose::Compute(&compute.name), &compute.address.source)
        }));
    }
    found
}

impl Taken<'_> {
    /// For messages about its place.
    fn describe(&self) -> String {
        let Taken { range, purpose, instance, network, .. } = self;
        let hosts = if range.size() == 1 { range.first().to_string() } else { range.to_string() };
        match purpose {
            Purpose::Network | Purpose::Broadcast => format!("{hosts}, {purpose}"),
            Purpose::Compute(_) => format!("{hosts} of {purpose} in {}", instance.namespace),
            _ => format!("{purpose} {hosts} of {network} in {}", instance.namespace),
        }
    }

    /// Whether the same address may be listed twice.
    fn is_point(&self) -> bool {
        self.is_edge() || self.purpose == Purpose::Router
    }

    fn is_edge(&self) -> bool {
        matches!(self.purpose, Purpose::Network | Purpose::Broadcast)
    }

    /// Whether two purposes may have the same hosts. whereabouts reserves addresses for the whole cluster, so two
    /// attachments may hand out the same range. A compute node may have an address that its own NetConfig hands out,
    /// because infra-operator reserves it.
    fn may_overlap(&self, other: &Taken<'_>) -> bool {
        let is_same_instance = self.instance.position == other.instance.position;
        match (self.purpose, other.purpose) {
            (Purpose::Router, Purpose::Router) => true,
            (Purpose::Attach, Purpose::Attach) => !is_same_instance,
            (Purpose::Allocate, Purpose::Compute(_)) | (Purpose::Compute(_), Purpose::Allocate) => {
                is_same_instance
            }
            _ => false,
        }
    }

    fn is_compute(&self) -> bool {
        matches!(self.purpose, Purpose::Compute(_))
    }

    /// The one of two parties to report: the one that the user gives, or else that of the later instance.
    fn weight(&self) -> (bool, bool, usize) {
        let is_given = matches!(self.source, Source::Given(_));
        (!self.is_edge(), is_given, self.instance.position)
    }
}

/// Reports hosts with two purposes.
pub fn check(instances: &[Instance], mistakes: &mut Mistakes) {
    for taken in taken(instances).values() {
        let (computes, others): (Vec<_>, Vec<_>) = taken.iter().partition(|taken| taken.is_compute());
        let before = count(&others, mistakes);
        let mut first_of_address: HashMap<IpAddr, &Taken<'_>> = HashMap::new();
        let mut all = others;
        for compute in computes {
            match first_of_address.insert(compute.range.first(), compute) {
                Some(first) => report(first, compute, mistakes),
                None => all.push(compute),
            }
        }
        // If ranges overlap, a compute node in one of them is a consequence.
        if before == 0 {
            count(&all, mistakes);
        }
    }
}

/// Reports the pairs that overlap, and returns their number.
fn count(taken: &[&Taken<'_>], mistakes: &mut Mistakes) -> usize {
    let ranges: Vec<IpRange> = taken.iter().map(|taken| taken.range).collect();
    let pairs = overlaps(&ranges).into_iter().map(|(a, b)| (taken[a], taken[b]));
    pairs.filter(|(a, b)| !a.may_overlap(b)).map(|(a, b)| report(a, b, mistakes)).count()
}

fn report(a: &Taken<'_>, b: &Taken<'_>, mistakes: &mut Mistakes) {
    let (one, other) = if a.weight() > b.weight() { (a, b) } else { (b, a) };
    let verb = match (one.range.size(), other.range.size()) {
        (1, 1) => "is also",
        (1, _) => "is in",
        (_, 1) => "contains",
        _ => "overlaps",
    };
    let message = format!("{} {verb} {other}; change one of them", one.describe());
    mistakes.add(one.source.path(), message);
}
