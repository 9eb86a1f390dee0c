//! Service overrides for endpoints that do not exist.

use crate::checks::rules;
use crate::krm::{Finding, Hint, Results, Severity, quoted};
use crate::model::Model;
use crate::model::control_plane::{EndpointOverrides, endpoint_overrides};
use crate::platform::service_overrides::ENDPOINTS;

/// The fields of one override. They are in the wrong place if they are where the endpoints should be.
const FIELDS: [&str; 3] = ["endpointURL", "metadata", "spec"];

/// Reports `unknown-endpoint`.
pub fn unknown_endpoint(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        for overrides in endpoint_overrides(plane.item, model.world.get(plane.item)) {
            unknown(&overrides, model, results);
        }
    }
}

fn unknown(overrides: &EndpointOverrides, model: &Model<'_>, results: &mut Results) {
    let unknown = overrides.endpoints.iter().filter(|endpoint| !ENDPOINTS.contains(&endpoint.as_str()));
    let (fields, names): (Vec<&String>, Vec<&String>) =
        unknown.partition(|endpoint| FIELDS.contains(&endpoint.as_str()));
    let severity = if overrides.is_deployed { Severity::Error } else { Severity::Warning };
    let mut report = |endpoint: &str, message: String| {
        let site = overrides.site.clone().key(endpoint.to_owned());
        let finding = Finding::new(severity, &rules::UNKNOWN_ENDPOINT, message);
        results.add(finding).at(site.location(model.items()));
    };
    for name in names {
        let hint = Hint::among(name, ENDPOINTS);
        let hint = hint.or(|| "the endpoints are `internal` and `public`".to_owned());
        report(name, format!("there is no endpoint {}; {hint}", quoted(name)));
    }
    // One level is missing above all of them.
    if let Some(first) = fields.first() {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        let fields = fields.join(" and ");
        report(
            first,
            format!("overrides are listed by endpoint; move {fields} below `internal` or `public`"),
        );
    }
}
