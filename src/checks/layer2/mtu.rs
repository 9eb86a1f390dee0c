//! MTUs that differ in one network.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::checks::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::network::node_policies::{Interface, NodePolicy};
use crate::model::network::segments::Link;
use crate::model::{Model, Sited};

/// Reports `mtu-mismatch`.
pub fn mtu_mismatch(model: &Model<'_>, results: &mut Results) {
    for policy in &model.network.node_policies {
        above_base(policy, model.items(), results);
    }
    let mut seen = HashSet::new();
    for mtus in by_link(model).values() {
        let Some((first, others)) = mtus.split_first() else { continue };
        for other in others.iter().filter(|other| other.value != first.value) {
            if !seen.insert(&other.site) {
                continue;
            }
            let message = format!(
                "the MTU {} differs from {} in the same network; use one MTU",
                other.value, first.value
            );
            let finding = results.warning(&rules::MTU_MISMATCH, message);
            finding.location = other.site.location(model.items());
            finding.related(first.site.location(model.items()), "the other MTU");
        }
    }
}

/// The kernel refuses a VLAN with a larger MTU than its interface.
fn above_base(policy: &NodePolicy, items: &[Resource], results: &mut Results) {
    let up = || policy.interfaces.iter().filter(|interface| interface.is_up());
    let bases: HashMap<&str, &Sited<u32>> =
        up().filter_map(|interface| Some((interface.name.value.as_str(), interface.mtu.as_ref()?))).collect();
    for interface in up().filter(|interface| interface.vlan.is_some()) {
        let (Some(mtu), Some(base)) = (&interface.mtu, &interface.base) else { continue };
        let Some(below) = bases.get(base.value.as_str()).filter(|below| below.value < mtu.value) else {
            continue;
        };
        let message = format!(
            "the MTU {} of this VLAN is larger than {}, the MTU of {base}; increase the MTU of {base}, or reduce this one",
            mtu.value,
            below.value,
            base = quoted(&base.value)
        );
        let finding = results.warning(&rules::MTU_MISMATCH, message);
        finding.location = mtu.site.location(items);
        finding.related(below.site.location(items), "the smaller MTU");
    }
}

/// The MTUs that are set in each network: those of nodes, then attachments, then compute nodes.
fn by_link<'m>(model: &'m Model<'_>) -> BTreeMap<Link, Vec<&'m Sited<u32>>> {
    let (network, segments) = (&model.network, &model.plan.segments);
    let mut found: BTreeMap<Link, Vec<&Sited<u32>>> = BTreeMap::new();
    let mut add = |link: Option<Link>, mtu: Option<&'m Sited<u32>>| {
        if let (Some(link), Some(mtu)) = (link, mtu) {
            found.entry(link).or_default().push(mtu);
        }
    };
    for policy in &network.node_policies {
        for interface in ends(policy) {
            add(segments.interfaces.reach(&interface.name.value).link(), interface.mtu.as_ref());
        }
    }
    for (position, attachment) in network.attachments.iter().enumerate() {
        add(segments.attachment(position).link(), attachment.config.mtu.as_ref());
    }
    for (id, reach) in segments.subnets.all() {
        add(reach.link(), network.net_configs[id.config].networks[id.network].mtu.as_ref());
    }
    found
}

/// The interfaces that no other one of the policy uses. A card can have a larger MTU than the bridges and VLANs on it.
fn ends(policy: &NodePolicy) -> impl Iterator<Item = &Interface> {
    let up = || policy.interfaces.iter().filter(|interface| interface.is_up());
    let used: HashSet<&str> = up()
        .flat_map(|interface| {
            let access = interface.access_ports.iter().map(|port| &port.name);
            interface.base.iter().chain(&interface.ports).chain(access)
        })
        .map(|name| name.value.as_str())
        .collect();
    up().filter(move |interface| !used.contains(interface.name.value.as_str()))
}
