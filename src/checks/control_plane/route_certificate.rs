//! Routes with TLS settings, but without a certificate or its key.

use crate::checks::rules;
use crate::krm::Results;
use crate::model::Model;
use crate::model::control_plane::incomplete_routes;

/// Reports `route-certificate`.
pub fn route_certificate(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        for route in incomplete_routes(plane.item, model.world.get(plane.item)) {
            let missing: Vec<String> = route.missing.iter().map(|field| format!("`{field}`")).collect();
            let verb = if missing.len() == 1 { "is" } else { "are" };
            let message = format!(
                "{} {verb} missing, and openstack-operator rejects TLS settings without both; add the certificate and \
                 its key, or remove `tls`",
                missing.join(" and ")
            );
            results.error(&rules::ROUTE_CERTIFICATE, message).at(route.site.location(model.items()));
        }
    }
}
