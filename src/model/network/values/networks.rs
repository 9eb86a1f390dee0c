//! One network of a `network-values` file.

use crate::formats::cidr::Address;
use crate::formats::ip::IpRange;
use crate::model::fields::{Field, Map};
use crate::model::network::PoolRange;
use crate::model::network::cni::{self, Config};
use crate::model::network::net_configs::{ComputeNetwork, subnet};
use crate::model::{Site, Sited};
use crate::platform::network::HIGHEST_VLAN;
use crate::platform::values::{CONTROL_PLANE, has_compute_subnets, is_local_to_nodes};

#[derive(Debug)]
pub struct PlannedNetwork {
    pub key: String,
    pub site: Site,
    /// The interface that its pool is announced on. That of the control plane network is a card.
    pub interface: Option<Sited<String>>,
    /// Whether nodes have an interface in it for its VLAN or bridge.
    pub is_on_nodes: bool,
    /// The interface below its VLAN.
    pub base: Option<Sited<String>>,
    pub vlan: Option<Sited<u16>>,
    pub mtu: Option<Sited<u32>>,
    /// The prefix length of the addresses that nodes have in it.
    pub prefix_length: Option<Sited<u8>>,
    /// Whether each node has its own bridge instead of an interface in a common network.
    pub is_local: bool,
    /// The address of that bridge on every node.
    pub gateway: Option<Sited<Address>>,
    /// None without an attachment. Empty if the configuration is not known.
    pub attachment: Option<Config>,
    /// None if the NetConfig does not get the network.
    pub compute: Option<ComputeNetwork>,
    pub pool: Option<PlannedPool>,
}

/// A pool, and its ranges as far as they are known.
#[derive(Debug)]
pub struct PlannedPool {
    pub site: Site,
    pub ranges: Vec<Sited<PoolRange>>,
}

impl PlannedNetwork {
    pub fn read(key: &str, network: &Map<'_>, is_routed: bool) -> Self {
        // Elsewhere, the gateway is only the next hop of a route.
        let gateway = is_routed.then(|| network.address("gateway")).flatten();
        let is_local = gateway.is_some() || is_local_to_nodes(key, is_routed);
        let is_vlan = !is_local && key != CONTROL_PLANE;
        let mtu = network.number("mtu", u32::MAX.into());
        let attachment = network.get("net-attach-def").and_then(cni::config);
        let is_unread = network.is_unread("net-attach-def", &attachment);
        let base = is_vlan.then(|| network.string("base_iface")).flatten();
        PlannedNetwork {
            interface: network.string("iface"),
            is_on_nodes: is_local || base.is_some() || network.is_unread("base_iface", &base),
            base,
            vlan: is_vlan.then(|| network.number("vlan", HIGHEST_VLAN)).flatten(),
            prefix_length: network.number("prefix-length", 128),
            attachment: attachment.or_else(|| is_unread.then(Config::default)),
            compute: has_compute_subnets(key, is_routed)
                .then(|| compute(key, network, mtu.clone()))
                .flatten(),
            pool: pool(network),
            key: key.to_owned(),
            site: network.site.clone(),
            mtu,
            is_local,
            gateway,
        }
    }
}

/// None for a network without subnets.
fn compute(key: &str, network: &Map<'_>, mtu: Option<Sited<u32>>) -> Option<ComputeNetwork> {
    let subnets = network.get("subnets")?.list();
    Some(ComputeNetwork {
        name: Sited { value: key.to_owned(), site: network.site.clone() },
        dns_domain: network.string("dnsDomain"),
        mtu,
        subnets: subnets.into_iter().filter_map(subnet).collect(),
    })
}

/// Reads a list of ranges, or one range. The pool exists even if its ranges are placeholders.
fn pool(network: &Map<'_>) -> Option<PlannedPool> {
    const ADDRESSES: &str = "lb_addresses";
    let site = network.site.clone().key(ADDRESSES);
    let Some(field) = network.get(ADDRESSES) else {
        let is_known = network.is_unread::<()>(ADDRESSES, &None);
        return is_known.then(|| PlannedPool { site, ranges: Vec::new() });
    };
    let fields = if field.is_string() { vec![field] } else { field.list() };
    Some(PlannedPool { site, ranges: fields.into_iter().filter_map(range).collect() })
}

fn range(field: Field<'_>) -> Option<Sited<PoolRange>> {
    field.parse(|text| Ok(PoolRange { text: text.to_owned(), range: IpRange::parse(text)? }))
}
