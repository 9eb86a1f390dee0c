//! A text with its tree: reading.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::{Map, Number, Value};

use super::error::{Position, YamlError};
use super::events::Style;
use super::scalar::{self, Scalar};
use super::scan::line_end;
use super::text::Text;
use super::tree::{Kind, NodeId, Tree};

/// One step of the way from a root to a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// How the root is found in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// The text is the document.
    Whole,
    /// The text is one entry of a block sequence, dash and indentation included.
    Entry,
}

/// Aliases may make a small text mean a large value. This many nodes more than the text has are
/// taken for honest use.
const ALIAS_ALLOWANCE: usize = 1_000_000;

/// The parser limits how deep a text nests; through aliases a value may be deeper, but not deeper than
/// the stack is good for.
const DEPTH: usize = 256;

#[derive(Debug, Clone)]
pub struct Document {
    pub(super) text: Text,
    pub(super) tree: Tree,
    pub(super) frame: Frame,
    pub(super) json: bool,
    root: Option<NodeId>,
}

impl Document {
    /// Reads a text that holds one document.
    pub fn parse(text: impl Into<Text>) -> Result<Self, YamlError> {
        Self::framed(text, Frame::Whole)
    }

    /// Reads one entry of a block sequence: whole lines, from the one with the dash.
    pub fn parse_entry(text: impl Into<Text>) -> Result<Self, YamlError> {
        Self::framed(text, Frame::Entry)
    }

    pub(super) fn framed(text: impl Into<Text>, frame: Frame) -> Result<Self, YamlError> {
        let text = text.into();
        let tree = Tree::parse(&text)?;
        let json = frame == Frame::Whole && looks_like_json(&text);
        Ok(Document { json, ..Self::of(text, tree, frame) })
    }

    /// A text and what was read in it.
    pub(super) fn of(text: Text, tree: Tree, frame: Frame) -> Self {
        let root = match frame {
            Frame::Whole => tree.root(),
            Frame::Entry => tree.root().and_then(|sequence| tree.children(sequence).next()),
        };
        Document { text, tree, frame, json: false, root }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without a copy of it.
    pub fn shared_text(&self) -> Text {
        self.text.clone()
    }

    pub fn into_text(self) -> String {
        self.text.into_string()
    }

    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The node as it is written.
    pub fn source(&self, id: NodeId) -> &str {
        &self.text[self.tree.span(id)]
    }

    /// The line and column of a byte of the text.
    pub fn position(&self, at: usize) -> Position {
        Position::of(self.text.as_bytes(), at)
    }

    /// The node behind an alias, or the node itself.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        self.tree.alias_target(id).unwrap_or(id)
    }

