//! The nodes that get volumes.

use std::collections::HashSet;

use super::Volumes;
use crate::checks::{self, rules};
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::model::{World, nodes};

impl Volumes {
    /// The nodes that the config names, then those that the selector matches.
    pub fn all_nodes(&self, given: &[Resource], results: &mut Results) -> Result<Vec<String>, Fault> {
        let mut names = self.nodes.clone();
        let Some(selector) = &self.node_selector else { return Ok(names) };
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
}
