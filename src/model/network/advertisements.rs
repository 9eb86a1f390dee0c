//! L2Advertisements and BGPAdvertisements.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::krm::FieldPattern;
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, Sited, World};
use crate::platform::metallb;

#[derive(Debug)]
pub struct Advertisement {
    pub item: ItemId,
    /// Empty if the advertisement has no name.
    pub name: String,
    pub namespace: Option<String>,
    pub protocol: Protocol,
    /// The pools that it names.
    pub pools: Vec<Sited<String>>,
    /// Whether it selects pools by their labels. If it neither names nor selects pools, it announces all.
    pub selects_pools: bool,
    pub selectors: Vec<PoolSelector>,
    /// The interfaces of nodes that an L2Advertisement announces addresses on; all if it lists none.
    pub interfaces: Vec<Sited<String>>,
}

/// How an advertisement makes addresses known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Nodes answer for the addresses in the networks that they are connected to.
    Layer2,
    /// Routers learn the addresses, which are in none of these networks.
    Bgp,
}

/// Selects pools that have all of these labels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PoolSelector {
    pub labels: BTreeMap<String, String>,
    /// Whether it also has expressions, which are not evaluated.
    pub has_expressions: bool,
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Advertisement> {
    let mut items: Vec<ItemId> = metallb::ADVERTISEMENTS
        .into_iter()
        .flat_map(|kind| world.of_kind(kind).map(|(item, _)| item).collect::<Vec<_>>())
        .collect();
    items.sort();
    items
        .into_iter()
        .map(|item| read_advertisement(&mut ItemReader::new(item, world.get(item), misreads)))
        .collect()
}

fn read_advertisement(reader: &mut ItemReader<'_, '_>) -> Advertisement {
    let mut pools = Vec::new();
    for path in reader.fields(&FieldPattern::each_of(&metallb::advertised_pools())) {
        pools.extend(reader.text(&path).map(|name| Sited::new(name, reader.item, path)));
    }
    let selectors: Vec<Value> = reader.get(&metallb::pool_selectors()).unwrap_or_default();
    let is_bgp = reader.resource.is(metallb::BGP_ADVERTISEMENT);
    let interfaces = if is_bgp { None } else { reader.names(&metallb::interfaces()).ok().flatten() };
    Advertisement {
        item: reader.item,
        name: reader.resource.id().name.clone(),
        namespace: reader.namespace(),
        protocol: if is_bgp { Protocol::Bgp } else { Protocol::Layer2 },
        pools,
        selects_pools: !selectors.is_empty(),
        selectors: selectors.iter().map(selector).collect(),
        interfaces: interfaces.unwrap_or_default(),
    }
}

fn selector(selector: &Value) -> PoolSelector {
    let labels = selector["matchLabels"].as_object().into_iter().flatten();
    let labels = labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect();
    let has_expressions = selector["matchExpressions"].as_array().is_some_and(|list| !list.is_empty());
    PoolSelector { labels, has_expressions }
}

#[cfg(test)]
mod tests {
    use super::Protocol;
    use crate::model::network::tests::{network, resource};

    #[test]
    fn advertisements_name_pools_or_select_them() {
        let advertisement = |kind: &str, spec: &str| {
            resource(&format!(
                "apiVersion: metallb.io/v1beta1\nkind: {kind}\nmetadata: {{name: a}}\nspec: {spec}\n"
            ))
        };
        let (network, misreads) = network(&[
            advertisement("BGPAdvertisement", "{ipAddressPools: [x, y]}"),
            advertisement(
                "L2Advertisement",
                "{ipAddressPoolSelectors: [{matchLabels: {a: b}}, {matchExpressions: [{key: a, operator: Exists}]}], interfaces: [ospbr]}",
            ),
            advertisement("BGPAdvertisement", "{}"),
        ]);
        assert!(misreads.is_empty());
        let found: Vec<(usize, bool)> =
            network.advertisements.iter().map(|a| (a.pools.len(), a.selects_pools)).collect();
        assert_eq!(found, [(2, false), (0, true), (0, false)]);
        let layer2 = &network.advertisements[1];
        let selectors: Vec<_> =
            layer2.selectors.iter().map(|s| (s.labels.len(), s.has_expressions)).collect();
        assert_eq!((layer2.protocol, selectors), (Protocol::Layer2, vec![(1, false), (0, true)]));
        assert_eq!((layer2.interfaces[0].value.as_str(), layer2.interfaces.len()), ("ospbr", 1));
        assert_eq!(network.advertisements[2].protocol, Protocol::Bgp);
    }
}
