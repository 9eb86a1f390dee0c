//! The nodes that a functionConfig names, or selects by their labels: `nodes` and `nodeSelector`.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::checks::{self, rules};
use crate::krm::{Fault, FieldPath, Mistakes, Resource, Results, quoted};
use crate::model::{World, nodes};
use crate::platform::kubernetes::is_host_name;

/// Reports what is wrong with the fields.
pub fn check(names: &[&str], selector: Option<&BTreeMap<String, String>>, mistakes: &mut Mistakes) {
    match selector {
        None if names.is_empty() => {
            let message = "must name at least one node; or set `nodeSelector`";
            mistakes.add(FieldPath::new("spec.nodes"), message);
        }
        Some(labels) if labels.is_empty() => {
            mistakes.add(FieldPath::new("spec.nodeSelector"), "must have at least one label");
        }
        _ => {}
    }
    let mut first_of_name = HashMap::new();
    for (i, node) in names.iter().enumerate() {
        let path = FieldPath::new("spec.nodes").index(i);
        if !is_host_name(node) {
            mistakes.add(path, format!("must be the host name of a node, got {}", quoted(node)));
        } else if let Some(first) = first_of_name.get(node) {
            let message = format!("{} is already listed in `spec.nodes[{first}]`; remove one", quoted(node));
            mistakes.add(path, message);
        } else {
            first_of_name.insert(node, i);
        }
    }
}

/// The nodes that the config names, then those that the selector matches.
pub fn find(
    named: &[&str],
    selector: Option<&BTreeMap<String, String>>,
    given: &[Resource],
    results: &mut Results,
) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
    let Some(selector) = selector else { return Ok(names) };
    let (nodes, misreads) = nodes::read(&World::new(given));
    if !misreads.is_empty() {
        checks::wrong_type(&misreads, results);
        return Ok(names);
    }
    let mut seen: HashSet<String> = names.iter().cloned().collect();
    let mut is_any = false;
    for node in nodes.into_iter().filter(|node| node.has_labels(selector)) {
        is_any = true;
        if checks::node_name(&node, given, results) && seen.insert(node.host_name.clone()) {
            names.push(node.host_name);
        }
    }
    if is_any {
        return Ok(names);
    }
    let labels: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let message = format!(
        "no Node or BareMetalHost among the resources has the labels {}; kustomize passes no \
         resources to functions under `generators:`, so list this one under `transformers:`",
        labels.join(", ")
    );
    Err(Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.nodeSelector")))
}
