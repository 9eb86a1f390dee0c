//! Services that request the same address.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use super::claim::Claim;
use super::rules;
use crate::formats::ip::IpList;
use crate::krm::{Resource, Results, quoted};
use crate::platform::metallb::Annotation;
use crate::platform::service_overrides::Port;

/// Reports `vip-conflict`, `port-twice` and `rabbitmq-key` for services that are deployed.
pub fn shared_addresses(claims: &[Claim<'_>], items: &[Resource], results: &mut Results) {
    let mut deployed: Vec<Claim<'_>> =
        claims.iter().copied().filter(|claim| claim.service.is_deployed).collect();
    // A function appends services that it adds. The next run reads them in document order.
    deployed.sort_by_key(|claim| &claim.service.site);
    let index = Index::new(&deployed);
    for (position, claim) in deployed.iter().enumerate() {
        let earlier = index.rivals(claim).into_iter().take_while(|rival| *rival < position);
        let clash = earlier.map(|rival| deployed[rival]).find_map(|rival| {
            let clash = Clash::between(rival, *claim).filter(|_| !is_same_object(rival, *claim, items))?;
            Some((rival, clash))
        });
        if let Some((rival, clash)) = clash {
            clash.report(*claim, rival, items, results);
        }
        rabbitmq_key(*claim, &index, &deployed, items, results);
    }
}

/// Whether a list contains the same object twice. In a cluster, the two are one object.
fn is_same_object(a: Claim<'_>, b: Claim<'_>, items: &[Resource]) -> bool {
    let (a, b) = (&a.service.site, &b.service.site);
    a.path == b.path && a.item.get(items).id() == b.item.get(items).id()
}

/// Claims by address and by sharing key, so that not every pair has to be compared.
struct Index<'c> {
    by_address: HashMap<IpAddr, Vec<usize>>,
    by_key: HashMap<&'c str, Vec<usize>>,
}

impl<'c> Index<'c> {
    fn new(claims: &[Claim<'c>]) -> Self {
        let mut index = Index { by_address: HashMap::new(), by_key: HashMap::new() };
        for (position, claim) in claims.iter().enumerate() {
            for ip in addresses(*claim) {
                index.by_address.entry(*ip).or_default().push(position);
            }
            if let Some(key) = &claim.request.sharing_key {
                index.by_key.entry(key).or_default().push(position);
            }
        }
        index
    }

    fn at_addresses(&self, claim: &Claim<'_>) -> BTreeSet<usize> {
        addresses(*claim).filter_map(|ip| self.by_address.get(ip)).flatten().copied().collect()
    }

    /// The claims to the same addresses or with the same key, including the claim itself.
    fn rivals(&self, claim: &Claim<'_>) -> BTreeSet<usize> {
        let key = claim.request.sharing_key.as_deref();
        let with_key = key.and_then(|key| self.by_key.get(key)).into_iter().flatten().copied();
        self.at_addresses(claim).into_iter().chain(with_key).collect()
    }
}

fn addresses<'c>(claim: Claim<'c>) -> impl Iterator<Item = &'c IpAddr> {
    claim.request.addresses.iter().flat_map(IpList::addresses)
}

/// Why two services cannot both get what they request.
enum Clash {
    /// The same address without a common key.
    Address(IpAddr),
    /// The same address, key and port.
    Port(Port, IpAddr),
    /// The same key and port. MetalLB must find two addresses.
    Key(Port),
}

impl Clash {
    fn between(a: Claim<'_>, b: Claim<'_>) -> Option<Self> {
        let port = || a.service.ports.iter().find(|port| b.service.ports.contains(port)).copied();
        let (a, b) = (a.request, b.request);
        let has_common_key = a.sharing_key.is_some() && a.sharing_key == b.sharing_key;
        match (&a.addresses, &b.addresses) {
            (Some(first), Some(second)) => {
                let common = *first.addresses().iter().find(|ip| second.addresses().contains(ip))?;
                if has_common_key {
                    port().map(|port| Clash::Port(port, common))
                } else {
                    Some(Clash::Address(common))
                }
            }
            _ if has_common_key && a.pool == b.pool => port().map(Clash::Key),
            _ => None,
        }
    }

