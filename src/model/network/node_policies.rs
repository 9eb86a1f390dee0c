//! NodeNetworkConfigurationPolicies: interfaces, addresses and routes of the nodes.

mod interfaces;

use std::collections::BTreeMap;

pub use self::interfaces::{AccessPort, Interface, InterfaceAddress, InterfaceKind};
use crate::formats::cidr::{Address, Cidr};
use crate::krm::{CollectOrdered, Fault, Resource};
use crate::model::fields::{Dialect, Field, Map, Reading};
use crate::model::{ItemId, Misread, Site, Sited, World};
use crate::platform::kubernetes::HOSTNAME;
use crate::platform::network::NODE_POLICY;
use crate::platform::network::node_policy::{DESIRED_STATE, NODE_SELECTOR, is_capture};

/// NMState also accepts numbers and booleans as strings.
const NMSTATE: Dialect = Dialect { converts_strings: true, is_reference: is_capture };

#[derive(Debug, Clone, PartialEq)]
pub struct NodePolicy {
    pub item: ItemId,
    pub name: String,
    /// The labels of its nodes.
    pub selector: BTreeMap<String, Sited<String>>,
    pub interfaces: Vec<Interface>,
    pub routes: Vec<NodeRoute>,
    pub dns_servers: Vec<Sited<Address>>,
    /// Fields that take their values from the state of the node when the policy is applied.
    pub captures: Vec<Site>,
}

impl NodePolicy {
    /// The name of the one node that the policy is for; none if it may be for several.
    pub fn hostname(&self) -> Option<&Sited<String>> {
        self.selector.get(HOSTNAME)
    }

