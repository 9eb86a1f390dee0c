//! What a service reads: `dataSources`, and the files in the ConfigMaps and Secrets that they name.

use serde_json::{Map, Value};

use super::Service;
use crate::formats::ini::Ini;
use crate::krm::{FieldPath, FieldPattern};
use crate::model::item_reader::{ItemReader, Unreadable};
use crate::model::world::{ItemId, Misread, Site, Sited, World};
use crate::platform::nova::{self, PciSpec};
use crate::platform::{dataplane, kubernetes};

/// One entry of `dataSources`.
#[derive(Debug)]
pub struct DataSource {
    pub site: Site,
    /// The ConfigMap that it names.
    pub config_map: Option<String>,
    /// The Secret that it names.
    pub secret: Option<String>,
    /// Whether the service also runs without it.
    pub is_optional: bool,
    pub defect: Option<Defect>,
}

/// Why a source names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// `name` is beside the reference instead of below it. The reference is null, if there is one.
    MisplacedName { reference: Option<&'static str> },
    /// A field has the wrong type.
    Unreadable,
}

/// A file that a service reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub site: Site,
    pub name: String,
    /// Whether it is in a ConfigMap rather than a Secret.
    pub is_in_config_map: bool,
}

pub(super) fn read(fields: &mut ItemReader<'_, '_>) -> Vec<DataSource> {
    let list = dataplane::data_sources();
    let count = match fields.try_get::<Vec<Value>>(&list) {
        Ok(entries) => entries.map_or(0, |entries| entries.len()),
        Err(Unreadable) => return vec![DataSource::unreadable(fields.site(list))],
    };
    (0..count).map(|index| DataSource::read(list.clone().index(index), fields)).collect()
}

impl DataSource {
    fn read(path: FieldPath, fields: &mut ItemReader<'_, '_>) -> Self {
        let Ok(keys) = fields.element::<Map<String, Value>>(&path, "a mapping") else {
            return DataSource::unreadable(fields.site(path));
        };
        let mut reference = |key| referred_name(path.clone().key(key), fields);
        let (config_map, secret) = (reference(dataplane::CONFIG_MAP_REF), reference(dataplane::SECRET_REF));
        let (Ok(config_map), Ok(secret)) = (config_map, secret) else {
            return DataSource::unreadable(fields.site(path));
        };
        let has_name = keys.get("name").is_some_and(|name| !name.is_null());
        let defect = (has_name && config_map.is_none() && secret.is_none()).then(|| {
            let references = [dataplane::SECRET_REF, dataplane::CONFIG_MAP_REF];
            let reference = references.into_iter().find(|key| keys.contains_key(*key));
            Defect::MisplacedName { reference }
        });
        let references = [dataplane::CONFIG_MAP_REF, dataplane::SECRET_REF];
        let is_optional = references.iter().any(|reference| {
            keys.get(*reference).and_then(|reference| reference.get("optional")) == Some(&Value::Bool(true))
        });
        DataSource { site: fields.site(path), config_map, secret, is_optional, defect }
    }

    fn unreadable(site: Site) -> Self {
        let defect = Some(Defect::Unreadable);
        DataSource { site, config_map: None, secret: None, is_optional: false, defect }
    }

    /// The ConfigMap or Secret, if it is among the items.
    pub fn find(&self, namespace: Option<&str>, world: &World<'_>) -> Option<ItemId> {
        match (&self.config_map, &self.secret) {
            (Some(name), _) => world.find(kubernetes::CONFIG_MAP, namespace, name),
            (None, Some(name)) => world.find(kubernetes::SECRET, namespace, name),
            (None, None) => None,
        }
    }
}

/// The name below `configMapRef` or `secretRef`; none if the reference is missing or null.
fn referred_name(
    reference: FieldPath,
    fields: &mut ItemReader<'_, '_>,
) -> Result<Option<String>, Unreadable> {
    match fields.try_get::<Map<String, Value>>(&reference)? {
        Some(_) => fields.element(&reference.key("name"), "a string").map(Some),
        None => Ok(None),
    }
}

pub(super) fn files(
    sources: &[DataSource],
    namespace: Option<&str>,
    world: &World<'_>,
    misreads: &mut Vec<Misread>,
) -> Vec<SourceFile> {
    let mut files = Vec::new();
    for source in sources {
        let Some(item) = source.find(namespace, world) else { continue };
        let mut fields = ItemReader::new(item, world.get(item), misreads);
        for pattern in kubernetes::FILES.map(FieldPattern::new) {
            for path in fields.fields(&pattern) {
                let Some(name) = path.last_key().map(str::to_owned) else { continue };
                let site = fields.site(path);
                files.push(SourceFile { site, name, is_in_config_map: source.config_map.is_some() });
            }
        }
    }
    files
}

/// Every `[pci] device_spec` in the configuration that a service gives to Nova. Values that Nova cannot read are left
/// out. Secrets are not read.
pub fn device_specs(service: &Service, world: &World<'_>) -> (Vec<Sited<PciSpec>>, Vec<Misread>) {
    let (mut specs, mut misreads) = (Vec::new(), Vec::new());
    let is_config = |file: &&SourceFile| file.is_in_config_map && dataplane::is_nova_config(&file.name);
    for file in service.files.iter().filter(is_config) {
        let mut fields = ItemReader::new(file.site.item, world.get(file.site.item), &mut misreads);
        let text: String = fields.try_get(&file.site.path).ok().flatten().unwrap_or_default();
        let ini = Ini::parse(&text);
        specs.extend(nova::device_specs(&ini).map(|(_, value)| Sited { value, site: file.site.clone() }));
    }
    (specs, misreads)
}
