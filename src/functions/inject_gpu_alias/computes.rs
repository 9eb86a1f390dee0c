//! The node sets whose hosts have the GPUs.

use std::collections::HashSet;

use super::compute::Compute;
use super::{Injection, alias, deployments, device_spec, placement, services, sources};
use crate::checks::{data_plane_services, nova_config, rules, wrong_type};
use crate::krm::{Fault, Object, Resource, Results, quoted};
use crate::model::control_plane;
use crate::model::data_plane::{self, DataPlane, NodeSet, Service};
use crate::model::{ItemId, Misread, Site, World};
use crate::platform::{dataplane, kubernetes, nova, openstack};

impl Injection {
    /// The ConfigMaps and services that the node sets need and that do not exist.
    pub(super) fn missing_objects(&self, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        if self.computes.is_empty() {
            return Ok(Vec::new());
        }
        let world = World::new(given);
        let (plane, _) = data_plane::read(&world);
        let mut missing = Vec::new();
        for (compute, node_set) in self.node_sets(&plane)? {
            let namespace = node_set.id.namespace.as_deref();
            if world.find(kubernetes::CONFIG_MAP, namespace, &compute.config_map).is_none() {
                let map = Object::new(kubernetes::CONFIG_MAP, &compute.config_map);
                missing.push(map.namespace(namespace).build()?);
            }
            let replaces_nova = node_set
                .services
                .iter()
                .any(|name| [dataplane::NOVA, &compute.service].contains(&&*name.value));
            if replaces_nova && plane.service(namespace, &compute.service).is_none() {
                missing.push(new_service(compute, namespace, &plane, given)?);
            }
        }
        Ok(missing)
    }

    /// The node sets of `computes`.
    fn node_sets<'p>(&self, plane: &'p DataPlane) -> Result<Vec<(&Compute, &'p NodeSet)>, Fault> {
        let in_target = |node_set: &&NodeSet| {
            self.target.as_ref().is_none_or(|target| target.has_namespace_of(&node_set.id))
        };
        let mut found = Vec::new();
        for compute in &self.computes {
            let before = found.len();
            let named = plane.node_sets.iter().filter(|node_set| node_set.id.name == compute.node_set);
            found.extend(named.filter(in_target).map(|node_set| (compute, node_set)));
            if found.len() == before {
                let others = plane.node_sets.iter().filter(in_target);
                let others: Vec<String> =
                    others.map(|node_set| quoted(node_set.id.qualified_name())).collect();
                let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
                let name = quoted(&compute.node_set);
                let message = format!(
                    "the resources contain no OpenStackDataPlaneNodeSet {name}; they contain {others}"
                );
                return Err(Fault::new(&rules::NO_MATCH, message).in_config(compute.field("nodeSet")));
            }
        }
        Ok(found)
    }

    /// Configures the node sets. Missing ConfigMaps and services were created before.
    pub(super) fn configure_computes(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        if self.computes.is_empty() {
            return Ok(());
        }
        let (plane, misreads) = data_plane::read(&World::new(items));
        let node_sets = self.node_sets(&plane)?;
        if wrong_type(misreads.iter().filter(|misread| matters(misread, &node_sets, &plane, items)), results)
        {
            return Ok(());
        }
        let mut with_nova: HashSet<ItemId> = HashSet::new();
        for (compute, node_set) in node_sets {
            if services::replace_nova(compute, node_set, &plane, items, results)? {
                with_nova.insert(node_set.item);
            }
        }
        let (plane, _) = data_plane::read(&World::new(items));
        for (compute, node_set) in self.node_sets(&plane)? {
            let nova = plane.nova_of(node_set).filter(|_| with_nova.contains(&node_set.item));
            if nova.is_some() {
                deployments::replace_nova(&compute.service, node_set, &plane, items, results)?;
            }
            self.configure_service(compute, node_set, nova.map(|name| &*name.value), items, results)?;
            if let Some(kernel_args) = &compute.kernel_args {
                kernel_args.set(node_set.item, items, results)?;
            }
        }
        self.check_services(&with_nova, items, results)
    }

    /// Writes the configuration of nova-compute, and adds it to the sources of the service.
    fn configure_service(
        &self,
        compute: &Compute,
        node_set: &NodeSet,
        service: Option<&str>,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let world = World::new(items);
        let namespace = node_set.id.namespace.as_deref();
        // Two node sets may share a service, which the first of them has just changed.
        let service = service.and_then(|name| data_plane::find_service(&world, namespace, name));
        if let Some(map) = world.find(kubernetes::CONFIG_MAP, namespace, &compute.config_map) {
            let site = Site::new(map, kubernetes::config_map_data(&compute.key));
            self.write_config(compute, &site, service.as_ref(), items, results)?;
        }
        match service {
            Some(service) => sources::add_config_map(&compute.config_map, &service, items),
            None => Ok(()),
        }
    }

    /// Writes what nova-compute reads into the ConfigMap: its devices, and the same aliases as the API's.
    fn write_config(
        &self,
        compute: &Compute,
        site: &Site,
        service: Option<&Service>,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let before: String = site.item.get(items).get(&site.path)?.unwrap_or_default();
        let (mut others, misreads) = match service {
            Some(service) => data_plane::device_specs(service, &World::new(items)),
            None => (Vec::new(), Vec::new()),
        };
        if wrong_type(&misreads, results) {
            return Ok(());
        }
        others.retain(|spec| spec.site != *site);
        let mut text = before.clone();
        for wanted in &compute.device_specs {
            match device_spec::add(wanted, &text, &others, self.replace) {
                Ok(new) => text = new,
                Err(obstacle) => {
                    let location = obstacle.elsewhere.as_ref().unwrap_or(site).location(items);
                    let finding = results.warning(&rules::DEVICE_SPEC, obstacle.message(wanted));
                    finding.at(location).current(obstacle.spec.to_string());
                }
            }
        }
        nova_config::alias_syntax(&text, site, items, results);
        for wanted in &compute.aliases {
            text = alias::with_alias(wanted, text, self.on_conflict(), site, items, results);
        }
        if self.placement {
            let option = nova::REPORT_IN_PLACEMENT;
            text = placement::with_option(option, text, self.replace, site, items, results);
        }
        if self.replace {
            text = device_spec::without_replaced(&before, &text);
        }
        site.item.get_mut(items).set(&site.path, text)
    }

    /// Reports what prevents the services from configuring the GPUs, after all changes.
    fn check_services(
        &self,
        with_nova: &HashSet<ItemId>,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let world = World::new(items);
        let (plane, _) = data_plane::read(&world);
        let (control_planes, misreads) = control_plane::read(&world);
        let has_gpus = |other: &NodeSet| self.computes.iter().any(|own| own.node_set == other.id.name);
        for (compute, node_set) in self.node_sets(&plane)? {
            let namespace = node_set.id.namespace.as_deref();
            let nova = plane.nova_of(node_set).filter(|_| with_nova.contains(&node_set.item));
            let Some(service) = nova.and_then(|name| plane.service(namespace, &name.value)) else { continue };
            if compute.is_service_given && compute.service != service.id.name {
                let message = format!(
                    "the node set has its own service {}, which gets the GPUs; {} is not created",
                    quoted(&service.id.name),
                    quoted(&compute.service)
                );
                let location = node_set.services_site().location(items);
                results.warning(&rules::OWN_SERVICE, message).at(location);
            }
            data_plane_services::service_shared(service, node_set, has_gpus, &plane, items, results);
            deployments::check(node_set, &plane, items, results);
            let hides_cells = |misread: &&Misread| {
                [openstack::nova(), openstack::nova_cell_templates()].contains(&misread.site.path)
                    && misread.site.item.get(items).id().namespace == node_set.id.namespace
            };
            wrong_type(misreads.iter().filter(hides_cells), results);
            sources::check(compute, &self.computes, service, &control_planes, items, results);
        }
        Ok(())
    }
}

