//! The fast reader: the subset of YAML that tools and most people write, JSON included.
//!
//! It builds the same tree as [`super::build`], ten times as fast, or returns [`Unsupported`], and then the
//! complete reader decides. It does not have to know all of YAML or to find errors, but whatever it accepts
//! must be right. The subset excludes `?`, merge keys, most tags, anchors of keys and entries, comments in braces,
//! deeper lines in folded text, and tabs outside block text. `testdata/harness/readings.rs` and `fuzz/` compare both readers.

mod blocks;
mod continued;
mod flow;
mod keys;
mod lines;
mod pairs;
mod part;
mod properties;
mod scalars;
mod skim;
mod words;

use std::ops::Range;

use self::keys::{Ascending, Key};
pub(super) use self::lines::{MANY, doubtful};
use self::pairs::After;
pub use self::part::Part;
use self::properties::Anchors;
use self::scalars::begins_plain;
use super::events::{Layout, Style};
use super::tree::{Kind, NodeId, Tree};

/// The text is outside the subset, so the complete reader must read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unsupported;

pub(super) type SubsetResult<T> = Result<T, Unsupported>;

/// No manifest needs deeper nesting. The parser has its own limit and reports it.
const MAX_DEPTH: usize = 100;

impl Tree {
    /// Reads one document of the subset. None if the text is outside of it.
    pub fn parse_subset(text: &str) -> Option<Tree> {
        Self::parse_subset_below(text, 0)
    }

    /// The same for part of a document, with so many collections around it.
    pub(super) fn parse_subset_below(text: &str, depth: usize) -> Option<Tree> {
        let mut reader = SubsetReader::new(text).ok()?;
        reader.depth = depth;
        reader.document().ok()?;
        Some(reader.tree)
    }
}

/// A state of the reader to which it can return.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoint {
    nodes: usize,
    depth: usize,
}

#[derive(Debug)]
pub(super) struct SubsetReader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pub(super) tree: Tree,
    /// Where the content of the current line begins.
    pub(super) at: usize,
    /// The column of that content. None after the last line.
    pub(super) column: Option<usize>,
    depth: usize,
    /// Where the last value ended.
    pub(super) end: usize,
    /// A buffer for decoding.
    scratch: String,
    pub(super) anchors: Anchors<'t>,
    /// The entry of a list that is being read, if entries are read one by one.
    pub(super) entry: Option<NodeId>,
    /// The aliases in that entry that refer to other entries, with these entries.
    pub(super) borrowed: Vec<(Range<usize>, NodeId)>,
}

impl<'t> SubsetReader<'t> {
    pub(super) fn new(text: &'t str) -> SubsetResult<Self> {
        if doubtful(text.as_bytes()).is_empty() { Self::lenient(text, 0) } else { Err(Unsupported) }
    }

    /// A reader of text that may contain doubtful characters. What it reads around them must be discarded. It begins
    /// with the first content at or after the start of a line.
    pub(super) fn lenient(text: &'t str, line: usize) -> SubsetResult<Self> {
        if u32::try_from(text.len()).is_err() {
            return Err(Unsupported);
        }
        let mut reader = SubsetReader {
            text,
            bytes: text.as_bytes(),
            tree: Tree::default(),
            at: 0,
            column: None,
            depth: 0,
            end: 0,
            scratch: String::new(),
            anchors: Anchors::default(),
            entry: None,
            borrowed: Vec::new(),
        };
        reader.go_to(line)?;
        Ok(reader)
    }

    fn document(&mut self) -> SubsetResult<()> {
        let column = self.column.ok_or(Unsupported)?;
        if self.has_braces() {
            let end = self.braces(self.at, None, None)?;
            self.go_to(self.end_of_value(end)? + 1)?;
        } else {
            self.collection(column, None)?;
        }
        self.tree.find_targets();
        if self.column.is_some() { Err(Unsupported) } else { Ok(()) }
    }

    /// The collection that begins with the current line.
    #[inline]
    fn collection(&mut self, column: usize, parent: Option<NodeId>) -> SubsetResult<NodeId> {
        if self.is_dash(self.at) { self.sequence(column, parent) } else { self.mapping(column, parent, None) }
    }

    /// The mapping whose first key begins the current line or follows a dash. The caller may know the key already.
    fn mapping(&mut self, column: usize, parent: Option<NodeId>, first: Option<Key>) -> SubsetResult<NodeId> {
        let mapping = self.open(Kind::Mapping(Layout::Block), parent)?;
        let mut order = Ascending::default();
        let mut first = first;
        loop {
            let key = match first.take() {
                Some(key) => key,
                None => match self.next_key(column, mapping, &mut order)? {
                    Some(key) => key,
                    None => break,
                },
            };
            self.push_key(key, mapping)?;
            order.add(self, key);
            // Most keys that are not plain pairs have a collection below them.
            match self.bytes.get(key.colon + 1) {
                Some(b'\n') => self.below(key.colon + 1, column, mapping, true)?,
                _ => self.value(key.colon + 1, column, mapping)?,
            };
            match self.column {
                Some(next) if next == column && !self.is_dash(self.at) => {}
                Some(next) if next >= column => return Err(Unsupported),
                _ => break,
            }
        }
        self.close(mapping);
        if !order.holds() {
            self.refuse_duplicate_keys(mapping)?;
        }
        Ok(mapping)
    }

