//! Changes a node to a value with as few splices as possible. Unchanged members are not touched.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::error::YamlError;
use super::super::events::Style;
use super::super::tree::{Kind, NodeId};
use super::editor::Editor;
use super::intent::equal;

/// What happens to the members of a collection.
#[derive(Default)]
struct Plan<'v> {
    /// Members that stay, with their new values.
    kept: Vec<(NodeId, &'v Value)>,
    /// Members to remove, by position.
    removed: Vec<usize>,
    /// Pairs to add to a mapping.
    new_pairs: Vec<(&'v str, &'v Value)>,
    /// Elements to add to a list.
    new_elements: &'v [Value],
}

impl Editor<'_> {
    pub(super) fn update(&mut self, node: NodeId, value: &Value) -> Result<(), YamlError> {
        if equal(&self.doc.value(node)?, value) {
            return Ok(());
        }
        let plan = match (self.doc.tree().kind(node), value) {
            (Kind::Mapping(_), Value::Object(map)) => self.plan_mapping(node, map),
            (Kind::Sequence(_), Value::Array(list)) => self.plan_sequence(node, list),
            _ => None,
        };
        let is_done = match (plan, self.doc.tree().kind(node), value) {
            (Some(plan), _, _) => self.apply(node, plan)?,
            (None, Kind::Scalar(Style::Literal), Value::String(text)) => self.update_literal(node, text),
            _ => false,
        };
        if !is_done {
            self.replace(node, value);
        }
        Ok(())
    }

    /// Applies a plan. Returns false, and changes nothing, if no member stays or if two splices would touch.
    fn apply(&mut self, node: NodeId, plan: Plan<'_>) -> Result<bool, YamlError> {
        let members = plan.kept.len() + plan.removed.len();
        let removes_last = plan.removed.last().is_some_and(|last| last + 1 == members);
        let grows = !plan.new_pairs.is_empty() || !plan.new_elements.is_empty();
        if plan.kept.is_empty() || (grows && removes_last) {
            return Ok(false);
        }
        for (child, value) in plan.kept {
            self.update(child, value)?;
        }
        self.insert(node, &plan.new_pairs);
        self.push(node, plan.new_elements);
        for run in plan.removed.chunk_by(|a, b| a + 1 == *b) {
            self.remove(node, run[0]..=run[run.len() - 1]);
        }
        Ok(true)
    }

    /// None if a key is a merge key or not a string, or if an alias refers to a member.
    fn plan_mapping<'v>(&self, node: NodeId, map: &'v Map<String, Value>) -> Option<Plan<'v>> {
        let mut plan = Plan::default();
        let mut existing = HashSet::new();
        for (index, (key, child)) in self.doc.tree().pairs(node).enumerate() {
            let text = self.doc.key_text(key).filter(|_| !self.doc.is_merge(key))?;
            existing.insert(text);
            match map.get(text) {
                Some(value) => plan.kept.push((child, value)),
                None => plan.removed.push(index),
            }
        }
        let new = map.iter().filter(|(key, _)| !existing.contains(key.as_str()));
        plan.new_pairs = new.map(|(key, value)| (key.as_str(), value)).collect();
        (!self.has_aliased_member(node)).then_some(plan)
    }

    /// Elements keep their position: a shorter list loses its last ones, a longer one grows at the end.
    fn plan_sequence<'v>(&self, node: NodeId, list: &'v [Value]) -> Option<Plan<'v>> {
        let children: Vec<NodeId> = self.doc.tree().children(node).collect();
        let plan = Plan {
            kept: children.iter().copied().zip(list).collect(),
            removed: (list.len()..children.len()).collect(),
            new_elements: list.get(children.len()..).unwrap_or_default(),
            new_pairs: Vec::new(),
        };
        (!self.has_aliased_member(node)).then_some(plan)
    }

    fn has_aliased_member(&self, node: NodeId) -> bool {
        self.doc.tree().children(node).any(|child| self.doc.tree().is_aliased(child))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::expect::set;

    #[test]
    fn collections_change_member_by_member() {
        set(
            "a:\n  # about x\n  x: 1\n  # about y\n  y: [1, 2] # c\nb: 1\n",
            "a",
            json!({"x": 1, "y": [1, 3], "z": 2}),
            "a:\n  # about x\n  x: 1\n  # about y\n  y: [1, 3] # c\n  z: 2\nb: 1\n",
        );
        set(
            "a:\n- n: x # first\n  v: 1\n- n: y\n",
            "a",
            json!([{"n": "x", "v": 2}]),
            "a:\n- n: x # first\n  v: 2\n",
        );
        set("a:\n- k: x # first\n", "a", json!([{"k": "x"}, {"k": "z"}]), "a:\n- k: x # first\n- k: z\n");
    }

    #[test]
    fn consecutive_members_are_removed_together() {
        set("a: 1\nb: 2\nc: 3", "", json!({"a": 1}), "a: 1");
        set("- a: 1\n  b: 2\n  c: 3\n", "0", json!({"c": 3}), "- c: 3\n");
        set("{a: 1, b: 2, c: 3, d: 4}\n", "", json!({"b": 2}), "{b: 2}\n");
        set("[1, 2, 3]\n", "", json!([1]), "[1]\n");
        set("a: 1\n# about b\nb: 2\n# about c\nc: 3\nd: 4\n", "", json!({"a": 1, "d": 4}), "a: 1\nd: 4\n");
    }
}
