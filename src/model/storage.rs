//! Storage: classes, volumes, and what control planes and claims request.

mod claims;

use std::collections::BTreeMap;

use super::item_reader::ItemReader;
use super::{ItemId, Misread, Sited, World};
use crate::krm::{FieldPath, Resource};
use crate::platform::kubernetes::{PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, STORAGE_CLASS};
use crate::platform::openstack::CONTROL_PLANE;
use crate::platform::{service_overrides, storage, storage_claims};

pub use claims::Claim;

#[derive(Debug, Default)]
pub struct Storage {
    /// The StorageClasses by name.
    pub classes: BTreeMap<String, StorageClass>,
    /// The PersistentVolumes by the name of their class.
    pub volumes: BTreeMap<String, Vec<ItemId>>,
    /// Every field that names a class, of services that are deployed.
    pub references: Vec<Sited<String>>,
    /// What needs volumes of a class, as far as it is certain.
    pub claims: Vec<Claim>,
}

#[derive(Debug)]
pub struct StorageClass {
    pub item: ItemId,
    /// Whether volumes are created when they are claimed.
    pub is_dynamic: bool,
}

pub fn read(world: &World<'_>) -> (Storage, Vec<Misread>) {
    let (mut storage, mut misreads) = (Storage::default(), Vec::new());
    for (item, resource) in world.of_kind(STORAGE_CLASS) {
        let mut fields = ItemReader::new(item, resource, &mut misreads);
        let provisioner: Option<String> = fields.get(&FieldPath::new("provisioner"));
        let is_dynamic = provisioner.is_some_and(|name| name != storage::NO_PROVISIONER);
        let class = StorageClass { item, is_dynamic };
        storage.classes.entry(resource.id().name.clone()).or_insert(class);
    }
    for (item, resource) in world.of_kind(PERSISTENT_VOLUME) {
        let mut fields = ItemReader::new(item, resource, &mut misreads);
        let class: Option<String> = fields.get(&storage::class_of_volume());
        if let Some(class) = class {
            storage.volumes.entry(class).or_default().push(item);
        }
    }
    for (item, resource) in world.of_kind(CONTROL_PLANE) {
        let mut fields = ItemReader::new(item, resource, &mut misreads);
        storage.references.extend(references(&mut fields));
        storage.claims.extend(claims::of_control_plane(&mut fields));
    }
    for (item, resource) in world.of_kind(PERSISTENT_VOLUME_CLAIM) {
        let mut fields = ItemReader::new(item, resource, &mut misreads);
        if let Some(class) = named(storage::class_of_volume(), &mut fields) {
            storage.claims.push(Claim { class: class.clone(), count: 1, what: String::new() });
            storage.references.push(class);
        }
    }
    (storage, misreads)
}

/// The fields of a control plane that name a class.
fn references(fields: &mut ItemReader<'_, '_>) -> Vec<Sited<String>> {
    let paths: Vec<FieldPath> =
        storage_claims::classes().flat_map(|pattern| fields.fields(&pattern)).collect();
    let deployed: Vec<FieldPath> =
        paths.into_iter().filter(|path| is_deployed(fields.resource, path)).collect();
    deployed.into_iter().filter_map(|path| named(path, fields)).collect()
}

/// The class that a field names. None if it is missing or empty, which means the default.
fn named(path: FieldPath, fields: &mut ItemReader<'_, '_>) -> Option<Sited<String>> {
    let value: String = fields.get(&path)?;
    (!value.is_empty()).then(|| Sited { value, site: fields.site(path) })
}

fn is_deployed(plane: &Resource, path: &FieldPath) -> bool {
    service_overrides::is_enabled(plane, path).unwrap_or(false)
}
