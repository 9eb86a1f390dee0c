//! The functionConfig as YAML, with comments.

use serde_json::{Map, Value, json};

use super::fleet::Fleet;
use super::instance::Instance;
use super::network::{Field, Network};
use super::notes::listed;
use crate::formats::ip::Family;
use crate::functions::API_VERSION;
use crate::krm::visible;
use crate::platform::install_yamls::WITH_MTU;
use crate::platform::network_plan::BRIDGE;
use crate::yaml::write::{Formatting, flow};

const HEAD: &str = r#"kind: GenerateInstances
metadata:
  name: fleet
  annotations:
    config.kubernetes.io/local-config: "true" # kpt keeps this file but does not apply it
    config.kubernetes.io/function: | # how kustomize finds the program
      exec:
        path: rhoso-fn
spec:
"#;

const NO_NODES: &str = " # list the worker nodes: oc get nodes -l node-role.kubernetes.io/worker";

/// The Secret that the BGPPeers refer to.
pub const PASSWORD_SECRET: &str = "bgp-peer-password";

fn inline(value: &Value) -> String {
    flow(value, &Formatting::default())
}

/// The functionConfig. The nodes can be others than those of the files.
pub fn write(fleet: &Fleet, nodes: &[String], files: &[String]) -> String {
    let mut text = format!("apiVersion: {API_VERSION}\n{HEAD}");
    let hint = if nodes.is_empty() { NO_NODES } else { "" };
    text.push_str(&format!("  nodes: {}{hint}\n", inline(&json!(nodes))));
    text.push_str(&format!("  interface: {}\n", inline(&json!(fleet.interface))));
    if fleet.bridge != BRIDGE {
        text.push_str(&format!("  bridge: {}\n", inline(&json!(fleet.bridge))));
    }
    if fleet.family == Family::V6 {
        text.push_str("  ipFamily: IPv6\n");
    }
    if let Some(mtu) = fleet.mtu {
        text.push_str("  networks: # for all instances\n");
        for name in WITH_MTU {
            text.push_str(&format!("    {name}: {{mtu: {mtu}}}\n"));
        }
    }
    text.push_str("  instances:\n");
    for instance in &fleet.instances {
        push_instance(&mut text, instance, files);
    }
    if let Some(peers) = &fleet.peers {
        text.push_str(&format!(
            "  advertise: bgp\n  peers: # {PASSWORD_SECRET}: a Secret of type kubernetes.io/basic-auth in metallb-system\n"
        ));
        for address in &peers.addresses {
            let mut peer = json!({
                "peerAddress": address.to_string(),
                "peerASN": peers.peer_asn,
                "myASN": peers.my_asn,
            });
            if let Some(id) = peers.router_id {
                peer["routerID"] = json!(id.to_string());
            }
            peer["passwordSecret"] = json!(PASSWORD_SECRET);
            text.push_str(&format!("  - {}\n", inline(&peer)));
        }
    }
    text
}

fn push_instance(text: &mut String, instance: &Instance, files: &[String]) {
    let file = files.get(instance.file).map(String::as_str).unwrap_or_default();
    let namespace = inline(&json!(instance.namespace));
    text.push_str(&format!("  - namespace: {namespace} # {}\n", visible(base_name(file))));
    if instance.slot > 0 {
        push_moved(text, instance);
    }
    let given = instance.networks.iter().filter(|(_, network)| !network.settings.is_empty());
    for (position, (name, network)) in given.enumerate() {
        if position == 0 {
            text.push_str("    networks:\n");
        }
        let settings = network.settings.iter();
        let settings = settings.map(|(field, setting)| (field.as_str().to_owned(), setting.value.clone()));
        text.push_str(&format!("      {name}: {}\n", inline(&Value::Object(settings.collect()))));
    }
    if !instance.computes.is_empty() {
        let computes = instance.computes.iter();
        let computes: Map<String, Value> =
            computes.map(|(name, address)| (name.clone(), json!(address.value.to_string()))).collect();
        text.push_str(&format!("    computes: {}\n", inline(&Value::Object(computes))));
    }
}

/// A comment with the subnets that the file does not set.
fn push_moved(text: &mut String, instance: &Instance) {
    const PER_LINE: usize = 4;
    let is_moved =
        |network: &&Network| network.subnet_line.is_none() && !network.settings.contains_key(&Field::Cidr);
    let moved = instance.networks.values().filter(is_moved);
    let moved: Vec<String> =
        moved.map(|network| format!("{} {}", network.plan.name, network.subnet)).collect();
    for (position, chunk) in moved.chunks(PER_LINE).enumerate() {
        let start = if position == 0 { format!("From slot {}: ", instance.slot) } else { "  ".to_owned() };
        let end = if (position + 1) * PER_LINE < moved.len() { "," } else { "" };
        text.push_str(&format!("    # {start}{}{end}\n", listed(chunk)));
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