    /// Whether the policy is for a node of the package.
    pub fn selects(&self, node: &Resource) -> Result<bool, Fault> {
        for (key, value) in &self.selector {
            if node.label(key)?.as_ref() != Some(&value.value) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NodeRoute {
    pub destination: Option<Sited<Cidr>>,
    pub next_hop: Option<Sited<Address>>,
    pub interface: Option<Sited<String>>,
    /// Whether the policy removes such routes.
    pub is_absent: bool,
}

pub fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<NodePolicy> {
    let mut found = Vec::new();
    for (item, resource) in world.of_kind(NODE_POLICY) {
        let reading = Reading::new(item, resource, NMSTATE);
        let mut policy = reading.section("spec", |spec| policy(item, resource.id().name.clone(), &spec));
        let (unread, captures) = reading.finish();
        policy.captures = captures;
        misreads.extend(unread);
        found.push(policy);
    }
    found
}

fn policy(item: ItemId, name: String, spec: &Map<'_>) -> NodePolicy {
    let label = |(key, field): (&str, Field<'_>)| Some((key.to_owned(), field.string()?));
    let state = spec.map(DESIRED_STATE);
    NodePolicy {
        item,
        name,
        selector: spec.map(NODE_SELECTOR).entries().filter_map(label).collect_ordered(),
        interfaces: state.each("interfaces", interfaces::interface),
        routes: state.map("routes").each("config", |field| Some(route(&field.map()))),
        dns_servers: state.map("dns-resolver").map("config").each("server", |field| field.parse(dns_server)),
        captures: Vec::new(),
    }
}

pub(super) fn route(route: &Map<'_>) -> NodeRoute {
    let state = route.string("state");
    let is_absent = state.is_some_and(|state| state.value == "absent");
    if !is_absent {
        route.require(&["destination"]);
    }
    // An empty string means that a route to be removed has no next hop or any destination.
    let given = |key| route.get(key).filter(|field| !field.is_empty());
    NodeRoute {
        destination: given("destination").and_then(|field| field.parse(Cidr::parse_or_host)),
        next_hop: given("next-hop-address").and_then(|field| field.parse(Address::parse)),
        interface: route.string("next-hop-interface"),
        is_absent,
    }
}

/// The address of a link-local server is followed by a percent sign and its interface.
pub(super) fn dns_server(text: &str) -> Result<Address, String> {
    Address::parse(text.split_once('%').map_or(text, |(address, _)| address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ip::Family;
    use crate::model::testing;

    const HEAD: &str = "apiVersion: nmstate.io/v1\nkind: NodeNetworkConfigurationPolicy\nmetadata: {name: enp6s0-worker-0}\n";

    fn policy(spec: &str) -> (NodePolicy, Vec<String>) {
        let (mut found, misreads) = testing::read(&format!("{HEAD}{spec}"), read);
        (found.remove(0), misreads)
    }

    fn texts(values: &[Sited<String>]) -> Vec<&str> {
        values.iter().map(|value| value.value.as_str()).collect()
    }

    #[test]
    fn interfaces_are_read_with_their_sites() {
        let (policy, misreads) = policy(
            "spec:
  desiredState:
    interfaces:
    - name: enp6s0.20
      state: up
      type: vlan
      vlan: {base-iface: enp6s0, id: 20}
      ipv4: {enabled: true, dhcp: false, address: [{ip: 172.17.0.5, prefix-length: 24}]}
      ipv6: {enabled: false, address: [{ip: 'fd00::5', prefix-length: 64}]}
    - {name: internalapi, type: vlan, mtu: \"1496\", vlan: {base-iface: enp7s0, id: \"30\"}, ipv4: {address: [{ip: 172.17.0.6, prefix-length: \"24\"}]}, ipv6: {enabled: 'False'}}
    - {name: storage, type: mac-vlan, mac-vlan: {base-iface: enp6s0.21}}
    - {name: ospbr, type: linux-bridge, bridge: {port: [{name: enp6s0, vlan: {}}, {name: enp7s0, vlan: {mode: access, tag: 5}}, {name: enp8s0, vlan: {mode: trunk, tag: 6}}]}, ipv4: {dhcp: true}, ipv6: {enabled: false, autoconf: true}}
    - {name: br-ex, type: ovs-bridge, bridge: {port: [{name: bond1, link-aggregation: {port: [{name: eth1}, {name: eth2}]}}, {name: br-ex}]}}
    - {name: bond0, type: bond, state: absent, link-aggregation: {ports: [eth3, eth4]}}
    - {name: lo, mtu: 65536}
    - {name: dummy0, type: dummy}
    routes: {config: [{destination: 0.0.0.0/0, next-hop-address: 192.168.122.1, next-hop-interface: ospbr}, {state: absent, next-hop-interface: eth0, next-hop-address: ''}, {destination: 10.0.0.7, next-hop-interface: eth0}]}
    dns-resolver: {config: {server: [192.168.122.1, 'fe80::1%ospbr'], search: []}}
  nodeSelector:
    kubernetes.io/hostname: worker-0
    node-role.kubernetes.io/worker: \"\"
",
        );
        assert_eq!(misreads, [""; 0]);
        assert_eq!(policy.hostname().unwrap().value, "worker-0");
        let interfaces = &policy.interfaces;
        let vlan = &interfaces[0];
        assert_eq!(
            (vlan.base.as_ref().unwrap().value.as_str(), vlan.vlan.as_ref().unwrap().value),
            ("enp6s0", 20)
        );
        let address = &vlan.addresses[0];
        assert_eq!(
            address.address.site.path.to_string(),
            "spec.desiredState.interfaces[0].ipv4.address[0].ip"
        );
        assert_eq!(address.network().unwrap().first().to_string(), "172.17.0.0");
        assert_eq!(vlan.addresses.len(), 1, "no address of a disabled family");
        let texts_as_numbers = &interfaces[1];
        assert_eq!(
            (texts_as_numbers.vlan.as_ref().unwrap().value, texts_as_numbers.mtu.as_ref().unwrap().value),
            (30, 1496)
        );
        assert_eq!(
            interfaces[2].base.as_ref().unwrap().site.path.to_string(),
            "spec.desiredState.interfaces[2].mac-vlan.base-iface"
        );
        assert_eq!(texts(&interfaces[3].ports), ["enp6s0", "enp8s0"]);
        let access: Vec<_> =
            interfaces[3].access_ports.iter().map(|port| (port.name.value.as_str(), port.vlan)).collect();
        assert_eq!(access, [("enp7s0", 5)]);
        assert_eq!((&interfaces[3].automatic, &interfaces[0].automatic), (&vec![Family::V4], &vec![]));
        assert_eq!(texts(&interfaces[4].ports), ["eth1", "eth2", "br-ex"]);
        assert_eq!(texts(&interfaces[5].ports), ["eth3", "eth4"]);
        assert!(interfaces[5].is_absent() && !interfaces[0].is_absent());
        assert!(!interfaces[5].is_up() && interfaces[0].is_up() && interfaces[1].is_up());
        assert_eq!(interfaces[6].kind, None);
        assert_eq!(interfaces[7].kind.as_ref().unwrap().value, InterfaceKind::Other("dummy".to_owned()));
        assert_eq!(policy.routes[0].next_hop.as_ref().unwrap().value.to_string(), "192.168.122.1");
        assert!(policy.routes[1].is_absent && policy.routes[1].next_hop.is_none());
        assert_eq!(policy.routes[2].destination.as_ref().unwrap().value.range().size(), 1);
        assert_eq!(policy.dns_servers[1].value.to_string(), "fe80::1");
    }

    #[test]
    fn a_policy_without_a_hostname_may_be_for_many_nodes() {
        let (policy, _) = policy("spec: {nodeSelector: {node-role.kubernetes.io/worker: ''}}\n");
        assert_eq!(policy.hostname(), None);
        let nodes = testing::resources(
            "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {node-role.kubernetes.io/worker: ''}}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: b}\n",
        );
        assert_eq!((policy.selects(&nodes[0]), policy.selects(&nodes[1])), (Ok(true), Ok(false)));
    }

    #[test]
    fn captures_are_neither_values_nor_misreads() {
        let (policy, misreads) = policy(
            "spec: {capture: {a: b}, desiredState: {interfaces: [{name: br1, ipv4: {address: '{{ capture.a.interfaces.0.ipv4.address }}'}, bridge: {port: [{name: '{{capture.a.interfaces.0.name}}'}]}}]}}\n",
        );
        assert_eq!((misreads, policy.interfaces.len()), (Vec::new(), 1));
        let paths: Vec<String> = policy.captures.iter().map(|site| site.path.to_string()).collect();
        let interface = "spec.desiredState.interfaces[0]";
        assert_eq!(paths, [format!("{interface}.bridge.port[0].name"), format!("{interface}.ipv4.address")]);
    }

    #[test]
    fn what_cannot_be_read_is_a_misread() {
        let (policy, misreads) = policy(
            "spec:
  nodeSelector: {kubernetes.io/hostname: 7}
  desiredState:
    interfaces:
    - {type: ethernet}
    - {name: a, type: 1, state: [], mtu: big, vlan: 5}
    - {name: b, type: vlan, vlan: {base-iface: {}, id: 4095}, ipv4: {enabled: maybe, address: [{ip: 'fd00::1', prefix-length: 33}, {}]}}
    - {name: c, ipv6: {address: [{ip: 10.0.0.1, prefix-length: '129'}, null]}, bridge: {port: [5]}}
    routes: {config: [{destination: 10.0.0.0/40, next-hop-address: 192.168.123.1ØØ}, {}]}
    dns-resolver: {config: {server: [dns.example.com]}}
",
        );
        assert_eq!((policy.hostname(), policy.interfaces.len()), (None, 3));
        let found: Vec<String> =
            misreads.iter().map(|line| line.replace("spec.desiredState.interfaces", "if")).collect();
        assert_eq!(
            found,
            [
                "spec.nodeSelector[kubernetes.io/hostname]: must be a string, but is a number",
                "if[0]: `name` is missing",
                "if[1].vlan: must be a mapping, but is a number",
                "if[1].type: must be a string, but is a number",
                "if[1].state: must be a string, but is a list",
                "if[1].mtu: must be a whole number from 0 to 4294967295, but is \"big\"",
                "if[2].vlan.base-iface: must be a string, but is a mapping",
                "if[2].vlan.id: must be a whole number from 0 to 4094, but is 4095",
                "if[2].ipv4.enabled: must be a boolean, but is a string",
                "if[2].ipv4.address[0].prefix-length: must be a whole number from 0 to 32, but is 33",
                "if[2].ipv4.address[0].ip: fd00::1: it is an IPv6 address in `ipv4`",
                "if[2].ipv4.address[1]: `ip` is missing",
                "if[2].ipv4.address[1]: `prefix-length` is missing",
                "if[3].bridge.port[0]: must be a mapping, but is a number",
                "if[3].ipv6.address[0].prefix-length: must be a whole number from 0 to 128, but is \"129\"",
                "if[3].ipv6.address[0].ip: 10.0.0.1: it is an IPv4 address in `ipv6`",
                "if[3].ipv6.address[1]: must be a mapping, but is null",
                "spec.desiredState.routes.config[0].destination: 10.0.0.0/40: its prefix length must be 0 to 32",
                "spec.desiredState.routes.config[0].next-hop-address: 192.168.123.1ØØ: it is not an IP address",
                "spec.desiredState.routes.config[1]: `destination` is missing",
                "spec.desiredState.dns-resolver.config.server[0]: dns.example.com: it is not an IP address",
            ]
        );
    }
}
