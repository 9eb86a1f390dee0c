//! One instance: what its file says about networks and compute nodes.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use super::computes::{self, Computes};
use super::network::{Basis, Network, Vlans};
use super::notes::{Line, Notes, Place};
use super::variables::Variables;
use crate::formats::ip::Family;
use crate::platform::install_yamls::{self, DEFAULT_ASN, DEFAULT_LEAVES, DEFAULT_SOURCE_IP};
use crate::platform::network_plan::{self, DEFAULT_MTU, NetworkName};

#[derive(Debug)]
pub struct Instance {
    /// The position of the file among the arguments.
    pub file: usize,
    pub slot: u32,
    pub namespace: String,
    pub namespace_line: Option<Line>,
    pub networks: BTreeMap<NetworkName, Network>,
    pub computes: Computes,
    pub cluster: Cluster,
}

/// What a file says about the cluster, which all instances share.
#[derive(Debug)]
pub struct Cluster {
    pub nodes: Vec<String>,
    pub interface: String,
    pub interface_line: Option<Line>,
    pub bridge: String,
    pub mtu: u32,
    pub mtu_line: Option<Line>,
    pub peers: Option<Peers>,
}

/// The BGP routers.
#[derive(Debug, PartialEq, Eq)]
pub struct Peers {
    pub addresses: Vec<IpAddr>,
    pub peer_asn: u32,
    pub my_asn: u32,
    pub router_id: Option<Ipv4Addr>,
}

impl Instance {
    pub fn read(variables: &Variables, basis: Basis, notes: &mut Notes) -> Self {
        let namespace = variables.get(install_yamls::NAMESPACE);
        let cluster = Cluster::read(variables, notes);
        let vlans = Vlans::read(variables, notes);
        let mut networks = BTreeMap::new();
        for plan in NetworkName::ALL.into_iter().filter_map(NetworkName::plan) {
            networks.extend(
                Network::read(plan, variables, basis, vlans.as_ref(), notes)
                    .map(|network| (plan.name, network)),
            );
        }
        if !variables.is_true(install_yamls::IS_ISOLATED, true) {
            let name = install_yamls::IS_ISOLATED;
            let message = format!(
                "{name} is not imported: GenerateInstances always gives an instance isolated networks"
            );
            let line = variables.get(name).map(|given| Place::Line(given.line));
            notes.warn(line.unwrap_or(Place::File(variables.file)), message);
        }
        variables.report_others(basis.family, cluster.peers.is_some(), notes);
        let computes = computes::read(variables, networks.get(&NetworkName::Ctlplane), notes);
        Instance {
            file: variables.file,
            slot: basis.slot,
            namespace: namespace.map_or(install_yamls::DEFAULT_NAMESPACE, |given| given.value).to_owned(),
            namespace_line: namespace.map(|given| given.line),
            networks,
            computes,
            cluster,
        }
    }
}

/// The family of an instance. install_yamls rejects both and neither.
pub fn family(variables: &Variables, notes: &mut Notes) -> Family {
    let has_ipv4 = variables.is_true(install_yamls::HAS_IPV4, true);
    let has_ipv6 = variables.is_true(install_yamls::HAS_IPV6, false);
    let (family, problem) = match (has_ipv4, has_ipv6) {
        (true, false) => return Family::V4,
        (false, true) => return Family::V6,
        (true, true) => (Family::V4, "are both true, but networks have one family"),
        (false, false) => (Family::V4, "are both false, but networks need one family"),
    };
    let message =
        format!("{} and {} {problem}; IPv4 is imported", install_yamls::HAS_IPV4, install_yamls::HAS_IPV6);
    let line = variables.get(install_yamls::HAS_IPV6).or(variables.get(install_yamls::HAS_IPV4));
    notes.warn(line.map_or(Place::File(variables.file), |given| Place::Line(given.line)), message);
    family
}

impl Cluster {
    fn read(variables: &Variables, notes: &mut Notes) -> Self {
        let text =
            |name: &str, default: &str| variables.get(name).map_or(default, |given| given.value).to_owned();
        let nodes = text(install_yamls::NODES, "");
        let mtu = variables.parsed::<u32>(install_yamls::MTU, "a number", notes);
        let has_bgp = variables.is_true(install_yamls::HAS_BGP, false);
        Cluster {
            nodes: nodes
                .split([' ', ',', '\n', '\t'])
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            interface: text(install_yamls::INTERFACE, install_yamls::DEFAULT_INTERFACE),
            interface_line: variables.get(install_yamls::INTERFACE).map(|given| given.line),
            bridge: text(install_yamls::BRIDGE, network_plan::BRIDGE),
            mtu: mtu.map_or(DEFAULT_MTU, |given| given.value),
            mtu_line: mtu.map(|given| given.line),
            peers: has_bgp.then(|| Peers::read(variables, notes)),
        }
    }
}

impl Peers {
    fn read(variables: &Variables, notes: &mut Notes) -> Self {
        let mut asn =
            |name| variables.parsed(name, "an AS number", notes).map_or(DEFAULT_ASN, |given| given.value);
        let (my_asn, peer_asn) = (asn(install_yamls::BGP_ASN), asn(install_yamls::BGP_PEER_ASN));
        let leaves = install_yamls::BGP_LEAVES.into_iter().zip(DEFAULT_LEAVES);
        let address = |(name, default): (&str, &str)| {
            let given = variables.parsed(name, "an IP address", notes).map(|given| given.value);
            given.or_else(|| default.parse().ok())
        };
        let addresses = leaves.filter_map(address).collect();
        let router_id = variables.parsed(install_yamls::BGP_SOURCE_IP, "an IPv4 address", notes);
        let router_id = router_id.map(|given| given.value).or_else(|| DEFAULT_SOURCE_IP.parse().ok());
        Peers { addresses, peer_asn, my_asn, router_id }
    }
}
