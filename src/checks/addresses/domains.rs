//! The DNS domains of a NetConfig's networks and subnets.

use std::collections::HashMap;

use crate::checks::rules;
use crate::formats::{dns, placeholder};
use crate::krm::{Resource, Results, quoted};
use crate::model::{Model, Sited};

/// Reports `bad-domain`.
pub fn bad_domain(model: &Model<'_>, results: &mut Results) {
    for network in model.network.net_configs.iter().flat_map(|config| &config.networks) {
        let domains = network.subnets.iter().map(|subnet| &subnet.dns_domain).chain([&network.dns_domain]);
        for domain in domains.flatten() {
            if dns::is_domain(&domain.value)
                || placeholder::is_in(&domain.value)
                || placeholder::has_variable(&domain.value)
            {
                continue;
            }
            let message = format!(
                "{} is not a domain name that infra-operator accepts; write one with a top-level domain, such as \
                 \"{}.example.com\"",
                quoted(&domain.value),
                network.name.value.to_lowercase()
            );
            results.error(&rules::BAD_DOMAIN, message).at(domain.site.location(model.items()));
        }
    }
}

/// Reports `domain-twice`. A subnet may have the domain of its network. Networks with one name are reported as such.
pub fn domain_twice(model: &Model<'_>, results: &mut Results) {
    for config in &model.network.net_configs {
        let of_networks = config.networks.iter().map(|network| (&network.name, &network.dns_domain));
        repeated(of_networks, "network", model.items(), results);
        for network in &config.networks {
            let of_subnets = network.subnets.iter().map(|subnet| (&subnet.name, &subnet.dns_domain));
            repeated(of_subnets, "subnet of this network", model.items(), results);
        }
    }
}

fn repeated<'m>(
    owners: impl Iterator<Item = (&'m Sited<String>, &'m Option<Sited<String>>)>,
    what: &str,
    items: &[Resource],
    results: &mut Results,
) {
    let mut first_of: HashMap<&str, (&Sited<String>, &Sited<String>)> = HashMap::new();
    for (name, domain) in owners {
        let Some(domain) = domain.as_ref().filter(|domain| !placeholder::is_in(&domain.value)) else {
            continue;
        };
        let (other, first) = *first_of.entry(&domain.value).or_insert((name, domain));
        if other.value.eq_ignore_ascii_case(&name.value) {
            continue;
        }
        let message = format!(
            "another {what} has the domain {}, and infra-operator rejects a domain that occurs twice; change one of them",
            quoted(&domain.value)
        );
        let finding = results.error(&rules::DOMAIN_TWICE, message).at(domain.site.location(items));
        finding.related(first.site.location(items), "the same domain");
    }
}
