//! L2Advertisements and BGPAdvertisements.

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
    /// The pools that it names.
    pub pools: Vec<Sited<String>>,
    /// Whether it selects pools by their labels. If it neither names nor selects pools, it announces all.
    pub selects_pools: bool,
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
    Advertisement {
        item: reader.item,
        name: reader.resource.id().name.clone(),
        pools,
        selects_pools: !selectors.is_empty(),
    }
}

#[cfg(test)]
mod tests {
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
            advertisement("L2Advertisement", "{ipAddressPoolSelectors: [{matchLabels: {a: b}}]}"),
            advertisement("BGPAdvertisement", "{}"),
        ]);
        assert!(misreads.is_empty());
        let found: Vec<(usize, bool)> =
            network.advertisements.iter().map(|a| (a.pools.len(), a.selects_pools)).collect();
        assert_eq!(found, [(2, false), (0, true), (0, false)]);
    }
}
