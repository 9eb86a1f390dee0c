//! The objects of MetalLB: the pools of an instance, and how their addresses are announced.

use serde_json::{Value, json};

use super::instance_spec::PeerSpec;
use super::plan::{Instance, Network};
use super::{Advertise, Fleet};
use crate::formats::ip::IpRange;
use crate::krm::{Fault, Kind, Object, Resource};
use crate::platform::metallb::{self, ADDRESS_POOL, BGP_ADVERTISEMENT, BGP_PEER, L2_ADVERTISEMENT};

fn object(kind: Kind, name: &str) -> Object {
    Object::new(kind, name).namespace(Some(metallb::NAMESPACE))
}

impl Instance {
    /// The networks with services, and their ranges.
    pub fn pooled(&self) -> impl Iterator<Item = (&Network, IpRange)> {
        self.networks.iter().filter_map(|network| Some((network, network.pool.as_ref()?.value)))
    }

    pub fn pools(&self) -> Result<Vec<Resource>, Fault> {
        let pool = |(network, range): (&Network, IpRange)| {
            let mut spec = json!({"addresses": [range.to_string()]});
            if network.name.plan().is_some_and(|plan| !plan.is_auto_assigned) {
                spec["autoAssign"] = json!(false);
            }
            spec["serviceAllocation"] = json!({"namespaces": [self.namespace]});
            object(ADDRESS_POOL, &self.prefixed(network.name)).field("spec", spec).build()
        };
        self.pooled().map(pool).collect()
    }
}

impl Fleet {
    pub fn advertisements(&self, instance: &Instance) -> Result<Vec<Resource>, Fault> {
        match self.advertise {
            Advertise::L2 => instance.pooled().map(|(network, _)| l2(instance, network)).collect(),
            Advertise::Bgp => {
                let pools: Vec<String> =
                    instance.pooled().map(|(network, _)| instance.prefixed(network.name)).collect();
                if pools.is_empty() {
                    return Ok(Vec::new());
                }
                let peers: Vec<String> = self.named_peers().map(|(name, _)| name).collect();
                let spec = json!({"ipAddressPools": pools, "peers": peers});
                let name = instance.prefixed("bgpadvertisement");
                Ok(vec![object(BGP_ADVERTISEMENT, &name).field("spec", spec).build()?])
            }
        }
    }

    fn named_peers(&self) -> impl Iterator<Item = (String, &PeerSpec)> {
        self.peers.iter().enumerate().map(|(position, peer)| (peer.name_at(position), peer))
    }

    /// The routers, which all instances share.
    pub fn peers(&self) -> Result<Vec<Resource>, Fault> {
        let peer = |(name, peer): (String, &PeerSpec)| {
            let mut spec = json!({
                "myASN": peer.my_asn,
                "peerASN": peer.peer_asn,
                "peerAddress": peer.peer_address.to_string(),
            });
            let mut set = |key: &str, value: Option<Value>| {
                if let Some(value) = value {
                    spec[key] = value;
                }
            };
            set("passwordSecret", peer.password_secret.as_ref().map(|name| json!({"name": name})));
            set("routerID", peer.router_id.map(|id| json!(id.to_string())));
            let selector = &peer.node_selector;
            set("nodeSelectors", (!selector.is_empty()).then(|| json!([{"matchLabels": selector}])));
            object(BGP_PEER, &name).field("spec", spec).build()
        };
        self.named_peers().map(peer).collect()
    }
}

impl PeerSpec {
    /// The name of the peer at a position of the list, as in install_yamls.
    pub fn name_at(&self, position: usize) -> String {
        let default = || match position {
            0 => "bgp-peer".to_owned(),
            _ => format!("bgp-peer-{}", position + 1),
        };
        self.name.clone().unwrap_or_else(default)
    }
}

fn l2(instance: &Instance, network: &Network) -> Result<Resource, Fault> {
    let name = instance.prefixed(network.name);
    let spec = json!({"ipAddressPools": [name], "interfaces": [network.link.interface()]});
    object(L2_ADVERTISEMENT, &name).field("spec", spec).build()
}
