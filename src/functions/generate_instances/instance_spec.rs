//! Instances, nodes and BGP peers as the functionConfig gives them.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::network_spec::NetworkSpec;
use super::setting::Setting;
use crate::formats::hosts::Hosts;
use crate::functions::prefix_address_pools::Ensure;
use crate::platform::network_plan::NetworkName;

/// The networks of an instance, or of all instances. None for a network that is not wanted.
pub type NetworkSpecs = BTreeMap<NetworkName, Option<NetworkSpec>>;

/// An instance.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InstanceSpec {
    /// The namespace. Names of cluster-wide objects begin with it.
    #[schemars(length(min = 1))]
    pub namespace: String,
    /// The number that subnets and VLAN ids depend on. Defaults to the position in the list, from 0. Set it if you
    /// remove an earlier instance, so that this one keeps its addresses.
    pub slot: Option<u32>,
    /// Changes to the networks of this instance.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Setting<NetworkSpec>>")]
    pub networks: NetworkSpecs,
    /// Compute nodes and their addresses in the control plane network. They become hosts of the instance's
    /// OpenStackDataPlaneNodeSet.
    #[serde(default)]
    pub computes: BTreeMap<String, Hosts>,
}

/// A node: its name, or a mapping with its name.
#[derive(Debug, Clone)]
pub struct NodeSpec {
    pub name: String,
    /// Its position among the nodes.
    pub index: Option<u32>,
    /// Its NIC, if it has another name than on the other nodes.
    pub interface: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NodeFields {
    /// The value of the node's label `kubernetes.io/hostname`.
    name: String,
    /// The number that is added to the first address of each network. Defaults to the position in the list, from 0.
    /// Set it if you remove an earlier node, so that this one keeps its addresses.
    index: Option<u32>,
    /// The node's NIC, if it has another name than `spec.interface`. The VLAN interfaces keep the same names on all
    /// nodes.
    interface: Option<String>,
}

impl<'de> Deserialize<'de> for NodeSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrFields;

        impl<'de> Visitor<'de> for NameOrFields {
            type Value = NodeSpec;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a node, or a mapping with `name`")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<NodeSpec, E> {
                Ok(NodeSpec { name: name.to_owned(), index: None, interface: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NodeSpec, A::Error> {
                let fields = NodeFields::deserialize(de::value::MapAccessDeserializer::new(map))?;
                let NodeFields { name, index, interface } = fields;
                Ok(NodeSpec { name, index, interface })
            }
        }

        deserializer.deserialize_any(NameOrFields)
    }
}

impl JsonSchema for NodeSpec {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Node".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fields = generator.subschema_for::<NodeFields>();
        json_schema!({"anyOf": [{"type": "string"}, fields]})
    }
}

/// How control planes are generated and changed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ControlPlaneSpec {
    /// The name of an OpenStackControlPlane. Instances without a control plane get a copy of it.
    pub template: Option<String>,
    /// The parts of each control plane that must have an internal LoadBalancer, as in PrefixAddressPools: a list, or
    /// `enabled` for all enabled parts.
    #[serde(default)]
    pub ensure: Ensure,
}

/// How node sets are generated.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeSetSpec {
    /// The name of an OpenStackDataPlaneNodeSet. Instances with `computes` and without a node set get a copy of it,
    /// with their own hosts.
    pub template: String,
}

/// A BGP router that the nodes announce addresses to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PeerSpec {
    /// The name of the BGPPeer. Defaults to `bgp-peer` for the first one, then `bgp-peer-2` and so on.
    pub name: Option<String>,
    /// The address of the router.
    #[serde(deserialize_with = "address")]
    #[schemars(with = "String")]
    pub peer_address: IpAddr,
    /// The AS number of the router.
    #[serde(rename = "peerASN")]
    pub peer_asn: u32,
    /// The AS number of the nodes.
    #[serde(rename = "myASN")]
    pub my_asn: u32,
    /// The BGP router id of the nodes.
    #[serde(rename = "routerID", default, deserialize_with = "router_id")]
    #[schemars(with = "Option<String>")]
    pub router_id: Option<Ipv4Addr>,
    /// The Secret with the password of the session. It must be of type `kubernetes.io/basic-auth`, in the namespace
    /// of MetalLB.
    pub password_secret: Option<String>,
    /// Labels of the nodes that connect to the router. Defaults to all nodes.
    #[serde(default)]
    pub node_selector: BTreeMap<String, String>,
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<IpAddr, D::Error> {
    parsed(&String::deserialize(deserializer)?, &"an IP address")
}

fn router_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Ipv4Addr>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| parsed(&text, &"an IPv4 address")).transpose()
}

fn parsed<T: FromStr, E: de::Error>(text: &str, expected: &dyn de::Expected) -> Result<T, E> {
    text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), expected))
}
