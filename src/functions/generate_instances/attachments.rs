//! The Namespace of an instance, and how its pods are attached to the networks.

use serde_json::{Map, Value, json};

use super::Fleet;
use super::plan::{Instance, Link, Network};
use crate::krm::{Fault, Object, Resource};
use crate::platform::kubernetes::{NAMESPACE, PRIVILEGED};
use crate::platform::network::ATTACHMENT;
use crate::platform::network::attachment::WHEREABOUTS;
use crate::platform::network_plan::NetworkName;

impl Instance {
    pub fn namespace_object(&self) -> Result<Resource, Fault> {
        let labels = PRIVILEGED.iter().map(|(key, value)| ((*key).to_owned(), json!(value)));
        Object::new(NAMESPACE, &self.namespace).labels(Map::from_iter(labels)).build()
    }
}

impl Fleet {
    pub fn attachments(&self, instance: &Instance) -> Result<Vec<Resource>, Fault> {
        let mut found = Vec::new();
        for network in &instance.networks {
            if let Some(config) = config(network) {
                found.push(attachment(instance, network.name, &config)?);
            }
        }
        if instance.has_datacentre {
            let name = NetworkName::Datacentre;
            let config = json!({
                "cniVersion": CNI_VERSION,
                "name": name.as_str(),
                "type": "bridge",
                "bridge": self.bridge,
                "ipam": {},
            });
            found.push(attachment(instance, name, &config)?);
        }
        Ok(found)
    }
}

const CNI_VERSION: &str = "0.3.1";

fn attachment(instance: &Instance, name: NetworkName, config: &Value) -> Result<Resource, Fault> {
    Object::new(ATTACHMENT, name.as_str())
        .namespace(Some(&instance.namespace))
        .field("spec", json!({"config": format!("{config:#}\n")}))
        .build()
}

/// The CNI configuration. None for a network without pods.
fn config(network: &Network) -> Option<Value> {
    let range = network.attach.as_ref()?.value;
    let has_bridge = matches!(network.link, Link::Vlan { bridge: Some(_), .. });
    let (kind, key) = if has_bridge { ("bridge", "bridge") } else { ("macvlan", "master") };
    let mut ipam = json!({
        "type": WHEREABOUTS,
        "range": network.subnet.value.to_string(),
        "range_start": range.first().to_string(),
        "range_end": range.last().to_string(),
    });
    let route = |route: &super::plan::Route| json!({"dst": route.destination.to_string(), "gw": route.next_hop.value.to_string()});
    if !network.routes.is_empty() {
        ipam["routes"] = network.routes.iter().map(route).collect();
    }
    Some(json!({
        "cniVersion": CNI_VERSION,
        "name": network.name.as_str(),
        "type": kind,
        key: network.link.interface(),
        "ipam": ipam,
    }))
}
