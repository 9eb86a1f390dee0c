//! VLAN ids that occur twice.

use std::collections::HashMap;

use crate::checks::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::network::net_configs::{ComputeNetwork, NetConfig};
use crate::model::network::node_policies::{Interface, NodePolicy};
use crate::model::{Model, Sited};

/// Reports `vlan-twice`.
pub fn vlan_twice(model: &Model<'_>, results: &mut Results) {
    interfaces(&model.network.node_policies, model.items(), results);
    for config in &model.network.net_configs {
        networks(config, model.items(), results);
    }
}

/// The kernel refuses a second VLAN with one id on one interface.
fn interfaces(policies: &[NodePolicy], items: &[Resource], results: &mut Results) {
    let mut seen: HashMap<(Option<&str>, &str, u16), &Interface> = HashMap::new();
    // Policies without a selector are for every node, so these come first.
    let of_all = policies.iter().filter(|policy| policy.selector.is_empty());
    let of_one = policies.iter().filter(|policy| policy.hostname().is_some());
    // Of two other policies it is unknown whether they select the same node, but each is complete by itself.
    let others = policies.iter().filter(|policy| !policy.selector.is_empty() && policy.hostname().is_none());
    for policy in of_all.chain(of_one).chain(others) {
        let node = match policy.hostname() {
            Some(name) => Some(name.value.as_str()),
            None if policy.selector.is_empty() => None,
            None => Some(policy.name.as_str()),
        };
        for interface in policy.interfaces.iter().filter(|interface| interface.is_up()) {
            let (Some(base), Some(id)) = (&interface.base, &interface.vlan) else { continue };
            let key = |node| (node, base.value.as_str(), id.value);
            let first = seen.get(&key(None)).or_else(|| seen.get(&key(node))).copied();
            let Some(first) = first else {
                seen.insert(key(node), interface);
                continue;
            };
            if first.name.value == interface.name.value {
                continue;
            }
            let message = format!(
                "VLAN {} of {} already has the interface {}, and the kernel refuses a second one; change the id or remove one of them",
                id.value,
                quoted(&base.value),
                quoted(&first.name.value)
            );
            let finding = results.error(&rules::VLAN_TWICE, message);
            finding.location = id.site.location(items);
            if let Some(other) = &first.vlan {
                finding.related(other.site.location(items), "the same VLAN");
            }
        }
    }
}

fn networks(config: &NetConfig, items: &[Resource], results: &mut Results) {
    // If networks have several subnets, these belong to different sites, where VLAN ids may be the same.
    let has_sites = config.networks.iter().any(|network| network.subnets.len() > 1);
    let mut seen: HashMap<(u16, String), (&ComputeNetwork, &Sited<u16>)> = HashMap::new();
    for network in &config.networks {
        for subnet in &network.subnets {
            let Some(vlan) = subnet.vlan.as_ref().filter(|vlan| vlan.value > 0) else { continue };
            let site = if has_sites { subnet.name.value.to_lowercase() } else { String::new() };
            let (other, first) = *seen.entry((vlan.value, site)).or_insert((network, vlan));
            if other.name.value == network.name.value || network.is_at_other_site(other) {
                continue;
            }
            let message = format!(
                "the network {} has VLAN {} too; if compute nodes have both on one network card, they share one layer 2 network; give each its own VLAN",
                quoted(&other.name.value),
                vlan.value
            );
            let finding = results.warning(&rules::VLAN_TWICE, message);
            finding.location = vlan.site.location(items);
            finding.related(first.site.location(items), "the same VLAN");
        }
    }
}
