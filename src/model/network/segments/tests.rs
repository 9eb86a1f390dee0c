//! The networks of whole packages.

use super::*;
use crate::model::World;
use crate::model::network::plan::{AddressPlan, Holder};
use crate::model::network::{self};
use crate::model::testing;

/// Two instances: the first on VLAN 20 of `enp6s0`, the second on an own card.
const PACKAGE: &str = "
apiVersion: nmstate.io/v1
kind: NodeNetworkConfigurationPolicy
metadata: {name: worker-0}
spec:
  desiredState:
    interfaces:
    - {name: internalapi, type: vlan, vlan: {base-iface: enp6s0, id: 20}, ipv4: {address: [{ip: 172.17.0.5, prefix-length: 24}]}}
    - {name: ospbr, type: linux-bridge, bridge: {port: [{name: enp6s0}]}, ipv4: {address: [{ip: 192.168.122.10, prefix-length: 24}]}}
    - {name: internalapi2, type: vlan, vlan: {base-iface: enp8s0, id: 30}}
    - {name: octavia, type: linux-bridge, ipv4: {address: [{ip: 172.23.0.1, prefix-length: 24}]}}
    - {name: enp9s0, type: ethernet, ipv4: {address: [{ip: 100.64.0.2, prefix-length: 30}]}}
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: internalapi, namespace: one}
spec: {config: '{\"type\": \"macvlan\", \"master\": \"internalapi\", \"ipam\": {\"type\": \"whereabouts\", \"range\": \"172.17.0.0/24\"}}'}
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: internalapi, namespace: two}
spec: {config: '{\"type\": \"bridge\", \"bridge\": \"enp8s0\", \"vlan\": 30, \"ipam\": {\"type\": \"whereabouts\", \"range\": \"172.17.0.0/24\"}}'}
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: made, namespace: two}
spec: {config: '{\"type\": \"bridge\", \"bridge\": \"made\", \"ipam\": {\"type\": \"whereabouts\", \"range\": \"172.17.0.0/24\"}}'}
---
apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: {name: netconfig, namespace: one}
spec:
  networks:
  - {name: InternalApi, dnsDomain: a.example.com, subnets: [{name: subnet1, cidr: 172.17.0.0/24, allocationRanges: [{start: 172.17.0.100, end: 172.17.0.110}], excludeAddresses: [172.17.0.105]}, {name: leaf, cidr: 172.17.9.0/24, vlan: 29, allocationRanges: [{start: 172.17.9.1, end: 172.17.9.2}]}]}
  - {name: ctlplane, dnsDomain: b.example.com, subnets: [{name: subnet1, cidr: 192.168.122.0/24, allocationRanges: [{start: 192.168.122.100, end: 192.168.122.110}]}]}
  - {name: octavia, dnsDomain: c.example.com, subnets: [{name: subnet1, cidr: 172.23.0.0/24, allocationRanges: [{start: 172.23.0.100, end: 172.23.0.110}]}]}
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNodeSet
metadata: {name: edpm, namespace: one}
spec:
  nodes:
    a: {ansible: {ansibleHost: 192.168.122.100}, networks: [{name: internalapi, subnetName: Subnet1, fixedIP: 172.17.0.100}, {name: internalapi, subnetName: other, fixedIP: 172.17.0.101}]}
    b: {ansible: {ansibleHost: 203.0.113.7}}
";

fn with_plan<T>(more: &str, read: impl FnOnce(&Network, &AddressPlan) -> T) -> T {
    let items = testing::resources(&format!("{PACKAGE}{more}"));
    let world = World::new(&items);
    let (network, misreads) = network::read(&world);
    assert!(misreads.is_empty(), "{misreads:?}");
    read(&network, &AddressPlan::of(&network))
}

fn pool(name: &str, labels: &str) -> String {
    format!(
        "---\napiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {{name: {name}, labels: {labels}}}\nspec: {{addresses: [172.17.0.80-172.17.0.90]}}\n"
    )
}

fn advertisement(kind: &str, spec: &str) -> String {
    format!("---\napiVersion: metallb.io/v1beta1\nkind: {kind}\nmetadata: {{name: x}}\nspec: {spec}\n")
}

/// The relation of a pool to the attachment of the first instance.
fn relation(pool_and_advertisements: &str) -> Relation {
    with_plan(pool_and_advertisements, |_, plan| {
        plan.segments.relation(plan.segments.pool(0), plan.segments.attachment(0))
    })
}

