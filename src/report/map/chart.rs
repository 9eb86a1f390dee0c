//! What the map shows.

use std::collections::{BTreeMap, BTreeSet};

use super::marks::Marks;
use super::subnets::Subnets;
use super::{layout, uses};
use crate::formats::cidr::Cidr;
use crate::formats::ip::IpRange;
use crate::krm::{CollectOrdered, Finding};
use crate::model::Model;

/// The address plan of one deployment.
#[derive(Debug)]
pub struct Chart {
    pub(super) title: String,
    pub(super) networks: Vec<Network>,
    pub(super) findings: Vec<Finding>,
}

/// Subnets of one name, such as `internalapi`, in the order of their addresses. Each instance can have its own.
#[derive(Debug)]
pub(super) struct Network {
    pub name: String,
    pub subnets: Vec<Subnet>,
}

#[derive(Debug)]
pub(super) struct Subnet {
    pub cidr: Cidr,
    /// Whether no resource says what the subnet is, so that it is only the usual network around some addresses.
    pub is_assumed: bool,
    pub vlan: Option<u16>,
    /// The interfaces of nodes that are connected to it.
    pub interfaces: BTreeSet<String>,
    pub instances: BTreeSet<String>,
    pub uses: Vec<Use>,
    /// The positions of findings about the subnet itself, such as its VLAN.
    pub findings: BTreeSet<usize>,
}

/// A range or an address, and what it is used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    pub purpose: Purpose,
    /// The namespaces of the OpenStack instances that use it. Empty for nodes, which all instances share, and for what
    /// every namespace may use.
    pub instances: Vec<String>,
    /// In ascending order. There are several if addresses are excluded.
    pub addresses: Vec<IpRange>,
    /// What has the addresses: nodes, services, or the object that hands them out.
    pub holders: Vec<String>,
    /// The positions of findings.
    pub findings: BTreeSet<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Purpose {
    /// A static address of a cluster node.
    Nodes,
    /// whereabouts hands it out to pods, from a NetworkAttachmentDefinition.
    Attach,
    /// MetalLB hands it out, from an IPAddressPool.
    Pool,
    /// A service requests it from MetalLB.
    Vip,
    /// infra-operator hands it out to compute nodes, from a NetConfig.
    Allocate,
    /// A compute node or a bare metal host has it.
    Hosts,
}

impl Purpose {
    pub const ALL: [Purpose; 6] =
        [Purpose::Nodes, Purpose::Attach, Purpose::Pool, Purpose::Vip, Purpose::Allocate, Purpose::Hosts];

    pub fn name(self) -> &'static str {
        match self {
            Purpose::Nodes => "nodes",
            Purpose::Attach => "attach",
            Purpose::Pool => "pool",
            Purpose::Vip => "VIP",
            Purpose::Allocate => "allocate",
            Purpose::Hosts => "hosts",
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Purpose::Nodes => "static addresses of cluster nodes",
            Purpose::Attach => "whereabouts assigns to pods",
            Purpose::Pool => "MetalLB assigns to services",
            Purpose::Vip => "services request from MetalLB",
            Purpose::Allocate => "infra-operator assigns to compute nodes",
            Purpose::Hosts => "addresses of compute nodes",
        }
    }

    /// Whether each address has a holder of its own, so that neighboring addresses are shown as one range.
    pub fn is_of_machines(self) -> bool {
        matches!(self, Purpose::Nodes | Purpose::Hosts)
    }
}

impl Chart {
    /// None if the resources have no addresses. `findings` are about these resources.
    pub fn new(title: String, model: &Model<'_>, findings: Vec<Finding>) -> Option<Self> {
        let marks = Marks::new(&findings, model.items());
        let mut subnets = Subnets::new(&model.plan.segments);
        uses::declare(model, &marks, &mut subnets);
        uses::place(model, &marks, &mut subnets);
        let networks = layout::networks(subnets.finish());
        (!networks.is_empty()).then_some(Chart { title, networks, findings })
    }

    pub(super) fn subnets(&self) -> impl Iterator<Item = &Subnet> {
        self.networks.iter().flat_map(|network| &network.subnets)
    }

    /// Each instance, and its subnets by the position of their network.
    pub(super) fn instances(&self) -> Vec<(&str, BTreeMap<usize, Vec<&Subnet>>)> {
        let mut table: BTreeMap<&str, BTreeMap<usize, Vec<&Subnet>>> = BTreeMap::new();
        for (position, network) in self.networks.iter().enumerate() {
            for subnet in &network.subnets {
                for instance in &subnet.instances {
                    let row = table.entry(instance).or_default();
                    row.entry(position).or_default().push(subnet);
                }
            }
        }
        let mut rows: Vec<_> = table.into_iter().collect();
        rows.sort_by_cached_key(|(instance, _)| layout::natural(instance));
        rows
    }
}

impl Subnet {
    /// Every finding about the subnet or what is in it.
    pub fn all_findings(&self) -> BTreeSet<usize> {
        let of_uses = self.uses.iter().flat_map(|one| &one.findings);
        self.findings.iter().chain(of_uses).copied().collect_ordered()
    }

    /// `VLAN 20`; none for untagged traffic, or if it is not known.
    pub fn tag(&self) -> Option<String> {
        self.vlan.map(|id| format!("VLAN {id}"))
    }

    /// The interfaces in one line.
    pub fn layer2(&self) -> String {
        self.interfaces.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl Use {
    /// `172.17.0.80-172.17.0.90`
    pub fn ranges(&self) -> String {
        self.addresses.iter().map(IpRange::short).collect::<Vec<_>>().join(", ")
    }

    pub fn size(&self) -> u128 {
        self.addresses.iter().fold(0, |sum, range| sum.saturating_add(range.size()))
    }

    /// The holders in one line: of many, the first and the last.
    pub fn some_holders(&self) -> String {
        const MOST: usize = 4;
        match self.holders.as_slice() {
            [first, .., last] if self.holders.len() > MOST => {
                format!("{first} … {last} ({})", self.holders.len())
            }
            all => all.join(", "),
        }
    }

    pub fn instance(&self) -> String {
        self.instances.join(", ")
    }
}

/// The ids of the rules that findings refer to, each once.
pub(super) fn rules(positions: &BTreeSet<usize>, findings: &[Finding]) -> Vec<&'static str> {
    let ids: BTreeSet<&str> = positions.iter().map(|position| findings[*position].rule.id).collect_ordered();
    ids.into_iter().collect()
}
