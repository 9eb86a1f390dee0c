//! Which MachineSets are templates: the one that the config names, or every plain worker.

use std::collections::HashSet;

use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Hint, Order, quoted};
use crate::model::machines::MachineSet;
use crate::model::{ItemId, Misread};
use crate::platform::machine::{NODE_ROLE, STORAGE_NODE, WORKER, WORKER_ROLE};

/// The MachineSet with that name, or every worker MachineSet that may serve as a template, by name. At least
/// one.
pub fn choose<'m>(sets: &'m [MachineSet], named: Option<&str>) -> Result<Vec<&'m MachineSet>, Fault> {
    if let Some(name) = named {
        let set = sets.iter().find(|set| set.name == name);
        return set.map(|set| vec![set]).ok_or_else(|| no_such_set(name, sets));
    }
    let (mut chosen, mut objections) = (Vec::new(), Vec::new());
    for set in sets {
        match objection(set) {
            Some(objection) => objections.push(format!("{} {objection}", quoted(&set.name))),
            None => chosen.push(set),
        }
    }
    if chosen.is_empty() {
        return Err(no_worker(&objections));
    }
    chosen.order_by_key(|set| &set.name);
    Ok(chosen)
}

/// What cannot be read in these MachineSets. Other MachineSets do not matter.
pub fn misreads_of(sets: &[&MachineSet], misreads: Vec<Misread>) -> Vec<Misread> {
    let items: HashSet<ItemId> = sets.iter().map(|set| set.item).collect();
    misreads.into_iter().filter(|misread| items.contains(&misread.site.item)).collect()
}

/// Why a MachineSet is not a plain worker MachineSet, so that it is a template only if the config names it.
fn objection(set: &MachineSet) -> Option<String> {
    if let Some(sign) = set.sign_of_gpus() {
        return Some(format!("already has GPUs ({sign})"));
    }
    if let Some(role) = set.role.as_ref().filter(|role| *role != WORKER) {
        return Some(format!("has the role {}", quoted(role)));
    }
    if let Some(taint) = set.taints.first() {
        return Some(format!("has the taint {}", quoted(&taint.key)));
    }
    let is_dedicated =
        |key: &&String| *key == STORAGE_NODE || (key.starts_with(NODE_ROLE) && *key != WORKER_ROLE);
    set.node_labels.keys().find(is_dedicated).map(|key| format!("labels its nodes {}", quoted(key)))
}

const UNDER_TRANSFORMERS: &str =
    "kustomize passes no resources to functions under `generators:`, so list this one under `transformers:`";

fn no_such_set(name: &str, sets: &[MachineSet]) -> Fault {
    let names = sets.iter().map(|set| set.name.as_str());
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
