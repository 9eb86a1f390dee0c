//! Reads subnets and their uses from the model.

use std::collections::{BTreeSet, HashMap};

use super::chart::{Purpose, Use};
use super::marks::Marks;
use super::subnets::{Naming, Subnets};
use crate::checks;
use crate::formats::ip::{IpList, IpRange};
use crate::krm::FieldPath;
use crate::model::network::hosts;
use crate::model::network::plan::Holder;
use crate::model::network::segments::{Reach, is_point_to_point};
use crate::model::network::{Origin, Pool, Service};
use crate::model::{Model, Site};
use crate::platform::metallb::Annotation;
use crate::yaml::Step;

/// Finds the subnets that resources define or mention.
pub fn declare(model: &Model<'_>, marks: &Marks<'_>, subnets: &mut Subnets<'_>) {
    let network = &model.network;
    for (id, reach) in model.plan.segments.subnets.all() {
        let (config, subnet) = (&network.net_configs[id.config], id.get(network));
        let Some(cidr) = &subnet.cidr else { continue };
        let vlan = subnet.vlan.as_ref();
        let position = subnets.declare(&cidr.value, reach, vlan.map(|vlan| vlan.value));
        subnets.name(position, Naming::NetConfig, &config.networks[id.network].name.value);
        let found = subnets.get(position);
        found.instances.extend(config.namespace.clone());
        found.findings.extend(marks.at(&cidr.site));
        found.findings.extend(vlan.map(|vlan| marks.at(&vlan.site)).unwrap_or_default());
    }
    for (number, attachment) in network.attachments.iter().enumerate() {
        let of_attachment = model.plan.segments.attachment(number);
        for range in &attachment.config.ranges {
            let is_neighbors = is_point_to_point(&range.network.value);
            let reach = if is_neighbors { &Reach::Alone } else { of_attachment };
            let position = subnets.declare(&range.network.value, reach, None);
            subnets.name(position, Naming::Attachment, &attachment.name);
            let found = subnets.get(position);
            found.interfaces.extend(attachment.config.interface.iter().map(|name| name.value.clone()));
            found.findings.extend(marks.at(&range.network.site));
        }
    }
    for address in &model.plan.node_addresses {
        let interface = &network.node_policies[address.policy].interfaces[address.interface];
        let Some(cidr) = &address.network else { continue };
        let position = subnets.declare(cidr, &address.reach, None);
        subnets.name(position, Naming::Interface, &interface.name.value);
        let found = subnets.get(position);
        found.interfaces.insert(interface.name.value.clone());
        found.findings.extend(interface.vlan.as_ref().map(|vlan| marks.at(&vlan.site)).unwrap_or_default());
    }
}

/// Places every range and address in a subnet.
pub fn place(model: &Model<'_>, marks: &Marks<'_>, subnets: &mut Subnets<'_>) {
    ranges(model, marks, subnets);
    nodes(model, marks, subnets);
    vips(model, marks, subnets);
    compute_nodes(model, marks, subnets);
}

fn ranges(model: &Model<'_>, marks: &Marks<'_>, subnets: &mut Subnets<'_>) {
    let network = &model.network;
    let requests = requested_pools(model);
    for range in &model.plan.ranges {
        let Some(first) = range.addresses.first() else { continue };
        let all = range.addresses.last().map_or(*first, |last| first.extended_to(last));
        let Some(position) = subnets.around(&all, &range.reach) else { continue };
        let (purpose, instances, name) = match range.holder {
            Holder::Pool(pool) => {
                let pool = &network.pools[pool];
                let instances = instances_of(pool, &requests);
                subnets.name(position, Naming::Pool, without_prefix(&pool.name, &instances));
                (Purpose::Pool, instances, &pool.name)
            }
            Holder::Attachment(attachment) => {
                let attachment = &network.attachments[attachment];
                (Purpose::Attach, attachment.namespace.iter().cloned().collect(), &attachment.name)
            }
            Holder::Subnet(id) => {
                let config = &network.net_configs[id.config];
                (Purpose::Allocate, config.namespace.iter().cloned().collect(), &config.name)
            }
        };
        let kind = &range.site.item.get(model.items()).id().kind;
        let one = Use {
            purpose,
            instances,
            addresses: range.addresses.clone(),
            holders: vec![format!("{kind} {name}")],
            findings: marks.at(&range.site),
        };
        subnets.add_use(position, one);
    }
}

fn nodes(model: &Model<'_>, marks: &Marks<'_>, subnets: &mut Subnets<'_>) {
    for address in &model.plan.node_addresses {
        let policy = &model.network.node_policies[address.policy];
        let holder = policy.hostname().map_or(&policy.name, |name| &name.value);
        let addresses = IpRange::one(address.address.value.ip());
        if let Some(position) = subnets.around(&addresses, &address.reach) {
            let site = &address.address.site;
            subnets.add_use(position, single(Purpose::Nodes, None, addresses, holder.clone(), marks, site));
        }
    }
}

