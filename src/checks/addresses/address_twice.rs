//! Two nodes with one address.

use std::collections::HashSet;

use super::collisions::{Party, collisions};
use super::describe;
use crate::checks::rules;
use crate::formats::cidr::Address;
use crate::formats::ip::IpRange;
use crate::krm::{Finding, Results, Severity, quoted};
use crate::model::network::hosts::{Origin, Purpose};
use crate::model::network::segments::Reach;
use crate::model::{Model, Sited};

/// A node. If a policy selects more than one node, its name represents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Owner<'m> {
    Node(&'m str),
    Nodes(&'m str),
    /// The namespace and the name.
    Host(Option<&'m str>, &'m str),
}

struct Owned<'m> {
    owner: Owner<'m>,
    address: &'m Sited<Address>,
    addresses: [IpRange; 1],
    reach: &'m Reach,
    is_of_ansible: bool,
}

fn namespace<'m>(owner: Owner<'m>) -> Option<Option<&'m str>> {
    match owner {
        Owner::Host(namespace, _) => Some(namespace),
        Owner::Node(_) | Owner::Nodes(_) => None,
    }
}

/// Whether two node sets list a host by the same name. One without a namespace may be for the namespace of the other.
fn may_be_one_host(first: Owner<'_>, second: Owner<'_>) -> bool {
    match (first, second) {
        (Owner::Host(one, name), Owner::Host(other, other_name)) => {
            name == other_name && one.zip(other).is_none_or(|(one, other)| one == other)
        }
        _ => false,
    }
}

/// Reports `address-twice` for the addresses of nodes in policies and of hosts in node sets.
pub fn address_twice(model: &Model<'_>, results: &mut Results) {
    let items = model.items();
    let owned = owned(model);
    let parties: Vec<Party<'_, Owner<'_>>> = owned
        .iter()
        .map(|one| Party { addresses: &one.addresses, reach: one.reach, class: one.owner })
        .collect();
    let mut seen = HashSet::new();
    for collision in collisions(&parties, &model.plan.segments) {
        let (one, other) = (&owned[collision.first], &owned[collision.second]);
        let (first, second) =
            if one.address.site <= other.address.site { (one, other) } else { (other, one) };
        // A policy for several nodes may be for the other node too.
        let is_one_node =
            matches!((first.owner, second.owner), (Owner::Nodes(_), Owner::Node(_) | Owner::Nodes(_)))
                || matches!((first.owner, second.owner), (Owner::Node(_), Owner::Nodes(_)));
        // The same host of Ansible in two node sets is reported as `node-twice`.
        let is_one_host = first.is_of_ansible
            && second.is_of_ansible
            && first.address.site.item != second.address.site.item
            && namespace(first.owner) == namespace(second.owner);
        if is_one_node
            || is_one_host
            || may_be_one_host(first.owner, second.owner)
            || !seen.insert((second.owner, second.address.value.ip()))
        {
            continue;
        }
        let (severity, condition) = match collision.is_certain {
            true => (Severity::Error, "two nodes in one network cannot have the same address"),
            false => {
                (Severity::Warning, "if both nodes are in one network, they cannot have the same address")
            }
        };
        let address = quoted(&second.address.value);
        // Nodes of a node set share the networks of their template.
        if first.address.site == second.address.site {
            let message =
                format!("several nodes get {address} from here; {condition}; set it for one node only");
            let finding = Finding::new(severity, &rules::ADDRESS_TWICE, message);
            results.add(finding).location = second.address.site.location(items);
            continue;
        }
        let other = describe(&first.address.site, items);
        let message = format!("{address} is also the address of {other}; {condition}; change one of them");
        let finding = results.add(Finding::new(severity, &rules::ADDRESS_TWICE, message));
        finding.location = second.address.site.location(items);
        finding.related(first.address.site.location(items), "the other node");
    }
}

fn owned<'m>(model: &'m Model<'_>) -> Vec<Owned<'m>> {
    let (plan, network) = (&model.plan, &model.network);
    let new = |owner, address: &'m Sited<Address>, reach, is_of_ansible| {
        let addresses = [IpRange::one(address.value.ip())];
        Owned { owner, address, addresses, reach, is_of_ansible }
    };
    let nodes = plan.node_addresses.iter().map(|node| {
        let policy = &network.node_policies[node.policy];
        let owner = match policy.hostname() {
            Some(name) => Owner::Node(&name.value),
            None => Owner::Nodes(&policy.name),
        };
        new(owner, &node.address, &node.reach, false)
    });
    let hosts = plan.host_addresses.iter().filter_map(|address| {
        let host = &network.hosts[address.host];
        let namespace = host.namespace.as_deref();
        let is_of_set = host.origin == Origin::NodeSet;
        let is_of_ansible = address.purpose == Purpose::Ansible;
        let owner = Owner::Host(namespace, &host.name);
        is_of_set.then(|| new(owner, &address.address, &address.reach, is_of_ansible))
    });
    nodes.chain(hosts).collect()
}
