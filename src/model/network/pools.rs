//! IPAddressPools.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::formats::ip::IpRange;
use crate::krm::{FieldPath, FieldPattern};
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, Site, Sited, World};
use crate::platform::metallb;

#[derive(Debug)]
pub struct Pool {
    pub item: ItemId,
    /// What defines the pool: the whole object, or an entry of a values file.
    pub site: Site,
    /// Where its addresses are, or would be.
    pub addresses: Site,
    /// Whether kustomize creates it from a values file. Patches may rename it then, so its name is not certain.
    pub from_values: bool,
    /// Empty if the pool has no name.
    pub name: String,
    pub namespace: Option<String>,
    /// By which advertisements can select the pool.
    pub labels: BTreeMap<String, String>,
    /// The valid ranges.
    pub ranges: Vec<Sited<PoolRange>>,
    /// Whether the pool lists any addresses, including invalid ranges.
    pub has_addresses: bool,
    /// The namespaces that may use the pool. If it lists none and selects none, every namespace may.
    pub namespaces: Vec<String>,
    /// Whether selectors allow more namespaces.
    pub selects_namespaces: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolRange {
    /// The range as written.
    pub text: String,
    pub range: IpRange,
}

impl Pool {
    pub fn ranges(&self) -> impl Iterator<Item = IpRange> {
        self.ranges.iter().map(|sited| sited.value.range)
    }
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Pool> {
    let pools = world.of_kind(metallb::ADDRESS_POOL);
    pools.map(|(item, _)| read_pool(&mut ItemReader::new(item, world.get(item), misreads))).collect()
}

fn read_pool(reader: &mut ItemReader<'_, '_>) -> Pool {
    let paths = reader.fields(&FieldPattern::each_of(&metallb::addresses()));
    let has_addresses = !paths.is_empty();
    let mut ranges = Vec::new();
    for path in paths {
        let Some(text) = reader.text(&path) else { continue };
        if let Some(range) = reader.parsed(&path, &text, IpRange::parse(&text)) {
            ranges.push(Sited::new(PoolRange { text, range }, reader.item, path));
        }
    }
    let selectors: Vec<Value> = reader.get(&metallb::namespace_selectors()).unwrap_or_default();
    Pool {
        item: reader.item,
        site: reader.site(FieldPath::default()),
        addresses: reader.site(metallb::addresses()),
        from_values: false,
        name: reader.resource.id().name.clone(),
        namespace: reader.namespace(),
        labels: reader.labels(),
        ranges,
        has_addresses,
        namespaces: reader.get(&metallb::allowed_namespaces()).unwrap_or_default(),
        selects_namespaces: !selectors.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Cause;
    use crate::model::network::tests::{network, resource};

    #[test]
    fn a_pool_has_the_ranges_that_can_be_read() {
        let pool = resource(
            "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: a, namespace: metallb-system}\nspec:\n  addresses: [10.0.0.0/30, 10.0.0.9-10.0.0.8, 5, 10.0.1.1-10.0.1.2]\n  serviceAllocation: {namespaces: [x], namespaceSelectors: [{}]}\n",
        );
        let (network, misreads) = network(&[pool]);
        let pool = &network.pools[0];
        let texts: Vec<&str> = pool.ranges.iter().map(|sited| sited.value.text.as_str()).collect();
        assert_eq!(texts, ["10.0.0.0/30", "10.0.1.1-10.0.1.2"]);
        assert_eq!(pool.ranges().map(|range| range.size()).sum::<u128>(), 6);
        assert_eq!(
            (pool.namespaces.as_slice(), pool.selects_namespaces),
            (["x".to_owned()].as_slice(), true)
        );
        let fields: Vec<String> = misreads.iter().map(|misread| misread.site.path.to_string()).collect();
        assert_eq!(fields, ["spec.addresses[1]", "spec.addresses[2]"]);
        assert!(
            matches!(misreads[0].cause, Cause::Text { .. }) && matches!(misreads[1].cause, Cause::Type(_))
        );
    }

    #[test]
    fn a_pool_that_repeats_another_is_not_distinct() {
        let pool = |namespace: &str| {
            resource(&format!(
                "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {{name: a, namespace: {namespace}}}\n"
            ))
        };
        let (network, misreads) = network(&[pool("x"), pool("y"), pool("x")]);
        assert_eq!((network.pools.len(), network.distinct_pools().count(), misreads.len()), (3, 2, 0));
        assert!(!network.pools[0].has_addresses);
    }
}
