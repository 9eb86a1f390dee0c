//! L2Advertisements and BGPAdvertisements.

use serde_json::Value;

use crate::krm::{FieldPath, FieldPattern};
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, Sited, World};
use crate::platform::metallb;

#[derive(Debug)]
pub struct Advertisement {
    pub item: ItemId,
    /// Empty if the advertisement has no name.
    pub name: String,
    pub protocol: Protocol,
    /// The pools that it names.
    pub pools: Vec<Sited<String>>,
    /// Whether it selects pools by their labels. If it neither names nor selects pools, it announces all.
    pub selects_pools: bool,
    /// The interfaces that an L2Advertisement names. If it names none, it uses all.
    pub interfaces: Vec<Sited<String>>,
}

/// How nodes announce addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// They answer ARP and NDP requests in the network of an interface.
    Layer2,
    /// They announce routes to their BGP peers.
    Bgp,
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
    let is_bgp = reader.resource.is(metallb::BGP_ADVERTISEMENT);
    let pools = names(reader, &metallb::advertised_pools());
    let interfaces = if is_bgp { Vec::new() } else { names(reader, &metallb::announcing_interfaces()) };
    let selectors: Vec<Value> = reader.get(&metallb::pool_selectors()).unwrap_or_default();
    Advertisement {
        item: reader.item,
        name: reader.resource.id().name.clone(),
        protocol: if is_bgp { Protocol::Bgp } else { Protocol::Layer2 },
        pools,
        selects_pools: !selectors.is_empty(),
        interfaces,
    }
}

fn names(reader: &mut ItemReader<'_, '_>, list: &FieldPath) -> Vec<Sited<String>> {
    let mut names = Vec::new();
    for path in reader.fields(&FieldPattern::each_of(list)) {
        names.extend(reader.text(&path).map(|name| Sited::new(name, reader.item, path)));
    }
    names
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
                "{ipAddressPoolSelectors: [{matchLabels: {a: b}}], interfaces: [c]}",
            ),
            advertisement("BGPAdvertisement", "{}"),
        ]);
        assert!(misreads.is_empty());
        let found: Vec<(usize, bool)> =
            network.advertisements.iter().map(|a| (a.pools.len(), a.selects_pools)).collect();
        assert_eq!(found, [(2, false), (0, true), (0, false)]);
        let layer2 = &network.advertisements[1];
        assert_eq!((layer2.protocol, layer2.interfaces[0].value.as_str()), (Protocol::Layer2, "c"));
        assert_eq!(network.advertisements[2].protocol, Protocol::Bgp);
    }
}
