//! Ranges, gateways and next hops outside their subnet.

mod node_routes;

use std::net::IpAddr;

use self::node_routes::node_routes;
use crate::checks::rules;
use crate::formats::cidr::{Address, Cidr};
use crate::krm::{Resource, Results, quoted};
use crate::model::network::attachments::Attachment;
use crate::model::network::net_configs::Subnet;
use crate::model::network::ranges::AddressRange;
use crate::model::{Model, Sited};

/// Reports `outside-subnet`.
pub fn outside_subnet(model: &Model<'_>, results: &mut Results) {
    for attachment in &model.network.attachments {
        attachment_values(attachment, model.items(), results);
    }
    let networks = model.network.net_configs.iter().flat_map(|config| &config.networks);
    for subnet in networks.flat_map(|network| &network.subnets) {
        subnet_values(subnet, model.items(), results);
    }
    node_routes(model, results);
}

fn attachment_values(attachment: &Attachment, items: &[Resource], results: &mut Results) {
    let config = &attachment.config;
    for range in &config.ranges {
        // whereabouts ignores a limit outside the network (IterateForAssignment in its pkg/allocate).
        let why = "whereabouts ignores it and hands out addresses of the whole network";
        limits(&range.range, &range.network, why, items, results);
    }
    let Some(first) = config.ranges.first() else { return };
    let is_reached = |ip: IpAddr| config.ranges.iter().any(|range| range.network.value.range().contains(ip));
    let next_hops = config.routes.iter().filter_map(|route| route.next_hop.as_ref());
    let gateways = config.gateway.iter().map(|gateway| ("gateway", gateway));
    for (what, address) in gateways.chain(next_hops.map(|next_hop| ("next hop", next_hop))) {
        if !is_reached(address.value.ip()) && !is_link_local(address.value.ip()) {
            let why = format!("pods cannot reach the {what}");
            report(address, &first.network, &why, items, results);
        }
    }
}

fn subnet_values(subnet: &Subnet, items: &[Resource], results: &mut Results) {
    let Some(cidr) = &subnet.cidr else { return };
    let why = "infra-operator rejects it";
    for range in &subnet.allocation_ranges {
        limits(range, cidr, why, items, results);
    }
    let next_hops = subnet.routes.iter().filter_map(|route| route.next_hop.as_ref());
    for address in subnet.gateway.iter().chain(&subnet.exclude).chain(next_hops) {
        if !cidr.value.range().contains(address.value.ip()) {
            report(address, cidr, why, items, results);
        }
    }
}

/// Reports a range once: at its start, or at its end if only that is outside.
fn limits(range: &AddressRange, cidr: &Sited<Cidr>, why: &str, items: &[Resource], results: &mut Results) {
    let is_outside = |limit: &&Sited<Address>| !cidr.value.range().contains(limit.value.ip());
    if let Some(limit) = range.start.iter().chain(&range.end).find(is_outside) {
        report(limit, cidr, why, items, results);
    }
}

fn report(
    address: &Sited<Address>,
    cidr: &Sited<Cidr>,
    why: &str,
    items: &[Resource],
    results: &mut Results,
) {
    let message = format!(
        "{} is outside {}, so {why}; correct the address or the subnet",
        quoted(&address.value),
        quoted(&cidr.value)
    );
    let finding = results.error(&rules::OUTSIDE_SUBNET, message);
    finding.location = address.site.location(items);
    finding.related(cidr.site.location(items), "the subnet");
}

/// Such an address is in the network of every interface.
fn is_link_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    }
}
