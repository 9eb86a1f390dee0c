//! The services of a node set, and what the one of type nova reads.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::krm::{Fault, FieldPath, Resource, Results, position, quoted};
use crate::platform::{dataplane, kubernetes, openstack};

/// Puts a service in the place of `nova`, and says where among the items the node set's service of type
/// nova is now. One of the user's own stays where it is.
pub(super) fn put_in_place(
    service: &str,
    items: &mut [Resource],
    at: usize,
    results: &mut Results,
) -> Result<Option<usize>, Fault> {
    let (node_set, path) = (&items[at], dataplane::services());
    let namespace = node_set.id().namespace.clone();
    let mut services = dataplane::services_of(node_set)?;
    let mut first_of_type: HashMap<String, usize> = HashMap::new();
    for (index, name) in services.iter().enumerate() {
        let Some(kind) = dataplane::type_of_service(name, items, namespace.as_deref())? else { continue };
        if let Some(first) = first_of_type.get(&kind) {
            let (first, second) = (quoted(&services[*first]), quoted(name));
            let message = format!(
                "{first} and {second} are both of the type {}, and the data plane ignores the second; leave one",
                quoted(kind)
            );
            results.error("second-service", message).field(node_set, &path.index(index));
            return Ok(None);
        }
        first_of_type.insert(kind, index);
    }
    let Some(index) = first_of_type.get(dataplane::NOVA_TYPE).copied() else {
        let message = "there is no service of type nova here, so nothing would set up the GPUs; \
                       list `nova`, or bring your own service among the resources";
        results.error("no-nova-service", message).field(node_set, &path);
        return Ok(None);
    };
    if services[index] == dataplane::NOVA {
        let kind = dataplane::type_of_service(service, items, namespace.as_deref())?;
        if let Some(kind) = kind.filter(|kind| kind != dataplane::NOVA_TYPE) {
            let message = format!(
                "the service {} is of the type {}, not nova; choose another name",
                quoted(service),
                quoted(kind)
            );
            results.error("service-type", message).in_config("computes");
            return Ok(None);
        }
        service.clone_into(&mut services[index]);
        if node_set.value(&path)?.is_some_and(|there| there.is_array()) {
            items[at].set(&path.index(index), service)?;
        } else {
            items[at].set(&path, services.clone())?;
        }
    }
    Ok(position(items, openstack::DATA_PLANE_SERVICE, namespace.as_deref(), &services[index]))
}

/// A service that other node sets use too would give them devices that they do not have.
pub(super) fn check_sharing(
    service: usize,
    items: &[Resource],
    at: usize,
    has_gpus: impl Fn(&Resource) -> bool,
    results: &mut Results,
) -> Result<(), Fault> {
    let name = &items[service].id().name;
    let others = items.iter().filter(|item| {
        item.is(openstack::NODE_SET) && item.id().namespace == items[at].id().namespace && !has_gpus(item)
    });
    for other in others {
        if let Some(index) = dataplane::services_of(other)?.iter().position(|there| there == name) {
            let message = format!(
                "the service {} is used here too, and would bring the GPUs of the node set {}; \
                 give one of them a service of its own",
                quoted(name),
                quoted(&items[at].id().name)
            );
            results.error("service-shared", message).field(other, &dataplane::services().index(index));
        }
    }
    Ok(())
}

/// One entry of a service's `dataSources`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DataSource {
    config_map_ref: Option<Reference>,
    secret_ref: Option<Reference>,
}

#[derive(Debug, Deserialize)]
struct Reference {
    name: String,
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
        let message =
            "this service reads no `nova-<cell>-compute-config`, so its hosts would belong to no cell";
        results.error("no-cell", message).field(service, &path);
        return Ok(());
    };
    if cell == "cell0" {
        results.error("no-such-cell", "cell0 has no computes").field(service, &path);
    }
    if let Some(wanted) = wanted.filter(|wanted| *wanted != cell) {
        let message =
            format!("this service is for {}, but `spec.computes` wants {}", quoted(cell), quoted(wanted));
        results.error("cell-conflict", message).field(service, &path);
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
            results.error("no-such-cell", message).field(service, &path);
        }
    }
    Ok(())
}

/// All that a service reads ends up in one directory, from which Nova takes only some names.
pub(super) fn check_files(service: usize, items: &[Resource], results: &mut Results) -> Result<(), Fault> {
    let service = &items[service];
    let namespace = service.id().namespace.as_deref();
    let mut first_of_key: HashMap<String, String> = HashMap::new();
    for source in data_sources(service)? {
        let (kind, name) = match (&source.config_map_ref, &source.secret_ref) {
            (Some(map), _) => (kubernetes::CONFIG_MAP, &map.name),
            (None, Some(secret)) => (kubernetes::SECRET, &secret.name),
            (None, None) => continue,
        };
        let Some(at) = position(items, kind, namespace, name) else { continue };
        let item = &items[at];
        let mut paths = Vec::new();
        for field in ["data.*", "stringData.*", "binaryData.*"] {
            paths.extend(item.fields(&FieldPath::new(field))?);
        }
        for path in paths {
            let Some(key) = path.last_key() else { continue };
            if kind == kubernetes::CONFIG_MAP && !dataplane::is_seen_by_nova(key) {
                let message = format!(
                    "the service {} reads this, but Nova sees only files named `*nova*.conf` and `provider*.yaml`",
                    quoted(&service.id().name)
                );
                results.error("unseen-file", message).field(item, &path);
            }
            let here = item.id().to_string();
            if let Some(first) =
                first_of_key.insert(key.to_owned(), here.clone()).filter(|first| *first != here)
            {
                let message = format!(
                    "{first} has this file too, and the service {} reads both: one takes the other's place",
                    quoted(&service.id().name)
                );
                results.error("file-twice", message).field(item, &path);
            }
        }
    }
    Ok(())
}