    fn report(self, claim: Claim<'_>, rival: Claim<'_>, items: &[Resource], results: &mut Results) {
        let service = claim.service;
        let key = quoted(claim.request.sharing_key.as_deref().unwrap_or_default());
        let other = rival.describe(items);
        let finding = match self {
            Clash::Address(ip) => {
                let way_out = if service.is_rabbitmq || rival.service.is_rabbitmq {
                    "RabbitMQ cannot share an address; give one of them another address".to_owned()
                } else {
                    let key = Annotation::AllowSharedIp.key(service.domain);
                    format!(
                        "the two have no common sharing key; give one of them another address, or both the same `{key}`"
                    )
                };
                let message = format!("{other} also requests {ip}, and {way_out}");
                let finding = results.error(&rules::VIP_CONFLICT, message);
                finding.location = service.site_of(Annotation::LoadBalancerIps).location(items);
                finding
            }
            Clash::Port((port, protocol), ip) => {
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so they cannot share {ip} with the key {key}; give one of them its own address, and remove its key"
                );
                let finding = results.error(&rules::PORT_TWICE, message);
                finding.location = service.site_of(Annotation::AllowSharedIp).location(items);
                finding
            }
            Clash::Key((port, protocol)) => {
                let message = format!(
                    "this and {other} both listen on {port}/{protocol}, so they cannot share an address with the key {key}; give each its own address, and remove the keys"
                );
                let finding = results.warning(&rules::PORT_TWICE, message);
                finding.location = service.site.location(items);
                finding
            }
        };
        let location = rival.service.site_of(Annotation::LoadBalancerIps).location(items);
        finding.related(location, "the other service");
    }
}

/// RabbitMQ clusters listen on the same ports, so a sharing key cannot give two of them the same address.
fn rabbitmq_key(
    claim: Claim<'_>,
    index: &Index<'_>,
    deployed: &[Claim<'_>],
    items: &[Resource],
    results: &mut Results,
) {
    if !claim.service.is_rabbitmq || claim.request.sharing_key.is_none() {
        return;
    }
    let mut sharing = index.at_addresses(&claim).into_iter().map(|rival| deployed[rival]);
    let finding = match sharing.find(|rival| !rival.service.is_rabbitmq) {
        Some(rival) => {
            let message = format!(
                "RabbitMQ needs its own address, but uses that of {}; give it another address, and remove the key",
                rival.describe(items)
            );
            results.error(&rules::RABBITMQ_KEY, message)
        }
        None => {
            let message = "RabbitMQ needs its own address, so a sharing key has no effect; remove it";
            results.warning(&rules::RABBITMQ_KEY, message)
        }
    };
    finding.location = claim.service.site_of(Annotation::AllowSharedIp).location(items);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{Place, Resource};
    use crate::model::{World, network};

    fn service(name: &str, annotations: &str, port: u16) -> Resource {
        let text = format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, annotations: {{{annotations}}}}}\nspec: {{type: LoadBalancer, ports: [{{port: {port}}}]}}\n"
        );
        Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap()
    }

    /// The findings about unchanged services, each as its rule and its service.
    fn found(items: &[Resource]) -> Vec<String> {
        let (network, misreads) = network::read(&World::new(items));
        assert!(misreads.is_empty(), "{misreads:?}");
        let claims: Vec<Claim<'_>> = network.services.iter().map(Claim::from).collect();
        let mut results = Results::default();
        shared_addresses(&claims, items, &mut results);
        let findings = results.into_sorted().into_iter();
        findings
            .map(|finding| format!("{} {}", finding.rule.id, finding.location.resource.unwrap().name))
            .collect()
    }

    #[test]
    fn services_share_an_address_with_one_key_and_different_ports() {
        let with = |key: &str, ip: &str| {
            format!("metallb.io/allow-shared-ip: {key}, metallb.io/loadBalancerIPs: {ip}")
        };
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
        assert_eq!(
            found(&[a, b, other_key, same_port, no_key, no_address]),
            ["vip-conflict c", "port-twice d", "vip-conflict e", "port-twice f"]
        );
    }
}
