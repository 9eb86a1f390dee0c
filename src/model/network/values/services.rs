//! Services whose annotations for MetalLB are in a values file.

use serde_json::{Map, Value};

use crate::krm::{FieldPath, FieldPattern};
use crate::model::item_reader::ItemReader;
use crate::model::network::services::keys_for_metallb;
use crate::model::network::{Origin, Service};
use crate::platform::service_overrides::SERVICE_OVERRIDES;
use crate::platform::values::{
    CONTROL_PLANE, INTERNAL_API, NETWORK_ANNOTATIONS, OF_A_NETWORK, OWNER_OF_DNS, OWNER_OF_RABBITMQ,
    SERVICE_ANNOTATIONS, is_placeholder,
};

/// The services of a `network-values` file: DNS, RabbitMQ clusters, and the internal endpoints as one service, because
/// all of them get the same annotations. Its ports are not certain: each endpoint can be disabled. The annotations of
/// other networks reach nothing.
pub fn of_networks(reader: &mut ItemReader<'_, '_>, namespace: &str) -> Vec<Service> {
    let mut found = Vec::new();
    for path in reader.fields(&FieldPattern::new(NETWORK_ANNOTATIONS)) {
        let entry = path.clone().parent();
        let is_network = OF_A_NETWORK.iter().any(|key| reader.non_null(&entry.clone().key(*key)).is_some());
        let owner = match entry.last_key() {
            Some(INTERNAL_API) => None,
            Some(CONTROL_PLANE) => Some(OWNER_OF_DNS),
            _ if is_network => continue,
            _ => Some(OWNER_OF_RABBITMQ),
        };
        found.extend(service(path, owner, reader));
    }
    for service in &mut found {
        service.namespace = Some(namespace.to_owned());
    }
    found
}

/// The services of a `service-values` file.
pub fn of_control_plane(reader: &mut ItemReader<'_, '_>) -> Vec<Service> {
    let mut found = Vec::new();
    for (pattern, owner) in SERVICE_ANNOTATIONS {
        for path in reader.fields(&FieldPattern::new(pattern)) {
            found.extend(service(path, Some(owner), reader));
        }
    }
    found
}

/// None without annotations for MetalLB that have a value.
fn service(path: FieldPath, owner: Option<&str>, reader: &mut ItemReader<'_, '_>) -> Option<Service> {
    let is_to_be_replaced = |value: &Value| value.as_str().is_some_and(is_placeholder);
    let value = reader.non_null(&path).filter(|value| !is_to_be_replaced(value))?;
    let mut annotations: Map<String, Value> =
        if value.is_object() { reader.get(&path)? } else { return None };
    annotations.retain(|_, value| !is_to_be_replaced(value));
    let keys = keys_for_metallb(&annotations);
    if keys.is_empty() {
        return None;
    }
    let known = SERVICE_OVERRIDES.iter().find(|known| Some(known.owner) == owner);
    let mut service = Service::without_annotations(reader.site(path), None, Origin::Values);
    service.ports = known.map(|known| known.ports()).unwrap_or_default();
    service.is_rabbitmq = owner == Some(OWNER_OF_RABBITMQ);
    service.is_deployed = !is_disabled(&service.site.path, reader);
    service.read_annotations(&keys, reader);
    Some(service)
}

fn is_disabled(path: &FieldPath, reader: &mut ItemReader<'_, '_>) -> bool {
    path.ancestors().any(|part| reader.value(&part.key("enabled")) == Some(Value::Bool(false)))
}

/// The name of the RabbitMQ cluster whose annotations these are.
pub fn rabbitmq_cluster(service: &Service) -> Option<String> {
    let path =
        Some(&service.site.path).filter(|_| service.is_rabbitmq && service.origin == Origin::Values)?;
    let templates = FieldPath::new("data.rabbitmq.templates");
    let depth = if path.starts_with(&templates) { 4 } else { 2 };
    path.ancestors().nth(depth)?.last_key().map(str::to_owned)
}
