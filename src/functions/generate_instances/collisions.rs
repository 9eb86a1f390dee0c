//! Subnets and VLANs that two networks cannot both have.

use std::collections::{BTreeSet, HashMap};

use super::plan::{Instance, Link, Network, Source};
use crate::formats::ip::{IpRange, Subnet, overlaps};
use crate::krm::{CollectOrdered, FieldPath, Mistakes};

/// A network, and the instance that it belongs to.
#[derive(Debug, Clone, Copy)]
struct Member<'p> {
    instance: &'p Instance,
    network: &'p Network,
}

impl Member<'_> {
    /// For messages.
    fn describe(&self) -> String {
        format!("{} in {}", self.network.name, self.instance.namespace)
    }
}

pub fn check(instances: &[Instance], reserved: &[Subnet], bridge: &str, mistakes: &mut Mistakes) {
    let of_instance = |instance| move |network| Member { instance, network };
    let members: Vec<Member<'_>> =
        instances.iter().flat_map(|instance| instance.networks.iter().map(of_instance(instance))).collect();
    check_subnets(&members, mistakes);
    check_reserved(&members, reserved, mistakes);
    check_links(&members, bridge, mistakes);
    for instance in instances {
        check_domains(instance, mistakes);
    }
}

/// Reports subnets that overlap, and pools outside their subnets that overlap anything else.
fn check_subnets(members: &[Member<'_>], mistakes: &mut Mistakes) {
    let mut parties: Vec<(IpRange, Member<'_>, &Source, String)> = Vec::new();
    for member in members {
        let subnet = &member.network.subnet;
        let ends = (subnet.value.host(0), subnet.value.host(subnet.value.last_host()));
        let (Some(first), Some(last)) = ends else { continue };
        let Some(range) = IpRange::between(first, last) else { continue };
        if member.network.shares_with.is_none() {
            parties.push((range, *member, &subnet.source, subnet.value.to_string()));
        }
        if let Some(pool) = &member.network.pool
            && !range.contains(pool.value.first())
        {
            parties.push((pool.value, *member, &pool.source, format!("the pool {}", pool.value)));
        }
    }
    let ranges: Vec<IpRange> = parties.iter().map(|(range, ..)| *range).collect();
    for (a, b) in overlaps(&ranges) {
        let ((_, a, a_source, a_text), (_, b, b_source, b_text)) = (&parties[a], &parties[b]);
        let is_given = |source: &Source| matches!(source, Source::Given(_));
        // Report the one that the user gives, or else the later one.
        let key = |source: &Source, member: &Member<'_>| (is_given(source), member.instance.position);
        let (a, b) = ((a, a_source, a_text), (b, b_source, b_text));
        let (one, other) = if key(a.1, a.0) > key(b.1, b.0) { (a, b) } else { (b, a) };
        let message = format!(
            "{} of {} overlaps {} of {} ({}); give one of them another subnet",
            one.2,
            one.0.describe(),
            other.2,
            other.0.describe(),
            other.1
        );
        mistakes.add(one.1.path(), message);
    }
}

/// Reports subnets that the cluster or Octavia uses.
fn check_reserved(members: &[Member<'_>], reserved: &[Subnet], mistakes: &mut Mistakes) {
    let of_octavia = members.iter().filter(|member| member.network.name.has_own_bridge());
    let octavia: BTreeSet<Subnet> = of_octavia
        .flat_map(|member| member.network.routes.iter().map(|route| route.destination))
        .collect_ordered();
    for member in members.iter().filter(|member| member.network.shares_with.is_none()) {
        let subnet = &member.network.subnet;
        let overlapping = |taken: &&Subnet| taken.overlaps(subnet.value);
        if let Some(taken) = reserved.iter().find(overlapping) {
            let message = format!(
                "{} of {} overlaps {taken}, which the cluster itself uses; give it another `cidr`, or list the subnets of \
                 the cluster in `reserved`",
                subnet.value,
                member.describe()
            );
            mistakes.add(subnet.source.path(), message);
        } else if let Some(taken) = octavia.iter().find(overlapping) {
            let message = format!(
                "{} of {} overlaps {taken}, the management network of Octavia; give it another `cidr`",
                subnet.value,
                member.describe()
            );
            mistakes.add(subnet.source.path(), message);
        }
    }
}

/// Reports VLANs of two different networks, and MTUs that differ on one interface.
fn check_links(members: &[Member<'_>], bridge: &str, mistakes: &mut Mistakes) {
    let mut vlans: HashMap<(&str, u16), Member<'_>> = HashMap::new();
    let mut mtus: HashMap<String, Member<'_>> = HashMap::new();
    for member in members {
        if let Link::Vlan { nic, id, bridge: own_bridge } = &member.network.link {
            let first = *vlans.entry((nic, id.value)).or_insert(*member);
            if first.network.name != member.network.name {
                let taken = first.network.link.vlan().map(|id| id.source.to_string()).unwrap_or_default();
                let message = format!(
                    "VLAN {} of {} on {nic} is already that of {} ({taken}); give one of them another `vlan`",
                    id.value,
                    member.describe(),
                    first.describe(),
                );
                mistakes.add(id.source.path(), message);
            }
            if own_bridge.as_deref() == Some(bridge) {
                let message = format!("{bridge} is the bridge of {}; choose another name", member.describe());
                mistakes.add(FieldPath::new("spec.bridge"), message);
            }
        }
        let Some(mtu) = &member.network.mtu else { continue };
        let first = *mtus.entry(member.network.link.interface()).or_insert(*member);
        if let Some(other) = first.network.mtu.as_ref().filter(|other| other.value != mtu.value) {
            let message = format!(
                "the MTU {} of {} differs from {} of {} ({}), which is on the same interface {}; give both the same",
                mtu.value,
                member.describe(),
                other.value,
                first.describe(),
                other.source,
                member.network.link.interface()
            );
            mistakes.add(mtu.source.path(), message);
        }
    }
}

/// infra-operator refuses two networks of a NetConfig with the same domain.
fn check_domains(instance: &Instance, mistakes: &mut Mistakes) {
    let mut first_of_domain: HashMap<String, &Network> = HashMap::new();
    for network in instance.networks.iter().filter(|network| !network.allocate.is_empty()) {
        let first = *first_of_domain.entry(network.dns_domain.to_ascii_lowercase()).or_insert(network);
        if first.name != network.name {
            let message = format!(
                "{} and {} of {} have the same domain {}; give one of them another `dnsDomain`",
                first.name, network.name, instance.namespace, network.dns_domain
            );
            mistakes.add(super::plan::instance_path(instance.position).key("networks"), message);
        }
    }
}
