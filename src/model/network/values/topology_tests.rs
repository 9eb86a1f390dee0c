//! Topologies with more than one network-values file, with BGP, and with other values files.

use crate::model::network::hosts::Purpose;
use crate::model::network::node_policies::InterfaceKind;
use crate::model::network::{Network, Protocol, read_with_values};
use crate::model::{World, testing};

fn file(name: &str, data: &str) -> String {
    let annotations = "{config.kubernetes.io/local-config: \"true\"}";
    format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  annotations: {annotations}\ndata:\n{data}"
    )
}

#[track_caller]
fn model(files: &[String]) -> Network {
    let items = testing::resources(&files.concat());
    let (network, misreads) = read_with_values(&World::new(&items));
    assert!(misreads.is_empty(), "{misreads:#?}");
    network
}

/// The networks of an instance, whose interfaces and pools have a suffix.
fn instance(third: u8, suffix: &str) -> String {
    let subnet = |net: u8| {
        format!(
            "[{{name: subnet1, cidr: 172.{net}.{third}.0/24, allocationRanges: [{{start: 172.{net}.{third}.100, end: 172.{net}.{third}.250}}]}}]"
        )
    };
    let network = |key: &str, net: u8| {
        format!(
            "  {key}: {{iface: {key}{suffix}, base_iface: enp6s0, vlan: {net}, lb_addresses: [172.{net}.{third}.80-172.{net}.{third}.90], subnets: {}}}\n",
            subnet(net)
        )
    };
    let node = "  node_0: {name: master-0}\n";
    let data = format!("{node}{}{}", network("internalapi", 17), network("storage", 18));
    file("network-values", &data)
}

fn node_set(name: &str, address: &str) -> String {
    let data = format!(
        "  nodeset:\n    networks: [{{name: CtlPlane, subnetName: subnet1}}]\n    nodes: {{edpm-0: {{hostName: edpm-0, ansible: {{ansibleHost: {address}}}}}}}\n"
    );
    file(name, &data)
}

#[test]
fn two_files_are_two_instances_of_one_cluster() {
    let nodes =
        [node_set("edpm-nodeset-values", "172.17.0.100"), node_set("edpm-nodeset2-values", "172.17.10.100")];
    let [first_nodes, second_nodes] = nodes;
    let network = model(&[instance(0, ""), instance(10, "2"), second_nodes, first_nodes]);
    let pools: Vec<&str> = network.pools.iter().map(|pool| pool.name.as_str()).collect();
    assert_eq!(pools, ["internalapi", "storage", "internalapi2", "storage2"]);
    assert_eq!(network.distinct_pools().count(), 4);
    let interfaces: Vec<&str> =
        network.node_policies[1].interfaces.iter().map(|found| found.name.value.as_str()).collect();
    assert_eq!(interfaces, ["internalapi2", "storage2"]);
    let policies: Vec<&str> = network.node_policies.iter().map(|policy| policy.name.as_str()).collect();
    assert_eq!(policies, ["master-0", "master-0-2"]);
    let [first, second] = network.net_configs.as_slice() else { panic!("{:?}", network.net_configs) };
    assert_ne!(first.namespace, second.namespace);
    let namespaces: Vec<&Option<String>> = network.hosts.iter().map(|host| &host.namespace).collect();
    assert_eq!(namespaces, [&second.namespace, &first.namespace]);
}

#[test]
fn a_file_that_could_belong_to_two_instances_belongs_to_none() {
    let nodes = node_set("edpm-nodeset-values", "10.0.0.1");
    let unknown = model(&[instance(0, ""), instance(10, "2"), nodes.clone()]);
    assert_eq!(unknown.hosts[0].namespace, None);
    let only = model(&[instance(0, ""), nodes.clone()]);
    assert_eq!(only.hosts[0].namespace, only.net_configs[0].namespace);
    let named = |text: String| text.replace("metadata:\n", "metadata:\n  namespace: openstack\n");
    let with_namespace = model(&[named(instance(0, "")), instance(10, "2"), named(nodes)]);
    assert_eq!(with_namespace.net_configs[0].namespace.as_deref(), Some("openstack"));
    assert_eq!(with_namespace.hosts[0].namespace.as_deref(), Some("openstack"));
}

#[test]
fn interfaces_with_different_suffixes_have_none() {
    let network = model(&[instance(0, "2").replace("iface: storage2", "iface: storage3")]);
    let pools: Vec<&str> = network.pools.iter().map(|pool| pool.name.as_str()).collect();
    assert_eq!(pools, ["internalapi", "storage"]);
}

