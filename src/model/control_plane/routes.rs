//! The Routes of a control plane's public endpoints.

use crate::krm::{FieldPattern, Resource};
use crate::model::{ItemId, Site};
use crate::platform::{openstack, service_overrides};

/// A Route with TLS settings of its own, but without all that they need.
#[derive(Debug)]
pub struct IncompleteRoute {
    /// The TLS settings.
    pub site: Site,
    /// The required fields that are missing or empty.
    pub missing: Vec<&'static str>,
}

/// The Routes of deployed parts whose TLS settings lack a certificate or a key.
pub fn incomplete_routes(item: ItemId, plane: &Resource) -> Vec<IncompleteRoute> {
    let patterns = openstack::ROUTES.iter().map(|route| FieldPattern::new(route));
    let settings = patterns.flat_map(|pattern| plane.fields(&pattern).unwrap_or_default());
    let deployed = settings.filter(|path| service_overrides::is_enabled(plane, path).unwrap_or(false));
    let mut found = Vec::new();
    for path in deployed.filter(|path| plane.has(path).unwrap_or(false)) {
        // A field of another type is reported as such.
        let is_missing = |key: &&'static str| match plane.get::<String>(&path.clone().key(*key)) {
            Ok(text) => text.is_none_or(|text| text.is_empty()),
            Err(_) => false,
        };
        let missing: Vec<&str> = openstack::REQUIRED_OF_ROUTES.into_iter().filter(is_missing).collect();
        if !missing.is_empty() {
            found.push(IncompleteRoute { site: Site::new(item, path), missing });
        }
    }
    found
}
