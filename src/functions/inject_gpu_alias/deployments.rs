//! Deployments whose `servicesOverride` decides which services run on a node set.

use crate::checks::rules;
use crate::krm::{Fault, Resource, Results, position, quoted};
use crate::platform::{dataplane, openstack};

/// Makes the Deployments of a node set run its service of type nova, which is among the items. Where that is
/// the one made in place of `nova`, so are Deployments changed; a choice of the user's own is reported.
pub(super) fn follow(
    made: &str,
    service: usize,
    items: &mut [Resource],
    at: usize,
    results: &mut Results,
) -> Result<(), Fault> {
    let service = items[service].id().name.clone();
    for deployment in deployments_of(at, items)? {
        let item = &items[deployment];
        let services = dataplane::services_override_of(item)?;
        let namespace = item.id().namespace.as_deref();
        let nova = dataplane::first_of_type(dataplane::NOVA_TYPE, &services, items, namespace)?;
        let Some(index) = nova else { continue };
        let path = dataplane::services_override().index(index);
        let is_for_all = all_run(&service, item, items)?;
        let is_left_over = services[index] == dataplane::NOVA && service == made && is_for_all;
        if services[index] != service && !is_left_over {
            let message = format!(
                "this list replaces the services of the node set {}, so {} runs there in place of {}, which sets up \
                 the GPUs; {}",
                quoted(&items[at].id().name),
                quoted(&services[index]),
                quoted(&service),
                if is_for_all {
                    "list that one"
                } else {
                    "give the node set a Deployment of its own that lists that one"
                }
            );
            results.warning(&rules::SERVICES_OVERRIDE, message).field(item, &path);
            continue;
        }
        if is_left_over {
            items[deployment].set(&path, service.as_str())?;
        }
        if service == made {
            let message = "the spec of a Deployment is immutable; if it was applied with other services, give it a new name";
            results.info(&rules::SERVICES_OVERRIDE, message).field(&items[deployment], &path);
        }
    }
    Ok(())
}

/// The Deployments of a node set, by their place among the items.
fn deployments_of(node_set: usize, items: &[Resource]) -> Result<Vec<usize>, Fault> {
    let id = items[node_set].id();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let is_near = item.is(dataplane::DEPLOYMENT) && item.id().namespace == id.namespace;
        if is_near && dataplane::node_sets_of(item)?.contains(&id.name) {
            found.push(at);
        }
    }
    Ok(found)
}

/// Whether all node sets of a Deployment list a service as theirs of type nova. One that is not among the
/// items may list anything.
fn all_run(service: &str, deployment: &Resource, items: &[Resource]) -> Result<bool, Fault> {
    let namespace = deployment.id().namespace.as_deref();
    for name in dataplane::node_sets_of(deployment)? {
        let Some(at) = position(items, openstack::NODE_SET, namespace, &name) else { return Ok(false) };
        let services = dataplane::services_of(&items[at])?;
        let nova = dataplane::first_of_type(dataplane::NOVA_TYPE, &services, items, namespace)?;
        if nova.is_none_or(|index| services[index] != service) {
            return Ok(false);
        }
    }
    Ok(true)
}