#[test]
fn in_a_bgp_topology_nodes_share_no_network() {
    let subnets = "subnets: [{name: subnet1, cidr: 192.168.133.0/24, allocationRanges: []}]";
    let data = format!(
        "  bridgeName: ospbr
  bgp:
    ifaces: [enp7s0, enp8s0]
    prefix-length: 30
    subnets: {{bgpnet0: [{{name: subnet0, cidr: 100.64.0.0/30, allocationRanges: []}}]}}
    net-attach-def: {{node3: '{{}}'}}
  node_3: {{name: worker-0, ctlplane_ip: 192.168.122.13, internalapi_ip: 172.17.0.5, bgp_ip: [100.64.0.2, 100.65.0.2], loopback_ip: 99.99.0.2, loopback_ipv6: 'f00d::2'}}
  ctlplane: {{iface: enp6s0, gateway: 192.168.125.1, prefix-length: 24, lb_addresses: [192.168.125.80-192.168.125.90], {subnets}}}
  internalapi: {{iface: internalapi, base_iface: enp6s0, vlan: 20, gateway: 172.17.0.1, prefix-length: 24, lb_addresses: [172.17.0.80-172.17.0.90], subnets: [{{}}]}}
"
    );
    let network = model(&[file("network-values", &data)]);
    let interfaces: Vec<String> = network.node_policies[0]
        .interfaces
        .iter()
        .map(|found| {
            let addresses = found.addresses.iter().filter_map(|address| address.network());
            let addresses: Vec<String> = addresses.map(|network| network.to_string()).collect();
            format!("{} {}", found.name.value, addresses.join(" "))
        })
        .collect();
    assert_eq!(
        interfaces,
        [
            "ospbr 192.168.122.13/24 192.168.125.1/24",
            "internalapi 172.17.0.1/24",
            "enp7s0 100.64.0.2/30",
            "enp8s0 100.65.0.2/30",
            "lo 99.99.0.2/32 f00d::2/128",
        ]
    );
    let bridges = &network.node_policies[0].interfaces[..2];
    assert!(bridges.iter().all(|bridge| bridge.ports.is_empty() && bridge.base.is_none()));
    assert!(bridges.iter().all(|b| b.kind.as_ref().unwrap().value == InterfaceKind::LinuxBridge));
    assert!(network.advertisements.iter().all(|one| one.protocol == Protocol::Bgp));
    let names: Vec<&str> =
        network.net_configs[0].networks.iter().map(|network| network.name.value.as_str()).collect();
    assert_eq!(names, ["ctlplane", "bgpnet0"]);
}

const VIPS: &str = "  internalapi:
    lb_addresses: [172.17.0.80-172.17.0.90]
    endpoint_annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.80}
  storage:
    lb_addresses: [172.18.0.80-172.18.0.90]
    endpoint_annotations: {metallb.universe.tf/loadBalancerIPs: 172.18.0.80}
  rabbitmq-cell1: {endpoint_annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.86}}
";

#[test]
fn services_come_from_both_files_and_each_has_one_address() {
    let services = "  rabbitmq:
    templates:
      rabbitmq-cell1: {override: {service: {metadata: {annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.86}}}}}
      rabbitmq-cell2: {override: {service: {metadata: {annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.87}}}}}
  designate:
    enabled: false
    bind9Services: {services: [{metadata: {annotations: {metallb.universe.tf/loadBalancerIPs: 172.34.0.80}}}]}
  glance:
    customServiceConfig: |
      [DEFAULT]
    glanceAPIs: {az1: {override: {service: {internal: {metadata: {annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.81}}}}}}}
  horizon: {annotations: {metallb.universe.tf/loadBalancerIPs: 172.17.0.99}}
";
    let network = model(&[file("service-values", services), file("network-values", VIPS)]);
    let found: Vec<String> = network
        .services
        .iter()
        .map(|service| {
            let flags = (service.is_rabbitmq, service.is_deployed);
            let port = service.ports.first().map_or(0, |port| port.0);
            let address = service.request.addresses.as_ref().unwrap();
            format!("{address} {port} {flags:?} {}", service.site.path)
        })
        .collect();
    assert_eq!(
        found,
        [
            "172.34.0.80 53 (false, false) data.designate.bind9Services.services[0].metadata.annotations",
            "172.17.0.81 9292 (false, true) data.glance.glanceAPIs.az1.override.service.internal.metadata.annotations",
            "172.17.0.87 5671 (true, true) data.rabbitmq.templates.rabbitmq-cell2.override.service.metadata.annotations",
            "172.17.0.80 0 (false, true) data.internalapi.endpoint_annotations",
            "172.17.0.86 5671 (true, true) data.rabbitmq-cell1.endpoint_annotations",
        ]
    );
}

#[test]
fn hosts_are_nodes_of_node_sets_and_bare_metal_hosts() {
    let more = "  nodeset:
    networks: [{name: ctlplane, subnetName: subnet1}]
    nodes:
      edpm-0: {ansible: {ansibleHost: 192.168.122.100}, networks: [{name: ctlplane, subnetName: subnet1, fixedIP: 192.168.122.100}]}
      edpm-1: {ansible: {ansibleHost: CHANGEME}}
    services: [nova]
  nodeset2: {nodes: {edpm-2: {ansible: {ansibleHost: edpm-2.example.com}}}}
  nova: {compute: {conf: text}}
";
    let machines =
        "  host-0: {bmc: {address: 'redfish+http://192.168.111.1:8000/'}, bootMACAddress: aa}\n  other: {}\n";
    let nodes = file("edpm-nodeset-values", more);
    let network = model(&[nodes.clone(), nodes, file("baremetalhost-values", machines)]);
    let found: Vec<(&str, usize)> =
        network.hosts.iter().map(|host| (host.name.as_str(), host.addresses.len())).collect();
    let once = [("edpm-0", 2), ("edpm-1", 0), ("edpm-2", 0), ("host-0", 1)];
    assert_eq!(found, once, "a node that a file repeats is one host");
    assert_eq!(
        network.hosts[0].addresses[1].address.site.path.to_string(),
        "data.nodeset.nodes.edpm-0.networks[0].fixedIP"
    );
    assert_eq!(network.hosts[1].networks[0].name.value, "ctlplane", "that of the template");
    assert_eq!(network.hosts[3].addresses[0].purpose, Purpose::Controller);
}
