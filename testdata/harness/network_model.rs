//! The network model of upstream's own samples, where these exist: every count and fact here was checked by
//! hand.

use std::fs;

use rhoso_fn::krm::{Place, Resource};
use rhoso_fn::model::network::node_policies::InterfaceKind;
use rhoso_fn::model::network::{self, Network};
use rhoso_fn::model::{Sited, World};
use rhoso_fn::yaml::{Text, stream};

use crate::host::{BINARY, files_below, run, shared};

/// The model of every sample below a folder; none where there are no samples.
fn model(folder: &str) -> Option<Network> {
    let mut resources = Vec::new();
    for path in files_below(&shared(folder)?) {
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let source: Text = text.as_str().into();
        for range in stream::documents(&text) {
            let resource = Resource::from_file(source.clone(), range, Place::default());
            resources.push(resource.unwrap_or_else(|e| panic!("{}: {}", path.display(), e.message())));
        }
    }
    let (network, misreads) = network::read(&World::new(&resources));
    assert!(misreads.is_empty(), "{folder}: {misreads:#?}");
    Some(network)
}

fn text<T: ToString>(value: &Option<Sited<T>>) -> String {
    value.as_ref().map(|value| value.value.to_string()).unwrap_or_default()
}

#[test]
fn every_sample_is_read_without_a_misread() {
    let Some(found) = model("samples") else { return };
    let counts =
        (found.attachments.len(), found.net_configs.len(), found.node_policies.len(), found.hosts.len());
    assert_eq!(counts, (29, 1, 5, 1));
}

#[test]
fn policies_and_attachments_of_install_yamls_have_its_address_plan() {
    let Some(found) = model("samples/rhoso/install_yamls-golden/ipv4") else { return };
    let hosts: Vec<String> =
        found.node_policies.iter().map(|policy| policy.hostname().unwrap().value.clone()).collect();
    assert_eq!(hosts, ["worker-0", "worker-1"]);
    let interfaces: Vec<String> = found.node_policies[0]
        .interfaces
        .iter()
        .map(|interface| {
            let address = interface.addresses.first();
            let address = address.map(|address| format!(" {}", address.address.value)).unwrap_or_default();
            let ports: String = interface.ports.iter().map(|port| format!(" < {}", port.value)).collect();
            format!("{} {}{ports}{address}", interface.name.value, text(&interface.vlan))
        })
        .collect();
    assert_eq!(
        interfaces,
        [
            "enp6s0.20 20 172.17.0.5",
            "enp6s0.21 21 172.18.0.5",
            "enp6s0.22 22 172.19.0.5",
            "enp6s0.23 23 172.20.0.5",
            "enp6s0.24 24",
            "octbr  < enp6s0.24",
            "enp6s0.25 25 172.28.0.5",
            "enp6s0.26 26 172.50.0.5",
            "ospbr  < enp6s0 192.168.122.10",
        ]
    );
    let attachments: Vec<String> = found
        .attachments
        .iter()
        .map(|attachment| {
            let config = &attachment.config;
            let range: String = config.ranges.iter().map(|range| format!(" {}", range.range)).collect();
            format!("{} {} {}{range}", attachment.name, text(&config.plugin), text(&config.interface))
        })
        .collect();
    assert_eq!(
        attachments,
        [
            "ctlplane macvlan ospbr 192.168.122.30-192.168.122.70",
            "datacentre bridge ospbr",
            "designate macvlan enp6s0.25 172.28.0.30-172.28.0.70",
            "designateext macvlan enp6s0.26 172.50.0.30-172.50.0.70",
            "internalapi macvlan enp6s0.20 172.17.0.30-172.17.0.70",
            "octavia bridge octbr 172.23.0.30-172.23.0.70",
            "storage macvlan enp6s0.21 172.18.0.30-172.18.0.70",
            "storagemgmt macvlan enp6s0.23 172.20.0.30-172.20.0.70",
            "tenant macvlan enp6s0.22 172.19.0.30-172.19.0.70",
        ]
    );
    let octavia = found.attachments.iter().find(|attachment| attachment.name == "octavia").unwrap();
    let route = &octavia.config.routes[0];
    assert_eq!(
        (text(&route.destination), text(&route.next_hop)),
        ("172.24.0.0/16".into(), "172.23.0.150".into())
    );
}

