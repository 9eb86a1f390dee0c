//! Compares two documents by their nodes, to see whether they differ only in one field. Values of unchanged
//! nodes are never built.

use std::ops::Range;

use serde_json::Value;

use super::super::document::{Document, Step};
use super::super::scalar::Scalar;
use super::super::tree::{Kind, NodeId};
use super::intent::{equal, set_at};
use super::reread::{Edited, Reread};

impl Document {
    /// Whether the document has no aliases, anchors or tags, so that each node means just what is written
    /// there.
    pub fn is_plain(&self) -> bool {
        self.tree.aliases.is_empty() && self.tree.properties.is_empty()
    }

    /// Whether the edited document has this value at the path (or no value there, for `None`) and is the same
    /// everywhere else. It may return false where a comparison of values would return true, never the
    /// reverse.
    pub(super) fn differs_only_at(&self, edited: &Edited, path: &[Step], value: Option<&Value>) -> bool {
        let Edited { doc, reread } = edited;
        // What was read again of a document has no anchors.
        if (reread.is_none() && !(self.is_plain() && doc.is_plain())) || self.frame != doc.frame {
            return false;
        }
        let Some((old, new)) = self.changed_nodes(doc, path, value) else { return false };
        let (olds, news) = (self.tree.len(), doc.tree.len());
        if old.start != new.start || olds + new.end != news + old.end {
            return false;
        }
        // Nodes that were not read again are copies.
        let read = match reread {
            None => 0..olds,
            Some(Reread { old: read, .. }) if read.start <= old.start && old.end <= read.end => read.clone(),
            Some(_) => return false,
        };
        self.is_same_around(doc, &old, &new, read)
    }

    /// The nodes of a field before and after an edit, if the edit had the intended result.
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
                let rest = if is_null { &path[depth..] } else { &path[depth + 1..] };
                let mut new = Value::Null;
                set_at(&mut new, rest, value?).ok()?;
                return if is_null {
                    self.replaced(edited, node, &new)
                } else {
                    self.appended(edited, node, step, &new)
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
        edited.has_value(node, value).then(|| (self.tree.subtree(node), edited.tree.subtree(node)))
    }

    /// A pair or an element after the last one.
    fn appended(
        &self,
        edited: &Document,
        collection: NodeId,
        step: &Step,
        value: &Value,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let end = self.tree.subtree(collection).end;
        let (start, child) = match (self.tree.kind(collection), step) {
            (Kind::Mapping(_), Step::Key(key)) => {
                let child = edited.own_entry(collection, key)?;
                (edited.tree.key_of(child)?.0 as usize, child)
            }
            (Kind::Sequence(_), Step::Index(index)) if self.tree.children(collection).count() == *index => {
                let child = edited.element(collection, *index)?;
                (child.0 as usize, child)
            }
            _ => return None,
        };
        let is_last = start == end && edited.tree.parent(child) == Some(collection);
        (is_last && edited.has_value(child, value)).then(|| (end..end, start..edited.tree.subtree(child).end))
    }

    fn removed(&self, node: NodeId) -> Option<(Range<usize>, Range<usize>)> {
        let run = self.tree.subtree(node);
        let start = self.tree.key_of(node).map_or(run.start, |key| key.0 as usize);
        Some((start..run.end, start..start))
    }

    fn has_value(&self, node: NodeId, value: &Value) -> bool {
        (node.0 as usize) < self.tree.len() && self.value(node).is_ok_and(|current| equal(&current, value))
    }

    /// Whether all nodes outside these ranges are the same, as far as they are in `read`. Nodes are in document order,
    /// so their kinds and parents determine the structure.
    fn is_same_around(
        &self,
        edited: &Document,
        old: &Range<usize>,
        new: &Range<usize>,
        read: Range<usize>,
    ) -> bool {
        let (olds, news) = (&self.tree.nodes, &edited.tree.nodes);
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
        // The same text can be decoded in two ways, because the indentation of a literal depends on its
        // parent.
        let before =
            self.tree.decoded_in(read.start..old.start).chain(self.tree.decoded_in(old.end..read.end));
        let last = read.end - old.end + new.end;
        let after =
            edited.tree.decoded_in(read.start..new.start).chain(edited.tree.decoded_in(new.end..last));
        (read.start..old.start).chain(old.end..read.end).all(is_same_node)
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
        let edited = Edited { doc: new.clone(), reread: None };
        let verdict = old.differs_only_at(&edited, &path, value.as_ref());
        let mut intended = old.root_value().unwrap();
        match &value {
            Some(value) => set_at(&mut intended, &path, value).unwrap(),
            None => assert!(super::super::intent::remove_at(&mut intended, &path)),
        }
        let is_meant = equal(&new.root_value().unwrap(), &intended);
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
        // An alias can take on another meaning.
        assert!(!differs("a", Some(json!(2)), &OLD.replace("a: 1", "a: &x 2").replace("- g", "- *x")));
    }
}
