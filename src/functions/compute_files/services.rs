//! The service of type nova of a node set.

use crate::checks::{data_plane_services, rules};
use crate::krm::{Fault, Resource, Results, Severity, quoted};
use crate::model::Sited;
use crate::model::data_plane::{DataPlane, NodeSet, Service};
use crate::platform::dataplane;

use super::ComputeFile;

/// The service of type nova of a node set, as it is listed. Reports why there is not exactly one.
pub fn find_nova<'n>(
    node_set: &'n NodeSet,
    plane: &DataPlane,
    items: &[Resource],
    results: &mut Results,
) -> Option<&'n Sited<String>> {
    let namespace = node_set.id.namespace.as_deref();
    // It must be clear which service of type nova reads the file.
    let severity = |_: &str, _: &str, service_type: &str| match service_type {
        dataplane::NOVA_TYPE => Severity::Error,
        _ => Severity::Warning,
    };
    let services = &node_set.services;
    data_plane_services::service_type_twice(services, namespace, severity, plane, items, results);
    let type_of = |name: &Sited<String>| {
        let of_cell = plane.cell_of_service(node_set, &name.value).map(|_| dataplane::NOVA_TYPE);
        of_cell.or(plane.service_type(namespace, &name.value)).map(str::to_owned)
    };
    let is_nova = |name: &&Sited<String>| type_of(name).as_deref() == Some(dataplane::NOVA_TYPE);
    let of_type_nova: Vec<&Sited<String>> = node_set.services.iter().filter(is_nova).collect();
    match of_type_nova.as_slice() {
        [nova] => Some(nova),
        [] => {
            let unknown = node_set.services.iter().filter(|name| type_of(name).is_none());
            let message = no_nova_service(&unknown.map(|name| quoted(&name.value)).collect::<Vec<_>>());
            let location = node_set.services_site().location(items);
            results.error(&rules::NO_NOVA_SERVICE, message).at(location);
            None
        }
        _ => None,
    }
}

/// Lists a service in place of another. A node set that lists none gets the operator's default list.
pub fn replace(old: &Sited<String>, new: &str, node_set: &NodeSet, item: &mut Resource) -> Result<(), Fault> {
    if node_set.lists_services {
        return item.set(&old.site.path, new);
    }
    let name = |name: &Sited<String>| if name == old { new } else { &name.value }.to_owned();
    item.set(&dataplane::services(), node_set.services.iter().map(name).collect::<Vec<_>>())
}

/// Replaces `nova`, or the service of a cell, in a node set with the new service. The user's own service of type nova is
/// not changed. Returns whether the node set then has exactly one service of type nova; otherwise, the reason is
/// reported.
pub(super) fn replace_nova(
    file: &ComputeFile,
    node_set: &NodeSet,
    plane: &DataPlane,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<bool, Fault> {
    let namespace = node_set.id.namespace.as_deref();
    let Some(nova) = find_nova(node_set, plane, items, results) else { return Ok(false) };
    if !plane.is_shared_nova(node_set, &nova.value) {
        return Ok(true);
    }
    let new = file.service_for(node_set);
    let service_type = plane.service_type(namespace, &new);
    if let Some(other) = service_type.filter(|service_type| *service_type != dataplane::NOVA_TYPE) {
        let message = format!(
            "the service {} exists and is of type {}, not nova; choose another name",
            quoted(&new),
            quoted(other)
        );
        results.error(&rules::SERVICE_TYPE, message).in_config(file.field("service"));
        return Ok(false);
    }
    let listed = plane.cell_of_service(node_set, &nova.value);
    let existing = plane.service(namespace, &new).and_then(Service::cell);
    if let (Some(listed), Some(existing)) = (listed, existing)
        && existing.value != listed
    {
        let message = format!(
            "this service is for {}, but the node set {} is for {}; correct one of them",
            quoted(existing.value),
            quoted(&node_set.id.name),
            quoted(listed)
        );
        let finding = results.error(&rules::CELL_CONFLICT, message).at(existing.site.location(items));
        finding.related(nova.site.location(items), "the service of the node set");
        return Ok(false);
    }
    replace(nova, &new, node_set, node_set.item.get_mut(items))?;
    Ok(true)
}

fn no_nova_service(unknown: &[String]) -> String {
    let what = "no service here is of type nova, so nothing would configure Nova";
    match unknown {
        [] => format!("{what}; list `nova`, or your own service and add it to the resources"),
        [one] => format!(
            "{what}; if {one} is of type nova, add its OpenStackDataPlaneService to the resources; otherwise, list `nova`"
        ),
        several => format!(
            "{what}; if one of {} is of type nova, add its OpenStackDataPlaneService to the resources; otherwise, list \
             `nova`",
            several.join(", ")
        ),
    }
}
