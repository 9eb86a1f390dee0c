//! The checks of the whole data plane.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::data_plane_services::{self, Bypass};
use super::{data_sources, nova_cells};
use crate::krm::{Results, Severity};
use crate::model::control_plane::ControlPlane;
use crate::model::data_plane::Service;
use crate::model::{Model, Site};
use crate::platform::dataplane;

/// Reports lists with two services of one type: those of node sets, and those that replace them.
pub fn service_types(model: &Model<'_>, results: &mut Results) {
    let plane = &model.data_plane;
    let node_sets = plane.node_sets.iter().map(|node_set| (&node_set.id, &node_set.services));
    let deployments =
        plane.deployments.iter().map(|deployment| (&deployment.id, &deployment.services_override));
    // A service that is listed twice still runs.
    let severity = |first: &str, second: &str, _: &str| match first == second {
        true => Severity::Warning,
        false => Severity::Error,
    };
    for (id, services) in node_sets.chain(deployments) {
        let namespace = id.namespace.as_deref();
        let items = model.items();
        data_plane_services::service_type_twice(services, namespace, severity, plane, items, results);
    }
}

/// Reports Deployments that run the operator's services in place of a node set's own. To run another service of one's
/// own there is the purpose of the list.
pub fn services_overridden(model: &Model<'_>, results: &mut Results) {
    let plane = &model.data_plane;
    for deployment in &plane.deployments {
        let mut by_entry: IndexMap<&Site, Vec<Bypass<'_>>> = IndexMap::new();
        for bypass in data_plane_services::bypasses(deployment, plane) {
            let namespace = deployment.id.namespace.as_deref();
            let is_own = |name: &str| plane.service(namespace, name).is_some();
            if is_own(&bypass.own.value) && !is_own(&bypass.runs.value) {
                by_entry.entry(&bypass.runs.site).or_default().push(bypass);
            }
        }
        for bypasses in by_entry.values() {
            data_plane_services::service_overridden(
                Severity::Error,
                bypasses,
                deployment,
                plane,
                model.items(),
                results,
            );
        }
    }
}

/// The services that configure nova-compute the way the operator does.
fn nova_services<'m>(model: &'m Model<'_>) -> impl Iterator<Item = &'m Service> {
    let services = model.data_plane.services.iter();
    services.filter(|service| service.is_nova() && !service.has_own_playbook)
}

/// Reports configuration that no program reads. Several services may read one file.
pub fn unread_config(model: &Model<'_>, results: &mut Results) {
    let mut reported: HashSet<&Site> = HashSet::new();
    for service in nova_services(model) {
        for file in data_sources::unread_files(service).filter(|file| reported.insert(&file.site)) {
            data_sources::config_not_read(file, service, model.items(), results);
        }
    }
    for service in &model.data_plane.services {
        data_sources::removed_sources(service, model.items(), results);
    }
}

/// Reports files that replace each other. Several services may read both.
pub fn files_twice(model: &Model<'_>, results: &mut Results) {
    let mut reported: HashSet<(&Site, &Site)> = HashSet::new();
    for service in &model.data_plane.services {
        for (first, second) in data_sources::files_of_one_name(service) {
            if reported.insert((&first.site, &second.site)) {
                let pair = (first, second);
                data_sources::file_twice(pair, "rename one of them", service, model.items(), results);
            }
        }
    }
}

/// Reports services for cells that cannot have compute nodes.
pub fn cells(model: &Model<'_>, results: &mut Results) {
    let mut planes_of: HashMap<Option<&str>, Vec<&ControlPlane>> = HashMap::new();
    for plane in model.control_planes.iter().filter(|plane| plane.deployed_nova().is_some()) {
        planes_of.entry(plane.id.namespace.as_deref()).or_default().push(plane);
    }
    for service in nova_services(model) {
        let planes = planes_of.get(&service.id.namespace.as_deref()).into_iter().flatten().copied();
        nova_cells::no_such_cell(service, planes, model.items(), results);
    }
}

/// Reports node sets that are not in the cell of their annotation.
pub fn annotated_cells(model: &Model<'_>, results: &mut Results) {
    for node_set in &model.data_plane.node_sets {
        nova_cells::cell_without_service(node_set, &model.data_plane, model.items(), results);
    }
}

/// Reports services that run the operator's playbook and give their hosts no cell. A Secret of the user may contain the
/// same files, and a field that the API server drops may have named the Secret.
pub fn services_without_cell(model: &Model<'_>, results: &mut Results) {
    let runs_playbook = |service: &&Service| {
        let playbook = model.world.get(service.item).value(&dataplane::playbook());
        playbook.is_ok_and(|name| name.is_some_and(|name| name == dataplane::NOVA_PLAYBOOK))
    };
    let services = nova_services(model).filter(|service| service.removed_sources.is_empty());
    for service in services.filter(runs_playbook) {
        let mut secrets = service.sources.iter().filter_map(|source| source.secret.as_deref());
        if secrets.all(dataplane::is_operator_secret) {
            nova_cells::no_cell(service, model.items(), results);
        }
    }
}