    /// The node at a path, through aliases and merge keys.
    pub fn find<'p>(&self, path: impl IntoIterator<Item = &'p Step>) -> Option<NodeId> {
        path.into_iter().try_fold(self.resolve(self.root?), |node, step| {
            let child = match step {
                Step::Key(key) => self.entry(node, key)?,
                Step::Index(index) => self.element(node, *index)?,
            };
            Some(self.resolve(child))
        })
    }

    /// Where a reader looks for a path: at the key of a field with the value that follows on its line, or at
    /// an element of a list. What does not exist is looked for at its nearest ancestor that does.
    pub fn locate(&self, path: &[Step]) -> Option<Range<usize>> {
        let mut node = self.root()?;
        let mut place = node;
        for step in path {
            let collection = self.resolve(node);
            let child = match step {
                Step::Key(key) => self.entry(collection, key),
                Step::Index(index) => self.element(collection, *index),
            };
            let Some(child) = child else { break };
            // An aliased or merged field is looked for where it is written.
            place = self.tree.key_of(child).unwrap_or(child);
            node = child;
        }
        let start = self.tree.span(place).start;
        let is_scalar = matches!(self.tree.kind(node), Kind::Scalar(_) | Kind::Alias);
        let end = if is_scalar { self.tree.span(node).end } else { self.tree.span(place).end };
        let line = &self.text[start..line_end(&self.text, start)];
        // Of a value that follows on other lines, or is in another place, the key alone.
        let end =
            if (start..=start + line.len()).contains(&end) { end } else { self.end_of_head(place, line) };
        Some(start..end)
    }

    /// The end of what is to be seen of a node on its first line.
    fn end_of_head(&self, node: NodeId, line: &str) -> usize {
        let span = self.tree.span(node);
        span.end.min(span.start + line.trim_end().len())
    }

    /// A mapping's value by key; its own keys come before merged ones.
    pub fn entry(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.own_entry(mapping, key)
            .or_else(|| self.merged(mapping).into_iter().find_map(|source| self.own_entry(source, key)))
    }

    /// A mapping's value by key, merge keys left aside.
    pub fn own_entry(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        if !matches!(self.tree.kind(mapping), Kind::Mapping(_)) {
            return None;
        }
        self.tree.pairs(mapping).find(|(k, _)| self.is_key(*k, key)).map(|(_, value)| value)
    }

    pub(super) fn is_key(&self, node: NodeId, key: &str) -> bool {
        !self.is_merge(node) && self.key_text(node) == Some(key)
    }

    /// A mapping's keys and values, merged ones included, each key once.
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

    /// A mapping's pairs without its merge keys.
    fn own_pairs(&self, mapping: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.tree.pairs(mapping).filter(|(key, _)| !self.is_merge(*key))
    }

    pub fn element(&self, sequence: NodeId, index: usize) -> Option<NodeId> {
        match self.tree.kind(sequence) {
            Kind::Sequence(_) => self.tree.children(sequence).nth(index),
            _ => None,
        }
    }

    /// A key's text; none for a key that is no scalar.
    pub fn key_text(&self, node: NodeId) -> Option<&str> {
        let node = self.resolve(node);
        matches!(self.tree.kind(node), Kind::Scalar(_)).then(|| self.tree.text(&self.text, node))
    }

    pub(super) fn is_merge(&self, key: NodeId) -> bool {
        self.tree.is_merge(&self.text, key)
    }

    /// The mappings that merge keys bring in, directly or through each other, the ones that win first.
    /// Each stands once: one that was searched before has nothing new to give.
    fn merged(&self, mapping: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([mapping]);
        let mut waiting = self.merge_sources(mapping);
        waiting.reverse();
        while let Some(source) = waiting.pop() {
            if seen.insert(source) {
                found.push(source);
                waiting.extend(self.merge_sources(source).into_iter().rev());
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

    pub fn scalar(&self, id: NodeId) -> Option<Scalar<'_>> {
        let id = self.resolve(id);
        let Kind::Scalar(style) = self.tree.kind(id) else { return None };
        let text = self.tree.text(&self.text, id);
        Some(match self.tree.properties(id).and_then(|p| p.tag.as_deref()) {
            Some(tag) => scalar::resolve_tagged(tag, text),
            None if style == Style::Plain => scalar::resolve(text),
            None => Scalar::Str(text),
        })
    }

    /// The node as a value, aliases and merge keys resolved.
    pub fn value(&self, id: NodeId) -> Result<Value, YamlError> {
        let mut budget = self.tree.len() + ALIAS_ALLOWANCE;
        self.spend(id, 0, &mut budget)
    }

    /// The whole document as a value.
    pub fn root_value(&self) -> Result<Value, YamlError> {
        self.root.map_or(Ok(Value::Null), |root| self.value(root))
    }

    fn spend(&self, id: NodeId, depth: usize, budget: &mut usize) -> Result<Value, YamlError> {
        *budget = budget.checked_sub(1).ok_or_else(|| {
            self.error(id, "the aliases of this document multiply to more than a million nodes")
        })?;
        if depth > DEPTH {
            return Err(self.error(id, "the aliases of this document nest too deep"));
        }
        let id = self.resolve(id);
        match self.tree.kind(id) {
            Kind::Sequence(_) => {
                self.tree.children(id).map(|child| self.spend(child, depth + 1, budget)).collect()
            }
            Kind::Mapping(_) => {
                if let Some((key, _)) = self.own_pairs(id).find(|(key, _)| self.key_text(*key).is_none()) {
                    return Err(self.error(key, "a mapping key must be a string"));
                }
                let mut map = Map::new();
                for (key, value) in self.entries(id) {
                    map.insert(key.to_owned(), self.spend(value, depth + 1, budget)?);
                }
                Ok(Value::Object(map))
            }
            Kind::Scalar(_) | Kind::Alias => self.scalar_value(id),
        }
    }

    fn scalar_value(&self, id: NodeId) -> Result<Value, YamlError> {
        Ok(match self.scalar(id).unwrap_or(Scalar::Null) {
            Scalar::Null => Value::Null,
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::from(i),
            Scalar::Uint(u) => Value::from(u),
            Scalar::Float(f) => float_value(f)
                .ok_or_else(|| self.error(id, "infinity and not-a-number do not exist in JSON"))?,
            Scalar::Str(s) => Value::from(s),
        })
    }

    pub(super) fn error(&self, id: NodeId, message: &str) -> YamlError {
        YamlError::at(&self.text, self.tree.span(id).start, message)
    }
}

/// A float as JSON: whole ones become integers, as they do on their way through the API server.
pub(super) fn float_value(f: f64) -> Option<Value> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    if f.fract() == 0.0 && f.abs() <= EXACT {
        Some(Value::from(f as i64))
    } else {
        Number::from_f64(f).map(Value::Number)
    }
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(text.trim_start_matches('\u{feff}')).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(text: &str) -> Value {
        Document::parse(text).unwrap().root_value().unwrap()
    }

    #[test]
    fn merge_keys_fill_in_what_is_not_there() {
        let text =
            "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  !!merge <<: [*a, *b]\n  x: 0\nd:\n  <<: *b\n";
        let v = value(text);
        assert_eq!(v["c"], json!({"x": 0, "y": 2, "z": 4}));
        assert_eq!(v["d"], json!({"y": 3, "z": 4}));
        let doc = Document::parse(text).unwrap();
        let path = [Step::Key("c".into()), Step::Key("z".into())];
        assert_eq!(doc.source(doc.find(&path).unwrap()), "4");
    }

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

    #[test]
    fn a_quoted_merge_sign_is_a_key() {
        assert_eq!(value("\"<<\": {a: 1}\n"), json!({"<<": {"a": 1}}));
    }

    #[test]
    fn whole_floats_are_integers() {
        assert_eq!(value("[1e3, 1.0, 0.5, 1e30]"), json!([1000, 1, 0.5, 1e30]));
    }

    #[test]
    fn an_alias_bomb_is_refused() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for i in 1..12 {
            let before = format!("*a{}, ", i - 1).repeat(10);
            text.push_str(&format!("a{i}: &a{i} [{before}]\n"));
        }
        let doc = Document::parse(text).unwrap();
        assert!(doc.root_value().unwrap_err().message().contains("aliases"));
    }

    #[test]
    fn merge_bombs_and_chains_of_aliases_are_harmless() {
        let mut bomb = String::from("a0: &a0 {x: 1}\n");
        let mut chain = bomb.clone();
        for i in 1..60 {
            let before = format!("*a{}", i - 1);
            bomb.push_str(&format!("a{i}: &a{i} {{<<: [{before}, {before}]}}\n"));
        }
        let doc = Document::parse(bomb).unwrap();
        let path = ["a59", "y"].map(|key| Step::Key(key.into()));
        assert_eq!(doc.find(&path), None);
        assert_eq!(doc.root_value().unwrap()["a59"], json!({"x": 1}));
        for i in 1..20_000 {
            chain.push_str(&format!("a{i}: &a{i} [*a{}]\n", i - 1));
        }
        let doc = Document::parse(chain).unwrap();
        assert!(doc.root_value().unwrap_err().message().contains("nest too deep"));
        // A list beside a merge sign is no merge.
        assert_eq!(value("[<<, {kind: X}]"), json!(["<<", {"kind": "X"}]));
    }

    #[test]
    fn a_list_entry_reads_like_a_document() {
        let doc = Document::parse_entry("  - # head\n    kind: A\n    n: [1]\n").unwrap();
        assert_eq!(doc.root_value().unwrap(), json!({"kind": "A", "n": [1]}));
    }
}
