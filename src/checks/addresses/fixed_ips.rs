//! Fixed addresses of compute nodes.

use std::collections::HashSet;

use super::describe;
use crate::checks::rules;
use crate::krm::{Results, quoted};
use crate::model::Model;

/// Reports `fixed-ip-outside-subnet`, as the IPSet webhook of infra-operator does.
pub fn fixed_ip_outside_subnet(model: &Model<'_>, results: &mut Results) {
    let (subnets, items) = (&model.plan.segments.subnets, model.items());
    // Nodes share the networks of their template.
    let mut seen = HashSet::new();
    for host in &model.network.hosts {
        let namespace = model.world.get(host.item).id().namespace.as_deref();
        let Some(config) = subnets.config_of(namespace) else { continue };
        for network in &host.networks {
            let (Some(fixed), Some(name)) = (&network.fixed_ip, &network.subnet) else { continue };
            let found = subnets.find(&model.network, config, &network.name.value, &name.value);
            let Some(cidr) = found.and_then(|id| id.get(&model.network).cidr.as_ref()) else { continue };
            if cidr.value.range().contains(fixed.value.ip()) || !seen.insert(&fixed.site) {
                continue;
            }
            let message = format!(
                "{} is outside {}, the subnet {} of the network {} in {}, so infra-operator rejects it; correct the address or `subnetName`",
                quoted(&fixed.value),
                quoted(&cidr.value),
                quoted(&name.value),
                quoted(&network.name.value),
                describe(&cidr.site, items)
            );
            let finding = results.error(&rules::FIXED_IP_OUTSIDE_SUBNET, message);
            finding.location = fixed.site.location(items);
            finding.related(cidr.site.location(items), "the subnet");
        }
    }
}
