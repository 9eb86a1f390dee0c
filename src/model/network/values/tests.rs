use crate::model::network::node_policies::{Interface, NodePolicy};
use crate::model::network::{Network, read, read_with_values};
use crate::model::{Sited, World, testing};

const HEAD: &str = "---
apiVersion: v1
kind: ConfigMap
metadata:
  name: network-values
  annotations: {config.kubernetes.io/local-config: \"true\"}
data:
";

const NODES: &str =
    "  node_0: {name: master-0, ctlplane_ip: 192.168.122.10, internalapi_ip: 172.17.0.5, swift_ip: x}
  node_1: {name: policy-1, node_name: master-1, ctlplane_ip: 192.168.122.11, internalapi_ip: 172.17.0.6}
";

const CONTROL_PLANE: &str = r#"  bridgeName: ospbr
  ctlplane:
    iface: enp6s0
    vlan: _unused_
    mtu: "1500"
    prefix-length: "24"
    dnsDomain: ctlplane.example.com
    lb_addresses: [192.168.122.80-192.168.122.90]
    subnets:
    - name: subnet1
      cidr: 192.168.122.0/24
      gateway: 192.168.122.1
      allocationRanges: [{start: 192.168.122.100, end: 192.168.122.120}]
    endpoint_annotations:
      metallb.universe.tf/address-pool: ctlplane
      metallb.universe.tf/loadBalancerIPs: 192.168.122.80
    net-attach-def: |
      {"type": "macvlan", "master": "ospbr", "ipam": {"type": "whereabouts", "range": "192.168.122.0/24",
        "range_start": "192.168.122.30", "range_end": "192.168.122.70"}}
"#;

const INTERNAL_API: &str = r#"  internalapi:
    iface: internalapi
    base_iface: enp6s0
    vlan: "20"
    mtu: 1496
    prefix-length: 24
    dnsDomain: internalapi.example.com
    lb_addresses: [172.17.0.80-172.17.0.90]
    subnets: [{name: subnet1, cidr: 172.17.0.0/24, vlan: "20", allocationRanges: [{start: 172.17.0.100, end: 172.17.0.250}]}]
    endpoint_annotations:
      metallb.universe.tf/address-pool: internalapi
      metallb.universe.tf/allow-shared-ip: internalapi
      metallb.universe.tf/loadBalancerIPs: 172.17.0.80
    net-attach-def: '{"type": "macvlan", "master": "internalapi", "ipam": {"type": "whereabouts", "range": "172.17.0.0/24"}}'
  rabbitmq: {endpoint_annotations: {metallb.universe.tf/address-pool: internalapi, metallb.universe.tf/loadBalancerIPs: 172.17.0.85}}
"#;

fn model(text: &str) -> (Network, Vec<String>) {
    let items = testing::resources(text);
    let (network, misreads) = read_with_values(&World::new(&items));
    let misreads = misreads.iter().map(|misread| format!("{} {:?}", misread.site.path, misread.cause));
    (network, misreads.collect())
}

#[track_caller]
fn values(data: &str) -> Network {
    let (network, misreads) = model(&format!("{HEAD}{data}"));
    assert_eq!(misreads, [""; 0]);
    network
}

fn text<T: ToString>(value: &Option<Sited<T>>) -> String {
    value.as_ref().map(|value| value.value.to_string()).unwrap_or_default()
}

/// Name, VLAN and base, ports, and addresses.
fn line(interface: &Interface) -> String {
    let vlan = interface.vlan.as_ref().map(|vlan| format!(" {}@{}", vlan.value, text(&interface.base)));
    let ports: String = interface.ports.iter().map(|port| format!(" < {}", port.value)).collect();
    let addresses = interface.addresses.iter().map(|address| match address.network() {
        Some(network) => format!(" {network}"),
        None => format!(" {}", address.address.value),
    });
    let addresses: String = addresses.collect();
    let kind = interface.kind.as_ref().map(|kind| format!(" {:?}", kind.value)).unwrap_or_default();
    format!("{}{kind}{}{ports}{addresses}", interface.name.value, vlan.unwrap_or_default())
}

fn lines(policy: &NodePolicy) -> Vec<String> {
    policy.interfaces.iter().map(line).collect()
}

#[test]
fn pools_and_advertisements_are_those_of_the_networks() {
    let network = values(&format!("{NODES}{CONTROL_PLANE}{INTERNAL_API}"));
    let pools: Vec<String> = network
        .pools
        .iter()
        .map(|pool| format!("{} {} {}", pool.name, pool.ranges[0].value.text, pool.ranges[0].site.path))
        .collect();
    assert_eq!(
        pools,
        [
            "ctlplane 192.168.122.80-192.168.122.90 data.ctlplane.lb_addresses[0]",
            "internalapi 172.17.0.80-172.17.0.90 data.internalapi.lb_addresses[0]",
        ]
    );
    let interfaces: Vec<String> = network
        .advertisements
        .iter()
        .map(|one| format!("{} {}", one.interfaces[0].value, one.interfaces[0].site.path))
        .collect();
    assert_eq!(interfaces, ["ospbr data.bridgeName", "internalapi data.internalapi.iface"]);
}

#[test]
fn attachments_have_sites_inside_the_json() {
    let network = values(&format!("{NODES}{CONTROL_PLANE}{INTERNAL_API}"));
    let names: Vec<&str> = network.attachments.iter().map(|attachment| attachment.name.as_str()).collect();
    assert_eq!(names, ["ctlplane", "internalapi"]);
    let range = &network.attachments[0].config.ranges[0].range;
    assert_eq!(range.to_string(), "192.168.122.30-192.168.122.70");
    let site = &range.end.as_ref().unwrap().site;
    assert_eq!(site.path.to_string(), "data.ctlplane.net-attach-def");
    assert_eq!(site.inside.as_ref().unwrap().to_string(), "ipam.range_end");
    assert_eq!(network.attachments[0].namespace, network.net_configs[0].namespace);
}

#[test]
fn the_net_config_has_the_subnets() {
    let octavia = "  octavia: {base_iface: enp6s0, vlan: 24, subnets: [{name: s}]}\n  swift: {subnets: [{}]}\n  internalapidcn1: {subnets: [{}]}\n";
    let network = values(&format!("{CONTROL_PLANE}{INTERNAL_API}{octavia}"));
    let [config] = network.net_configs.as_slice() else { panic!("{:?}", network.net_configs) };
    let subnets: Vec<String> = config
        .networks
        .iter()
        .flat_map(|network| network.subnets.iter().map(move |subnet| (network, subnet)))
        .map(|(network, subnet)| {
            let vlan = text(&subnet.vlan);
            format!("{} {} {} {vlan}", network.name.value, text(&network.mtu), subnet.allocation_ranges[0])
        })
        .collect();
    assert_eq!(
        subnets,
        ["ctlplane 1500 192.168.122.100-192.168.122.120 ", "internalapi 1496 172.17.0.100-172.17.0.250 20",]
    );
    let start = config.networks[1].subnets[0].allocation_ranges[0].start.as_ref().unwrap();
    assert_eq!(start.site.path.to_string(), "data.internalapi.subnets[0].allocationRanges[0].start");
}

#[test]
fn each_node_has_a_policy_whose_interfaces_have_the_names_of_the_networks() {
    let more = r#"  octavia:
    base_iface: enp6s0
    vlan: 24
    net-attach-def: '{"type": "bridge", "bridge": "octbr"}'
  datacentre: {net-attach-def: '{"type": "bridge", "bridge": "ospbr", "ipam": {}}'}
  external: {vlan: 30, subnets: []}
  dns-resolver: {config: {server: [192.168.122.1], search: []}, options: [{key: server, values: [192.168.122.1]}]}
  routes: {config: [{destination: 0.0.0.0/0, next-hop-address: 192.168.122.1, next-hop-interface: ospbr}]}
"#;
    let network = values(&format!("{NODES}{CONTROL_PLANE}{INTERNAL_API}{more}"));
    let [first, second] = network.node_policies.as_slice() else { panic!("{:?}", network.node_policies) };
    assert_eq!(
        lines(first),
        [
            "enp6s0 Ethernet",
            "ospbr LinuxBridge < enp6s0 192.168.122.10/24",
            "internalapi Vlan 20@enp6s0 172.17.0.5/24",
            "octavia Vlan 24@enp6s0",
            "octbr LinuxBridge < octavia",
        ]
    );
    assert_eq!((second.name.as_str(), second.hostname().unwrap().value.as_str()), ("policy-1", "master-1"));
    let address = &second.interfaces[2].addresses[0];
    assert_eq!(address.address.site.path.to_string(), "data.node_1.internalapi_ip");
    assert_eq!(
        address.prefix_length.as_ref().unwrap().site.path.to_string(),
        "data.internalapi.prefix-length"
    );
    assert_eq!(second.interfaces[1].mtu.as_ref().unwrap().value, 1500);
    assert_eq!(text(&second.routes[0].interface), "ospbr");
    assert_eq!(second.dns_servers[0].value.to_string(), "192.168.122.1");
}

#[test]
fn a_file_without_a_bridge_has_that_of_the_pods_or_a_card() {
    let without_name = format!("{NODES}{}", CONTROL_PLANE.replace("  bridgeName: ospbr\n", ""));
    let bridge = &values(&without_name).node_policies[0].interfaces[1];
    assert_eq!(line(bridge), "ospbr LinuxBridge < enp6s0 192.168.122.10/24");
    assert_eq!(bridge.name.site.inside.as_ref().unwrap().to_string(), "master");
    let on_card = values(&without_name.replace("\"ospbr\"", "\"enp6s0\""));
    assert_eq!(lines(&on_card.node_policies[0]), ["enp6s0 Ethernet 192.168.122.10/24"]);
    assert_eq!(on_card.advertisements[0].interfaces[0].value, "enp6s0");
}

#[test]
fn placeholders_are_neither_values_nor_misreads() {
    let data = r#"  bridgeName: ospbr
  node_0: {name: CHANGEME_NAME, ctlplane_ip: CHANGEME, internalapi_ip: _replaced_}
  ctlplane:
    iface: CHANGEME
    mtu: CHANGEME
    prefix-length: CHANGEME
    lb_addresses: [CHANGEME-CHANGEME]
    subnets: [{name: subnet1, cidr: CHANGEME/24, allocationRanges: [{start: CHANGEME, end: 10.0.0.9}]}]
    endpoint_annotations: {metallb.universe.tf/address-pool: ctlplane, metallb.universe.tf/loadBalancerIPs: CHANGEME}
    net-attach-def: '{"type": "macvlan", "master": "ospbr", "ipam": {"type": "whereabouts", "range": "CHANGEME"}}'
  internalapi:
    base_iface: CHANGEME
    vlan: CHANGEME
    lb_addresses: _replaced_
    endpoint_annotations: _replaced_
    net-attach-def: _replaced_
"#;
    let network = values(data);
    let pools: Vec<(&str, bool)> =
        network.pools.iter().map(|pool| (pool.name.as_str(), pool.ranges.is_empty())).collect();
    assert_eq!(pools, [("ctlplane", true), ("internalapi", true)], "they exist, but with unknown addresses");
    let [policy] = network.node_policies.as_slice() else { panic!("{:?}", network.node_policies) };
    // A bridge without ports would be local to the node.
    assert_eq!(lines(policy), ["ospbr", "internalapi"]);
    assert_eq!(policy.hostname().unwrap().value, "node_0", "an entry is for one node");
    assert_eq!(network.advertisements[1].interfaces[0].value, "internalapi");
    assert!(network.net_configs[0].networks[0].subnets[0].allocation_ranges.is_empty());
    assert!(network.attachments[0].config.ranges.is_empty() && network.attachments.len() == 2);
    let [dns] = network.services.as_slice() else { panic!("{:?}", network.services) };
    assert_eq!((dns.request.pool.as_deref(), &dns.request.addresses), (Some("ctlplane"), &None));
}

#[test]
fn what_cannot_be_read_is_one_misread_for_all_nodes() {
    let data = format!("{NODES}{CONTROL_PLANE}{INTERNAL_API}")
        .replace("172.17.0.80-172.17.0.90", "172.17.0.90-172.17.0.80")
        .replace("vlan: \"20\"\n", "vlan: 4095\n")
        .replace("172.17.0.6", "172.17.0.600");
    let (network, misreads) = model(&format!("{HEAD}{data}"));
    let paths: Vec<&str> = misreads.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        paths,
        ["data.internalapi.vlan", "data.internalapi.lb_addresses[0]", "data.node_1.internalapi_ip"]
    );
    assert_eq!(network.node_policies.len(), 2);
}

#[test]
fn functions_do_not_see_values() {
    let items = testing::resources(&format!("{HEAD}{NODES}{CONTROL_PLANE}{INTERNAL_API}"));
    let (network, misreads) = read(&World::new(&items));
    assert!(network.pools.is_empty() && network.services.is_empty() && misreads.is_empty());
}

#[test]
fn other_config_maps_are_left_alone() {
    let plan = format!("{HEAD}{CONTROL_PLANE}");
    for other in [
        plan.replace("local-config: \"true\"", "local-config: \"false\""),
        plan.replace("name: network-values", "name: dns-values"),
        format!("{HEAD}  ctlplane: text\n  node_0: text\n  routes: text\n  bridgeName: 5\n"),
    ] {
        let (network, misreads) = model(&other);
        assert!(network.pools.is_empty() && network.net_configs.is_empty() && misreads.is_empty());
    }
}
