//! Addresses of nodes and hosts in ranges that addresses are handed out from.

use std::collections::HashSet;

use super::collisions::{Party, collisions};
use super::{assigner, describe};
use crate::checks::rules;
use crate::formats::cidr::Address;
use crate::formats::ip::IpRange;
use crate::krm::{Finding, Results, Rule, Severity, quoted};
use crate::model::network::hosts::Origin;
use crate::model::network::plan::{Holder, PlannedRange};
use crate::model::network::segments::Reach;
use crate::model::{Model, Sited};

/// An address, and the networks that it is in.
type Point<'m> = (&'m Sited<Address>, &'m Reach);

/// Reports `node-address-in-range` for static addresses in policies.
pub fn node_address_in_range(model: &Model<'_>, results: &mut Results) {
    let points: Vec<Point<'_>> =
        model.plan.node_addresses.iter().map(|node| (&node.address, &node.reach)).collect();
    let ranges: Vec<&PlannedRange> = model.plan.ranges.iter().collect();
    in_range(&rules::NODE_ADDRESS_IN_RANGE, &points, &ranges, model, results);
}

/// Reports `host-in-range` for hosts in the ranges of pools and attachments. Hosts get their addresses from a NetConfig,
/// so these may be in its ranges.
pub fn host_in_range(model: &Model<'_>, results: &mut Results) {
    // A host of a node set may also be a BareMetalHost; of equal addresses, the first one is reported.
    let mut points = Vec::new();
    let mut seen = HashSet::new();
    for origin in [Origin::NodeSet, Origin::BareMetalHost] {
        let addresses = model.plan.host_addresses.iter();
        for address in addresses.filter(|address| model.network.hosts[address.host].origin == origin) {
            if origin == Origin::NodeSet || !seen.contains(&address.address.value.ip()) {
                points.push((&address.address, &address.reach));
                seen.insert(address.address.value.ip());
            }
        }
    }
    let others = |range: &&PlannedRange| !matches!(range.holder, Holder::Subnet(_));
    let ranges: Vec<&PlannedRange> = model.plan.ranges.iter().filter(others).collect();
    in_range(&rules::HOST_IN_RANGE, &points, &ranges, model, results);
}

/// Reports each address in a range once, even if several fields have it.
fn in_range(
    rule: &'static Rule,
    points: &[Point<'_>],
    ranges: &[&PlannedRange],
    model: &Model<'_>,
    results: &mut Results,
) {
    let items = model.items();
    let addresses: Vec<[IpRange; 1]> = points.iter().map(|(at, _)| [IpRange::one(at.value.ip())]).collect();
    let owners = points.iter().zip(&addresses);
    let owners = owners.map(|((_, reach), addresses)| Party { addresses, reach, class: true });
    let holders = ranges.iter();
    let holders =
        holders.map(|range| Party { addresses: &range.addresses, reach: &range.reach, class: false });
    let parties: Vec<Party<'_, bool>> = owners.chain(holders).collect();
    let mut found = collisions(&parties, &model.plan.segments);
    found.sort_by_key(|collision| !collision.is_certain);
    let mut seen = HashSet::new();
    for collision in found {
        let (address, _) = points[collision.first];
        if !seen.insert((address.site.item, address.value.ip())) {
            continue;
        }
        let range = ranges[collision.second - points.len()];
        let (severity, condition) = match collision.is_certain {
            true => (Severity::Error, ", so"),
            false => (Severity::Warning, "; if both are in one network,"),
        };
        let message = format!(
            "{} is in the range {} of {}{condition} {} can assign it a second time; change the address or the range",
            quoted(&address.value),
            quoted(&range.text),
            describe(&range.site, items),
            assigner(range.holder)
        );
        let finding = results.add(Finding::new(severity, rule, message));
        finding.location = address.site.location(items);
        finding.related(range.site.location(items), "the range");
    }
}
