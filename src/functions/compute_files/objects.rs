//! The objects of a file: its ConfigMap, and the service that reads it.

use super::{ComputeFile, ComputeFiles, cells};
use crate::krm::{Fault, Object, Resource};
use crate::model::World;
use crate::model::data_plane::{self, DataPlane, NodeSet};
use crate::platform::{dataplane, kubernetes, openstack};

impl ComputeFiles<'_> {
    /// The ConfigMaps and services that the node sets need and that do not exist.
    pub fn missing_objects(&self, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        let world = World::new(given);
        let (plane, _) = data_plane::read(&world);
        let mut missing: Vec<Resource> = Vec::new();
        let mut add = |new: Resource| {
            if missing.iter().all(|other| other.id() != new.id()) {
                missing.push(new);
            }
        };
        for (_, file, node_set) in self.node_sets(&plane)? {
            let namespace = node_set.id.namespace.as_deref();
            if world.find(kubernetes::CONFIG_MAP, namespace, &file.config_map).is_none() {
                let map = Object::new(kubernetes::CONFIG_MAP, &file.config_map);
                add(map.namespace(namespace).build()?);
            }
            let service = file.service_for(node_set);
            let replaces_nova = |name: &str| name == service || plane.is_shared_nova(node_set, name);
            if node_set.services.iter().any(|name| replaces_nova(&name.value))
                && plane.service(namespace, &service).is_none()
            {
                add(new_service(&service, file, node_set, &plane, given)?);
            }
        }
        Ok(missing)
    }
}

/// A service in place of `nova` or of that of a cell. It is based on the one that it replaces.
fn new_service(
    name: &str,
    file: &ComputeFile,
    node_set: &NodeSet,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Resource, Fault> {
    let namespace = node_set.id.namespace.as_deref();
    let listed = node_set.services.iter().find_map(|name| plane.cell_of_service(node_set, &name.value));
    let (cell, base) = match (listed, file.cell_for(node_set)) {
        (Some(cell), _) => (cell, cells::spec(cell, namespace, plane, given)?),
        (None, Some(cell)) => (cell, cells::new_spec(cell, namespace, plane, given)?),
        (None, None) => {
            let own_nova = cells::own_nova(namespace, plane, given)?;
            let cell = dataplane::NOVA_CELL;
            (cell, own_nova.unwrap_or_else(|| dataplane::nova_service(cell, None)))
        }
    };
    // A base of the user keeps the order of its sources, and gets the ConfigMap later.
    let is_stock = base == dataplane::nova_service(cell, None);
    let spec = if is_stock { dataplane::nova_service(cell, Some(&file.config_map)) } else { base };
    let service = Object::new(openstack::DATA_PLANE_SERVICE, name).namespace(namespace);
    let record = listed.filter(|_| name == super::default_service(&node_set.id.name)).map(cells::record);
    let service = service.annotations(record.unwrap_or_default());
    service.field("spec", spec).build()
}
