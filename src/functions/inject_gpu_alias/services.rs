//! The services of a node set: which of them is Nova's, and who else uses it.

use crate::checks::rules;
use std::collections::HashMap;

use crate::krm::{Fault, FieldPath, Resource, Results, position, quoted};
use crate::platform::{dataplane, openstack};

/// Puts a service in the place of `nova`, and returns where among the items the node set's service of type
/// nova is now. One of the user's own stays where it is.
pub(super) fn put_in_place(
    service: &str,
    items: &mut [Resource],
    at: usize,
    results: &mut Results,
) -> Result<Option<usize>, Fault> {
    let (node_set, path) = (&items[at], dataplane::services());
    let namespace = node_set.id().namespace.clone();
    let mut services = dataplane::services_of(node_set)?;
    let Some(index) = nova_among(&services, items, at, results)? else { return Ok(None) };
    if services[index] == dataplane::NOVA {
        let kind = dataplane::type_of_service(service, items, namespace.as_deref())?;
        if let Some(kind) = kind.filter(|kind| kind != dataplane::NOVA_TYPE) {
            let message = format!(
                "the service {} is of the type {}, not nova; choose another name",
                quoted(service),
                quoted(kind)
            );
            results.error(&rules::SERVICE_TYPE, message).in_config(FieldPath::new("spec.computes"));
            return Ok(None);
        }
        service.clone_into(&mut services[index]);
        if node_set.value(&path)?.is_some_and(|there| there.is_array()) {
            items[at].set(&path.index(index), service)?;
        } else {
            items[at].set(&path, services.clone())?;
        }
    }
    Ok(position(items, openstack::DATA_PLANE_SERVICE, namespace.as_deref(), &services[index]))
}

/// The index of the only service of type nova. Services that the data plane ignores, because an earlier one
/// has their type, are reported; a second one of type nova leaves open which of them is to get the GPUs.
fn nova_among(
    services: &[String],
    items: &[Resource],
    at: usize,
    results: &mut Results,
) -> Result<Option<usize>, Fault> {
    let (node_set, path) = (&items[at], dataplane::services());
    let mut first_of_type: HashMap<String, usize> = HashMap::new();
    let mut unresolved = Vec::new();
    let mut has_second_nova = false;
    for (index, name) in services.iter().enumerate() {
        let kind = dataplane::type_of_service(name, items, node_set.id().namespace.as_deref())?;
        let Some(kind) = kind else {
            unresolved.push(quoted(name));
            continue;
        };
        let Some(first) = first_of_type.get(&kind) else {
            first_of_type.insert(kind, index);
            continue;
        };
        let message = second_service(&services[*first], name, &kind);
        let finding = if kind == dataplane::NOVA_TYPE {
            has_second_nova = true;
            results.error(&rules::SECOND_SERVICE, message)
        } else {
            results.warning(&rules::SECOND_SERVICE, message)
        };
        finding.field(node_set, &path.clone().index(index));
    }
    let nova = first_of_type.get(dataplane::NOVA_TYPE).copied();
    if nova.is_none() {
        results.error(&rules::NO_NOVA_SERVICE, no_nova_service(&unresolved)).field(node_set, &path);
    }
    Ok(nova.filter(|_| !has_second_nova))
}

fn second_service(first: &str, second: &str, kind: &str) -> String {
    if first == second {
        return format!("{} is listed twice, and the data plane runs it once; remove one", quoted(second));
    }
    format!(
        "{} and {} are both of the type {}, and the data plane ignores the second; remove one",
        quoted(first),
        quoted(second),
        quoted(kind)
    )
}

fn no_nova_service(unresolved: &[String]) -> String {
    let what = "no service here is of type nova, so nothing would set up the GPUs";
    match unresolved {
        [] => format!("{what}; list `nova`, or your own service and add it to the resources"),
        [one] => format!(
            "{what}; if {one} is one, add its OpenStackDataPlaneService to the resources, which do not have it; else \
             list `nova`"
        ),
        several => format!(
            "{what}; if one of {} is one, add its OpenStackDataPlaneService to the resources, which have none of \
             them; else list `nova`",
            several.join(", ")
        ),
    }
}

/// A service that other node sets use too would give them devices that they do not have.
pub(super) fn check_sharing(
    service: usize,
    items: &[Resource],
    at: usize,
    has_gpus: impl Fn(&Resource) -> bool,
    results: &mut Results,
) -> Result<(), Fault> {
    let name = &items[service].id().name;
    let others = items.iter().filter(|item| {
        item.is(openstack::NODE_SET) && item.id().namespace == items[at].id().namespace && !has_gpus(item)
    });
    for other in others {
        if let Some(index) = dataplane::services_of(other)?.iter().position(|there| there == name) {
            let message = format!(
                "the service {} is used here too, and would bring the GPUs of the node set {}; \
                 give one of them a service of its own",
                quoted(name),
                quoted(&items[at].id().name)
            );
            results.error(&rules::SERVICE_SHARED, message).field(other, &dataplane::services().index(index));
        }
    }
    Ok(())
}
