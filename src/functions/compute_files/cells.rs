//! The services for all node sets of a cell: `nova-<cell>`.

use serde_json::{Map, Value, json};

use super::default_service;
use crate::krm::{Fault, FieldPath, Object, Resource};
use crate::model::data_plane::{DataPlane, Service};
use crate::platform::{dataplane, kubernetes, openstack};

/// The service for all node sets of a cell.
pub fn service(
    cell: &str,
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Resource, Fault> {
    let service = Object::new(openstack::DATA_PLANE_SERVICE, &dataplane::cell_service(cell));
    let spec = new_spec(cell, namespace, plane, given)?;
    service.namespace(namespace).field("spec", spec).build()
}

/// The spec of that service: as it is among the resources, or as it is created.
pub(super) fn spec(
    cell: &str,
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Value, Fault> {
    match spec_of(&dataplane::cell_service(cell), namespace, plane, given)? {
        Some(existing) => Ok(existing),
        None => new_spec(cell, namespace, plane, given),
    }
}

/// The spec of the operator's `nova` for any cell. If the user has changed `nova`, it is based on that.
pub(super) fn new_spec(
    cell: &str,
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Value, Fault> {
    let own_nova = own_nova(namespace, plane, given)?;
    Ok(own_nova.map_or_else(|| dataplane::nova_service(cell, None), |spec| for_cell(spec, cell)))
}

/// The spec of the user's `nova`, for services with other names. The type of a service is its name if it has none, as in
/// the operator's webhook.
pub(super) fn own_nova(
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Option<Value>, Fault> {
    let mut spec = spec_of(dataplane::NOVA, namespace, plane, given)?;
    if let Some(spec) = &mut spec {
        let service_type = &mut spec[dataplane::SERVICE_TYPE];
        if service_type.is_null() || service_type == "" {
            *service_type = json!(dataplane::NOVA_TYPE);
        }
    }
    Ok(spec)
}

/// The spec of a service that is among the resources.
fn spec_of(
    service: &str,
    namespace: Option<&str>,
    plane: &DataPlane,
    given: &[Resource],
) -> Result<Option<Value>, Fault> {
    let Some(service) = plane.service(namespace, service) else { return Ok(None) };
    let spec: Option<Map<String, Value>> = service.item.get(given).get(&dataplane::service_spec())?;
    Ok(spec.map(Value::Object))
}

/// The spec of a service with the Secret of another cell.
fn for_cell(mut spec: Value, cell: &str) -> Value {
    let Some(spec_fields) = spec.as_object_mut() else { return spec };
    let sources = spec_fields.entry("dataSources").or_insert(Value::Null);
    if sources.is_null() {
        *sources = json!([]);
    }
    let Some(sources) = sources.as_array_mut() else { return spec };
    let is_cell_secret = |source: &&mut Value| {
        let name = source.pointer("/secretRef/name").and_then(Value::as_str);
        name.and_then(dataplane::cell_of_secret).is_some()
    };
    match sources.iter_mut().find(is_cell_secret) {
        Some(source) => source[dataplane::SECRET_REF]["name"] = json!(dataplane::cell_secret(cell)),
        None => sources.push(dataplane::cell_source(cell)),
    }
    spec
}

/// Whether a service of a node set has its cell only because nothing else was known when a function created it.
pub fn has_default_cell(service: &Service, node_set: &str, items: &[Resource]) -> bool {
    service.cell().is_some_and(|cell| cell.value == dataplane::NOVA_CELL)
        && service.id.name == default_service(node_set)
        && service.item.get(items).has(&record_path()).is_ok_and(|has| !has)
}

/// Where the cell is recorded.
pub fn record_path() -> FieldPath {
    kubernetes::annotation(dataplane::CELL_ANNOTATION)
}

/// The annotation that records the cell of a service that a node set has for itself.
pub fn record(cell: &str) -> Map<String, Value> {
    Map::from_iter([(dataplane::CELL_ANNOTATION.to_owned(), json!(cell))])
}