/// A service in place of `nova`. If the user has changed `nova`, the new service is based on it.
fn new_service(
    compute: &Compute,
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Resource, Fault> {
    let own_nova = match plane.service(namespace, dataplane::NOVA) {
        Some(nova) => nova.item.get(given).value(&dataplane::service_spec())?,
        None => None,
    };
    let cell = compute.cell.as_deref().unwrap_or(dataplane::NOVA_CELL);
    let spec = own_nova.unwrap_or_else(|| dataplane::nova_service(cell, &compute.config_map));
    let service = Object::new(openstack::DATA_PLANE_SERVICE, &compute.service).namespace(namespace);
    service.field("spec", spec).build()
}

/// Whether the function needs what could not be read: the types of services and the lists of node sets in the
/// namespaces that it changes, Deployments of its node sets, the services of its node sets, and what these read.
fn matters(
    misread: &Misread,
    node_sets: &[(&Compute, &NodeSet)],
    plane: &DataPlane,
    items: &[Resource],
) -> bool {
    let Site { item, path, .. } = &misread.site;
    let resource = item.get(items);
    let namespace = resource.id().namespace.as_deref();
    let is_near = |(_, node_set): &&(&Compute, &NodeSet)| node_set.id.namespace.as_deref() == namespace;
    let mut near = node_sets.iter().filter(is_near);
    let names_or_types = [dataplane::services(), dataplane::node_sets(), dataplane::service_type()];
    if names_or_types.iter().any(|needed| path.starts_with(needed)) {
        return near.next().is_some();
    }
    if resource.is(dataplane::DEPLOYMENT) {
        return near.any(|(_, node_set)| plane.deployments_of(node_set).any(|own| own.item == *item));
    }
    let mut used = near.flat_map(|(compute, node_set)| {
        node_set.services.iter().map(|name| &name.value).chain([&compute.service])
    });
    used.any(|name| {
        let service = plane.service(namespace, name);
        service.is_some_and(|service| service.item == *item || service.refers_to(resource.id()))
    })
}
