//! Networks that have different VLAN ids in different resources.

use std::collections::HashSet;
use std::net::IpAddr;

use crate::checks::rules;
use crate::formats::cidr::Cidr;
use crate::krm::{Results, quoted};
use crate::model::network::attachments::Attachment;
use crate::model::network::segments::{Link, NodeNetwork, SubnetId};
use crate::model::{Model, Site, Sited};

/// Reports `vlan-mismatch`. A subnet is compared with the attachments to its network or, if there are none, with the
/// nodes that have addresses in it. Other attachments are compared with the nodes.
pub fn vlan_mismatch(model: &Model<'_>, results: &mut Results) {
    let segments = &model.plan.segments;
    let claimed = claimed(model);
    let mut compared: HashSet<usize> = HashSet::new();
    for (id, _) in segments.subnets.all() {
        let subnet = id.get(&model.network);
        let (Some(vlan), Some(cidr)) = (tag(model, id), &subnet.cidr) else { continue };
        let attached = segments.subnets.attachments(id);
        compared.extend(attached);
        let rival = if attached.is_empty() {
            rival_node(model, vlan.value, &cidr.value, &claimed)
        } else {
            attached.iter().find_map(|position| rival_attachment(model, vlan.value, *position))
        };
        if let Some(rival) = rival {
            let network = &model.network.net_configs[id.config].networks[id.network].name.value;
            report(&format!("the network {}", quoted(network)), vlan, rival, model, results);
        }
    }
    for (position, attachment) in model.network.attachments.iter().enumerate() {
        if !compared.contains(&position) {
            compare_with_nodes(position, attachment, model, results);
        }
    }
}

/// Another interface for the same network.
struct Rival<'m> {
    interface: &'m str,
    vlan: u16,
    site: &'m Site,
}

fn tag<'m>(model: &'m Model<'_>, subnet: SubnetId) -> Option<&'m Sited<u16>> {
    subnet.get(&model.network).vlan.as_ref().filter(|vlan| vlan.value > 0)
}

/// The subnets with their VLANs. An instance may have the subnet of another one in its own VLAN.
fn claimed(model: &Model<'_>) -> HashSet<(IpAddr, u16)> {
    let subnets = model.plan.segments.subnets.all();
    let claims = subnets.filter_map(|(id, _)| {
        let cidr = id.get(&model.network).cidr.as_ref()?;
        Some((cidr.value.first(), tag(model, id)?.value))
    });
    claims.collect()
}

fn rival_attachment<'m>(model: &'m Model<'_>, vlan: u16, position: usize) -> Option<Rival<'m>> {
    let name = model.network.attachments[position].config.interface.as_ref()?;
    let link = model.plan.segments.attachment(position).link()?;
    let other = model.plan.segments.interfaces.links.vlan_id(link).filter(|other| *other != vlan)?;
    Some(Rival { interface: &name.value, vlan: other, site: &name.site })
}

fn rival_node<'m>(
    model: &'m Model<'_>,
    vlan: u16,
    cidr: &Cidr,
    claimed: &HashSet<(IpAddr, u16)>,
) -> Option<Rival<'m>> {
    let segments = &model.plan.segments;
    let mut first = None;
    for node in segments.nodes.inside(cidr) {
        let other = segments.interfaces.links.vlan_id(node.link)?;
        if other == vlan || claimed.contains(&(cidr.first(), other)) {
            return None;
        }
        first = first.or(Some(Rival { interface: &node.interface, vlan: other, site: &node.address }));
    }
    first
}

/// Reports an attachment to a VLAN in which nodes have addresses, but none in the range of the attachment, while they
/// have some on another VLAN of the same card.
fn compare_with_nodes(position: usize, attachment: &Attachment, model: &Model<'_>, results: &mut Results) {
    let segments = &model.plan.segments;
    let vlan_of = |link: Link| segments.interfaces.links.vlan(link);
    let Some(link) = segments.attachment(position).link() else { return };
    let (Some((base, id)), Some(name)) = (vlan_of(link), &attachment.config.interface) else { return };
    for range in &attachment.config.ranges {
        let subnet = &range.network.value;
        let is_inside = |node: &NodeNetwork| node.cidr.range().overlaps(&subnet.range());
        if segments.nodes.on(link).next().is_none() || segments.nodes.on(link).any(is_inside) {
            continue;
        }
        let is_rival = |node: &&NodeNetwork| vlan_of(node.link).is_some_and(|(own, _)| own == base);
        let Some(node) = segments.nodes.inside(subnet).find(is_rival) else { continue };
        let Some((_, other)) = vlan_of(node.link).filter(|(_, other)| *other != id) else { continue };
        let rival = Rival { interface: &node.interface, vlan: other, site: &node.address };
        let vlan = Sited { value: id, site: name.site.clone() };
        report(&format!("the network {}", quoted(subnet)), &vlan, rival, model, results);
        return;
    }
}

fn report(network: &str, vlan: &Sited<u16>, rival: Rival<'_>, model: &Model<'_>, results: &mut Results) {
    let message = format!(
        "{network} has VLAN {} here, but VLAN {} on the interface {}; use one VLAN",
        vlan.value,
        rival.vlan,
        quoted(rival.interface)
    );
    let finding = results.error(&rules::VLAN_MISMATCH, message);
    finding.location = vlan.site.location(model.items());
    let site = tag_of_interface(model, &rival).unwrap_or(rival.site);
    finding.related(site.location(model.items()), format!("VLAN {}", rival.vlan));
}

/// Where a policy gives the interface its VLAN, which is what the user compares. A name like `enp6s0.20` has the VLAN in it.
fn tag_of_interface<'m>(model: &'m Model<'_>, rival: &Rival<'_>) -> Option<&'m Site> {
    let interfaces = model.network.node_policies.iter().flat_map(|policy| &policy.interfaces);
    let mut named = interfaces.filter(|interface| interface.name.value == rival.interface);
    named
        .find_map(|interface| interface.vlan.as_ref().filter(|vlan| vlan.value == rival.vlan))
        .map(|vlan| &vlan.site)
}
