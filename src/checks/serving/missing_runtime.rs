//! ServingRuntimes that services name and that are not among the resources.

use super::{is_template, services};
use crate::checks::rules;
use crate::krm::{Hint, Location, Results, quoted};
use crate::model::Model;
use crate::model::serving::{ModelService, Runtime};
use crate::platform::machine;

/// Reports runtimes that are missing beside others. Without any, the cluster has them.
pub fn missing_runtime(model: &Model<'_>, results: &mut Results) {
    let runtimes = &model.serving.runtimes;
    for service in services(model) {
        let Some(name) = service.runtime.value.as_deref().filter(|name| !name.is_empty()) else { continue };
        let is_found = runtimes.iter().any(|runtime| runtime.name == name && may_use(service, runtime));
        if is_found || is_template(name) || runtimes.iter().all(|runtime| runtime.is_cluster_wide) {
            continue;
        }
        let items = model.items();
        let elsewhere = runtimes.iter().find(|runtime| runtime.name == name);
        let message = match elsewhere.and_then(|runtime| runtime.namespace.as_deref()) {
            Some(namespace) => format!(
                "the ServingRuntime {} is in the namespace {}, and services use only those of their own; add it to \
                 the namespace of the service",
                quoted(name),
                quoted(namespace)
            ),
            None => format!(
                "there is no ServingRuntime {} among the resources; {}",
                quoted(name),
                hint(service, name, runtimes).and("if it is not in the cluster, correct the name or add it")
            ),
        };
        let finding = results.warning(&rules::MISSING_RUNTIME, message);
        finding.at(service.runtime.site.location(items));
        if let Some(runtime) = elsewhere {
            finding.related(Location::of_field(runtime.item.get(items), &machine::name()), "the runtime");
        }
    }
}

fn may_use(service: &ModelService, runtime: &Runtime) -> bool {
    let namespaces = service.namespace.as_ref().zip(runtime.namespace.as_ref());
    runtime.is_cluster_wide || namespaces.is_none_or(|(own, other)| own == other)
}

/// The runtime with a prefix or suffix that a tool has added, or else the most similar one.
fn hint<'r>(service: &ModelService, name: &str, runtimes: &'r [Runtime]) -> Hint<'r> {
    let near = runtimes.iter().filter(|runtime| may_use(service, runtime));
    let names: Vec<&str> = near.map(|runtime| runtime.name.as_str()).collect();
    let is_extended = |other: &&&str| {
        other.strip_suffix(name).is_some_and(|prefix| prefix.ends_with('-'))
            || other.strip_prefix(name).is_some_and(|suffix| suffix.starts_with('-'))
    };
    match names.iter().find(is_extended) {
        Some(extended) => Hint::of(Some(extended)),
        None => Hint::among(name, names),
    }
}
