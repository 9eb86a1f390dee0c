//! Deployments whose node sets do not exist.

use super::rules;
use crate::formats::placeholder;
use crate::krm::{Hint, Resource, Results, quoted};
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
            let message = format!(
                "there is no OpenStackDataPlaneNodeSet {} in this namespace, so the Deployment fails{}",
                quoted(&name.value),
                Hint::among(&name.value, plane.node_set_names_near(namespace)).suffix()
            );
            let location = name.site.location(items);
            results.error(&rules::DEPLOYMENT_WITHOUT_NODE_SET, message).at(location);
        }
    }
}
