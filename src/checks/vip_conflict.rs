//! Services that request the same address but cannot share it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;

use super::claim::{self, Claim};
use super::rules;
use crate::formats::ip::IpList;
use crate::krm::{Resource, Results, quoted};
use crate::platform::metallb::Annotation;
use crate::platform::service_overrides::Port;

/// Reports `vip-conflict` for deployed services: each service once, against one that may keep the address.
pub fn vip_conflict(claims: &[Claim<'_>], items: &[Resource], results: &mut Results) {
    let claims = claim::deployed(claims, items);
    let mut by_address: BTreeMap<IpAddr, Vec<usize>> = BTreeMap::new();
    for (position, claim) in claims.iter().enumerate() {
        for ip in claim.request.addresses.iter().flat_map(IpList::addresses) {
            by_address.entry(*ip).or_default().push(position);
        }
    }
    let mut reported = HashSet::new();
    for (ip, positions) in by_address {
        for (position, rival, clash) in clashes(&claims, &positions) {
            if reported.insert(position) {
                clash.report(ip, claims[position], claims[rival], items, results);
            }
        }
    }
}

/// Why two services cannot share an address.
enum Clash {
    /// They have no common key.
    Key,
    /// They have the same key and a common port.
    Port(Port),
}

/// The clashes between claims to one address, as pairs of positions: the claim to report, and its rival. The largest
/// group of services with the same key may keep the address, so that one service without the key is one clash.
fn clashes(claims: &[Claim<'_>], positions: &[usize]) -> Vec<(usize, usize, Clash)> {
    let mut groups: BTreeMap<(Option<&str>, usize), Vec<usize>> = BTreeMap::new();
    for position in positions {
        let key = claims[*position].request.sharing_key.as_deref();
        // A service without a key shares with nobody, so it is a group of its own.
        let alone = if key.is_none() { *position } else { 0 };
        groups.entry((key, alone)).or_default().push(*position);
    }
    let Some(keepers) = groups.values().max_by_key(|group| (group.len(), Reverse(group[0]))) else {
        return Vec::new();
    };
    let mut clashes = Vec::new();
    for group in groups.values().filter(|group| group[0] != keepers[0]) {
        clashes.extend(group.iter().map(|position| (*position, keepers[0], Clash::Key)));
    }
    let mut first_of_port: HashMap<Port, usize> = HashMap::new();
    for position in keepers {
        for port in &claims[*position].service.ports {
            let first = *first_of_port.entry(*port).or_insert(*position);
            if first != *position {
                clashes.push((*position, first, Clash::Port(*port)));
            }
        }
    }
    clashes
}

impl Clash {
    fn report(
        self,
        ip: IpAddr,
        claim: Claim<'_>,
        rival: Claim<'_>,
        items: &[Resource],
        results: &mut Results,
    ) {
        let other = rival.describe(items);
        let source = claim.source();
        let (annotation, message) = match self {
            Clash::Key => {
                let way_out = way_out(claim, rival);
                let message = format!("{other} also requests {ip}, and {way_out}{source}");
                (Annotation::LoadBalancerIps, message)
            }
            Clash::Port((port, protocol)) => {
                let key = quoted(claim.request.sharing_key.as_deref().unwrap_or_default());
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so they cannot share {ip} with the key {key}; give one of them its own address, and remove its key{source}"
                );
                (Annotation::AllowSharedIp, message)
            }
        };
        let finding = results.error(&rules::VIP_CONFLICT, message);
        finding.location = claim.service.site_of(annotation).location(items);
        finding.related(rival.service.site_of(annotation).location(items), "the other service");
    }
}

/// What to do about two services without a common key.
fn way_out(claim: Claim<'_>, rival: Claim<'_>) -> String {
    if claim.service.is_rabbitmq || rival.service.is_rabbitmq {
        return "RabbitMQ cannot share an address; give one of them another address".to_owned();
    }
    let common = claim.service.ports.iter().find(|port| rival.service.ports.contains(port));
    if let Some((port, protocol)) = common {
        return format!("both listen on {port}/{protocol}; give one of them another address");
    }
    let key = Annotation::AllowSharedIp.key(claim.service.domain);
    format!("the two have no common sharing key; give one of them another address, or both the same `{key}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{FieldPath, Place, Resource};
    use crate::model::{World, network};

    fn service(name: &str, annotations: &str, port: u16) -> Resource {
        let text = format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, annotations: {{{annotations}}}}}\nspec: {{type: LoadBalancer, ports: [{{port: {port}}}]}}\n"
        );
        Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap()
    }

    /// The findings about unchanged services, each as its service and the beginning of its message.
    fn found(items: &[Resource]) -> Vec<String> {
        let (network, misreads) = network::read(&World::new(items));
        assert!(misreads.is_empty(), "{misreads:?}");
        let claims: Vec<Claim<'_>> = network.services.iter().map(Claim::from).collect();
        let mut results = Results::default();
        vip_conflict(&claims, items, &mut results);
        let findings = results.into_sorted().into_iter();
        findings
            .map(|finding| {
                let rival = &finding.related[0].location.resource.as_ref().unwrap().name;
                format!("{} {rival}", finding.location.resource.as_ref().unwrap().name)
            })
            .collect()
    }

    fn with(key: &str, ip: &str) -> String {
        format!("metallb.io/allow-shared-ip: {key}, metallb.io/loadBalancerIPs: {ip}")
    }

    #[test]
    fn services_share_an_address_with_one_key_and_different_ports() {
        let shared = [
            service("a", &with("k", "10.0.0.1"), 80),
            service("b", &with("k", "10.0.0.1"), 81),
            service("c", &with("k", "10.0.0.2"), 80),
            service("d", "metallb.io/loadBalancerIPs: 10.0.0.3", 80),
        ];
        assert!(found(&shared).is_empty());
        let [a, b, ..] = shared;
        let other_key = service("c", &with("j", "10.0.0.1"), 82);
        let same_port = service("d", &with("k", "10.0.0.1"), 81);
        let no_key = service("e", "metallb.io/loadBalancerIPs: \"fd00::1,10.0.0.1\"", 83);
        let no_address = service("f", "metallb.io/allow-shared-ip: k", 80);
        assert_eq!(found(&[a, b, other_key, same_port, no_key, no_address]), ["c a", "d b", "e a"]);
    }

    #[test]
    fn one_service_without_the_key_is_one_finding() {
        let first = service("a", "metallb.io/loadBalancerIPs: 10.0.0.1", 79);
        let others = ["b", "c", "d"].into_iter().zip(80..);
        let others = others.map(|(name, port)| service(name, &with("k", "10.0.0.1"), port));
        let items: Vec<Resource> = [first].into_iter().chain(others).collect();
        assert_eq!(found(&items), ["a b"]);
    }

    #[test]
    fn an_object_that_is_listed_twice_does_not_clash_with_itself() {
        let annotation = "metallb.io/loadBalancerIPs: 10.0.0.1";
        let a = || service("a", annotation, 80);
        assert!(found(&[a(), a()]).is_empty());
        let in_namespace = |namespace: &str| {
            let mut service = a();
            service.set(&FieldPath::new("metadata.namespace"), namespace).unwrap();
            service
        };
        assert!(found(&[a(), in_namespace("x")]).is_empty(), "the first may get the same namespace");
        assert_eq!(found(&[in_namespace("x"), in_namespace("y")]), ["a a"]);
    }
}
