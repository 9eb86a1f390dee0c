//! The nodes of a cluster, and the hosts that become nodes.

use std::collections::BTreeMap;

use super::item_reader::ItemReader;
use super::{ItemId, Misread, World};
use crate::platform::kubernetes::{BARE_METAL_HOST, HOSTNAME, NODE};

/// A Node or a BareMetalHost.
#[derive(Debug)]
pub struct Node {
    pub item: ItemId,
    /// The label `kubernetes.io/hostname`, or else the name of the object.
    pub host_name: String,
    pub labels: BTreeMap<String, String>,
}

impl Node {
    /// Whether it has all of these labels.
    pub fn has_labels(&self, labels: &BTreeMap<String, String>) -> bool {
        labels.iter().all(|(key, value)| self.labels.get(key) == Some(value))
    }
}

/// The nodes, in the order of the items.
pub fn read(world: &World<'_>) -> (Vec<Node>, Vec<Misread>) {
    let mut misreads = Vec::new();
    let items = world.items().filter(|(_, item)| item.is(NODE) || item.is(BARE_METAL_HOST));
    let nodes = items.map(|(id, item)| {
        let labels = ItemReader::new(id, item, &mut misreads).labels();
        let host_name = labels.get(HOSTNAME).unwrap_or(&item.id().name).clone();
        Node { item: id, host_name, labels }
    });
    let nodes = nodes.collect();
    (nodes, misreads)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::krm::Resource;

    #[test]
    fn a_node_has_a_host_name() {
        let node = |kind: &str, labels: serde_json::Value| {
            let api_version = if kind == "Node" { "v1" } else { "metal3.io/v1alpha1" };
            let metadata = json!({"name": "a", "labels": labels});
            Resource::new(&json!({"apiVersion": api_version, "kind": kind, "metadata": metadata})).unwrap()
        };
        let items = [
            node("Node", json!({HOSTNAME: "worker-0", "gpu": true})),
            node("BareMetalHost", json!({"gpu": "true"})),
            node("Machine", json!({})),
        ];
        let (nodes, misreads) = read(&World::new(&items));
        let names: Vec<&str> = nodes.iter().map(|node| node.host_name.as_str()).collect();
        assert_eq!((names, misreads.len()), (vec!["worker-0", "a"], 0));
        let selector = BTreeMap::from([("gpu".to_owned(), "true".to_owned())]);
        assert!(!nodes[0].has_labels(&selector) && nodes[1].has_labels(&selector));
    }
}
