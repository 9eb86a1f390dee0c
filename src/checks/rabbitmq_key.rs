//! Sharing keys of RabbitMQ clusters.

use std::collections::HashMap;
use std::net::IpAddr;

use super::claim::{self, Claim};
use super::rules;
use crate::formats::ip::IpList;
use crate::krm::{Finding, Resource, Results, Severity};
use crate::platform::metallb::Annotation;

/// Reports `rabbitmq-key`. RabbitMQ clusters listen on the same ports, so a sharing key cannot give two of them the same
/// address. `if_shared` is the severity if a cluster shares its address with a service of another kind: MetalLB allows
/// it as long as the ports differ.
pub fn rabbitmq_key(claims: &[Claim<'_>], if_shared: Severity, items: &[Resource], results: &mut Results) {
    let claims = claim::deployed(claims, items);
    let mut shared: HashMap<(&str, IpAddr), Claim<'_>> = HashMap::new();
    for claim in claims.iter().filter(|claim| !claim.service.is_rabbitmq) {
        for at in addresses_with_key(*claim) {
            shared.entry(at).or_insert(*claim);
        }
    }
    for claim in claims.iter().filter(|claim| claim.service.is_rabbitmq) {
        if claim.request.sharing_key.is_none() {
            continue;
        }
        let rival = addresses_with_key(*claim).find_map(|at| shared.get(&at));
        let finding = match rival {
            Some(rival) => {
                let message = format!(
                    "RabbitMQ needs its own address, but uses that of {}; give it another address, and remove the key",
                    rival.describe(items)
                );
                let finding = results.add(Finding::new(if_shared, &rules::RABBITMQ_KEY, message));
                let location = rival.service.site_of(Annotation::AllowSharedIp).location(items);
                finding.related(location, "the other service")
            }
            None => {
                let message =
                    "RabbitMQ needs its own address, so it must not have a sharing key; remove the key";
                results.warning(&rules::RABBITMQ_KEY, message)
            }
        };
        finding.location = claim.service.site_of(Annotation::AllowSharedIp).location(items);
    }
}

/// The addresses that a service requests, each with its key.
fn addresses_with_key<'n>(claim: Claim<'n>) -> impl Iterator<Item = (&'n str, IpAddr)> {
    let key = claim.request.sharing_key.as_deref();
    let addresses = claim.request.addresses.iter().flat_map(IpList::addresses);
    addresses.filter_map(move |ip| Some((key?, *ip)))
}
