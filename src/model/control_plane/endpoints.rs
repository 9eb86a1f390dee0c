//! The service overrides by endpoint.

use serde_json::{Map, Value};

use crate::krm::{FieldPath, Resource};
use crate::model::{ItemId, Site};
use crate::platform::service_overrides::{self, SERVICE_OVERRIDES, ServiceOverride, Shape};

/// The overrides of a service, by endpoint.
#[derive(Debug)]
pub struct EndpointOverrides {
    pub site: Site,
    /// The names of the endpoints, in document order.
    pub endpoints: Vec<String>,
    /// Whether the service is deployed.
    pub is_deployed: bool,
}

/// The overrides of all services of a control plane that have several endpoints.
pub fn endpoint_overrides(item: ItemId, plane: &Resource) -> Vec<EndpointOverrides> {
    let by_endpoint = SERVICE_OVERRIDES.iter().filter(|known| known.shape == Shape::Endpoints);
    by_endpoint.flat_map(|known| paths(plane, known)).filter_map(|path| read(item, plane, path)).collect()
}

fn paths(plane: &Resource, known: &ServiceOverride) -> Vec<FieldPath> {
    let owners = match known.only_owner() {
        Some(owner) => vec![owner],
        None => plane.fields(&known.owners()).unwrap_or_default(),
    };
    owners.iter().map(|owner| known.overrides_of(owner)).collect()
}

fn read(item: ItemId, plane: &Resource, path: FieldPath) -> Option<EndpointOverrides> {
    let overrides: Map<String, Value> = plane.get(&path).ok()??;
    Some(EndpointOverrides {
        endpoints: overrides.into_iter().map(|(endpoint, _)| endpoint).collect(),
        is_deployed: service_overrides::is_enabled(plane, &path).unwrap_or(false),
        site: Site::new(item, path),
    })
}
