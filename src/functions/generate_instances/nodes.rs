//! The nodes, and the numbers that their addresses depend on.

use std::collections::HashMap;

use super::Fleet;
use super::instance_spec::NodeSpec;
use crate::checks::rules;
use crate::functions::named_nodes;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};

/// A node of the cluster.
#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    /// What is added to the first address of each network.
    pub index: u32,
    /// The NIC, if it has another name than on the other nodes.
    pub interface: Option<String>,
}

impl Fleet {
    pub fn all_nodes(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Node>, Fault> {
        let named: Vec<&str> = self.nodes.iter().map(|node| node.name.as_str()).collect();
        let names = named_nodes::find(&named, self.node_selector.as_ref(), given, results)?;
        let mut nodes: Vec<Node> = Vec::new();
        let mut first_of_index: HashMap<u32, String> = HashMap::new();
        for (position, name) in names.into_iter().enumerate() {
            let spec: Option<&NodeSpec> = self.nodes.get(position);
            let index = spec.and_then(|node| node.index).or_else(|| u32::try_from(position).ok());
            let index = index.unwrap_or(u32::MAX);
            if let Some(first) = first_of_index.insert(index, name.clone()) {
                let message = format!(
                    "{} would have the same addresses as {}, because both have the index {index}; list it in `nodes` with \
                     an `index` of its own",
                    quoted(&name),
                    quoted(&first)
                );
                results.error(&rules::WRONG_VALUE, message).in_config(FieldPath::new("spec.nodes"));
            }
            nodes.push(Node { name, index, interface: spec.and_then(|node| node.interface.clone()) });
        }
        Ok(nodes)
    }
}
