//! Values files of the architecture repository, read as the objects that kustomize creates from them.
//!
//! A values file is a local ConfigMap with maps under `data`; its name says what it contains. Each `network-values`
//! describes one instance of OpenStack. All other files belong to one of these instances. Fields that no object gets
//! are not read, so that nothing is reported about them.

mod cluster_nodes;
mod hosts;
mod instances;
mod interfaces;
mod networks;
mod plan;
mod services;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod topology_tests;

use std::collections::HashSet;
use std::net::IpAddr;

use self::instances::Instances;
use self::plan::Plan;
use super::hosts::Host;
use super::{Network, Service};
use crate::formats::ip::IpList;
use crate::krm::Resource;
use crate::model::fields::{Dialect, Reading};
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, World};
use crate::platform::kubernetes::CONFIG_MAP;
use crate::platform::values::{Content, is_placeholder};

/// Files write one field as a number or as a string, and kustomize copies either.
const VALUES: Dialect = Dialect { converts_strings: true, is_reference: is_placeholder };

/// A values file.
#[derive(Debug, Clone, Copy)]
struct File<'r> {
    item: ItemId,
    resource: &'r Resource,
    content: Content,
}

/// Adds what values files say to a network.
pub(super) fn read(world: &World<'_>, network: &mut Network, misreads: &mut Vec<Misread>) {
    let files = files(world);
    if files.is_empty() {
        return;
    }
    let of = |content| files.iter().filter(move |file| file.content == content);
    let mut instances = Instances::default();
    for file in of(Content::Networks) {
        read_networks(*file, &mut instances, network, misreads);
    }
    let clusters: HashSet<Cluster> = network.services.iter().filter_map(cluster).collect();
    for file in of(Content::Services) {
        let mut found = read_services(*file, &instances, misreads);
        // A RabbitMQ cluster with values in both files has only one address.
        found.retain(|service| cluster(service).is_none_or(|cluster| !clusters.contains(&cluster)));
        network.services.extend(found);
    }
    // The values of a later stage may repeat a node, which is then one host.
    let mut seen = HashSet::new();
    for file in of(Content::NodeSets).chain(of(Content::BareMetalHosts)) {
        let found = read_hosts(*file, &instances, misreads).into_iter();
        network.hosts.extend(found.filter(|host| seen.insert(identity(host))));
    }
    sort(network);
}

fn files<'r>(world: &World<'r>) -> Vec<File<'r>> {
    let file = |(item, resource): (ItemId, &'r Resource)| {
        let content = Content::of(&resource.id().name)?;
        resource.is_local().then_some(File { item, resource, content })
    };
    world.of_kind(CONFIG_MAP).filter_map(file).collect()
}

fn read_networks(
    file: File<'_>,
    instances: &mut Instances,
    network: &mut Network,
    misreads: &mut Vec<Misread>,
) {
    let namespace = instances.namespace_of(file.resource);
    let reading = Reading::new(file.item, file.resource, VALUES);
    let (plan, policies) = reading.section("data", |data| {
        let plan = Plan::read(&data);
        let policies = cluster_nodes::policies(&data, &plan, instances.next_number());
        (plan, policies)
    });
    if plan.is_empty() {
        return;
    }
    misreads.extend(reading.finish().0);
    let (pools, net_config) = (plan.pools(), plan.net_config(file.item, &namespace));
    instances.add(namespace.clone(), &net_config, &pools);
    network.pools.extend(pools);
    network.net_configs.push(net_config);
    network.advertisements.extend(plan.advertisements());
    network.attachments.extend(plan.attachments(&namespace));
    network.node_policies.extend(policies);
    let mut reader = ItemReader::new(file.item, file.resource, misreads);
    network.services.extend(services::of_networks(&mut reader, &namespace));
}

fn read_services(file: File<'_>, instances: &Instances, misreads: &mut Vec<Misread>) -> Vec<Service> {
    let mut found = services::of_control_plane(&mut ItemReader::new(file.item, file.resource, misreads));
    let requested = found.iter().filter_map(|service| service.request.addresses.as_ref());
    let namespace = instances.find(file.resource, requested.flat_map(IpList::addresses).copied());
    for service in &mut found {
        service.namespace.clone_from(&namespace);
    }
    found
}

/// The namespace and name of a RabbitMQ cluster.
type Cluster = (Option<String>, String);

fn cluster(service: &Service) -> Option<Cluster> {
    Some((service.namespace.clone(), services::rabbitmq_cluster(service)?))
}

fn read_hosts(file: File<'_>, instances: &Instances, misreads: &mut Vec<Misread>) -> Vec<Host> {
    let reading = Reading::new(file.item, file.resource, VALUES);
    let mut found = reading.section("data", |data| match file.content {
        Content::NodeSets => hosts::of_node_sets(file.item, &data),
        _ => hosts::bare_metal(file.item, &data),
    });
    misreads.extend(reading.finish().0);
    let namespace = instances.find(file.resource, found.iter().flat_map(addresses));
    for host in &mut found {
        host.namespace.clone_from(&namespace);
    }
    found
}

fn addresses(host: &Host) -> impl Iterator<Item = IpAddr> {
    host.addresses.iter().map(|found| found.address.value.ip())
}

/// Namespace, name and addresses.
fn identity(host: &Host) -> (Option<String>, String, Vec<IpAddr>) {
    (host.namespace.clone(), host.name.clone(), addresses(host).collect())
}

/// Restores the order of the items. Readers of objects and of values each keep it.
fn sort(network: &mut Network) {
    network.pools.sort_by_key(|pool| pool.item);
    network.advertisements.sort_by_key(|advertisement| advertisement.item);
    network.services.sort_by_key(|service| service.site.item);
    network.attachments.sort_by_key(|attachment| attachment.item);
    network.net_configs.sort_by_key(|config| config.item);
    network.node_policies.sort_by_key(|policy| policy.item);
    network.hosts.sort_by_key(|host| host.item);
}
