//! The layer 2 networks of the addresses that hosts have.

use super::{Reach, SubnetId, Subnets};
use crate::model::network::Network;
use crate::model::network::hosts::{Host, HostAddress, HostNetwork, Purpose};
use crate::platform::network::CONTROL_PLANE_NETWORK;

/// The network of each address of a host.
pub fn reaches(host: &Host, network: &Network, subnets: &mut Subnets) -> Vec<Reach> {
    let namespace = host.namespace.as_deref();
    let config = subnets.config_of(namespace);
    let reach = |address: &HostAddress| {
        let of_host = match address.purpose {
            Purpose::Fixed { network } => host.networks.get(network),
            Purpose::Ansible => {
                let is_control_plane =
                    |own: &&HostNetwork| own.name.value.eq_ignore_ascii_case(CONTROL_PLANE_NETWORK);
                host.networks.iter().find(is_control_plane)
            }
            Purpose::Inspected | Purpose::Controller | Purpose::Node => return Reach::Unknown,
        };
        let name = of_host.map_or(CONTROL_PLANE_NETWORK, |own| own.name.value.as_str());
        let subnet = of_host.and_then(|own| own.subnet.as_ref()).map_or("", |subnet| subnet.value.as_str());
        let ip = address.address.value.ip();
        let contains = |id: &SubnetId| {
            let cidr = id.get(network).cidr.as_ref();
            cidr.is_some_and(|cidr| cidr.value.range().contains(ip))
        };
        let found = config.and_then(|config| match address.purpose {
            Purpose::Ansible => subnets.of_network(config, name).iter().copied().find(contains),
            _ => subnets.find(network, config, name, subnet),
        });
        match (found, config, address.purpose) {
            (Some(id), ..) => subnets.reach(id).clone(),
            // Ansible may reach the host through an address that no network of the host has.
            (None, Some(_), Purpose::Ansible) => Reach::Unknown,
            (None, ..) => subnets.unplaced(namespace, name, subnet, None),
        }
    };
    host.addresses.iter().map(reach).collect()
}
