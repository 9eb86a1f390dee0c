//! Deployment modes by their former names.

use super::services;
use crate::checks::rules;
use crate::krm::{Results, quoted};
use crate::model::Model;
use crate::platform::serving::current_mode;

/// Reports modes that KServe renames when the service is applied.
pub fn deprecated_deployment_mode(model: &Model<'_>, results: &mut Results) {
    for service in services(model) {
        let mode = service.deployment_mode.value.as_deref().unwrap_or_default();
        let current = current_mode(mode);
        if current == mode {
            continue;
        }
        let message = format!(
            "{} is the former name of {}, which KServe writes in its place since release 0.16, so that Argo CD finds a \
             difference; use the new name",
            quoted(mode),
            quoted(current)
        );
        let finding = results.warning(&rules::DEPRECATED_DEPLOYMENT_MODE, message);
        finding.at(service.deployment_mode.site.location(model.items())).current(mode).proposed(current);
    }
}
