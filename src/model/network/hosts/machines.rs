//! Machines: BareMetalHosts, and Nodes of the cluster.

use std::net::IpAddr;

use super::{Host, Origin, Purpose};
use crate::formats::cidr::Address;
use crate::krm::Resource;
use crate::model::fields::{Map, Reading};
use crate::model::{ItemId, Sited};

pub fn bare_metal_host(item: ItemId, resource: &Resource, reading: &Reading<'_>) -> Host {
    let mut host = Host::new(item, Origin::BareMetalHost, &resource.id().name);
    host.add(reading.section("spec", |spec| controller(&spec)), Purpose::Controller);
    let inspected = reading.section("status", |status| {
        status.map("hardware").each("nics", |field| {
            let card = field.map();
            card.get("ip").filter(|field| !field.is_empty())?.parse(Address::parse)
        })
    });
    for address in inspected {
        host.add(Some(address), Purpose::Inspected);
    }
    host
}

/// The address of the management controller; none for a name.
pub fn controller(host: &Map<'_>) -> Option<Sited<Address>> {
    let read = host.map("bmc").get("address")?.parse(|text| Ok(controller_address(text)))?;
    let site = read.site;
    read.value.map(|value| Sited { value, site })
}

/// The address in `redfish-virtualmedia+https://[fd00::1]:8000/redfish/v1/Systems/1`. None for a name.
fn controller_address(text: &str) -> Option<Address> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inside, _)) => inside,
        None if host.parse::<IpAddr>().is_ok() => host,
        None => host.split_once(':').map_or(host, |(host, _)| host),
    };
    Address::parse(host).ok()
}

pub fn node(item: ItemId, resource: &Resource, reading: &Reading<'_>) -> Host {
    let mut host = Host::new(item, Origin::Node, &resource.id().name);
    let addresses = reading.section("status", |status| {
        status.each("addresses", |field| {
            let entry = field.map();
            let kind = entry.string("type")?;
            kind.value.ends_with("IP").then(|| entry.address("address"))?
        })
    });
    for address in addresses {
        host.add(Some(address), Purpose::Node);
    }
    host
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::hosts::read;
    use crate::model::testing;

    fn addresses(host: &Host) -> Vec<(String, Purpose)> {
        host.addresses.iter().map(|found| (found.address.value.to_string(), found.purpose)).collect()
    }

    #[test]
    fn bare_metal_hosts_and_nodes_have_addresses_of_their_own() {
        let (hosts, misreads) = testing::read(
            "apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: host-0}
spec: {bmc: {address: 'redfish-virtualmedia+https://admin@[fd00::1]:8000/redfish/v1/Systems/1'}}
status: {hardware: {nics: [{name: eno1, ip: 192.168.111.20}, {name: eno2, ip: ''}, {name: eno3}]}}
---
apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: host-1}
spec: {bmc: {address: ipmi://bmc.example.com}}
---
apiVersion: v1
kind: Node
metadata: {name: worker-0}
status: {addresses: [{type: InternalIP, address: 192.168.111.30}, {type: Hostname, address: worker-0}]}
",
            read,
        );
        assert_eq!(misreads, [""; 0]);
        let found: Vec<_> = hosts.iter().map(|host| (host.name.as_str(), addresses(host))).collect();
        assert_eq!(
            found,
            [
                (
                    "host-0",
                    vec![
                        ("fd00::1".to_owned(), Purpose::Controller),
                        ("192.168.111.20".to_owned(), Purpose::Inspected)
                    ]
                ),
                ("host-1", vec![]),
                ("worker-0", vec![("192.168.111.30".to_owned(), Purpose::Node)]),
            ]
        );
        for (text, address) in [
            ("192.168.1.1", Some("192.168.1.1")),
            ("ipmi://192.168.1.1:6230", Some("192.168.1.1")),
            ("idrac://10.0.0.1/redfish", Some("10.0.0.1")),
            ("fd00::1", Some("fd00::1")),
            ("libvirt://host:1/", None),
            ("", None),
        ] {
            let found = controller_address(text).map(|address| address.to_string());
            assert_eq!(found.as_deref(), address, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_a_misread() {
        let (_, misreads) = testing::read(
            "apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: h}
spec: {bmc: {address: 1}}
status: {hardware: {nics: [{ip: x}]}}
---
apiVersion: v1
kind: Node
metadata: {name: n}
status: {addresses: [{type: InternalIP, address: x}, {type: 1}]}
",
            read,
        );
        assert_eq!(
            misreads,
            [
                "spec.bmc.address: must be a string, but is a number",
                "status.hardware.nics[0].ip: x: it is not an IP address",
                "status.addresses[0].address: x: it is not an IP address",
                "status.addresses[1].type: must be a string, but is a number",
            ]
        );
    }
}
