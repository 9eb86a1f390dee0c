//! Public addresses in a plan of private networks.

use crate::checks::rules;
use crate::formats::ip::{Family, IpRange};
use crate::krm::{Order, Results, quoted};
use crate::model::{Model, Site};
use crate::platform::network::NOT_PUBLIC;

/// Addresses of the plan: a subnet, a range, or the network of a node's address.
struct Part<'m> {
    addresses: IpRange,
    /// As written.
    text: String,
    site: &'m Site,
}

/// Reports `public-address`, once for all parts that overlap.
pub fn public_address(model: &Model<'_>, results: &mut Results) {
    let not_public: Vec<IpRange> = NOT_PUBLIC.iter().filter_map(|text| IpRange::parse(text).ok()).collect();
    let is_public = |part: &Part<'_>| {
        let addresses = &part.addresses;
        addresses.family() == Family::V4 && !not_public.iter().any(|range| range.overlaps(addresses))
    };
    let public: Vec<Part<'_>> = parts(model).into_iter().filter(is_public).collect();
    for part in first_of_each(&public) {
        let message = format!(
            "{} is in public address space; use private addresses (10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16), or ignore this if the addresses are yours",
            quoted(&part.text)
        );
        results.warning(&rules::PUBLIC_ADDRESS, message).location = part.site.location(model.items());
    }
}

/// What shows a subnet best comes first.
fn parts<'m>(model: &'m Model<'_>) -> Vec<Part<'m>> {
    let network = &model.network;
    let networks = network.net_configs.iter().flat_map(|config| &config.networks);
    let subnets = networks.flat_map(|network| &network.subnets).filter_map(|subnet| subnet.cidr.as_ref());
    let attached = network.attachments.iter().flat_map(|one| &one.config.ranges).map(|range| &range.network);
    let cidrs = subnets.chain(attached).map(|cidr| Part {
        addresses: cidr.value.range(),
        text: cidr.value.to_string(),
        site: &cidr.site,
    });
    let nodes = model.plan.node_addresses.iter().map(|node| Part {
        addresses: node.network.as_ref().map_or(IpRange::one(node.address.value.ip()), |cidr| cidr.range()),
        text: node.address.value.to_string(),
        site: &node.address.site,
    });
    let pools = network.pools.iter().flat_map(|pool| &pool.ranges).map(|range| Part {
        addresses: range.value.range,
        text: range.value.text.clone(),
        site: &range.site,
    });
    cidrs.chain(nodes).chain(pools).collect()
}

/// The first part of each group of parts that overlap.
fn first_of_each<'p, 'm>(parts: &'p [Part<'m>]) -> Vec<&'p Part<'m>> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.order_by_key(|part| parts[*part].addresses);
    let mut first = Vec::new();
    let mut group: Option<(usize, IpRange)> = None;
    for part in order {
        let addresses = parts[part].addresses;
        group = match group {
            Some((earliest, whole)) if whole.overlaps(&addresses) => {
                Some((earliest.min(part), whole.extended_to(&addresses)))
            }
            _ => {
                first.extend(group.map(|(earliest, _)| earliest));
                Some((part, addresses))
            }
        };
    }
    first.extend(group.map(|(earliest, _)| earliest));
    first.order();
    first.into_iter().map(|part| &parts[part]).collect()
}
