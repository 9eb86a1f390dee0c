//! Whether two documents mean the same but for one field, told by their nodes: no values are made of
//! what did not change.

use std::ops::Range;

use serde_json::Value;

use super::document::{Document, Step};
use super::intent::{put, same};
use super::scalar::Scalar;
use super::tree::{Kind, NodeId};

impl Document {
    /// Whether every node means what stands there, and nothing that stands elsewhere.
    pub(super) fn is_plain(&self) -> bool {
        self.tree.aliases.is_empty() && self.tree.properties.is_empty()
    }

    /// Whether the edited document has this value at the path, or nothing if there is none, and is the
    /// same everywhere else. May say no where comparing values would say yes, never the reverse.
    pub(super) fn differs_only_at(&self, edited: &Document, path: &[Step], value: Option<&Value>) -> bool {
        self.is_plain()
            && edited.is_plain()
            && self
                .changed_nodes(edited, path, value)
                .is_some_and(|(old, new)| self.frame == edited.frame && self.is_same_around(edited, old, new))
    }

    /// The nodes of a field before and after an edit, if it made what it was meant to.
    fn changed_nodes(
        &self,
        edited: &Document,
        path: &[Step],
        value: Option<&Value>,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let mut node = self.root()?;
        for (depth, step) in path.iter().enumerate() {
            if self.tree.pairs(node).any(|(key, _)| self.is_merge(key)) {
                return None;
            }
            let child = match step {
                Step::Key(key) => self.own_entry(node, key),
                Step::Index(index) => self.element(node, *index),
            };
            let Some(child) = child else {
                let is_null = self.scalar(node) == Some(Scalar::Null);
                let way = if is_null { &path[depth..] } else { &path[depth + 1..] };
                let mut made = Value::Null;
                put(&mut made, way, value?).ok()?;
                return if is_null {
                    self.replaced(edited, node, &made)
                } else {
                    self.appended(edited, node, step, &made)
                };
            };
            node = child;
        }
        let Some(value) = value else { return self.removed(node) };
        self.replaced(edited, node, value)
    }

    fn replaced(
        &self,
        edited: &Document,
        node: NodeId,
        value: &Value,
    ) -> Option<(Range<usize>, Range<usize>)> {
        edited.has(node, value).then(|| (self.tree.run(node), edited.tree.run(node)))
    }

    /// A pair or an element behind the last one.
    fn appended(
        &self,
        edited: &Document,
        holder: NodeId,
        step: &Step,
        value: &Value,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let end = self.tree.run(holder).end;
        let (start, child) = match (self.tree.kind(holder), step) {
            (Kind::Mapping(_), Step::Key(key)) => {
                let child = edited.own_entry(holder, key)?;
                (edited.tree.key_of(child)?.0 as usize, child)
            }
            (Kind::Sequence(_), Step::Index(index)) if self.tree.children(holder).count() == *index => {
                let child = edited.element(holder, *index)?;
                (child.0 as usize, child)
            }
            _ => return None,
        };
        let is_last = start == end && edited.tree.parent(child) == Some(holder);
        (is_last && edited.has(child, value)).then(|| (end..end, start..edited.tree.run(child).end))
    }

    fn removed(&self, node: NodeId) -> Option<(Range<usize>, Range<usize>)> {
        let run = self.tree.run(node);
        let start = self.tree.key_of(node).map_or(run.start, |key| key.0 as usize);
        Some((start..run.end, start..start))
    }

    fn has(&self, node: NodeId, value: &Value) -> bool {
        (node.0 as usize) < self.tree.len() && self.value(node).is_ok_and(|there| same(&there, value))
    }

