//! Finding nodes by key, index and path, through aliases and merge keys.

use std::collections::HashSet;
use std::ops::Range;

use super::document::{Document, Step};
use super::tree::{Kind, NodeId};

impl Document {
    /// The node that an alias refers to, or the node itself.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        self.tree.alias_target(id).unwrap_or(id)
    }

    /// The node at a path.
    pub fn find<'p>(&self, path: impl IntoIterator<Item = &'p Step>) -> Option<NodeId> {
        path.into_iter()
            .try_fold(self.resolve(self.root()?), |node, step| Some(self.resolve(self.child(node, step)?)))
    }

    fn child(&self, collection: NodeId, step: &Step) -> Option<NodeId> {
        match step {
            Step::Key(key) => self.entry(collection, key),
            Step::Index(index) => self.element(collection, *index),
        }
    }

    /// The bytes to show for a path: the key of a field together with a value on the same line, or an element
    /// of a list. For a missing field, those of its nearest existing ancestor.
    pub fn locate(&self, path: &[Step]) -> Option<Range<usize>> {
        let mut node = self.root()?;
        let mut place = node;
        for step in path {
            let Some(child) = self.child(self.resolve(node), step) else { break };
            // An aliased or merged field is shown where it is written.
            place = self.tree.key_of(child).unwrap_or(child);
            node = child;
        }
        let start = self.tree.span(place).start;
        let is_scalar = matches!(self.tree.kind(node), Kind::Scalar(_) | Kind::Alias);
        let end = if is_scalar { self.tree.span(node).end } else { self.tree.span(place).end };
        // Only the bytes of the node are searched for the end of the line: JSON of any size can be one line.
        let line = self.text.get(start..end)?.split('\n').next().unwrap_or_default();
        if start + line.len() == end {
            return Some(start..end);
        }
        Some(start..self.tree.span(place).end.min(start + line.trim_end().len()))
    }

    /// The value of a key. A key of the mapping itself takes precedence over merged ones.
    pub fn entry(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.own_entry(mapping, key)
            .or_else(|| self.merged(mapping).into_iter().find_map(|source| self.own_entry(source, key)))
    }

    /// The values of several keys, in one pass.
    pub fn entries_of<const N: usize>(&self, mapping: NodeId, keys: [&str; N]) -> [Option<NodeId>; N] {
        let mut found = [None; N];
        if !matches!(self.tree.kind(mapping), Kind::Mapping(_)) {
            return found;
        }
        let mut has_merge = false;
        for (key, value) in self.tree.pairs(mapping) {
            let text = self.key_text(key);
            has_merge |= text == Some("<<") && self.is_merge(key);
            if let Some(at) = keys.iter().position(|key| Some(*key) == text) {
                found[at] = found[at].or(Some(value));
            }
        }
        if has_merge {
            return keys.map(|key| self.entry(mapping, key));
        }
        found
    }

    /// The value of a key of the mapping itself, without merge keys.
    pub(super) fn own_entry(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        if !matches!(self.tree.kind(mapping), Kind::Mapping(_)) {
            return None;
        }
        self.pair(mapping, key).map(|(_, value)| value)
    }

    pub(super) fn is_key(&self, node: NodeId, key: &str) -> bool {
        self.key_text(node) == Some(key) && !self.is_merge(node)
    }

    /// The keys and values of a mapping, including merged ones. Each key occurs once.
    pub fn entries(&self, mapping: NodeId) -> Vec<(&str, NodeId)> {
        let mut seen = HashSet::new();
        let mut entries = Vec::new();
        for source in std::iter::once(mapping).chain(self.merged(mapping)) {
            for (key, value) in self.own_pairs(source) {
                if let Some(key) = self.key_text(key)
                    && seen.insert(key)
                {
                    entries.push((key, value));
                }
            }
        }
        entries
    }

    /// The pairs of a mapping without its merge keys.
    pub(super) fn own_pairs(&self, mapping: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.tree.pairs(mapping).filter(|(key, _)| !self.is_merge(*key))
    }

    pub fn element(&self, sequence: NodeId, index: usize) -> Option<NodeId> {
        match self.tree.kind(sequence) {
            Kind::Sequence(_) => self.nth_child(sequence, index),
            _ => None,
        }
    }

    /// The text of a key, or of another scalar, whatever its type is. None if it is not a scalar.
    pub fn key_text(&self, node: NodeId) -> Option<&str> {
        let node = self.resolve(node);
        matches!(self.tree.kind(node), Kind::Scalar(_)).then(|| self.tree.text(&self.text, node))
    }

    pub(super) fn is_merge(&self, key: NodeId) -> bool {
        self.tree.is_merge(&self.text, key)
    }

    /// The mappings that are merged into this one, directly or indirectly, in the order of precedence. Each
    /// occurs once: later occurrences cannot add a key.
    fn merged(&self, mapping: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([mapping]);
        let mut pending = self.merge_sources(mapping);
        pending.reverse();
        while let Some(source) = pending.pop() {
            if seen.insert(source) {
                found.push(source);
                pending.extend(self.merge_sources(source).into_iter().rev());
            }
        }
        found
    }

    fn merge_sources(&self, mapping: NodeId) -> Vec<NodeId> {
        let mut sources = Vec::new();
        if !matches!(self.tree.kind(mapping), Kind::Mapping(_)) {
            return sources;
        }
        for (_, value) in self.tree.pairs(mapping).filter(|(key, _)| self.is_merge(*key)) {
            let value = self.resolve(value);
            match self.tree.kind(value) {
                Kind::Sequence(_) => sources.extend(self.tree.children(value).map(|c| self.resolve(c))),
                _ => sources.push(value),
            }
        }
        sources.retain(|source| matches!(self.tree.kind(*source), Kind::Mapping(_)));
        sources
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_at_its_key_and_a_missing_one_at_its_parent() {
        let doc = Document::parse("a: &a\n  # c\n  b: 1 # c\nl:\n- x: 1\n\n  y:\n    z: |\n      t\nm: *a\n")
            .unwrap();
        for (path, line, found) in [
            (&["a"][..], 1, "a"),
            (&["a", "b"], 3, "b: 1"),
            (&["a", "missing"], 1, "a"),
            (&["l"], 4, "l"),
            (&["l", "0"], 5, "x: 1"),
            (&["l", "0", "missing", "x"], 5, "x: 1"),
            (&["l", "0", "y"], 7, "y"),
            (&["l", "0", "y", "z"], 8, "z"),
            (&["l", "7"], 4, "l"),
            (&["m"], 10, "m: *a"),
            (&["m", "b"], 3, "b: 1"),
            (&["missing"], 1, "a: &a"),
        ] {
            let step = |s: &&str| s.parse().map_or_else(|_| Step::Key((*s).to_owned()), Step::Index);
            let steps: Vec<Step> = path.iter().map(step).collect();
            let span = doc.locate(&steps).unwrap();
            assert_eq!((doc.position(span.start).line, &doc.text()[span]), (line, found), "{path:?}");
        }
    }
}
