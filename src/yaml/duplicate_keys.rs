//! Keys that a mapping contains twice. No reader accepts them in the same way, so they are errors; a linter reads the
//! rest of such a document all the same.

use std::collections::HashMap;
use std::ops::Range;

use super::document::{Document, Frame};
use super::error::YamlError;
use super::order::Order as _;
use super::text::Text;
use super::tree::{Kind, NodeId, Tree};

/// A key that a mapping already contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateKey {
    pub key: String,
    pub at: Range<usize>,
    /// The first of these keys, which counts for readers of the document.
    pub first: Range<usize>,
}

impl Document {
    /// Like [`Document::parse`], but accepts duplicate keys and returns them, in document order.
    pub fn parse_with_duplicate_keys(
        text: impl Into<Text>,
    ) -> Result<(Document, Vec<DuplicateKey>), YamlError> {
        let text = text.into();
        let tree = Tree::parse_with_duplicate_keys(&text)?;
        let duplicates = tree.duplicate_keys(&text);
        Ok((Document::of(text, tree, Frame::Whole), duplicates))
    }
}

impl Tree {
    /// Every key that its mapping already contains, in document order.
    fn duplicate_keys(&self, source: &str) -> Vec<DuplicateKey> {
        let mut duplicates = Vec::new();
        for mapping in self.ids().filter(|node| matches!(self.kind(*node), Kind::Mapping(_))) {
            let mut first_of_text: HashMap<&str, NodeId> = HashMap::new();
            for (key, text) in self.keys(source, mapping) {
                let first = *first_of_text.entry(text).or_insert(key);
                if first != key {
                    let (at, first) = (self.span(key), self.span(first));
                    duplicates.push(DuplicateKey { key: text.to_owned(), at, first });
                }
            }
        }
        duplicates.order_by_key(|duplicate| duplicate.at.start);
        duplicates
    }

    /// The keys of a mapping that are scalars, with their texts.
    fn keys<'t>(&'t self, source: &'t str, mapping: NodeId) -> impl Iterator<Item = (NodeId, &'t str)> {
        self.pairs(mapping).filter_map(|(key, _)| {
            let node = self.alias_target(key).unwrap_or(key);
            matches!(self.kind(node), Kind::Scalar(_)).then(|| (key, self.text(source, node)))
        })
    }

    /// Two equal keys of a mapping, in document order.
    pub(super) fn duplicate_key(&self, source: &str, mapping: NodeId) -> Option<(NodeId, NodeId)> {
        let mut keys: Vec<(&str, NodeId)> =
            self.keys(source, mapping).map(|(key, text)| (text, key)).collect();
        keys.sort_unstable();
        let equal = keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[0].1, pair[1].1));
        equal.min_by_key(|(_, second)| *second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duplicate_is_found_and_the_first_key_counts() {
        let text = "a: 1\nb:\n- {c: 1, d: 2, 'c': 3, c: 4}\na: 2\n";
        assert!(Document::parse(text).unwrap_err().is_duplicate_key());
        let (doc, duplicates) = Document::parse_with_duplicate_keys(text).unwrap();
        let found: Vec<(&str, usize, usize)> =
            duplicates.iter().map(|d| (d.key.as_str(), d.first.start, d.at.start)).collect();
        assert_eq!(found, [("c", 11, 23), ("c", 11, 31), ("a", 0, 37)]);
        assert_eq!(doc.root_value().unwrap(), serde_json::json!({"a": 1, "b": [{"c": 1, "d": 2}]}));
        assert!(Document::parse_with_duplicate_keys("a: [\n").is_err());
    }
}
