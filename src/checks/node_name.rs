//! Nodes whose host name is not valid.

use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::nodes::Node;
use crate::platform::kubernetes::is_host_name;

/// Reports a node whose host name nothing can select. Returns whether the name is valid.
pub fn node_name(node: &Node, items: &[Resource], results: &mut Results) -> bool {
    let is_valid = is_host_name(&node.host_name);
    if !is_valid {
        let message =
            format!("{} is not a valid host name, so nothing can select it", quoted(&node.host_name));
        results.error(&rules::NODE_NAME, message).on(node.item.get(items));
    }
    is_valid
}
