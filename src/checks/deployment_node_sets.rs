//! Deployments whose node sets do not exist.

use super::rules;
use crate::formats::placeholder;
use crate::krm::{Finding, Hint, Resource, Results, Severity, quoted};
use crate::model::Site;
use crate::model::data_plane::DataPlane;
use crate::platform::dataplane;

/// Reports Deployments that name no node set, or one that is not among the node sets of their namespace. Without node
/// sets in a namespace, those may be managed elsewhere.
pub fn deployment_without_node_set(plane: &DataPlane, items: &[Resource], results: &mut Results) {
    for deployment in &plane.deployments {
        if deployment.has_no_node_sets {
            let message = "this Deployment names no node set, so the API server rejects it; list one";
            let site = Site::new(deployment.item, dataplane::node_sets());
            results.error(&rules::DEPLOYMENT_WITHOUT_NODE_SET, message).at(site.location(items));
        }
        let namespace = deployment.id.namespace.as_deref();
        let has_node_sets = plane.node_set_names_near(namespace).next().is_some();
        let is_missing = |name: &str| {
            has_node_sets && plane.node_set_near(namespace, name).is_none() && !placeholder::is_in(name)
        };
        for name in deployment.node_sets.iter().filter(|name| is_missing(&name.value)) {
            let hint = Hint::among(&name.value, plane.node_set_names_near(namespace));
            // Another package may have the node set, unless the name is a typo.
            let (severity, condition) = match hint.name() {
                Some(_) => (Severity::Error, "so the Deployment fails"),
                None => (Severity::Warning, "and the Deployment fails if the cluster has none either"),
            };
            let message = format!(
                "there is no OpenStackDataPlaneNodeSet {} among the resources, {condition}; {}",
                quoted(&name.value),
                hint.or(|| "correct the name, or add the node set".to_owned())
            );
            let finding = Finding::new(severity, &rules::DEPLOYMENT_WITHOUT_NODE_SET, message);
            results.add(finding).location = name.site.location(items);
        }
    }
}
