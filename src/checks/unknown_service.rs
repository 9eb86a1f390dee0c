//! Services that node sets and Deployments list, and that nothing defines.

use indexmap::IndexMap;

use super::{rules, typo::is_typo};
use crate::formats::{dns, placeholder};
use crate::krm::{Finding, Hint, Resource, Results, Severity, quoted};
use crate::model::data_plane::DataPlane;
use crate::model::{Site, Sited};
use crate::platform::dataplane;

/// Reports each unknown service once in a namespace, with every list that has it.
pub fn unknown_service(plane: &DataPlane, items: &[Resource], results: &mut Results) {
    let node_sets = plane.node_sets.iter().filter(|node_set| node_set.lists_services);
    let node_sets = node_sets.map(|node_set| (&node_set.id.namespace, &node_set.services));
    let deployments = plane.deployments.iter();
    let deployments = deployments.map(|deployment| (&deployment.id.namespace, &deployment.services_override));
    let mut unknown: IndexMap<(Option<&str>, &str), Vec<&Site>> = IndexMap::new();
    for (namespace, services) in node_sets.chain(deployments) {
        for Sited { value: name, site } in services {
            if !plane.may_have_service(namespace.as_deref(), name) && !placeholder::is_in(name) {
                unknown.entry((namespace.as_deref(), name)).or_default().push(site);
            }
        }
    }
    // A Deployment alone says nothing about the services of its node sets, which are managed elsewhere.
    let is_complete = !plane.node_sets.is_empty() || !plane.services.is_empty();
    for ((namespace, name), sites) in unknown {
        let (severity, message) = judge(name, namespace, plane);
        if severity == Severity::Warning && !is_complete {
            continue;
        }
        let mut finding = Finding::new(severity, &rules::UNKNOWN_SERVICE, message);
        for (index, site) in sites.into_iter().enumerate() {
            match index {
                0 => finding.at(site.location(items)),
                _ => finding.related(site.location(items), "also listed here"),
            };
        }
        results.add(finding);
    }
}

/// A service may be in the cluster only. It cannot if its name is not valid, and most likely is not if the name is
/// almost that of one of the operator's services.
fn judge(name: &str, namespace: Option<&str>, plane: &DataPlane) -> (Severity, String) {
    let stock = dataplane::stock_services;
    if !dns::is_subdomain(name) {
        let hint = Hint::among(name, stock()).suffix();
        let message = format!("{} is not a valid name, so no service can have it{hint}", quoted(name));
        return (Severity::Error, message);
    }
    let what = format!("there is no service {}", quoted(name));
    if let Some(meant) = stock().find(|known| is_typo(name, known)) {
        return (Severity::Error, format!("{what}{}", Hint::of(Some(meant)).suffix()));
    }
    let known = plane.service_names_near(namespace).chain(stock().map(|name| -> &str { name }));
    let advice = "if it is not in the cluster, add its OpenStackDataPlaneService or correct the name";
    (Severity::Warning, format!("{what} among the resources; {}", Hint::among(name, known).and(advice)))
}