    /// Reads plain pairs of the mapping at this column, if any, and the key after them. None if the mapping ends.
    fn next_key(
        &mut self,
        column: usize,
        mapping: NodeId,
        order: &mut Ascending<'t>,
    ) -> SubsetResult<Option<Key>> {
        if column == 0 {
            return self.key(column).map(Some);
        }
        match self.plain_pairs(column, mapping, order)? {
            After::Key(key) => Ok(Some(key)),
            // A dash at this column does not belong to the mapping, nor to anything around it.
            After::Line if self.is_dash(self.at) => Err(Unsupported),
            After::Line => self.key(column).map(Some),
            After::Mapping if self.column > Some(column) => Err(Unsupported),
            After::Mapping => Ok(None),
        }
    }

    fn sequence(&mut self, column: usize, parent: Option<NodeId>) -> SubsetResult<NodeId> {
        let sequence = self.open(Kind::Sequence(Layout::Block), parent)?;
        while self.has_entry(column)? {
            self.entry(column, sequence)?;
        }
        Ok(self.close(sequence))
    }

    /// Whether the current line is an entry of the sequence at this column. A deeper line is unsupported.
    pub(super) fn has_entry(&self, column: usize) -> SubsetResult<bool> {
        match self.column {
            Some(next) if next > column => Err(Unsupported),
            next => Ok(next == Some(column) && self.is_dash(self.at)),
        }
    }

    /// The value after the dash at this column. The dash begins the current line or follows another dash.
    pub(super) fn entry(&mut self, column: usize, sequence: NodeId) -> SubsetResult<NodeId> {
        let dash = self.at;
        let at = self.skip_spaces(dash + 1);
        let inner = column + (at - dash);
        match self.bytes.get(at) {
            None | Some(b'\n' | b'\r' | b'#') => self.below(dash + 1, column, sequence, false),
            Some(b'|' | b'>') => self.block(at, column, sequence),
            Some(b'*') => self.alias(at, column, sequence),
            Some(_) if self.is_dash(at) => {
                (self.at, self.column) = (at, Some(inner));
                self.sequence(inner, Some(sequence))
            }
            Some(_) => match self.find_key(at)? {
                Some(key) => {
                    (self.at, self.column) = (at, Some(inner));
                    self.mapping(inner, Some(sequence), Some(key))
                }
                None => self.scalar(at, column, sequence),
            },
        }
    }

    /// The key at this column, which begins the current line.
    pub(super) fn key(&self, column: usize) -> SubsetResult<Key> {
        // A line that begins with `...` ends the document.
        if column == 0 && self.bytes[self.at..].starts_with(b"...") {
            return Err(Unsupported);
        }
        self.find_key(self.at)?.ok_or(Unsupported)
    }

    /// The value after the colon of a key at this column.
    pub(super) fn value(&mut self, from: usize, column: usize, mapping: NodeId) -> SubsetResult<NodeId> {
        // Nearly every value is plain text that follows one space and ends with its line.
        if let Some([b' ', first, ..]) = self.bytes.get(from..)
            && begins_plain(*first)
        {
            let end = self.next_indicator(from + 1);
            if self.bytes.get(end) == Some(&b'\n') && self.bytes[end - 1] != b' ' {
                return self.plain_line(from + 1..end, column, mapping);
            }
        }
        let at = self.skip_spaces(from);
        match self.bytes.get(at) {
            None | Some(b'\n' | b'\r' | b'#') => self.below(from, column, mapping, true),
            Some(b'|' | b'>') => self.block(at, column, mapping),
            Some(b'&' | b'!') => self.with_property(at, column, mapping),
            Some(b'*') => self.alias(at, column, mapping),
            Some(_) => self.scalar(at, column, mapping),
        }
    }

    /// The value on the lines below a key or dash. Null if there is none.
    #[inline]
    fn below(
        &mut self,
        from: usize,
        column: usize,
        parent: NodeId,
        may_be_level: bool,
    ) -> SubsetResult<NodeId> {
        let end = if self.bytes.get(from) == Some(&b'\n') { from } else { self.end_of_line(from) };
        self.go_to(end + 1)?;
        match self.column {
            Some(next) if next > column => self.collection(next, Some(parent)),
            Some(next) if next == column && may_be_level && self.is_dash(self.at) => {
                self.sequence(next, Some(parent))
            }
            _ => {
                self.end = from;
                Ok(self.tree.push(Kind::Scalar(Style::Plain), from..from, Some(parent)))
            }
        }
    }

    /// Moves to the first dash below a key at the margin and returns its column. None, without moving, if the
    /// value of the key is not a block sequence.
    pub(super) fn first_entry(&mut self, from: usize) -> SubsetResult<Option<usize>> {
        if !matches!(self.bytes.get(self.skip_spaces(from)), Some(b'\n' | b'\r' | b'#')) {
            return Ok(None);
        }
        let before = (self.at, self.column);
        self.go_to(self.end_of_line(from) + 1)?;
        if !self.is_dash(self.at) {
            (self.at, self.column) = before;
            return Ok(None);
        }
        Ok(self.column)
    }

    pub(super) fn open(&mut self, kind: Kind, parent: Option<NodeId>) -> SubsetResult<NodeId> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Unsupported);
        }
        Ok(self.tree.push(kind, self.at..self.at, parent))
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { nodes: self.tree.len(), depth: self.depth }
    }

    /// Discards the nodes that were read since a checkpoint.
    pub(super) fn discard_since(&mut self, checkpoint: Checkpoint) {
        self.tree.truncate(checkpoint.nodes);
        self.depth = checkpoint.depth;
        self.anchors.discard_entry();
        self.borrowed.clear();
    }

    /// Ends a collection where its last value ends.
    pub(super) fn close(&mut self, collection: NodeId) -> NodeId {
        self.depth -= 1;
        let (end, next) = (self.end as u32, self.tree.nodes.len() as u32);
        let node = &mut self.tree.nodes[collection.0 as usize];
        (node.end, node.next) = (end, next);
        collection
    }
}