fn compute_nodes(model: &Model<'_>, marks: &Marks<'_>, subnets: &mut Subnets<'_>) {
    for address in &model.plan.host_addresses {
        let host = &model.network.hosts[address.host];
        let holder = match address.purpose {
            hosts::Purpose::Controller => format!("{} (management controller)", host.name),
            _ => host.name.clone(),
        };
        let (purpose, instance) = match host.origin {
            hosts::Origin::Node => (Purpose::Nodes, None),
            hosts::Origin::BareMetalHost => (Purpose::Hosts, None),
            hosts::Origin::NodeSet => (Purpose::Hosts, host.namespace.clone()),
        };
        let addresses = IpRange::one(address.address.value.ip());
        if let Some(position) = subnets.around(&addresses, &address.reach) {
            let site = &address.address.site;
            subnets.add_use(position, single(purpose, instance, addresses, holder, marks, site));
        }
    }
}

/// The addresses that services request. They are where their pool is.
fn vips(model: &Model<'_>, marks: &Marks<'_>, subnets: &mut Subnets<'_>) {
    let segments = &model.plan.segments;
    let pools = model.network.pools.iter().enumerate();
    let by_name: HashMap<&str, usize> =
        pools.map(|(position, pool)| (pool.name.as_str(), position)).collect();
    for claim in checks::load_balancers(model) {
        let pool = claim.request.pool.as_deref().and_then(|name| by_name.get(name));
        let reach = pool.map_or(Reach::Unknown, |pool| segments.pool(*pool).clone());
        let site = claim.service.site_of(Annotation::LoadBalancerIps);
        for ip in claim.request.addresses.iter().flat_map(IpList::addresses) {
            let addresses = IpRange::one(*ip);
            let Some(position) = subnets.around(&addresses, &reach) else { continue };
            let (instance, holder) = (claim.service.namespace.clone(), service_name(claim.service, model));
            subnets.add_use(position, single(Purpose::Vip, instance, addresses, holder, marks, &site));
        }
    }
}

fn single(
    purpose: Purpose,
    instance: Option<String>,
    addresses: IpRange,
    holder: String,
    marks: &Marks<'_>,
    site: &Site,
) -> Use {
    Use {
        purpose,
        instances: instance.into_iter().collect(),
        addresses: vec![addresses],
        holders: vec![holder],
        findings: marks.at(site),
    }
}

/// The namespaces of the services that request a pool, by its name.
fn requested_pools<'m>(model: &'m Model<'_>) -> HashMap<&'m str, BTreeSet<&'m str>> {
    let mut requests: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for claim in checks::load_balancers(model) {
        if let (Some(pool), Some(namespace)) = (&claim.request.pool, &claim.service.namespace) {
            requests.entry(pool).or_default().insert(namespace);
        }
    }
    requests
}

/// The namespaces that a pool is for; if it does not say that, those whose services request it.
fn instances_of(pool: &Pool, requests: &HashMap<&str, BTreeSet<&str>>) -> Vec<String> {
    if !pool.namespaces.is_empty() {
        return pool.namespaces.clone();
    }
    let requested = requests.get(pool.name.as_str()).into_iter().flatten();
    requested.map(|namespace| (*namespace).to_owned()).collect()
}

/// The network that a pool is named after: `internalapi` of `openstack2-internalapi`.
fn without_prefix<'p>(pool: &'p str, instances: &[String]) -> &'p str {
    let rest = instances.iter().find_map(|one| pool.strip_prefix(one.as_str())?.strip_prefix('-'));
    rest.unwrap_or(pool)
}

/// The name of a Service, or the field of the control plane that it comes from: `glance.default.internal`.
fn service_name(service: &Service, model: &Model<'_>) -> String {
    if service.origin == Origin::Service {
        return service.site.item.get(model.items()).id().name.clone();
    }
    field_name(&service.site.path)
}

fn field_name(path: &FieldPath) -> String {
    /// Keys that all overrides have, and keys of maps whose keys are names.
    const SKIPPED: [&str; 9] = [
        "spec",
        "template",
        "templates",
        "override",
        "service",
        "metadata",
        "annotations",
        "glanceAPIs",
        "data",
    ];
    let steps = path.steps().into_iter().filter_map(|step| match step {
        Step::Key(key) if SKIPPED.contains(&key.as_ref()) => None,
        Step::Key(key) => Some(key),
        Step::Index(index) => Some(index.to_string()),
    });
    steps.collect::<Vec<_>>().join(".")
}
