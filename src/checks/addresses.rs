//! The address plan: ranges, nodes and hosts that can get the same address, and values that do not fit their subnet.

mod address_twice;
mod collisions;
mod domains;
mod fixed_ips;
mod in_range;
mod many_nodes;
mod outside_subnet;
mod public_addresses;
mod ranges;
mod subnets;

pub use address_twice::address_twice;
pub use domains::{bad_domain, domain_twice};
pub use fixed_ips::fixed_ip_outside_subnet;
pub use in_range::{host_in_range, node_address_in_range};
pub use many_nodes::static_address_of_many_nodes;
pub use outside_subnet::outside_subnet;
pub use public_addresses::public_address;
pub use ranges::range_overlap;
pub use subnets::subnet_twice;

use crate::krm::Resource;
use crate::model::Site;
use crate::model::network::plan::Holder;

/// The resource and the field, for messages about another place.
fn describe(site: &Site, items: &[Resource]) -> String {
    format!("{} `{}`", site.item.get(items).id(), site.path)
}

/// The program that hands out addresses.
fn assigner(holder: Holder) -> &'static str {
    match holder {
        Holder::Pool(_) => "MetalLB",
        Holder::Attachment(_) => "whereabouts",
        Holder::Subnet(_) => "infra-operator",
    }
}
