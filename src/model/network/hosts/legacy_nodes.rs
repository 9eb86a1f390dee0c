//! The nodes of the data plane of 2023, which inherit networks from their roles.

use std::collections::HashMap;

use super::node_sets::{ansible_host, networks};
use super::{Host, HostNetwork, Origin, Purpose};
use crate::model::fields::{Reading, STRICT};
use crate::model::{Misread, World};
use crate::platform::legacy_dataplane as facts;

/// What the nodes of a role have in common.
struct Role {
    networks: Option<Vec<HostNetwork>>,
    is_preprovisioned: bool,
}

pub fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<Host> {
    let mut roles: HashMap<(Option<&str>, &str), Role> = HashMap::new();
    for (item, resource) in world.of_kind(facts::ROLE) {
        let reading = Reading::new(item, resource, STRICT);
        let role = reading.section("spec", |spec| Role {
            networks: networks(&spec.map(facts::NODE_TEMPLATE)),
            is_preprovisioned: spec.boolean("preProvisioned").is_some_and(|yes| yes.value),
        });
        roles.insert((resource.id().namespace.as_deref(), &resource.id().name), role);
        misreads.extend(reading.finish().0);
    }
    let mut found = Vec::new();
    for (item, resource) in world.of_kind(facts::NODE) {
        let reading = Reading::new(item, resource, STRICT);
        let namespace = resource.id().namespace.as_deref();
        found.push(reading.section("spec", |spec| {
            let name = spec.string("role").map(|role| role.value).unwrap_or_default();
            let role = roles.get(&(namespace, name.as_str()));
            let mut host = Host::new(item, Origin::NodeSet, &resource.id().name);
            host.namespace = resource.id().namespace.clone();
            host.host_name = spec.string("hostName");
            let is_preprovisioned = role.is_some_and(|role| role.is_preprovisioned);
            let address = spec.get("ansibleHost").and_then(|field| ansible_host(field, is_preprovisioned));
            host.add(address, Purpose::Ansible);
            let template = role.and_then(|role| role.networks.as_deref());
            host.set_networks(networks(&spec.map(facts::OWN_SETTINGS)), template);
            host
        }));
        misreads.extend(reading.finish().0);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::model::network::hosts::read;
    use crate::model::testing;

    #[test]
    fn nodes_inherit_from_their_role() {
        let (hosts, misreads) = testing::read(
            "apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneRole
metadata: {name: edpm, namespace: openstack}
spec:
  preProvisioned: true
  nodeTemplate: {networks: [{name: ctlplane, subnetName: subnet1, fixedIP: 10.0.0.5}]}
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNode
metadata: {name: a, namespace: openstack}
spec: {role: edpm, hostName: compute-a, ansibleHost: compute-a}
---
apiVersion: dataplane.openstack.org/v1beta1
kind: OpenStackDataPlaneNode
metadata: {name: b, namespace: other}
spec: {role: edpm, ansibleHost: compute-b, node: {networks: []}}
",
            read,
        );
        let addresses = |at: usize| {
            let all = hosts[at].addresses.iter();
            all.map(|found| format!("{} {}", found.address.value, found.address.site.path))
                .collect::<Vec<_>>()
        };
        assert_eq!((hosts[0].name.as_str(), hosts[0].namespace.as_deref()), ("a", Some("openstack")));
        assert_eq!(addresses(0), ["10.0.0.5 spec.nodeTemplate.networks[0].fixedIP"]);
        assert!(addresses(1).is_empty() && hosts[1].networks.is_empty(), "{hosts:?}");
        assert_eq!(
            misreads,
            ["spec.ansibleHost: compute-a: it is not an IP address, which a preprovisioned node needs"]
        );
    }
}
