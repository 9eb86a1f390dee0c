//! The service of type nova of a node set.

use crate::checks::{data_plane_services, rules};
use crate::krm::{Fault, Resource, Results, Severity, quoted};
use crate::model::Sited;
use crate::model::data_plane::{DataPlane, NodeSet};
use crate::platform::dataplane;

use super::ComputeFile;

/// Replaces `nova` in a node set with the new service. The user's own service of type nova is not changed.
/// Returns whether the node set then has exactly one service of type nova; otherwise, the reason is reported.
pub(super) fn replace_nova(
    file: &ComputeFile,
    node_set: &NodeSet,
    plane: &DataPlane,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<bool, Fault> {
    let namespace = node_set.id.namespace.as_deref();
    // It must be clear which service of type nova reads the file.
    let severity = |_: &str, _: &str, service_type: &str| match service_type {
        dataplane::NOVA_TYPE => Severity::Error,
        _ => Severity::Warning,
    };
    let services = &node_set.services;
    data_plane_services::service_type_twice(services, namespace, severity, plane, items, results);
    let type_of = |name: &Sited<String>| plane.service_type(namespace, &name.value).map(str::to_owned);
    let is_nova = |name: &&Sited<String>| type_of(name).as_deref() == Some(dataplane::NOVA_TYPE);
    let of_type_nova: Vec<&Sited<String>> = node_set.services.iter().filter(is_nova).collect();
    let nova = match of_type_nova.as_slice() {
        [nova] => nova,
        [] => {
            let unknown = node_set.services.iter().filter(|name| type_of(name).is_none());
            let message = no_nova_service(&unknown.map(|name| quoted(&name.value)).collect::<Vec<_>>());
            let location = node_set.services_site().location(items);
            results.error(&rules::NO_NOVA_SERVICE, message).at(location);
            return Ok(false);
        }
        _ => return Ok(false),
    };
    if nova.value != dataplane::NOVA {
        return Ok(true);
    }
    let service_type = plane.service_type(namespace, &file.service);
    if let Some(other) = service_type.filter(|service_type| *service_type != dataplane::NOVA_TYPE) {
        let message = format!(
            "the service {} exists and is of type {}, not nova; choose another name",
            quoted(&file.service),
            quoted(other)
        );
        results.error(&rules::SERVICE_TYPE, message).in_config(file.field("service"));
        return Ok(false);
    }
    let item = node_set.item.get_mut(items);
    if node_set.lists_services {
        item.set(&nova.site.path, file.service.as_str())?;
    } else {
        let name = |name: &Sited<String>| if name == *nova { &file.service } else { &name.value }.clone();
        item.set(&dataplane::services(), node_set.services.iter().map(name).collect::<Vec<_>>())?;
    }
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
