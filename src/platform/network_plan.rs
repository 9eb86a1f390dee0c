//! The networks of an OpenStack instance as install_yamls plans them, with its mistakes corrected: the subnet, the VLAN
//! and the hosts of each. GenerateInstances moves this plan to make room for more instances.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::formats::ip::{Family, Subnet};

/// A network of an instance. The order is that of NetConfig in the upstream samples; the networks that are not for
/// compute nodes follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NetworkName {
    Ctlplane,
    Internalapi,
    External,
    Storage,
    Storagemgmt,
    Tenant,
    Octavia,
    Designate,
    Designateext,
    /// The bridge of provider networks. It has no addresses.
    Datacentre,
}

impl NetworkName {
    pub const ALL: [NetworkName; 10] = [
        NetworkName::Ctlplane,
        NetworkName::Internalapi,
        NetworkName::External,
        NetworkName::Storage,
        NetworkName::Storagemgmt,
        NetworkName::Tenant,
        NetworkName::Octavia,
        NetworkName::Designate,
        NetworkName::Designateext,
        NetworkName::Datacentre,
    ];

    const NAMES: [&'static str; 10] = [
        "ctlplane",
        "internalapi",
        "external",
        "storage",
        "storagemgmt",
        "tenant",
        "octavia",
        "designate",
        "designateext",
        "datacentre",
    ];

    pub fn as_str(self) -> &'static str {
        NetworkName::NAMES[self as usize]
    }

    /// The plan of the network. None for one without addresses.
    pub fn plan(self) -> Option<&'static NetworkPlan> {
        PLAN.iter().find(|plan| plan.name == self)
    }

    /// Whether pods reach the network through a bridge of its own. Octavia attaches virtual ports to this bridge.
    pub fn has_own_bridge(self) -> bool {
        self == NetworkName::Octavia
    }
}

impl fmt::Display for NetworkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The plan of one network. Host numbers are written as in [`crate::formats::hosts`].
#[derive(Debug)]
pub struct NetworkPlan {
    pub name: NetworkName,
    v4: Subnet,
    v6: Subnet,
    /// None for untagged traffic on the bridge of the control plane.
    pub vlan: Option<u16>,
    /// The first node.
    pub nodes: Option<&'static str>,
    /// The pods (whereabouts).
    pub attach: Option<&'static str>,
    /// The services (MetalLB).
    pub pool: Option<&'static str>,
    /// The compute nodes (NetConfig).
    pub allocate: &'static [&'static str],
    pub gateway: Option<&'static str>,
    /// Whether MetalLB may assign addresses of the pool to services that do not request it.
    pub is_auto_assigned: bool,
}

impl NetworkPlan {
    pub fn subnet(&self, family: Family) -> Subnet {
        match family {
            Family::V4 => self.v4,
            Family::V6 => self.v6,
        }
    }

    /// The route of the network, as a destination and the host number of the next hop. Octavia's management network is
    /// a tenant network, whose router the octavia-operator gives the host 150 of this network.
    pub fn route(&self, family: Family) -> Option<(Subnet, &'static str)> {
        match (self.name, family) {
            (NetworkName::Octavia, Family::V4) => Some((Subnet::v4([172, 24, 0, 0], 16), "150")),
            (NetworkName::Octavia, Family::V6) => Some((Subnet::v6([0xfd6c, 0x6261, 0x6173, 1], 64), "96")),
            _ => None,
        }
    }
}

/// The distance between the VLAN ids of two instances.
pub const VLAN_STEP: u16 = 10;

/// The MTU of bridges without another one.
pub const DEFAULT_MTU: u32 = 1500;

/// The bridge of the control plane in install_yamls.
pub const BRIDGE: &str = "ospbr";

/// The name of the NetConfig, of which a namespace can have only one.
pub const NET_CONFIG_NAME: &str = "netconfig";

/// The name of the only subnet of each network.
pub const SUBNET_NAME: &str = "subnet1";

/// The networks that a compute node is attached to in the upstream samples.
pub const OF_COMPUTES: [NetworkName; 4] =
    [NetworkName::Ctlplane, NetworkName::Internalapi, NetworkName::Storage, NetworkName::Tenant];

/// The pods and the services of most networks.
const ATTACH: Option<&str> = Some("30-70");
const POOL: Option<&str> = Some("80-90");

/// What most networks have in common: nodes, pods and a VLAN, but no services and no compute nodes.
const fn tagged(name: NetworkName, v4: [u8; 4], v6: u16, vlan: u16) -> NetworkPlan {
    NetworkPlan {
        name,
        v4: Subnet::v4(v4, 24),
        v6: Subnet::v6([0xfd00, v6, 0, 0], 64),
        vlan: Some(vlan),
        nodes: Some("5"),
        attach: ATTACH,
        pool: None,
        allocate: &[],
        gateway: None,
        is_auto_assigned: true,
    }
}

