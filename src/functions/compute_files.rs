//! Files that nova-compute reads on the hosts of node sets: a ConfigMap, and the service of type nova that reads it.
//!
//! All functions that configure nova-compute use these rules, so that they share the objects of a node set.

pub mod cells;
pub mod deployments;
mod objects;
pub mod services;
mod sources;

use std::collections::{HashMap, HashSet};

use super::target::Target;
use crate::checks::{data_plane_services, rules, wrong_type};
use crate::formats::dns;
use crate::krm::{Fault, FieldPath, Mistakes, Resource, Results, quoted};
use crate::model::data_plane::{self, DataPlane, NodeSet, Service};
use crate::model::{ItemId, Misread, Site, World, control_plane};
use crate::platform::{dataplane, kubernetes, openstack};

/// A file that a function writes for the hosts of a node set.
#[derive(Debug, Clone)]
pub struct ComputeFile {
    /// The entry of the functionConfig.
    pub path: FieldPath,
    /// The field of the functionConfig that names the node set.
    pub node_set_field: FieldPath,
    pub node_set: String,
    /// The service that replaces `nova`, or that of the node set's cell.
    pub service: String,
    /// Whether the functionConfig names the service.
    pub is_service_given: bool,
    pub config_map: String,
    pub key: String,
    pub cell: Option<String>,
}

/// The files of a functionConfig.
#[derive(Debug)]
pub struct ComputeFiles<'f> {
    pub files: Vec<&'f ComputeFile>,
    pub target: Option<&'f Target>,
    /// The list of the functionConfig whose entries have the settings of the files.
    pub list: &'static str,
}

/// Where the contents of a file go.
#[derive(Debug)]
pub struct FilePlace<'p> {
    /// The position among [`ComputeFiles::files`].
    pub index: usize,
    pub site: &'p Site,
    /// The service that reads the file, if it is among the items.
    pub service: Option<&'p Service>,
    /// The node set whose hosts read the file.
    pub node_set: ItemId,
}

/// Writes the contents of a file.
pub type Write<'w> = dyn FnMut(&FilePlace<'_>, &mut [Resource], &mut Results) -> Result<(), Fault> + 'w;

/// The default name of the service that replaces `nova` in a node set.
pub fn default_service(node_set: &str) -> String {
    format!("nova-custom-{node_set}")
}

/// The default name of the ConfigMap for a node set.
pub fn default_config_map(node_set: &str) -> String {
    format!("{node_set}-nova")
}

/// Reports a key that is not a file that Nova reads.
pub fn check_key(key: &str, path: FieldPath, mistakes: &mut Mistakes) {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let rule = if !key.chars().all(is_allowed) {
        "must be a file name of letters, digits, `-`, `_` and `.`"
    } else if !dataplane::is_nova_config(key) {
        "must match `*nova*.conf`, because Nova reads no other files"
    } else {
        return;
    };
    mistakes.add(path, format!("{rule}, got {}", quoted(key)));
}

/// Reports a name that no object can have. Returns whether the name is valid.
pub fn check_name(name: &str, path: FieldPath, mistakes: &mut Mistakes) -> bool {
    let is_name = dns::is_subdomain(name);
    if !is_name {
        let message =
            format!("must be a name of lower case letters, digits and hyphens, got {}", quoted(name));
        mistakes.add(path, message);
    }
    is_name
}

impl ComputeFile {
    /// A field of the entry in the functionConfig.
    fn field(&self, key: &'static str) -> FieldPath {
        self.path.clone().key(key)
    }

    /// The service for a node set: the one that the functionConfig names, or its counterpart for a node set that was
    /// split off.
    fn service_for(&self, node_set: &NodeSet) -> String {
        let suffix = node_set.id.name.strip_prefix(&self.node_set).unwrap_or_default();
        format!("{}{suffix}", self.service)
    }

    /// The cell that the functionConfig gives a node set. One that was split off has its own.
    fn cell_for(&self, node_set: &NodeSet) -> Option<&str> {
        self.cell.as_deref().filter(|_| node_set.id.name == self.node_set)
    }
}

