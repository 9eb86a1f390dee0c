//! The nodes of OpenStackDataPlaneNodeSets.

use super::{Host, HostNetwork, Origin, Purpose};
use crate::formats::cidr::Address;
use crate::formats::dns;
use crate::krm::Resource;
use crate::model::fields::{Field, Map, Reading};
use crate::model::{ItemId, Sited};

pub fn node_set(item: ItemId, _: &Resource, reading: &Reading<'_>) -> Vec<Host> {
    reading.section("spec", |spec| {
        let is_preprovisioned = spec.boolean("preProvisioned").is_some_and(|yes| yes.value);
        let template = networks(&spec.map("nodeTemplate"));
        nodes(item, &spec.map("nodes"), template.as_deref(), is_preprovisioned)
    })
}

/// The nodes of a node set. The networks of the template are those of nodes that list none.
pub fn nodes(
    item: ItemId,
    nodes: &Map<'_>,
    template: Option<&[HostNetwork]>,
    is_preprovisioned: bool,
) -> Vec<Host> {
    let host = |(name, field): (&str, Field<'_>)| {
        let node = field.map();
        let mut host = Host::new(item, Origin::NodeSet, name);
        host.host_name = node.string("hostName");
        let ansible = node.map("ansible").get("ansibleHost");
        let address = ansible.and_then(|field| ansible_host(field, is_preprovisioned));
        host.add(address, Purpose::Ansible);
        host.set_networks(networks(&node), template);
        host
    };
    nodes.entries().map(host).collect()
}

impl Host {
    /// Sets the networks of the node, or else those of its template, with their fixed addresses.
    pub(super) fn set_networks(&mut self, own: Option<Vec<HostNetwork>>, template: Option<&[HostNetwork]>) {
        self.networks = own.unwrap_or_else(|| template.unwrap_or_default().to_vec());
        for network in 0..self.networks.len() {
            let fixed = self.networks[network].fixed_ip.clone();
            self.add(fixed, Purpose::Fixed { network });
        }
    }
}

/// The networks of a node or template. None if it has no list: a list replaces that of the template.
pub fn networks(node: &Map<'_>) -> Option<Vec<HostNetwork>> {
    let list = node.get("networks")?.list();
    Some(list.into_iter().filter_map(|field| network(&field.map())).collect())
}

fn network(map: &Map<'_>) -> Option<HostNetwork> {
    map.require(&["name", "subnetName"]);
    let name = map.string("name");
    let read = HostNetwork {
        subnet: map.string("subnetName"),
        fixed_ip: map.address("fixedIP"),
        is_default_route: map.boolean("defaultRoute").is_some_and(|yes| yes.value),
        name: name?,
    };
    Some(read)
}

/// The address that Ansible connects to; none for a name, which the webhook allows where the operator provisions the
/// node itself.
pub(super) fn ansible_host(field: Field<'_>, is_preprovisioned: bool) -> Option<Sited<Address>> {
    let read = field.parse(|text| match Address::parse(text) {
        Err(_) if is_host_name(text) && !is_preprovisioned => Ok(None),
        Err(why) if is_preprovisioned => Err(format!("{why}, which a preprovisioned node needs")),
        address => address.map(Some),
    })?;
    let site = read.site;
    read.value.map(|value| Sited { value, site })
}

