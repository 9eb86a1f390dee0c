//! References to Topologies in other namespaces.

use crate::checks::rules;
use crate::formats::placeholder;
use crate::krm::{Results, quoted};
use crate::model::Model;
use crate::model::control_plane::topology_namespaces;

/// Reports `foreign-topology`. The namespace of the control plane must be known.
pub fn foreign_topology(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        let Some(own) = &plane.id.namespace else { continue };
        for namespace in topology_namespaces(plane.item, model.world.get(plane.item)) {
            if namespace.value == *own || placeholder::is_in(&namespace.value) {
                continue;
            }
            let message = format!(
                "the control plane is in the namespace {}, and its services can use Topologies of that namespace only; \
                 remove the field",
                quoted(own)
            );
            results.error(&rules::FOREIGN_TOPOLOGY, message).at(namespace.site.location(model.items()));
        }
    }
}
