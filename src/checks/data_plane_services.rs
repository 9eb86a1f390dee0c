//! Which services run on node sets.

use std::collections::HashMap;

use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::Sited;
use crate::model::data_plane::{DataPlane, Deployment, NodeSet, Service};
use crate::platform::dataplane;

/// Reports services that the data plane ignores because an earlier one has their type.
pub fn service_type_twice(node_set: &NodeSet, plane: &DataPlane, items: &[Resource], results: &mut Results) {
    let namespace = node_set.id.namespace.as_deref();
    let mut first_of_type: HashMap<&str, &Sited<String>> = HashMap::new();
    for service in &node_set.services {
        let Some(service_type) = plane.service_type(namespace, &service.value) else { continue };
        let first = *first_of_type.entry(service_type).or_insert(service);
        if first == service {
            continue;
        }
        let message = second_of_type(&first.value, &service.value, service_type);
        let finding = if service_type == dataplane::NOVA_TYPE {
            results.error(&rules::SERVICE_TYPE_TWICE, message)
        } else {
            results.warning(&rules::SERVICE_TYPE_TWICE, message)
        };
        finding.at(service.site.location(items)).related(first.site.location(items), "the first service");
    }
}

fn second_of_type(first: &str, second: &str, service_type: &str) -> String {
    if first == second {
        return format!("{} is listed twice, but the data plane runs it once; remove one", quoted(second));
    }
    format!(
        "{} and {} are both of type {}, and the data plane ignores the second; remove one",
        quoted(first),
        quoted(second),
        quoted(service_type)
    )
}

/// Reports Deployments whose `servicesOverride` lists a nova service that is not the node set's.
pub fn services_override(node_set: &NodeSet, plane: &DataPlane, items: &[Resource], results: &mut Results) {
    let Some(service) = plane.nova_of(node_set) else { return };
    for deployment in plane.deployments_of(node_set) {
        let Some(runs) = plane.nova_override(deployment) else { continue };
        if runs.value != service.value {
            let message = override_message(&runs.value, &service.value, node_set, deployment, plane);
            let finding = results.warning(&rules::SERVICE_OVERRIDDEN, message).at(runs.site.location(items));
            finding.related(service.site.location(items), "the service of the node set");
        }
    }
}

fn override_message(
    runs: &str,
    service: &str,
    node_set: &NodeSet,
    deployment: &Deployment,
    plane: &DataPlane,
) -> String {
    let advice = if plane.is_nova_of_all(service, deployment) {
        format!("list {} here", quoted(service))
    } else {
        format!("create a separate Deployment for the node set and list {} there", quoted(service))
    };
    format!(
        "this list replaces the services of the node set {}, so {} runs there instead of {}, which configures the GPUs; \
         {advice}",
        quoted(&node_set.id.name),
        quoted(runs),
        quoted(service)
    )
}

/// Reports other node sets that use the service of a node set with GPUs but do not have these GPUs.
pub fn service_shared(
    service: &Service,
    node_set: &NodeSet,
    has_gpus: impl Fn(&NodeSet) -> bool,
    plane: &DataPlane,
    items: &[Resource],
    results: &mut Results,
) {
    let is_other = |other: &&NodeSet| other.id.namespace == node_set.id.namespace && !has_gpus(other);
    for other in plane.node_sets.iter().filter(is_other) {
        let Some(used) = other.services.iter().find(|used| used.value == service.id.name) else { continue };
        let message = format!(
            "this node set also uses the service {}, which would configure the GPUs of the node set {} here; give one of \
             them its own service",
            quoted(&service.id.name),
            quoted(&node_set.id.name)
        );
        let finding = results.error(&rules::SERVICE_SHARED, message).at(used.site.location(items));
        finding.related(node_set.services_site().location(items), "the node set with the GPUs");
    }
}
