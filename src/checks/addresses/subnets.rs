//! Subnets of a NetConfig that occur twice.

use std::collections::HashMap;

use crate::checks::rules;
use crate::formats::cidr::Cidr;
use crate::formats::ip::{IpRange, overlaps};
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::network::net_configs::{ComputeNetwork, NetConfig};
use crate::model::{Model, Sited};

/// Reports `subnet-twice`.
pub fn subnet_twice(model: &Model<'_>, results: &mut Results) {
    for config in &model.network.net_configs {
        repeated(config.networks.iter().map(|network| &network.name), "network", model.items(), results);
        for network in &config.networks {
            let names = network.subnets.iter().map(|subnet| &subnet.name);
            repeated(names, "subnet of this network", model.items(), results);
        }
        overlapping(config, model.items(), results);
    }
}

fn repeated<'m>(
    names: impl Iterator<Item = &'m Sited<String>>,
    what: &str,
    items: &[Resource],
    results: &mut Results,
) {
    let mut seen: HashMap<String, &Sited<String>> = HashMap::new();
    for name in names {
        let Some(first) = seen.get(&name.value.to_lowercase()) else {
            seen.insert(name.value.to_lowercase(), name);
            continue;
        };
        let message = format!(
            "another {what} has the name {}, so infra-operator cannot tell them apart; rename one of them",
            quoted(&first.value)
        );
        let finding = results.error(&rules::SUBNET_TWICE, message);
        finding.location = name.site.location(items);
        finding.related(first.site.location(items), "the same name");
    }
}

fn overlapping(config: &NetConfig, items: &[Resource], results: &mut Results) {
    let subnets =
        config.networks.iter().flat_map(|network| network.subnets.iter().map(move |one| (network, one)));
    let cidrs: Vec<(&ComputeNetwork, &Sited<Cidr>)> =
        subnets.filter_map(|(network, one)| Some((network, one.cidr.as_ref()?))).collect();
    let ranges: Vec<IpRange> = cidrs.iter().map(|(_, cidr)| cidr.value.range()).collect();
    for (one, other) in overlaps(&ranges) {
        let ((network, first), (second_network, second)) = (cidrs[one.min(other)], cidrs[one.max(other)]);
        if network.is_at_other_site(second_network) {
            continue;
        }
        let (written, name) = (quoted(&second.value), quoted(&network.name.value));
        let (severity, message) = if first.value.range() == second.value.range() {
            let message = format!(
                "{written} is also a subnet of the network {name}, and infra-operator rejects a subnet that occurs twice; change one of them"
            );
            (Severity::Error, message)
        } else {
            let message = format!(
                "{written} overlaps {}, a subnet of the network {name}, so compute nodes cannot tell the two apart; change one of them",
                quoted(&first.value)
            );
            // The webhook accepts it.
            (Severity::Warning, message)
        };
        let finding = results.add(Finding::new(severity, &rules::SUBNET_TWICE, message));
        finding.location = second.site.location(items);
        finding.related(first.site.location(items), "the other subnet");
    }
}
