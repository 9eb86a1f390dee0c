//! The variables of install_yamls' Makefile that determine the networks of an instance, with their defaults.
//! [`super::network_plan`] has the defaults of networks.

use super::network_plan::NetworkName;
use crate::formats::ip::Family;

pub const NAMESPACE: &str = "NAMESPACE";
pub const NODES: &str = "NNCP_NODES";
pub const INTERFACE: &str = "NNCP_INTERFACE";
pub const BRIDGE: &str = "NNCP_BRIDGE";
pub const MTU: &str = "NETWORK_MTU";
pub const VLAN_START: &str = "NETWORK_VLAN_START";
pub const VLAN_STEP: &str = "NETWORK_VLAN_STEP";
pub const IS_ISOLATED: &str = "NETWORK_ISOLATION";
pub const USES_DEFAULT_NETWORK: &str = "NETWORK_ISOLATION_USE_DEFAULT_NETWORK";
pub const HAS_IPV4: &str = "NETWORK_ISOLATION_IPV4";
pub const HAS_IPV6: &str = "NETWORK_ISOLATION_IPV6";
pub const HAS_BGP: &str = "NETWORK_BGP";
pub const BGP_ASN: &str = "BGP_ASN";
pub const BGP_PEER_ASN: &str = "BGP_PEER_ASN";
pub const BGP_LEAVES: [&str; 2] = ["BGP_LEAF_1", "BGP_LEAF_2"];
pub const BGP_SOURCE_IP: &str = "BGP_SOURCE_IP";
pub const COMPUTE_IP: &str = "DATAPLANE_COMPUTE_IP";
pub const COMPUTE_COUNT: &str = "DATAPLANE_TOTAL_NODES";

pub const DEFAULT_NAMESPACE: &str = "openstack";
pub const DEFAULT_INTERFACE: &str = "enp6s0";
pub const DEFAULT_VLAN_START: u16 = 20;
pub const DEFAULT_VLAN_STEP: u16 = 1;
pub const DEFAULT_ASN: u32 = 64999;
pub const DEFAULT_LEAVES: [&str; 2] = ["100.65.4.1", "100.64.4.1"];
pub const DEFAULT_SOURCE_IP: &str = "172.30.4.2";
/// The prefix of the control plane network if it is not libvirt's default network.
pub const OTHER_CTLPLANE_PREFIX: &str = "172.16.1";

/// The networks whose MTU the variable sets: those of NetConfig.
pub const WITH_MTU: [NetworkName; 6] = [
    NetworkName::Ctlplane,
    NetworkName::Internalapi,
    NetworkName::External,
    NetworkName::Storage,
    NetworkName::Storagemgmt,
    NetworkName::Tenant,
];

/// The host number of the first compute node. The others follow.
pub const FIRST_COMPUTE: u32 = 100;

/// The variables of the control plane network in one family.
#[derive(Debug)]
pub struct ControlPlane {
    pub prefix: &'static str,
    /// The host number of the first node.
    pub suffix: &'static str,
    pub gateway: &'static str,
    pub pool: &'static str,
}

pub fn control_plane(family: Family) -> &'static ControlPlane {
    match family {
        Family::V4 => &ControlPlane {
            prefix: "NNCP_CTLPLANE_IP_ADDRESS_PREFIX",
            suffix: "NNCP_CTLPLANE_IP_ADDRESS_SUFFIX",
            gateway: "NNCP_GATEWAY",
            pool: "METALLB_POOL",
        },
        Family::V6 => &ControlPlane {
            prefix: "NNCP_CTLPLANE_IPV6_ADDRESS_PREFIX",
            suffix: "NNCP_CTLPLANE_IPV6_ADDRESS_SUFFIX",
            gateway: "NNCP_GATEWAY_IPV6",
            pool: "METALLB_IPV6_POOL",
        },
    }
}

/// The variable with the subnet of a network: `172.17.0` in IPv4, `fd00:aaaa::` in IPv6. None if it cannot be changed.
pub fn prefix(network: NetworkName, family: Family) -> Option<&'static str> {
    match (network, family) {
        (NetworkName::Ctlplane, family) => Some(control_plane(family).prefix),
        (_, Family::V6) => None,
        (NetworkName::Internalapi, _) => Some("NETWORK_INTERNALAPI_ADDRESS_PREFIX"),
        (NetworkName::Storage, _) => Some("NETWORK_STORAGE_ADDRESS_PREFIX"),
        (NetworkName::Storagemgmt, _) => Some("NETWORK_STORAGEMGMT_ADDRESS_PREFIX"),
        (NetworkName::Tenant, _) => Some("NETWORK_TENANT_ADDRESS_PREFIX"),
        (NetworkName::Designate, _) => Some("NETWORK_DESIGNATE_ADDRESS_PREFIX"),
        (NetworkName::Designateext, _) => Some("NETWORK_DESIGNATE_EXT_ADDRESS_PREFIX"),
        _ => None,
    }
}

/// When a variable has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Always,
    Family(Family),
    Bgp,
}

