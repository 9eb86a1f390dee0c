//! Nodes that belong to two node sets, or twice to one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::rules;
use crate::formats::placeholder;
use crate::krm::{FieldPath, Resource, Results, quoted};
use crate::model::network::hosts::{Host, Purpose};
use crate::model::{ItemId, Site, Sited};
use crate::platform::openstack::NODE_SET;

/// By what a node is recognized in another node set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Identity {
    HostName,
    AnsibleHost,
}

/// Reports nodes that are also in an earlier node set of their namespace, or in the same one under another name. The
/// webhook compares host names, which default to the names of the nodes, and the addresses that Ansible uses. In one node
/// set, Ansible's inventory would have only one of the nodes.
pub fn node_twice(hosts: &[Host], items: &[Resource], results: &mut Results) {
    let mut first_of: HashMap<(Option<&str>, Identity, String), Site> = HashMap::new();
    for host in hosts.iter().filter(|host| host.item.get(items).is(NODE_SET)) {
        let namespace = host.item.get(items).id().namespace.as_deref();
        let mut is_reported = false;
        for (identity, Sited { value, site }) in identities(host) {
            let first = match first_of.entry((namespace, identity, value.clone())) {
                Entry::Vacant(slot) => {
                    slot.insert(site);
                    continue;
                }
                Entry::Occupied(slot) => slot.into_mut(),
            };
            // Two documents for one node set are reported as such.
            let is_same_set = first.item.get(items).id().name == site.item.get(items).id().name;
            if is_same_set && first.item != site.item || is_reported {
                continue;
            }
            is_reported = true;
            report(identity, &value, &site, first, items, results);
        }
    }
}

fn identities(host: &Host) -> Vec<(Identity, Sited<String>)> {
    let key = || Sited::new(host.name.clone(), host.item, node_path(&host.name));
    let host_name = host.host_name.clone().unwrap_or_else(key);
    let of_ansible = host.addresses.iter().find(|address| address.purpose == Purpose::Ansible);
    let of_ansible = of_ansible.map(|found| found.address.clone().map(|address| address.to_string()));
    let of_ansible = of_ansible.map(|address| (Identity::AnsibleHost, address));
    let names = [(Identity::HostName, host_name)].into_iter().chain(of_ansible);
    names.filter(|(_, name)| !placeholder::is_in(&name.value)).collect()
}

fn node_path(name: &str) -> FieldPath {
    FieldPath::new("spec.nodes").key(name.to_owned())
}

fn report(
    identity: Identity,
    value: &str,
    site: &Site,
    first: &Site,
    items: &[Resource],
    results: &mut Results,
) {
    let name_of = |item: ItemId| quoted(&item.get(items).id().name);
    let what = match identity {
        Identity::HostName => "a node with the host name",
        Identity::AnsibleHost => "a node with the address",
    };
    let advice = if first.item == site.item {
        "remove one of them, or correct it"
    } else {
        "a node belongs to one node set, so remove it from one of them"
    };
    let message =
        format!("the node set {} already has {what} {}; {advice}", name_of(first.item), quoted(value));
    let finding = results.error(&rules::NODE_TWICE, message).at(site.location(items));
    finding.related(first.location(items), "the same node");
}