#[test]
fn pools_are_where_they_are_announced() {
    let p = || pool("p", "{zone: a}");
    let layer2 = |spec: &str| format!("{}{}", p(), advertisement("L2Advertisement", spec));
    for (spec, expected) in [
        ("{ipAddressPools: [p], interfaces: [enp6s0.20]}", Relation::Same),
        ("{ipAddressPools: [p], interfaces: [ospbr, internalapi]}", Relation::Same),
        ("{ipAddressPools: [p], interfaces: [enp8s0.20]}", Relation::Different),
        ("{ipAddressPools: [p], interfaces: [octavia]}", Relation::Different),
        ("{ipAddressPools: [p]}", Relation::Same),
        ("{}", Relation::Same),
        ("{ipAddressPools: [q], interfaces: [internalapi]}", Relation::Unknown),
        ("{ipAddressPoolSelectors: [{matchLabels: {zone: a}}], interfaces: [internalapi]}", Relation::Same),
        (
            "{ipAddressPoolSelectors: [{matchLabels: {zone: b}}], interfaces: [internalapi]}",
            Relation::Unknown,
        ),
        ("{ipAddressPoolSelectors: [{matchExpressions: [{key: a, operator: Exists}]}]}", Relation::Unknown),
    ] {
        assert_eq!(relation(&layer2(spec)), expected, "{spec}");
    }
    assert_eq!(relation(&p()), Relation::Unknown);
    let bgp = advertisement("BGPAdvertisement", "{ipAddressPools: [p]}");
    assert_eq!(relation(&format!("{}{bgp}", p())), Relation::Different);
    assert_eq!(relation(&format!("{}{bgp}", layer2("{interfaces: [internalapi]}"))), Relation::Same);
}

#[test]
fn attachments_are_on_the_link_of_their_interface() {
    with_plan("", |_, plan| {
        let attachment = |position| plan.segments.attachment(position);
        assert_eq!(*attachment(0), plan.segments.interfaces.reach("internalapi"));
        assert_eq!(*attachment(1), plan.segments.interfaces.reach("internalapi2"));
        assert_eq!(*attachment(2), Reach::Alone, "the plugin creates this bridge on each node");
    });
}

#[test]
fn subnets_are_where_attachments_or_addresses_of_nodes_are() {
    with_plan("", |_, plan| {
        let reaches: Vec<&Reach> = plan.segments.subnets.all().map(|(_, reach)| reach).collect();
        let [internal, leaf, control, octavia] = reaches.as_slice() else { panic!("{reaches:?}") };
        assert_eq!(**internal, plan.segments.interfaces.reach("internalapi"));
        assert_eq!(**control, plan.segments.interfaces.reach("enp6s0"));
        assert_eq!(**octavia, Reach::Alone);
        assert!(matches!(leaf, Reach::Unplaced(_)), "{leaf:?}");
        let relation = |a, b| plan.segments.relation(a, b);
        assert_eq!((relation(leaf, leaf), relation(leaf, control)), (Relation::Same, Relation::Unknown));
        assert_eq!(relation(leaf, internal), Relation::Different, "both VLANs are known");
    });
}

#[test]
fn hosts_are_in_the_subnets_that_they_name() {
    with_plan("", |_, plan| {
        let reaches: Vec<&Reach> = plan.host_addresses.iter().map(|address| &address.reach).collect();
        let [ansible, fixed, other, elsewhere] = reaches.as_slice() else { panic!("{reaches:?}") };
        assert_eq!(**ansible, plan.segments.interfaces.reach("ospbr"));
        assert_eq!(**fixed, plan.segments.interfaces.reach("internalapi"));
        assert!(matches!(other, Reach::Unplaced(_)), "{other:?}");
        assert_eq!(**elsewhere, Reach::Unknown);
    });
}

#[test]
fn the_plan_has_every_range_and_address() {
    with_plan(&format!("{0}{0}", pool("p", "{}")), |network, plan| {
        let ranges: Vec<String> = plan
            .ranges
            .iter()
            .map(|range| {
                let addresses: Vec<String> = range.addresses.iter().map(ToString::to_string).collect();
                format!("{:?} {}", matches!(range.holder, Holder::Pool(_)), addresses.join(","))
            })
            .collect();
        assert_eq!(ranges[0], "true 172.17.0.80-172.17.0.90");
        assert_eq!(ranges[1], "false 172.17.0.0-172.17.0.255", "a pool that repeats another is left out");
        assert_eq!(ranges[4], "false 172.17.0.100-172.17.0.104,172.17.0.106-172.17.0.110");
        assert_eq!((network.pools.len(), ranges.len()), (2, 8));
        let link = plan.node_addresses.last().unwrap();
        assert_eq!((link.address.value.to_string().as_str(), &link.reach), ("100.64.0.2", &Reach::Alone));
        assert_eq!(plan.node_addresses.len(), 4);
    });
}