/// Variables with an effect on networks, except those of [`control_plane`], [`prefix`] and [`compute`].
const OTHERS: [(&str, Effect); 19] = [
    (NAMESPACE, Effect::Always),
    (NODES, Effect::Always),
    (INTERFACE, Effect::Always),
    (BRIDGE, Effect::Always),
    (MTU, Effect::Always),
    (VLAN_START, Effect::Always),
    (VLAN_STEP, Effect::Always),
    (IS_ISOLATED, Effect::Always),
    (USES_DEFAULT_NETWORK, Effect::Family(Family::V4)),
    (HAS_IPV4, Effect::Always),
    (HAS_IPV6, Effect::Always),
    (HAS_BGP, Effect::Always),
    (BGP_ASN, Effect::Bgp),
    (BGP_PEER_ASN, Effect::Bgp),
    (BGP_LEAVES[0], Effect::Bgp),
    (BGP_LEAVES[1], Effect::Bgp),
    (BGP_SOURCE_IP, Effect::Bgp),
    (COMPUTE_IP, Effect::Always),
    (COMPUTE_COUNT, Effect::Always),
];

/// When a variable has an effect on networks. None if it never has.
pub fn effect(name: &str) -> Option<Effect> {
    for family in [Family::V4, Family::V6] {
        let ControlPlane { prefix: _, suffix, gateway, pool } = control_plane(family);
        let is_prefix = NetworkName::ALL.iter().any(|network| prefix(*network, family) == Some(name));
        if is_prefix || [*suffix, *gateway, *pool].contains(&name) {
            return Some(Effect::Family(family));
        }
    }
    let of_compute = compute(name).map(|_| Effect::Always);
    of_compute.or_else(|| OTHERS.iter().find(|(other, _)| *other == name).map(|(_, effect)| *effect))
}

/// Variables that change networks in a way that GenerateInstances does not support, and why.
const UNSUPPORTED: [(&str, &str); 10] = [
    ("NETWORK_STORAGE_MACVLAN", "storage is a VLAN interface without a macvlan"),
    ("NNCP_ADDITIONAL_HOST_ROUTES", ROUTES),
    ("INTERNALAPI_HOST_ROUTES", ROUTES),
    ("STORAGE_HOST_ROUTES", ROUTES),
    ("TENANT_HOST_ROUTES", ROUTES),
    ("STORAGEMGMT_HOST_ROUTES", ROUTES),
    ("NNCP_BGP_1_INTERFACE", LINKS),
    ("NNCP_BGP_2_INTERFACE", LINKS),
    ("NNCP_BGP_1_IP_ADDRESS", LINKS),
    ("NNCP_BGP_2_IP_ADDRESS", LINKS),
];

const ROUTES: &str = "a route needs a next hop; list it in `routes` of the network";
const LINKS: &str = "the interfaces to BGP routers are not generated; add them to the policies of the nodes";

pub fn unsupported(name: &str) -> Option<&'static str> {
    UNSUPPORTED.iter().find(|(other, _)| *other == name).map(|(_, why)| *why)
}

/// What a variable says about a compute node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComputeField {
    Ip,
    Name,
}

/// The number of the compute node that a variable is about: `DATAPLANE_COMPUTE_0_IP`.
pub fn compute(name: &str) -> Option<(u32, ComputeField)> {
    let (number, field) = name.strip_prefix("DATAPLANE_COMPUTE_")?.split_once('_')?;
    let field = match field {
        "IP" => ComputeField::Ip,
        "NAME" => ComputeField::Name,
        _ => return None,
    };
    Some((number.parse().ok()?, field))
}

/// The name of a compute node.
pub fn compute_name(number: u32) -> String {
    format!("edpm-compute-{number}")
}

/// Whether the value of a variable may be a password or key.
pub fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let contains = ["PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN", "CREDENTIAL"];
    contains.iter().any(|word| name.contains(word)) || name.ends_with("KEY") || name.ends_with("KEK")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_has_its_effect() {
        for (name, expected) in [
            ("NAMESPACE", Some(Effect::Always)),
            ("METALLB_POOL", Some(Effect::Family(Family::V4))),
            ("METALLB_IPV6_POOL", Some(Effect::Family(Family::V6))),
            ("NETWORK_DESIGNATE_EXT_ADDRESS_PREFIX", Some(Effect::Family(Family::V4))),
            ("NNCP_CTLPLANE_IPV6_ADDRESS_PREFIX", Some(Effect::Family(Family::V6))),
            ("DATAPLANE_COMPUTE_12_NAME", Some(Effect::Always)),
            ("BGP_LEAF_2", Some(Effect::Bgp)),
            ("DATAPLANE_COMPUTE_x_NAME", None),
            ("TIMEOUT", None),
        ] {
            assert_eq!(effect(name), expected, "{name}");
            assert!(!is_credential(name) && unsupported(name).is_none());
        }
        assert!(
            ["PASSWORD", "BGP_PEER_PASSWORD", "OCTAVIA_HEARTBEAT_KEY", "pull_secret"].map(is_credential)
                == [true; 4]
        );
    }
}
