//! The objects of a file: its ConfigMap, and the service that reads it.

use super::{ComputeFile, ComputeFiles};
use crate::krm::{Fault, Object, Resource};
use crate::model::World;
use crate::model::data_plane::{self, DataPlane};
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
            let replaces_nova =
                node_set.services.iter().any(|name| [dataplane::NOVA, &file.service].contains(&&*name.value));
            if replaces_nova && plane.service(namespace, &file.service).is_none() {
                add(new_service(file, namespace, &plane, given)?);
            }
        }
        Ok(missing)
    }
}

/// A service in place of `nova`. If the user has changed `nova`, the new service is based on it.
fn new_service(
    file: &ComputeFile,
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Resource, Fault> {
    let own_nova = match plane.service(namespace, dataplane::NOVA) {
        Some(nova) => nova.item.get(given).value(&dataplane::service_spec())?,
        None => None,
    };
    let cell = file.cell.as_deref().unwrap_or(dataplane::NOVA_CELL);
    let spec = own_nova.unwrap_or_else(|| dataplane::nova_service(cell, &file.config_map));
    let service = Object::new(openstack::DATA_PLANE_SERVICE, &file.service).namespace(namespace);
    service.field("spec", spec).build()
}