/// Whether a string is a name rather than a mistyped address: the last label of a name begins with a
/// letter.
fn is_host_name(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let last = lower.rsplit('.').next().unwrap_or_default();
    dns::is_subdomain(&lower) && last.starts_with(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::hosts::read;
    use crate::model::testing;

    const HEAD: &str = "apiVersion: dataplane.openstack.org/v1beta1\nkind: OpenStackDataPlaneNodeSet\nmetadata: {name: edpm, namespace: openstack}\n";

    fn node_set(spec: &str) -> (Vec<Host>, Vec<String>) {
        testing::read(&format!("{HEAD}{spec}"), read)
    }

    fn addresses(host: &Host) -> Vec<(String, Purpose)> {
        host.addresses.iter().map(|found| (found.address.value.to_string(), found.purpose)).collect()
    }

    #[test]
    fn nodes_of_a_node_set_have_names_networks_and_addresses() {
        let (hosts, misreads) = node_set(
            "spec:
  preProvisioned: true
  nodeTemplate: {networks: [{name: ctlplane, subnetName: subnet1}]}
  nodes:
    edpm-compute-0:
      hostName: compute-0
      ansible: {ansibleHost: 192.168.122.100}
      networks:
      - {name: CtlPlane, subnetName: subnet1, defaultRoute: true, fixedIP: 192.168.122.100}
      - {name: internalapi, subnetName: subnet1}
    edpm-compute-1: {}
",
        );
        assert_eq!(misreads, [""; 0]);
        let [first, second] = hosts.as_slice() else { panic!("{hosts:?}") };
        assert_eq!((first.name.as_str(), first.origin), ("edpm-compute-0", Origin::NodeSet));
        assert_eq!(first.host_name.as_ref().unwrap().value, "compute-0");
        let address = || "192.168.122.100".to_owned();
        assert_eq!(
            addresses(first),
            [(address(), Purpose::Ansible), (address(), Purpose::Fixed { network: 0 })]
        );
        assert!(first.networks[0].is_default_route && !first.networks[1].is_default_route);
        let path = |at: usize| first.addresses[at].address.site.path.to_string();
        assert_eq!(path(0), "spec.nodes.edpm-compute-0.ansible.ansibleHost");
        assert_eq!(path(1), "spec.nodes.edpm-compute-0.networks[0].fixedIP");
        let inherited = &second.networks[0].name;
        assert_eq!(inherited.site.path.to_string(), "spec.nodeTemplate.networks[0].name");
    }

    #[test]
    fn ansible_may_use_a_name_unless_the_node_is_preprovisioned() {
        let spec = |text: &str, flag: bool| {
            node_set(&format!(
                "spec: {{preProvisioned: {flag}, nodes: {{a: {{ansible: {{ansibleHost: {text}}}}}}}}}\n"
            ))
        };
        let (hosts, misreads) = spec("compute-0.example.com", false);
        assert_eq!((hosts[0].addresses.len(), misreads.len()), (0, 0));
        for text in ["192.168.122.1OO", "192.168.122", "192.168.123.1ØØ", "''"] {
            let (_, misreads) = spec(text, false);
            let text = text.trim_matches('\'');
            assert_eq!(
                misreads,
                [format!("spec.nodes.a.ansible.ansibleHost: {text}: it is not an IP address")]
            );
        }
        assert_eq!(
            spec("compute-0", true).1,
            [
                "spec.nodes.a.ansible.ansibleHost: compute-0: it is not an IP address, which a preprovisioned node needs"
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_a_misread() {
        let (hosts, misreads) = node_set(
            "spec:
  preProvisioned: 1
  nodes:
    a: []
    b.c: {hostName: 1, ansible: x, networks: [{fixedIP: 10.0.0.256}, {name: n, subnetName: [], defaultRoute: 'true'}]}
    d: {ansible: {ansibleHost: 5}, networks: none}
",
        );
        assert_eq!(hosts.len(), 3);
        assert_eq!(
            misreads,
            [
                "spec.preProvisioned: must be a boolean, but is a number",
                "spec.nodes.a: must be a mapping, but is a list",
                "spec.nodes[b.c].hostName: must be a string, but is a number",
                "spec.nodes[b.c].ansible: must be a mapping, but is a string",
                "spec.nodes[b.c].networks[0]: `name` is missing",
                "spec.nodes[b.c].networks[0]: `subnetName` is missing",
                "spec.nodes[b.c].networks[0].fixedIP: 10.0.0.256: it is not an IP address",
                "spec.nodes[b.c].networks[1].subnetName: must be a string, but is a list",
                "spec.nodes[b.c].networks[1].defaultRoute: must be a boolean, but is a string",
                "spec.nodes.d.ansible.ansibleHost: must be a string, but is a number",
                "spec.nodes.d.networks: must be a list, but is a string",
            ]
        );
    }
}
