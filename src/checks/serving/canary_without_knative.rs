//! Canaries of services that Knative does not deploy.

use super::services;
use crate::checks::rules;
use crate::krm::{Results, quoted};
use crate::model::Model;
use crate::platform::serving::{STANDARD, current_mode};

/// Reports the share of a canary that KServe does not read.
pub fn canary_without_knative(model: &Model<'_>, results: &mut Results) {
    for service in services(model) {
        let mode = service.deployment_mode.value.as_deref().unwrap_or_default();
        if service.canary.value.is_none() || current_mode(mode) != STANDARD {
            continue;
        }
        let message = format!(
            "has no effect in the deployment mode {}: only Knative splits traffic between revisions; remove it, or use \
             the mode \"Knative\"",
            quoted(mode)
        );
        let items = model.items();
        results
            .warning(&rules::CANARY_WITHOUT_KNATIVE, message)
            .at(service.canary.site.location(items))
            .related(service.deployment_mode.site.location(items), "the deployment mode");
    }
}
