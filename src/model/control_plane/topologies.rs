//! The Topologies that the parts of a control plane refer to.

use crate::krm::{FieldPath, Resource};
use crate::model::{ItemId, Site, Sited};
use crate::platform::{openstack, service_overrides};

/// The namespaces in the references of deployed parts.
pub fn topology_namespaces(item: ItemId, plane: &Resource) -> Vec<Sited<String>> {
    let mut found = Vec::new();
    plane.visit_leaves(&mut |leaf| {
        let is_namespace = !leaf.is_key && leaf.keys().rev().take(2).eq(openstack::TOPOLOGY_NAMESPACE);
        if is_namespace && !leaf.text.is_empty() {
            let path = FieldPath::from_steps(leaf.steps());
            found.push(Sited { value: leaf.text.to_owned(), site: Site::new(item, path) });
        }
    });
    let is_deployed = |path: &FieldPath| service_overrides::is_enabled(plane, path).unwrap_or(false);
    found.retain(|namespace| is_deployed(&namespace.site.path));
    found
}
