//! Interfaces that attachments and advertisements use, and that no policy knows.

use crate::checks::rules;
use crate::krm::{Hint, Results, quoted};
use crate::model::network::attachments::Attachment;
use crate::model::{Model, Sited};
use crate::platform::interface_name::is_network_card;
use crate::platform::network::attachment::{BRIDGE, HOST_DEVICE};
use crate::platform::network::{LOOPBACK, NODE_BRIDGE};

/// Reports `missing-interface`, if the package has policies that name all of their interfaces.
pub fn missing_interface(model: &Model<'_>, results: &mut Results) {
    let policies = &model.network.node_policies;
    if policies.is_empty() || policies.iter().any(|policy| !policy.captures.is_empty()) {
        return;
    }
    let attached = model.network.attachments.iter().filter(|one| needs_interface(one));
    let attached = attached.filter_map(|one| one.config.interface.as_ref());
    for name in attached {
        let why = "pods that use this attachment do not start";
        report(name, why, model, results);
    }
    for name in model.network.advertisements.iter().flat_map(|advertisement| &advertisement.interfaces) {
        report(name, "MetalLB announces nothing there", model, results);
    }
}

/// A bridge is created on a node that does not have it, and a device is a network card, which needs no policy.
fn needs_interface(attachment: &Attachment) -> bool {
    let plugin = attachment.config.plugin.as_ref().map(|plugin| plugin.value.as_str());
    plugin.is_some_and(|plugin| ![BRIDGE, HOST_DEVICE].contains(&plugin))
}

fn report(name: &Sited<String>, why: &str, model: &Model<'_>, results: &mut Results) {
    let interfaces = &model.plan.segments.interfaces;
    let text = name.value.as_str();
    if interfaces.is_known(text) || [LOOPBACK, NODE_BRIDGE].contains(&text) || is_network_card(text) {
        return;
    }
    // Policies may have given the same VLAN another name.
    let hint = Hint::of(interfaces.same_link(text));
    let message = format!(
        "no NodeNetworkConfigurationPolicy in the package mentions the interface {}; if nodes do not have it, {why}; {}",
        quoted(text),
        hint.or(|| "correct the name, or add the interface to the policies".to_owned())
    );
    results.warning(&rules::MISSING_INTERFACE, message).location = name.site.location(model.items());
}
