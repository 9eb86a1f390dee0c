//! Deployments whose `servicesOverride` decides which services run on a node set.

use crate::checks::data_plane_services::{self, Bypass};
use crate::checks::rules;
use crate::krm::{Fault, Resource, Results, Severity};
use crate::model::data_plane::{DataPlane, NodeSet};
use crate::platform::dataplane;

/// Lists the new service of a node set in its Deployments in place of `nova` or that of a cell. Any other choice of the
/// user is not changed.
pub fn replace_nova(
    new_service: &str,
    node_set: &NodeSet,
    plane: &DataPlane,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    if plane.nova_of(node_set).is_none_or(|nova| nova.value != new_service) {
        return Ok(());
    }
    for deployment in plane.deployments_of(node_set) {
        let Some(runs) = plane.nova_override(deployment) else { continue };
        if plane.is_shared_nova(node_set, &runs.value)
            && plane.is_first_of_all(new_service, dataplane::NOVA_TYPE, deployment)
        {
            deployment.item.get_mut(items).set(&runs.site.path, new_service)?;
        } else if runs.value != new_service {
            continue;
        }
        let message =
            "the spec of a Deployment is immutable; if this one was applied with other services, rename it";
        results.info(&rules::SERVICE_OVERRIDDEN, message).at(runs.site.location(items));
    }
    Ok(())
}

/// Reports Deployments whose `servicesOverride` lists a nova service that is not the node set's.
pub fn check(node_set: &NodeSet, plane: &DataPlane, items: &[Resource], results: &mut Results) {
    for deployment in plane.deployments_of(node_set) {
        let is_nova = |bypass: &Bypass<'_>| {
            bypass.node_set.item == node_set.item && bypass.service_type == dataplane::NOVA_TYPE
        };
        let bypasses: Vec<Bypass<'_>> =
            data_plane_services::bypasses(deployment, plane).into_iter().filter(is_nova).collect();
        data_plane_services::service_overridden(
            Severity::Warning,
            &bypasses,
            deployment,
            plane,
            items,
            results,
        );
    }
}