/// A network of compute nodes.
const fn of_computes(name: NetworkName, v4: [u8; 4], v6: u16, vlan: u16) -> NetworkPlan {
    NetworkPlan { allocate: &["100-250"], ..tagged(name, v4, v6, vlan) }
}

static PLAN: [NetworkPlan; 9] = [
    NetworkPlan {
        vlan: None,
        nodes: Some("10"),
        pool: POOL,
        allocate: &["100-120", "150-200"],
        gateway: Some("1"),
        ..tagged(NetworkName::Ctlplane, [192, 168, 122, 0], 0xaaaa, 0)
    },
    NetworkPlan { pool: POOL, ..of_computes(NetworkName::Internalapi, [172, 17, 0, 0], 0xbbbb, 20) },
    NetworkPlan {
        vlan: None,
        nodes: None,
        attach: None,
        gateway: Some("1"),
        ..of_computes(NetworkName::External, [10, 0, 0, 0], 0xffff, 0)
    },
    NetworkPlan { pool: POOL, ..of_computes(NetworkName::Storage, [172, 18, 0, 0], 0xcccc, 21) },
    // In IPv6, NetConfig of install_yamls has fd00:eeee::/64, which is Octavia's.
    of_computes(NetworkName::Storagemgmt, [172, 20, 0, 0], 0xdede, 23),
    NetworkPlan { pool: POOL, ..of_computes(NetworkName::Tenant, [172, 19, 0, 0], 0xdddd, 22) },
    NetworkPlan { nodes: None, ..tagged(NetworkName::Octavia, [172, 23, 0, 0], 0xeeee, 24) },
    tagged(NetworkName::Designate, [172, 28, 0, 0], 0xeded, 25),
    // install_yamls has 172.50.0.0/24, which is public address space.
    NetworkPlan {
        pool: POOL,
        is_auto_assigned: false,
        ..tagged(NetworkName::Designateext, [172, 29, 0, 0], 0xeaea, 26)
    },
];

/// Networks of OpenShift itself that no plan may use, if the installation does not change them: those of pods and of
/// Services.
pub const RESERVED: [Subnet; 2] = [Subnet::v4([10, 128, 0, 0], 14), Subnet::v4([172, 30, 0, 0], 16)];

impl<'de> Deserialize<'de> for NetworkName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = NetworkName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a network")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<NetworkName, E> {
                let name = NetworkName::ALL.into_iter().find(|name| name.as_str() == text);
                // A network is the key of a mapping, so an unknown one is reported as an unknown key.
                name.ok_or_else(|| E::unknown_field(text, &NetworkName::NAMES))
            }
        }

        deserializer.deserialize_str(Name)
    }
}

impl JsonSchema for NetworkName {
    fn schema_name() -> Cow<'static, str> {
        "NetworkName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": NetworkName::NAMES})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::hosts::Hosts;

    #[test]
    fn every_network_has_its_name_and_its_own_subnets() {
        for (position, name) in NetworkName::ALL.into_iter().enumerate() {
            assert_eq!(name as usize, position);
            assert_eq!(name.plan().is_some(), name != NetworkName::Datacentre);
        }
        for family in [Family::V4, Family::V6] {
            let subnets: Vec<Subnet> = PLAN.iter().map(|plan| plan.subnet(family)).collect();
            for (position, subnet) in subnets.iter().enumerate() {
                assert!(subnet.is_private(), "{subnet}");
                assert!(!subnets[..position].iter().any(|other| other.overlaps(*subnet)), "{subnet}");
                assert!(!RESERVED.iter().any(|reserved| reserved.overlaps(*subnet)), "{subnet}");
            }
        }
    }

    #[test]
    fn hosts_are_in_both_subnets() {
        for plan in &PLAN {
            for family in [Family::V4, Family::V6] {
                let subnet = plan.subnet(family);
                let texts = [plan.nodes, plan.attach, plan.pool, plan.gateway];
                for text in texts.into_iter().flatten().chain(plan.allocate.iter().copied()) {
                    assert!(Hosts::parse(text).unwrap().resolve(subnet).is_ok(), "{text} in {subnet}");
                }
                if let Some((_, next_hop)) = plan.route(family) {
                    assert!(Hosts::parse(next_hop).unwrap().resolve(subnet).is_ok());
                }
            }
        }
    }
}
