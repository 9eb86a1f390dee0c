//! What makes many lookups in one large document cheap: the starts of its lines, and the children of its large
//! collections. Each part is built when it is first needed, because most documents are small.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::document::Document;
use super::error::Position;
use super::order::Order as _;
use super::tree::NodeId;

/// The number of children that are looked at one by one. Nearly every collection has fewer.
const FEW: usize = 32;
/// The number of bytes whose characters are counted at once.
const BLOCK: usize = 4096;

type Large = BTreeMap<NodeId, Vec<NodeId>>;

#[derive(Debug, Default)]
pub(super) struct Index {
    /// Where each line starts, except the first.
    lines: OnceLock<Vec<usize>>,
    /// The number of characters before each block of the text.
    characters: OnceLock<Vec<usize>>,
    /// The elements of large lists in their order, and the keys of large mappings, sorted.
    large: Mutex<Large>,
}

impl Clone for Index {
    /// A copy builds its own index when it needs one.
    fn clone(&self) -> Self {
        Index::default()
    }
}

impl Index {
    fn large(&self) -> MutexGuard<'_, Large> {
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Document {
    /// The line and column of a byte of the text.
    pub fn position(&self, at: usize) -> Position {
        let starts = self.later_lines();
        let at = at.min(self.text.len());
        let before = starts.partition_point(|start| *start <= at);
        let start = before.checked_sub(1).map_or(0, |last| starts[last]);
        let column = match at - start {
            ..BLOCK => characters(&self.text.as_bytes()[start..at]),
            // A line may be as long as the document, as in JSON.
            _ => self.characters_before(at) - self.characters_before(start),
        };
        Position { line: before + 1, column: 1 + column }
    }

    /// The byte at which a line starts, counted from 1.
    pub(super) fn start_of_line(&self, line: usize) -> Option<usize> {
        if line == 1 { Some(0) } else { self.later_lines().get(line.checked_sub(2)?).copied() }
    }

    fn later_lines(&self) -> &[usize] {
        self.index.lines.get_or_init(|| {
            memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|newline| newline + 1).collect()
        })
    }

    /// The number of characters before a byte.
    fn characters_before(&self, at: usize) -> usize {
        let text = self.text.as_bytes();
        let blocks = self.index.characters.get_or_init(|| {
            let counted = text.chunks(BLOCK).scan(0, |before, block| {
                let start = *before;
                *before += characters(block);
                Some(start)
            });
            counted.collect()
        });
        let block = (at / BLOCK).min(blocks.len().saturating_sub(1));
        blocks.get(block).map_or(0, |before| before + characters(&text[block * BLOCK..at]))
    }

    /// The pair of a mapping with this key.
    pub(super) fn pair(&self, mapping: NodeId, key: &str) -> Option<(NodeId, NodeId)> {
        let mut pairs = self.tree.pairs(mapping);
        if let Some(pair) = pairs.by_ref().take(FEW).find(|(k, _)| self.is_key(*k, key)) {
            return Some(pair);
        }
        pairs.next()?;
        let mut large = self.index.large();
        let keys = large.entry(mapping).or_insert_with(|| {
            let keys = self.own_pairs(mapping).map(|(key, _)| key);
            let mut keys: Vec<NodeId> = keys.filter(|key| self.key_text(*key).is_some()).collect();
            // Of equal keys, the first stays the first.
            keys.order_by(|a, b| self.key_text(*a).cmp(&self.key_text(*b)));
            keys
        });
        let at = keys.partition_point(|k| self.key_text(*k) < Some(key));
        let found = *keys.get(at).filter(|k| self.key_text(**k) == Some(key))?;
        Some((found, NodeId(self.tree.node(found).next)))
    }

    /// The child of a list at a position.
    pub(super) fn nth_child(&self, sequence: NodeId, index: usize) -> Option<NodeId> {
        if index < FEW {
            return self.tree.children(sequence).nth(index);
        }
        let mut large = self.index.large();
        let children = large.entry(sequence).or_insert_with(|| self.tree.children(sequence).collect());
        children.get(index).copied()
    }
}

/// The number of characters of UTF-8: continuation bytes do not begin one.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_that_counting_gives() {
        let long = format!("a: ü\nb: \"{}\"\r\n\nc: é", "xü".repeat(BLOCK));
        for text in ["", "a: 1", "a: 1\n", "a: ü\n\nb: é x\n", &long] {
            let doc = Document::parse(text).unwrap();
            for at in (0..=text.len() + 1).filter(|at| *at < 20 || at % 61 == 0 || at + 20 > text.len()) {
                let position = doc.position(at);
                assert_eq!(position, Position::of(text.as_bytes(), at), "{at} of {} bytes", text.len());
                assert!(doc.start_of_line(position.line).is_some_and(|start| start <= at));
            }
        }
    }

    #[test]
    fn large_collections_have_the_same_entries_as_small_ones() {
        // The keys are not in their order, and one of them has escapes.
        let numbers = || (0..3 * FEW).map(|number| number * 37 % (3 * FEW));
        let pairs: String =
            numbers().map(|number| format!("  \"k\\x{:02x}\": {number}\n", number + 1)).collect();
        let list: String = numbers().map(|number| format!("- {number}\n")).collect();
        let doc = Document::parse(format!("m:\n  <<: {{b: 1, kx: 2}}\n{pairs}l:\n{list}")).unwrap();
        let [mapping, sequence] = ["m", "l"].map(|key| doc.entry(doc.root().unwrap(), key).unwrap());
        for (position, number) in numbers().enumerate() {
            let key = format!("k{}", char::from(u8::try_from(number + 1).unwrap()));
            let value = doc.entry(mapping, &key).map(|node| doc.source(node).to_owned());
            assert_eq!(value, Some(number.to_string()), "{key:?}");
            let element = doc.element(sequence, position).map(|node| doc.source(node).to_owned());
            assert_eq!(element, Some(number.to_string()), "{position}");
        }
        assert_eq!(doc.entry(mapping, "b").map(|node| doc.source(node)), Some("1"), "merged");
        assert_eq!(doc.entry(mapping, "a"), None);
        assert_eq!(doc.element(sequence, 3 * FEW), None);
    }

    #[test]
    fn of_equal_keys_the_first_counts() {
        let filler: String = (0..2 * FEW).map(|number| format!("k{number}: 0\n")).collect();
        let (doc, _) =
            Document::parse_with_duplicate_keys(format!("{filler}z: 1\na: 2\nz: 3\na: 4\n")).unwrap();
        let root = doc.root().unwrap();
        let value = |key| doc.entry(root, key).map(|node| doc.source(node));
        assert_eq!((value("z"), value("a")), (Some("1"), Some("2")));
    }
}
