//! A text with its tree: reading.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::error::{Position, YamlError};
use super::events::Style;
use super::scalar::{self, Scalar};
use super::tree::{Kind, NodeId, Tree};

/// One step of the way from a root to a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    Key(String),
    Index(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => f.write_str(key),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
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

#[derive(Debug, Clone)]
pub struct Document {
    pub(super) text: String,
    pub(super) tree: Tree,
    pub(super) frame: Frame,
    pub(super) json: bool,
    root: Option<NodeId>,
}

impl Document {
    /// Reads a text that holds one document.
    pub fn parse(text: impl Into<String>) -> Result<Self, YamlError> {
        Self::framed(text.into(), Frame::Whole)
    }

    /// Reads one entry of a block sequence: whole lines, from the one with the dash.
    pub fn parse_entry(text: impl Into<String>) -> Result<Self, YamlError> {
        Self::framed(text.into(), Frame::Entry)
    }

    pub(super) fn framed(text: String, frame: Frame) -> Result<Self, YamlError> {
        let tree = Tree::parse(&text)?;
        let root = match frame {
            Frame::Whole => tree.root(),
            Frame::Entry => tree.root().and_then(|sequence| tree.children(sequence).next()),
        };
        let json = frame == Frame::Whole && looks_like_json(&text);
        Ok(Document { text, tree, frame, json, root })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn into_text(self) -> String {
        self.text
    }

    /// Whether the text is JSON, so that what is added must be JSON too.
    pub fn is_json(&self) -> bool {
        self.json
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

    pub fn position(&self, id: NodeId) -> Position {
        Position::of(&self.text, self.tree.span(id).start)
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

    /// A mapping's value by key; its own keys come before merged ones.
    pub fn entry(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.own_entry(mapping, key)
            .or_else(|| self.merged(mapping).into_iter().find_map(|source| self.entry(source, key)))
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

    /// A mapping's keys, merged ones included, each once.
    pub fn keys(&self, mapping: NodeId) -> Vec<&str> {
        let own = self.tree.pairs(mapping).filter(|(key, _)| !self.is_merge(*key));
        let mut keys: Vec<&str> = own.filter_map(|(key, _)| self.key_text(key)).collect();
        for source in self.merged(mapping) {
            for key in self.keys(source) {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        keys
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

    /// `<<` or, as kpt writes it, `!!merge <<`.
    pub(super) fn is_merge(&self, key: NodeId) -> bool {
        self.tree.kind(key) == Kind::Scalar(Style::Plain)
            && self.source(key) == "<<"
            && self.tree.properties(key).and_then(|p| p.tag.as_deref()).is_none_or(|t| t == "!!merge")
    }

    /// The mappings that merge keys bring in, the ones that win first.
    fn merged(&self, mapping: NodeId) -> Vec<NodeId> {
        let mut sources = Vec::new();
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
        self.spend(id, &mut budget)
    }

    /// The whole document as a value.
    pub fn root_value(&self) -> Result<Value, YamlError> {
        self.root.map_or(Ok(Value::Null), |root| self.value(root))
    }

    fn spend(&self, id: NodeId, budget: &mut usize) -> Result<Value, YamlError> {
        *budget = budget.checked_sub(1).ok_or_else(|| {
            self.error(id, "the aliases of this document multiply to more than a million nodes")
        })?;
        match self.tree.kind(id) {
            Kind::Alias => match self.tree.alias_target(id) {
                Some(target) => self.spend(target, budget),
                None => Ok(Value::Null),
            },
            Kind::Sequence(_) => self.tree.children(id).map(|child| self.spend(child, budget)).collect(),
            Kind::Mapping(_) => self.mapping(id, budget).map(Value::Object),
            Kind::Scalar(_) => self.scalar_value(id),
        }
    }

    fn mapping(&self, id: NodeId, budget: &mut usize) -> Result<Map<String, Value>, YamlError> {
        let mut map = Map::new();
        for (key, value) in self.tree.pairs(id) {
            if self.is_merge(key) {
                continue;
            }
            let Some(name) = self.key_text(key) else {
                return Err(self.error(key, "a mapping key must be a string"));
            };
            map.insert(name.to_owned(), self.spend(value, budget)?);
        }
        for source in self.merged(id) {
            for (key, value) in self.mapping(source, budget)? {
                map.entry(key).or_insert(value);
            }
        }
        Ok(map)
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
        assert!(doc.root_value().unwrap_err().message.contains("aliases"));
    }

    #[test]
    fn a_list_entry_reads_like_a_document() {
        let doc = Document::parse_entry("  - # head\n    kind: A\n    n: [1]\n").unwrap();
        assert_eq!(doc.root_value().unwrap(), json!({"kind": "A", "n": [1]}));
    }
}
