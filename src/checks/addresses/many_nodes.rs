//! Policies that set one static address on several nodes.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::checks::rules;
use crate::krm::{FieldPath, Finding, Results, Severity, quoted};
use crate::model::network::hosts::Origin;
use crate::model::network::node_policies::NodePolicy;
use crate::model::network::plan::AddressOfNode;
use crate::model::network::segments::Reach;
use crate::model::{ItemId, Model, Site, Sited, nodes};
use crate::platform::kubernetes::HOSTNAME;

/// Reports `address-twice` for a static address in a policy without a hostname, once for each policy.
pub fn static_address_of_many_nodes(model: &Model<'_>, results: &mut Results) {
    let (network, items) = (&model.network, model.items());
    let mut first: BTreeMap<usize, &AddressOfNode> = BTreeMap::new();
    for address in model.plan.node_addresses.iter().filter(|address| address.reach != Reach::Alone) {
        if network.node_policies[address.policy].hostname().is_none() {
            first.entry(address.policy).or_insert(address);
        }
    }
    let nodes = if first.is_empty() { Nodes::default() } else { Nodes::of(model) };
    for (policy, address) in first {
        let selected = nodes.selected(&network.node_policies[policy]);
        let quoted_address = quoted(&address.address.value);
        let (severity, message) = match selected.as_slice() {
            [_] if nodes.are_listed => continue,
            [(one, _), (other, _), ..] => {
                let message = format!(
                    "this policy sets {quoted_address} on {} and {}; write one policy per node, with a `{HOSTNAME}` selector",
                    quoted(one),
                    quoted(other)
                );
                (Severity::Error, message)
            }
            _ => {
                let message = format!(
                    "this policy sets {quoted_address} on every node that it selects; if these are several, write one policy per node, with a `{HOSTNAME}` selector"
                );
                (Severity::Warning, message)
            }
        };
        let finding = results.add(Finding::new(severity, &rules::ADDRESS_TWICE, message));
        finding.location = address.address.site.location(items);
        for (_, site) in selected {
            finding.related(site.location(items), "a node that it selects");
        }
    }
}

/// A node, and where the package names it.
#[derive(Debug)]
struct Node {
    labels: BTreeMap<String, String>,
    site: Site,
}

/// The nodes of the package: those of Nodes, and of the policies for one node.
#[derive(Debug, Default)]
struct Nodes {
    by_name: BTreeMap<String, Node>,
    by_label: HashMap<(String, String), Vec<String>>,
    /// Whether the package has Nodes, and not only policies for them.
    are_listed: bool,
}

impl Nodes {
    fn of(model: &Model<'_>) -> Self {
        let hosts = model.network.hosts.iter().filter(|host| host.origin == Origin::Node);
        let items: HashSet<ItemId> = hosts.map(|host| host.item).collect();
        let mut nodes = Nodes { are_listed: !items.is_empty(), ..Nodes::default() };
        let (listed, _) = nodes::read(&model.world);
        for node in listed.into_iter().filter(|node| items.contains(&node.item)) {
            nodes.add(node.host_name, node.labels, Site::new(node.item, FieldPath::new("metadata.name")));
        }
        for policy in &model.network.node_policies {
            if let Some(name) = policy.hostname() {
                let selector = policy.selector.iter().map(|(key, value)| (key.clone(), value.value.clone()));
                nodes.add(name.value.clone(), selector.collect(), name.site.clone());
            }
        }
        for (name, node) in &nodes.by_name {
            for (key, value) in &node.labels {
                nodes.by_label.entry((key.clone(), value.clone())).or_default().push(name.clone());
            }
        }
        nodes
    }

    fn add(&mut self, name: String, labels: BTreeMap<String, String>, site: Site) {
        let node = self.by_name.entry(name).or_insert(Node { labels: BTreeMap::new(), site });
        node.labels.extend(labels);
    }

    /// The first two nodes that a policy selects.
    fn selected(&self, policy: &NodePolicy) -> Vec<(&str, &Site)> {
        // The rarest label leaves the fewest nodes to compare.
        let with_label = |(key, value): (&String, &Sited<String>)| {
            self.by_label.get(&(key.clone(), value.value.clone())).map_or(&[][..], Vec::as_slice)
        };
        let Some(candidates) = policy.selector.iter().map(with_label).min_by_key(|nodes| nodes.len()) else {
            return self.by_name.iter().take(2).map(|(name, node)| (name.as_str(), &node.site)).collect();
        };
        let nodes = candidates.iter().filter_map(|name| self.by_name.get_key_value(name));
        let has_all = |(_, node): &(&String, &Node)| {
            policy.selector.iter().all(|(key, value)| node.labels.get(key) == Some(&value.value))
        };
        nodes.filter(has_all).take(2).map(|(name, node)| (name.as_str(), &node.site)).collect()
    }
}
