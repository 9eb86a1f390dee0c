//! Pools whose ranges overlap. MetalLB refuses them all, within one pool and between two
//! (`poolsFor` in internal/config), whichever instance they are of.

use crate::checks::rules;
use std::collections::{BTreeMap, HashSet};

use crate::formats::ip::{self, IpRange};
use crate::krm::{Fault, FieldPath, FieldPattern, Location, Resource, Results, quoted};
use crate::platform::metallb;

/// A range of a pool.
struct Range {
    item: usize,
    at: FieldPath,
    text: String,
}

/// MetalLB reads the pools of its own namespace only, so that those of two namespaces do not meet. Ranges
/// that cannot be read are not compared.
pub fn report(items: &[Resource], results: &mut Results) -> Result<(), Fault> {
    let mut by_namespace: BTreeMap<Option<&String>, (Vec<Range>, Vec<IpRange>)> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (i, item) in items.iter().enumerate().filter(|(_, item)| item.is(metallb::ADDRESS_POOL)) {
        // A second object of the same name replaces the first.
        if !seen.insert(item.id().object_key()) {
            continue;
        }
        let (places, ranges) = by_namespace.entry(item.id().namespace.as_ref()).or_default();
        for at in item.fields(&FieldPattern::each_of(&metallb::addresses()))? {
            let text: String = item.get(&at)?.unwrap_or_default();
            if let Ok(range) = IpRange::parse(&text) {
                places.push(Range { item: i, at, text });
                ranges.push(range);
            }
        }
    }
    for (places, ranges) in by_namespace.values() {
        for (a, b) in ip::overlaps(ranges) {
            let (first, second) = (&places[a.min(b)], &places[a.max(b)]);
            let pool = match first.item == second.item {
                true => format!("`{}` of the same pool", first.at),
                false => format!("{} `{}`", items[first.item].id(), first.at),
            };
            let message = format!(
                "{} overlaps {} in {pool}, and MetalLB refuses pools that overlap; change one of the two ranges",
                quoted(&second.text),
                quoted(&first.text)
            );
            let other = Location::of_field(&items[first.item], &first.at);
            let finding = results.error(&rules::POOL_OVERLAP, message).field(&items[second.item], &second.at);
            finding.related(other, "the other range");
        }
    }
    Ok(())
}
