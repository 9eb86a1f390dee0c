//! The NetConfig of an instance: the networks of its compute nodes.

use serde_json::{Map, Value, json};

use super::plan::{Instance, Network};
use crate::krm::{Fault, Object, Resource};
use crate::platform::network::NET_CONFIG;
use crate::platform::network_plan::{NET_CONFIG_NAME, SUBNET_NAME};

impl Instance {
    /// None if no network has compute nodes.
    pub fn net_config(&self) -> Result<Option<Resource>, Fault> {
        let of_computes = self.networks.iter().filter(|network| !network.allocate.is_empty());
        let networks: Vec<Value> = of_computes.map(network).collect();
        if networks.is_empty() {
            return Ok(None);
        }
        let object = Object::new(NET_CONFIG, NET_CONFIG_NAME).namespace(Some(&self.namespace));
        object.field("spec", json!({"networks": networks})).build().map(Some)
    }
}

fn network(network: &Network) -> Value {
    let mut written = Map::new();
    written.insert("name".to_owned(), json!(network.name.as_str()));
    written.insert("dnsDomain".to_owned(), json!(network.dns_domain));
    if let Some(mtu) = &network.mtu {
        written.insert("mtu".to_owned(), json!(mtu.value));
    }
    written.insert("subnets".to_owned(), json!([subnet(network)]));
    Value::Object(written)
}

fn subnet(network: &Network) -> Value {
    let mut written = json!({"name": SUBNET_NAME, "cidr": network.subnet.value.to_string()});
    if let Some(gateway) = &network.gateway {
        written["gateway"] = json!(gateway.value.to_string());
    }
    if let Some(id) = network.link.vlan() {
        written["vlan"] = json!(id.value);
    }
    let range = |start: String, end: String| json!({"start": start, "end": end});
    let ranges = network.allocate.iter().map(|it| (it.value.first(), it.value.last()));
    written["allocationRanges"] =
        ranges.map(|(first, last)| range(first.to_string(), last.to_string())).collect();
    let routes = network.routes.iter().map(|route| {
        json!({"destination": route.destination.to_string(), "nexthop": route.next_hop.value.to_string()})
    });
    if !network.routes.is_empty() {
        written["routes"] = routes.collect();
    }
    written
}