impl ComputeFiles<'_> {
    /// The files with their node sets.
    fn node_sets<'p>(&self, plane: &'p DataPlane) -> Result<Vec<(usize, &ComputeFile, &'p NodeSet)>, Fault> {
        let in_target =
            |node_set: &&NodeSet| self.target.is_none_or(|target| target.has_namespace_of(&node_set.id));
        let named = self.named();
        let mut by_file: HashMap<&str, Vec<&NodeSet>> = HashMap::new();
        for node_set in plane.node_sets.iter().filter(in_target) {
            if let Some(name) = file_of(node_set, &named) {
                by_file.entry(name).or_default().push(node_set);
            }
        }
        let mut found = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let before = found.len();
            let own = by_file.get(file.node_set.as_str()).into_iter().flatten();
            found.extend(own.map(|node_set| (index, *file, *node_set)));
            if found.len() == before {
                let others = plane.node_sets.iter().filter(in_target);
                let others: Vec<String> =
                    others.map(|node_set| quoted(node_set.id.qualified_name())).collect();
                let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
                let name = quoted(&file.node_set);
                let message = format!(
                    "the resources contain no OpenStackDataPlaneNodeSet {name}; they contain {others}"
                );
                return Err(Fault::new(&rules::NO_MATCH, message).in_config(file.node_set_field.clone()));
            }
        }
        Ok(found)
    }

    /// The node sets that the functionConfig names.
    fn named(&self) -> HashSet<&str> {
        self.files.iter().map(|file| file.node_set.as_str()).collect()
    }

    /// Writes the files, and adds them to what the services of the node sets read. Missing ConfigMaps and services
    /// were created before.
    pub fn configure(
        &self,
        items: &mut [Resource],
        results: &mut Results,
        write: &mut Write<'_>,
    ) -> Result<(), Fault> {
        let (plane, misreads) = data_plane::read(&World::new(items));
        let node_sets = self.node_sets(&plane)?;
        if wrong_type(misreads.iter().filter(|misread| matters(misread, &node_sets, &plane, items)), results)
        {
            return Ok(());
        }
        let mut with_nova: HashSet<ItemId> = HashSet::new();
        for (_, file, node_set) in node_sets {
            if services::replace_nova(file, node_set, &plane, items, results)? {
                with_nova.insert(node_set.item);
            }
        }
        let (plane, _) = data_plane::read(&World::new(items));
        for (index, file, node_set) in self.node_sets(&plane)? {
            let nova = plane.nova_of(node_set).filter(|_| with_nova.contains(&node_set.item));
            if nova.is_some() {
                deployments::replace_nova(&file.service_for(node_set), node_set, &plane, items, results)?;
            }
            let service = nova.map(|name| &*name.value);
            configure_service((index, file), node_set, service, items, results, write)?;
        }
        self.check_services(&with_nova, items, results)
    }

    /// Reports what prevents the services from configuring Nova, after all changes.
    fn check_services(
        &self,
        with_nova: &HashSet<ItemId>,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let world = World::new(items);
        let (plane, _) = data_plane::read(&world);
        let (control_planes, misreads) = control_plane::read(&world);
        let named = self.named();
        let is_configured = |other: &NodeSet| file_of(other, &named).is_some();
        for (_, file, node_set) in self.node_sets(&plane)? {
            let namespace = node_set.id.namespace.as_deref();
            let nova = plane.nova_of(node_set).filter(|_| with_nova.contains(&node_set.item));
            let Some(service) = nova.and_then(|name| plane.service(namespace, &name.value)) else { continue };
            let wanted = file.service_for(node_set);
            if file.is_service_given && wanted != service.id.name {
                let message = format!(
                    "the node set has its own service {}, which reads the configuration; {} is not created",
                    quoted(&service.id.name),
                    quoted(wanted)
                );
                let location = node_set.services_site().location(items);
                results.warning(&rules::OWN_SERVICE, message).at(location);
            }
            data_plane_services::service_shared(service, node_set, is_configured, &plane, items, results);
            deployments::check(node_set, &plane, items, results);
            let hides_cells = |misread: &&Misread| {
                [openstack::nova(), openstack::nova_cell_templates()].contains(&misread.site.path)
                    && misread.site.item.get(items).id().namespace == node_set.id.namespace
            };
            wrong_type(misreads.iter().filter(hides_cells), results);
            sources::check((file, node_set), self, service, &control_planes, items, results);
        }
        Ok(())
    }
}

/// The node set whose file is for a node set: itself, if the functionConfig names it, or the one that it was split off
/// from.
fn file_of<'n>(node_set: &'n NodeSet, named: &HashSet<&str>) -> Option<&'n str> {
    let names = [Some(&node_set.id.name), node_set.split_from.as_ref()];
    names.into_iter().flatten().map(String::as_str).find(|name| named.contains(name))
}

/// Writes a file, and adds it to the sources of the service.
fn configure_service(
    (index, file): (usize, &ComputeFile),
    node_set: &NodeSet,
    service: Option<&str>,
    items: &mut [Resource],
    results: &mut Results,
    write: &mut Write<'_>,
) -> Result<(), Fault> {
    let world = World::new(items);
    let namespace = node_set.id.namespace.as_deref();
    // Two node sets may share a service, which the first of them has just changed.
    let service = service.and_then(|name| data_plane::find_service(&world, namespace, name));
    if let Some(map) = world.find(kubernetes::CONFIG_MAP, namespace, &file.config_map) {
        let site = &Site::new(map, kubernetes::config_map_data(&file.key));
        let place = FilePlace { index, site, service: service.as_ref(), node_set: node_set.item };
        write(&place, items, results)?;
    }
    let Some(service) = service else { return Ok(()) };
    if cells::has_default_cell(&service, &node_set.id.name, items)
        && let (Some(current), Some(cell)) = (service.cell(), file.cell_for(node_set))
    {
        service.item.get_mut(items).set(&current.site.path, dataplane::cell_secret(cell))?;
    }
    sources::add_config_map(&file.config_map, &service, items)
}

/// Whether a function needs what could not be read: the types of services and the lists of node sets in the
/// namespaces that it changes, Deployments of its node sets, the services of its node sets, and what these read.
fn matters(
    misread: &Misread,
    node_sets: &[(usize, &ComputeFile, &NodeSet)],
    plane: &DataPlane,
    items: &[Resource],
) -> bool {
    let Site { item, path, .. } = &misread.site;
    let resource = item.get(items);
    let namespace = resource.id().namespace.as_deref();
    let is_near =
        |(_, _, node_set): &&(usize, &ComputeFile, &NodeSet)| node_set.id.namespace.as_deref() == namespace;
    let mut near = node_sets.iter().filter(is_near);
    let names_or_types = [dataplane::services(), dataplane::node_sets(), dataplane::service_type()];
    if names_or_types.iter().any(|needed| path.starts_with(needed)) {
        return near.next().is_some();
    }
    if resource.is(dataplane::DEPLOYMENT) {
        return near.any(|(_, _, node_set)| plane.deployments_of(node_set).any(|own| own.item == *item));
    }
    let mut used = near.flat_map(|(_, file, node_set)| {
        node_set.services.iter().map(|name| name.value.clone()).chain([file.service_for(node_set)])
    });
    used.any(|name| {
        let service = plane.service(namespace, &name);
        service.is_some_and(|service| service.item == *item || service.refers_to(resource.id()))
    })
}