#[test]
fn the_bgp_policy_has_links_and_a_loopback() {
    let Some(found) = model("samples/rhoso/install_yamls-golden/ipv4-bgp/nncp") else { return };
    let interfaces = &found.node_policies[0].interfaces;
    assert_eq!(interfaces.len(), 12);
    let link = interfaces.iter().find(|interface| interface.name.value == "enp7s0").unwrap();
    assert_eq!(link.kind.as_ref().unwrap().value, InterfaceKind::Ethernet);
    assert_eq!(link.addresses[0].network().unwrap().to_string(), "100.65.4.2/30");
    let loopback = interfaces.iter().find(|interface| interface.name.value == "lo").unwrap();
    let addresses: Vec<String> =
        loopback.addresses.iter().map(|address| address.network().unwrap().to_string()).collect();
    assert_eq!(addresses, ["172.30.4.2/32", "f00d:f00d:f00d:f00d:f00d:f00d:f00d:42/128"]);
    assert_eq!((loopback.kind.as_ref(), text(&loopback.mtu)), (None, "65536".to_owned()));
}

#[test]
fn the_net_config_and_the_node_set_have_their_addresses() {
    let Some(found) = model("samples/rhoso") else { return };
    let subnets: Vec<String> = found.net_configs[0]
        .networks
        .iter()
        .flat_map(|network| network.subnets.iter().map(|subnet| (network.name.value.as_str(), subnet)))
        .map(|(name, subnet)| {
            let ranges: Vec<String> = subnet.allocation_ranges.iter().map(ToString::to_string).collect();
            format!("{name} {} {} {}", text(&subnet.cidr), text(&subnet.vlan), ranges.join(","))
        })
        .collect();
    assert_eq!(
        subnets,
        [
            "ctlplane 192.168.122.0/24  192.168.122.100-192.168.122.120,192.168.122.150-192.168.122.200",
            "internalapi 172.17.0.0/24 20 172.17.0.100-172.17.0.250",
            "external 10.0.0.0/24  10.0.0.100-10.0.0.250",
            "storage 172.18.0.0/24 21 172.18.0.100-172.18.0.250",
            "storagemgmt 172.20.0.0/24 23 172.20.0.100-172.20.0.250",
            "tenant 172.19.0.0/24 22 172.19.0.100-172.19.0.250",
        ]
    );
    let host = &found.hosts[0];
    let networks: Vec<&str> = host.networks.iter().map(|network| network.name.value.as_str()).collect();
    assert_eq!(
        (host.name.as_str(), networks),
        ("edpm-compute-0", vec!["ctlplane", "internalapi", "storage", "tenant"])
    );
    let addresses: Vec<String> =
        host.addresses.iter().map(|address| address.address.value.to_string()).collect();
    assert_eq!(addresses, ["192.168.122.100", "192.168.122.100"]);
}

/// The plans that install_yamls writes, with its NetConfig and the sample of a node set, are correct.
#[test]
fn the_address_plans_of_install_yamls_are_accepted() {
    for folders in [
        &["install_yamls-golden/ipv4", "install_yamls-golden/netconfig", "dataplane"][..],
        &["install_yamls-golden/ipv6", "install_yamls-golden/netconfig"],
        &[
            "install_yamls-golden/ipv4-bgp",
            "install_yamls-golden/ipv4/metallb",
            "install_yamls-golden/netconfig",
        ],
    ] {
        let Some(samples) = shared("samples/rhoso") else { return };
        let options = ["check", "--format", "json", "--select", "addresses", "--select", "missing-key"];
        let ended = run(BINARY, &[&options[..], folders].concat(), b"", &samples);
        assert!(ended.stdout.contains("\"findings\": []"), "{folders:?}: {}{}", ended.stdout, ended.stderr);
    }
}
