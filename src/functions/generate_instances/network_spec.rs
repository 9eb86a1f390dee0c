//! A network as the functionConfig gives it.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use super::setting::{Ranges, Setting};
use crate::formats::hosts::Hosts;
use crate::formats::ip::Subnet;
use crate::krm::quoted;

/// Changes to the default plan of a network.
#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NetworkSpec {
    /// The subnet, IPv4 or IPv6. In `spec.networks`, it applies to slot 0.
    pub cidr: Option<GivenSubnet>,
    /// The VLAN id. `null` means untagged traffic on the bridge. In `spec.networks`, it applies to slot 0.
    #[schemars(range(min = 1, max = 4094))]
    pub vlan: Setting<u16>,
    /// The NIC that carries the VLAN, if it is not `spec.interface`.
    pub interface: Option<String>,
    /// The MTU of the interface on the nodes and of the compute nodes. Defaults to 1500.
    #[schemars(range(min = 1280, max = 65535))]
    pub mtu: Option<u32>,
    /// The gateway of compute nodes.
    pub gateway: Setting<Hosts>,
    /// Routes of everything that is attached to the network: nodes, pods and compute nodes.
    pub routes: Option<Vec<RouteSpec>>,
    /// The domain of compute nodes. Defaults to the name of the network in example.com.
    pub dns_domain: Option<String>,
    /// The first node. The other nodes follow in the order of `nodes`.
    pub nodes: Setting<Hosts>,
    /// The addresses of pods, which a NetworkAttachmentDefinition hands out.
    pub attach: Setting<Hosts>,
    /// The addresses of services, which MetalLB hands out.
    pub pool: Setting<Hosts>,
    /// The addresses of compute nodes, which NetConfig hands out: a range, or a list of ranges.
    pub allocate: Setting<Ranges>,
}

/// A route.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RouteSpec {
    /// The subnet that the route leads to.
    pub destination: GivenSubnet,
    /// The next hop, which is a host of the network.
    pub next_hop: Hosts,
}

/// A subnet as the functionConfig gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenSubnet(pub Subnet);

impl<'de> Deserialize<'de> for GivenSubnet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneSubnet;

        const ONE: &str = "must be one subnet: dual stack is not supported, because a NetworkAttachmentDefinition of \
                           OpenStack has addresses of one family";

        impl<'de> Visitor<'de> for OneSubnet {
            type Value = GivenSubnet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a subnet such as 172.17.0.0/24")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<GivenSubnet, E> {
                if text.contains(',') {
                    return Err(E::custom(ONE));
                }
                let refusal = |why| E::custom(format!("{} is not a subnet: {why}", quoted(text)));
                Subnet::parse(text).map(GivenSubnet).map_err(refusal)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<GivenSubnet, A::Error> {
                Err(de::Error::custom(ONE))
            }
        }

        deserializer.deserialize_any(OneSubnet)
    }
}

impl JsonSchema for GivenSubnet {
    fn schema_name() -> Cow<'static, str> {
        "Subnet".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9a-fA-F.:]+/[0-9]+$"})
    }
}
