//! Which services run on node sets.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::rules;
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::Sited;
use crate::model::data_plane::{DataPlane, Deployment, NodeSet, Service};

/// Reports services in a list that the data plane ignores because an earlier one has their type. `severity` gets the
/// first service, the second, and their type.
pub fn service_type_twice(
    services: &[Sited<String>],
    namespace: Option<&str>,
    severity: impl Fn(&str, &str, &str) -> Severity,
    plane: &DataPlane,
    items: &[Resource],
    results: &mut Results,
) {
    let mut first_of_type: HashMap<&str, &Sited<String>> = HashMap::new();
    for service in services {
        let Some(service_type) = plane.service_type(namespace, &service.value) else { continue };
        let first = *first_of_type.entry(service_type).or_insert(service);
        if first == service {
            continue;
        }
        let severity = severity(&first.value, &service.value, service_type);
        let message = second_of_type(&first.value, &service.value, service_type);
        let finding = results.add(Finding::new(severity, &rules::SERVICE_TYPE_TWICE, message));
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

/// A service of a node set in place of which a Deployment runs another one.
#[derive(Debug, Clone, Copy)]
pub struct Bypass<'p> {
    pub node_set: &'p NodeSet,
    /// The service of the node set.
    pub own: &'p Sited<String>,
    /// The entry of `servicesOverride`.
    pub runs: &'p Sited<String>,
    pub service_type: &'p str,
}

/// The services of its node sets that a Deployment does not run because its `servicesOverride` has others of the same
/// types. Services of types that the list does not have are left out on purpose.
pub fn bypasses<'p>(deployment: &'p Deployment, plane: &'p DataPlane) -> Vec<Bypass<'p>> {
    let namespace = deployment.id.namespace.as_deref();
    let mut runs_of_type: IndexMap<&str, &Sited<String>> = IndexMap::new();
    for runs in &deployment.services_override {
        if let Some(service_type) = plane.service_type(namespace, &runs.value) {
            runs_of_type.entry(service_type).or_insert(runs);
        }
    }
    let mut found = Vec::new();
    for node_set in deployment.node_sets.iter().filter_map(|name| plane.node_set(namespace, &name.value)) {
        for (service_type, runs) in &runs_of_type {
            let own = plane.first_of_type(service_type, &node_set.services, namespace);
            if let Some(own) = own.filter(|own| own.value != runs.value) {
                found.push(Bypass { node_set, own, runs, service_type });
            }
        }
    }
    found
}

/// Reports an entry of `servicesOverride` that runs in place of services of node sets. All `bypasses` are about this
/// entry.
pub fn service_overridden(
    severity: Severity,
    bypasses: &[Bypass<'_>],
    deployment: &Deployment,
    plane: &DataPlane,
    items: &[Resource],
    results: &mut Results,
) {
    let Some(first) = bypasses.first() else { return };
    let on = |bypass: &Bypass<'_>| {
        format!(
            "on the node set {} instead of {}",
            quoted(&bypass.node_set.id.name),
            quoted(&bypass.own.value)
        )
    };
    let own = &first.own.value;
    let advice = if plane.is_first_of_all(own, first.service_type, deployment) {
        format!("list {} here", quoted(own))
    } else {
        format!("create a separate Deployment for the node set and list {} there", quoted(own))
    };
    let message = format!(
        "this list replaces the services of the node sets, so {} runs {}; {advice}",
        quoted(&first.runs.value),
        bypasses.iter().map(on).collect::<Vec<_>>().join(" and ")
    );
    let finding = results.add(Finding::new(severity, &rules::SERVICE_OVERRIDDEN, message));
    finding.location = first.runs.site.location(items);
    for bypass in bypasses {
        finding.related(bypass.own.site.location(items), "the service of the node set");
    }
}

/// Reports other node sets that use the service of a node set and shall not get its configuration.
pub fn service_shared(
    service: &Service,
    node_set: &NodeSet,
    is_configured: impl Fn(&NodeSet) -> bool,
    plane: &DataPlane,
    items: &[Resource],
    results: &mut Results,
) {
    let is_other = |other: &&NodeSet| other.id.namespace == node_set.id.namespace && !is_configured(other);
    for other in plane.node_sets.iter().filter(is_other) {
        let Some(used) = other.services.iter().find(|used| used.value == service.id.name) else { continue };
        let message = format!(
            "this node set also uses the service {}, so it would get the configuration of the node set {}; give one of \
             them its own service",
            quoted(&service.id.name),
            quoted(&node_set.id.name)
        );
        let finding = results.error(&rules::SERVICE_SHARED, message).at(used.site.location(items));
        finding.related(node_set.services_site().location(items), "the node set with the configuration");
    }
}