    /// Whether all nodes but these runs are the same. Nodes stand in document order, so kinds and parents
    /// tell the whole structure.
    fn is_same_around(&self, edited: &Document, old: Range<usize>, new: Range<usize>) -> bool {
        let (olds, news) = (&self.tree.nodes, &edited.tree.nodes);
        if old.start != new.start || olds.len() - old.end != news.len() - new.end {
            return false;
        }
        let shifted = |index: usize| if index < old.end { index } else { index - old.end + new.end };
        let is_same_node = |index: usize| {
            let (a, b) = (&olds[index], &news[shifted(index)]);
            let is_same_kind = match (a.kind, b.kind) {
                (Kind::Mapping(_), Kind::Mapping(_)) | (Kind::Sequence(_), Kind::Sequence(_)) => true,
                (Kind::Scalar(_), kind) if kind == a.kind => {
                    self.text.as_bytes()[a.start as usize..a.end as usize]
                        == edited.text.as_bytes()[b.start as usize..b.end as usize]
                }
                _ => false,
            };
            let parent = a.parent as usize;
            is_same_kind && !old.contains(&parent) && shifted(parent) == b.parent as usize
        };
        // What is written alike may still be decoded in two ways: the columns of a literal count from
        // its parent.
        let outside = |changed: &Range<usize>| {
            let changed = changed.clone();
            move |(id, _): &&(NodeId, Box<str>)| !changed.contains(&(id.0 as usize))
        };
        let before = self.tree.decoded.iter().filter(outside(&old));
        let after = edited.tree.decoded.iter().filter(outside(&new));
        (0..old.start).chain(old.end..olds.len()).all(is_same_node)
            && before
                .map(|(id, text)| (shifted(id.0 as usize), text))
                .eq(after.map(|(id, text)| (id.0 as usize, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const OLD: &str = "a: 1\nb:\n  c: |\n    text\n  d: [x]\ne:\nf:\n- g\n- h: 1\n";

    #[track_caller]
    fn differs(path: &str, value: Option<Value>, new: &str) -> bool {
        let path: Vec<Step> = path
            .split('.')
            .map(|s| s.parse().map_or_else(|_| Step::Key(s.to_owned()), Step::Index))
            .collect();
        let (old, new) = (Document::parse(OLD).unwrap(), Document::parse(new).unwrap());
        let verdict = old.differs_only_at(&new, &path, value.as_ref());
        let mut intended = old.root_value().unwrap();
        match &value {
            Some(value) => put(&mut intended, &path, value).unwrap(),
            None => assert!(crate::yaml::intent::take(&mut intended, &path)),
        }
        let is_meant = same(&new.root_value().unwrap(), &intended);
        assert!(is_meant || !verdict, "the values differ elsewhere");
        verdict
    }

    #[test]
    fn a_change_of_one_field_is_seen_as_such() {
        assert!(differs("a", Some(json!(2)), &OLD.replace("a: 1", "a: 2")));
        assert!(differs("b.c", Some(json!("more\n")), &OLD.replace("text", "more")));
        assert!(differs("b", Some(json!({"x": 1})), "a: 1\nb:\n  x: 1\ne:\nf:\n- g\n- h: 1\n"));
        assert!(differs("e.n.m", Some(json!(1)), &OLD.replace("e:", "e: {n: {m: 1}}")));
        assert!(differs("b.n", Some(json!(1)), &OLD.replace("[x]", "[x]\n  n: 1")));
        assert!(differs("b.d.1", Some(json!("y")), &OLD.replace("[x]", "[x, y]")));
        assert!(differs("f.2.i", Some(json!(1)), &format!("{OLD}- i: 1\n")));
        assert!(differs("b.c", None, &OLD.replace("  c: |\n    text\n", "")));
        assert!(differs("f.1.h", None, &OLD.replace("h: 1", "{}")));
        assert!(differs("f.0", None, &OLD.replace("- g\n", "")));
    }

    #[test]
    fn a_change_of_anything_else_is_seen_too() {
        assert!(!differs("a", Some(json!(2)), OLD));
        assert!(!differs("a", Some(json!(2)), &OLD.replace("a: 1", "a: 2").replace("- g", "- G")));
        assert!(!differs("a", Some(json!(2)), &OLD.replace("a: 1", "a: 2").replace("text", "  text")));
        assert!(!differs("a", Some(json!(2)), &OLD.replace("a: 1", "a: 2").replace("- h", "- - h")));
        assert!(!differs("b.c", Some(json!("more\n")), &OLD.replace("text", "more").replace("a:", "b2:")));
        assert!(!differs("b.n", Some(json!(1)), &OLD.replace("e:", "e:\n  n: 1")));
        assert!(!differs("b.c", None, &OLD.replace("  c: |\n    text\n", "").replace("- g\n", "")));
        assert!(!differs("f.0", None, &OLD.replace("- g\n- h: 1", "- g")));
        // An alias may mean what it did not mean before.
        assert!(!differs("a", Some(json!(2)), &OLD.replace("a: 1", "a: &x 2").replace("- g", "- *x")));
    }
}
