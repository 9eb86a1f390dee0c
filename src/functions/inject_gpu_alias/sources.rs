//! What a service of type nova reads.

use crate::checks::rules;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::device_spec;
use crate::krm::{Fault, FieldPath, FieldPattern, Resource, Results, position, quoted};
use crate::platform::nova::PciAlias;
use crate::platform::{dataplane, kubernetes, openstack};

/// One entry of a service's `dataSources`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DataSource {
    config_map_ref: Option<Reference>,
    secret_ref: Option<Reference>,
    /// No field of a source: a name that was to be below one of the references.
    name: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Reference {
    name: String,
}

impl DataSource {
    /// Without a reference, the data plane reads nothing and does not complain.
    fn has_misplaced_name(&self) -> bool {
        self.config_map_ref.is_none() && self.secret_ref.is_none() && self.name.is_some()
    }
}

fn data_sources(service: &Resource) -> Result<Vec<DataSource>, Fault> {
    Ok(service.get(&dataplane::data_sources())?.unwrap_or_default())
}

/// Makes a service read a ConfigMap.
pub(super) fn add_config_map(name: &str, service: &mut Resource) -> Result<(), Fault> {
    let sources = data_sources(service)?;
    if sources.iter().any(|source| source.config_map_ref.as_ref().is_some_and(|map| map.name == name)) {
        return Ok(());
    }
    let path = dataplane::data_sources().index(sources.len());
    service.set(&path, json!({"configMapRef": {"name": name}}))
}

/// Every source must refer to something: `name` with too little indent leaves `secretRef` null.
pub(super) fn check_references(service: &Resource, results: &mut Results) -> Result<(), Fault> {
    for (index, source) in data_sources(service)?.iter().enumerate() {
        if !source.has_misplaced_name() {
            continue;
        }
        let path = dataplane::data_sources().index(index);
        let keys: Map<String, Value> = service.get(&path)?.unwrap_or_default();
        let reference = ["secretRef", "configMapRef"].into_iter().find(|key| keys.contains_key(*key));
        let message = match reference {
            Some(key) => format!(
                "`name` is beside `{key}`, which is null, so the service reads nothing here; indent `name` to be \
                 below `{key}`"
            ),
            None => "`name` must be below `secretRef` or `configMapRef`; without them, the service reads nothing here"
                .to_owned(),
        };
        results.error(&rules::MISPLACED_NAME, message).field(service, &path.key("name"));
    }
    Ok(())
}

/// The cell must be the one that was asked for, and one that the control plane has.
pub(super) fn check_cell(
    wanted: Option<&str>,
    service: usize,
    items: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let service = &items[service];
    let path = dataplane::data_sources();
    let sources = data_sources(service)?;
    let mut cells = sources.iter().filter_map(|source| {
        source.secret_ref.as_ref().and_then(|secret| dataplane::cell_of_secret(&secret.name))
    });
    let Some(cell) = cells.next() else {
        // It may be the one that is missing.
        if sources.iter().any(DataSource::has_misplaced_name) {
            return Ok(());
        }
        let message = "this service reads no `nova-<cell>-compute-config`, so its hosts would belong to no cell; \
                       add it as a `secretRef`";
        results.error(&rules::NO_CELL, message).field(service, &path);
        return Ok(());
    };
    if cell == "cell0" {
        results.error(&rules::NO_SUCH_CELL, "cell0 has no computes").field(service, &path);
    }
    if let Some(wanted) = wanted.filter(|wanted| *wanted != cell) {
        let message =
            format!("this service is for {}, but `spec.computes` wants {}", quoted(cell), quoted(wanted));
        results.error(&rules::CELL_CONFLICT, message).field(service, &path);
    }
    let planes = items
        .iter()
        .filter(|item| item.is(openstack::CONTROL_PLANE) && item.id().namespace == service.id().namespace);
    for plane in planes {
        let templates: Option<Map<String, Value>> = plane.get(&openstack::nova_cell_templates())?;
        let known: Vec<String> = match templates {
            Some(templates) => templates.keys().cloned().collect(),
            None => openstack::DEFAULT_CELLS.map(str::to_owned).to_vec(),
        };
        if !known.iter().any(|there| there == cell) {
            let message = format!(
                "the control plane {} has no {}; it has {}",
                quoted(&plane.id().name),
                quoted(cell),
                known.join(", ")
            );
            results.error(&rules::NO_SUCH_CELL, message).field(service, &path);
        }
    }
    Ok(())
}

