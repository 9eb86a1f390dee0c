//! Which MachineSets are templates: the one that the config names, or every plain worker of one cluster.

use super::signs;
use super::{Template, TemplateName};
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Hint, Resource, quoted};
use crate::platform::machine::{self, MACHINE_SET, NODE_ROLE, ROLE, STORAGE_NODE, WORKER_ROLE};

/// The template of that name, or every worker MachineSet that may serve as one, by name. At least one.
pub fn find<'g>(given: &'g [Resource], named: Option<&TemplateName>) -> Result<Vec<Template<'g>>, Fault> {
    let sets: Vec<&Resource> = given.iter().filter(|item| item.is(MACHINE_SET)).collect();
    if let Some(TemplateName { name }) = named {
        return match sets.iter().find(|set| set.id().name == *name) {
            Some(set) => Ok(vec![Template::read(set)?]),
            None => Err(no_such_set(name, &sets)),
        };
    }
    let (mut templates, mut objections) = (Vec::new(), Vec::new());
    for set in sets {
        match objection(set)? {
            Some(objection) => objections.push(format!("{} {objection}", quoted(&set.id().name))),
            None => templates.push(Template::read(set)?),
        }
    }
    templates.sort_by_key(|template| &template.resource.id().name);
    let Some(first) = templates.first() else { return Err(no_worker(&objections)) };
    match templates.iter().find(|template| template.cluster != first.cluster) {
        Some(other) => Err(several_clusters(&first.cluster, &other.cluster)),
        None => Ok(templates),
    }
}

/// Why a MachineSet is not a plain worker MachineSet, so that it is a template only if the config names it.
fn objection(set: &Resource) -> Result<Option<String>, Fault> {
    let role: Option<String> = set.get(&machine::machine_labels().key(ROLE))?;
    if let Some(sign) = signs::of_gpus(set)? {
        return Ok(Some(format!("has GPUs already ({sign})")));
    }
    if let Some(role) = role.filter(|role| role != "worker") {
        return Ok(Some(format!("has the role {}", quoted(role))));
    }
    if let Some(key) = signs::taint_keys(set)?.first() {
        return Ok(Some(format!("has the taint {}", quoted(key))));
    }
    let dedicated = signs::labels(set, &machine::node_labels())?
        .into_keys()
        .find(|key| key == STORAGE_NODE || (key.starts_with(NODE_ROLE) && key != WORKER_ROLE));
    Ok(dedicated.map(|key| format!("labels its nodes {}", quoted(key))))
}

const UNDER_TRANSFORMERS: &str =
    "kustomize gives a function under `generators:` no resources, so list this one under `transformers:`";

fn no_such_set(name: &str, sets: &[&Resource]) -> Fault {
    let names = sets.iter().map(|set| set.id().name.as_str());
    let hint = Hint::among(name, names.clone()).or(|| match sets.is_empty() {
        true => format!("the resources contain no MachineSet; {UNDER_TRANSFORMERS}"),
        false => format!("the resources contain {}", names.map(quoted).collect::<Vec<_>>().join(", ")),
    });
    Fault::new(&rules::NO_MATCH, format!("no MachineSet is named {}; {hint}", quoted(name)))
        .in_config(FieldPath::new("spec.template.name"))
}

fn no_worker(objections: &[String]) -> Fault {
    let message = if objections.is_empty() {
        format!(
            "the resources contain no MachineSet; add one from the cluster (`oc get machineset -n \
             openshift-machine-api NAME -o yaml`), or set `discover`; {UNDER_TRANSFORMERS}"
        )
    } else {
        format!(
            "no MachineSet among the resources is a plain worker MachineSet: {}; set `spec.template` to the one to copy",
            objections.join("; ")
        )
    };
    Fault::new(&rules::NO_MATCH, message)
}

fn several_clusters(first: &str, other: &str) -> Fault {
    let message = format!(
        "the worker MachineSets belong to several clusters, {} and {}; set `spec.template` to the one to copy",
        quoted(first),
        quoted(other)
    );
    Fault::new(&rules::SEVERAL_CLUSTERS, message)
}
