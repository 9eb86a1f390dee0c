//! Hosts in values files: the nodes of node sets, and bare metal hosts.

use crate::model::ItemId;
use crate::model::fields::{Field, Map};
use crate::model::network::hosts::{Host, Origin, Purpose, controller, networks, nodes};

/// The nodes of each node set: of each map with `nodes`.
pub fn of_node_sets(item: ItemId, data: &Map<'_>) -> Vec<Host> {
    let node_sets = data.entries().filter_map(|(_, field)| field.into_map());
    let with_nodes = node_sets.filter_map(|set| Some((set.get("nodes")?.into_map()?, set)));
    // Whether the nodes are preprovisioned is not in the file.
    with_nodes.flat_map(|(listed, set)| nodes(item, &listed, networks(&set).as_deref(), false)).collect()
}

/// One host for each map with a management controller.
pub fn bare_metal(item: ItemId, data: &Map<'_>) -> Vec<Host> {
    let host = |(name, field): (&str, Field<'_>)| {
        let map = field.into_map().filter(|map| map.get("bmc").is_some())?;
        let mut host = Host::new(item, Origin::BareMetalHost, name);
        host.add(controller(&map), Purpose::Controller);
        Some(host)
    };
    data.entries().filter_map(host).collect()
}