/// A file that a service reads.
#[derive(Debug, Clone)]
pub(super) struct ReadFile {
    /// The ConfigMap or Secret among the items.
    pub item: usize,
    pub path: FieldPath,
}

/// The files that a service reads, as far as they are among the items.
pub(super) fn files(service: &Resource, items: &[Resource]) -> Result<Vec<ReadFile>, Fault> {
    let mut files = Vec::new();
    for source in data_sources(service)? {
        let (kind, name) = match (&source.config_map_ref, &source.secret_ref) {
            (Some(map), _) => (kubernetes::CONFIG_MAP, &map.name),
            (None, Some(secret)) => (kubernetes::SECRET, &secret.name),
            (None, None) => continue,
        };
        let Some(item) = position(items, kind, service.id().namespace.as_deref(), name) else { continue };
        for field in ["data.*", "stringData.*", "binaryData.*"] {
            let paths = items[item].fields(&FieldPattern::new(field))?;
            files.extend(paths.into_iter().map(|path| ReadFile { item, path }));
        }
    }
    Ok(files)
}

/// Every `device_spec` of the other files that Nova reads, beside the one that is written.
pub(super) fn other_device_specs(
    service: usize,
    own: usize,
    path: &FieldPath,
    items: &[Resource],
) -> Result<Vec<(ReadFile, PciAlias)>, Fault> {
    let mut specs = Vec::new();
    for file in files(&items[service], items)? {
        let is_own = file.item == own && file.path == *path;
        let is_config = file.path.last_key().is_some_and(dataplane::is_config_of_nova);
        if is_own || !is_config || !items[file.item].is(kubernetes::CONFIG_MAP) {
            continue;
        }
        let text: String = items[file.item].get(&file.path)?.unwrap_or_default();
        specs.extend(device_spec::all(&text).into_iter().map(|spec| (file.clone(), spec)));
    }
    Ok(specs)
}

/// All that a service reads ends up in one directory, from which Nova takes only some names. `own` is the
/// ConfigMap that is written for the node set.
pub(super) fn check_files(
    own: &str,
    service: usize,
    items: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let service = &items[service];
    let reader = quoted(&service.id().name);
    let mut first_of_key: HashMap<String, usize> = HashMap::new();
    for file in files(service, items)? {
        let (item, Some(key)) = (&items[file.item], file.path.last_key()) else { continue };
        if item.is(kubernetes::CONFIG_MAP) && !dataplane::is_seen_by_nova(key) {
            let message = format!(
                "the service {reader} reads this, but Nova sees only files named `*nova*.conf` and `provider*.yaml`"
            );
            results.error(&rules::UNSEEN_FILE, message).field(item, &file.path);
        }
        let first = first_of_key.insert(key.to_owned(), file.item).filter(|first| *first != file.item);
        if let Some(first) = first {
            let message = format!(
                "{} has this file too, and the service {reader} reads both: one replaces the other; {}",
                items[first].id(),
                way_out_of_two_files(own, &items[first], item)
            );
            results.error(&rules::FILE_TWICE, message).field(item, &file.path);
        }
    }
    Ok(())
}

fn way_out_of_two_files(own: &str, first: &Resource, second: &Resource) -> String {
    let is_own = |item: &Resource| item.is(kubernetes::CONFIG_MAP) && item.id().name == own;
    let other = match (is_own(first), is_own(second)) {
        (true, false) => second,
        (false, true) => first,
        _ => return "rename one of them".to_owned(),
    };
    let rename = "set `key` in `spec.computes` to another file name";
    if other.is(kubernetes::CONFIG_MAP) {
        format!(
            "set `configMap: {}` in `spec.computes` to write the GPUs into that file, or {rename}",
            other.id().name
        )
    } else {
        rename.to_owned()
    }
}
