//! The fast reader: the subset of YAML that tools and most people write, JSON included.
//!
//! It builds the same tree as [`super::build`], ten times as fast, or returns [`Unsupported`], and then the
//! complete reader decides. It does not have to know all of YAML or to find errors, but whatever it accepts
//! must be right. The subset excludes anchors, aliases, tags, `?`, comments in braces, deeper lines in folded
//! text, and tabs outside block text. `testdata/harness/readings.rs` and `fuzz/` compare both readers.

mod blocks;
mod continued;
mod flow;
mod lines;
mod scalars;
mod words;

use std::ops::Range;

pub(super) use self::lines::{MANY, doubtful};
use self::scalars::begins_plain;
use super::events::{Layout, Style};
use super::tree::{Kind, NodeId, Tree};

/// The text is outside the subset, so the complete reader must read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unsupported;

pub(super) type SubsetResult<T> = Result<T, Unsupported>;

/// No manifest needs deeper nesting. The parser has its own limit and reports it.
const MAX_DEPTH: usize = 100;

/// YAML limits a key without `?` to 1024 characters. This stays well below it.
const MAX_KEY: usize = 512;

impl Tree {
    /// Reads one document of the subset. None if the text is outside of it.
    pub fn parse_subset(text: &str) -> Option<Tree> {
        let mut reader = SubsetReader::new(text).ok()?;
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
}

impl<'t> SubsetReader<'t> {
    pub(super) fn new(text: &'t str) -> SubsetResult<Self> {
        if doubtful(text.as_bytes()).is_empty() { Self::lenient(text) } else { Err(Unsupported) }
    }

    /// A reader of text that may contain doubtful characters. What it reads around them must be discarded.
    pub(super) fn lenient(text: &'t str) -> SubsetResult<Self> {
        if u32::try_from(text.len()).is_err() {
            return Err(Unsupported);
        }
        let (bytes, tree, scratch) = (text.as_bytes(), Tree::default(), String::new());
        let mut reader = SubsetReader { text, bytes, tree, at: 0, column: None, depth: 0, end: 0, scratch };
        reader.go_to(0)?;
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
        if self.column.is_some() { Err(Unsupported) } else { Ok(()) }
    }

    /// The collection that begins with the current line.
    fn collection(&mut self, column: usize, parent: Option<NodeId>) -> SubsetResult<NodeId> {
        if self.is_dash(self.at) { self.sequence(column, parent) } else { self.mapping(column, parent) }
    }

    fn mapping(&mut self, column: usize, parent: Option<NodeId>) -> SubsetResult<NodeId> {
        let mapping = self.open(Kind::Mapping(Layout::Block), parent)?;
        // Tools write keys in ascending order, and then no two keys can be equal.
        let (mut last, mut ascending) = ("", true);
        loop {
            let start = self.at;
            let colon = self.key(mapping, column)?;
            let key = &self.text[start..colon];
            ascending = ascending && key > last && !key.starts_with(['"', '\'']);
            last = key;
            self.value(colon + 1, column, mapping)?;
            match self.column {
                Some(next) if next == column && !self.is_dash(self.at) => {}
                Some(next) if next >= column => return Err(Unsupported),
                _ => break,
            }
        }
        self.close(mapping);
        if !ascending {
            self.refuse_duplicate_keys(mapping)?;
        }
        Ok(mapping)
    }

    pub(super) fn refuse_duplicate_keys(&self, mapping: NodeId) -> SubsetResult<()> {
        match self.tree.duplicate_key(self.text, mapping) {
            Some(_) => Err(Unsupported),
            None => Ok(()),
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
            Some(_) if self.is_dash(at) || self.find_colon(at)?.is_some() => {
                (self.at, self.column) = (at, Some(inner));
                self.collection(inner, Some(sequence))
            }
            Some(_) => self.scalar(at, column, sequence),
        }
    }

    /// Reads a key of the mapping at this column and returns the position of its colon.
    pub(super) fn key(&mut self, mapping: NodeId, column: usize) -> SubsetResult<usize> {
        let start = self.at;
        // A line that begins with `...` ends the document.
        if column == 0 && self.bytes[start..].starts_with(b"...") {
            return Err(Unsupported);
        }
        let colon = self.find_colon(start)?.ok_or(Unsupported)?;
        // The complete reader checks the values of merge keys.
        if self.bytes[start..colon] == *b"<<" {
            return Err(Unsupported);
        }
        self.push_key(start..colon, mapping)?;
        Ok(colon)
    }

    fn push_key(&mut self, span: Range<usize>, mapping: NodeId) -> SubsetResult<()> {
        let style = match self.bytes[span.start] {
            b'"' => Style::DoubleQuoted,
            b'\'' => Style::SingleQuoted,
            _ => Style::Plain,
        };
        let key = self.tree.push(Kind::Scalar(style), span.clone(), Some(mapping));
        if style != Style::Plain {
            self.decode(key, span.start + 1..span.end - 1, style)?;
        }
        Ok(())
    }

    /// The colon after the key at `start`. None if the line is a scalar.
    fn find_colon(&self, start: usize) -> SubsetResult<Option<usize>> {
        let mut at = start;
        match self.bytes.get(at) {
            Some(b'"' | b'\'') => {
                let quotes = self.quotes(at, 0)?;
                at = quotes.end;
                let is_key = !quotes.has_breaks && self.bytes.get(at) == Some(&b':') && self.is_break(at + 1);
                return if is_key && at - start > MAX_KEY {
                    Err(Unsupported)
                } else {
                    Ok(is_key.then_some(at))
                };
            }
            Some(first) if begins_plain(*first) => {}
            // In the subset, a scalar may begin with a dash but a key may not.
            Some(b'-') => return Ok(None),
            // A collection in braces, which cannot be a key.
            Some(b'{' | b'[') => return Ok(None),
            _ => return Err(Unsupported),
        }
        loop {
            at = self.next_indicator(at);
            match self.bytes.get(at) {
                None | Some(b'\n' | b'\r') => return Ok(None),
                Some(b':') if self.is_break(at + 1) => break,
                Some(b'#') if self.bytes[at - 1] == b' ' => return Ok(None),
                Some(b'\t') => return Err(Unsupported),
                _ => at += 1,
            }
        }
        if at - start > MAX_KEY || self.bytes[at - 1] == b' ' { Err(Unsupported) } else { Ok(Some(at)) }
    }

    /// The value after the colon of a key at this column.
    pub(super) fn value(&mut self, from: usize, column: usize, mapping: NodeId) -> SubsetResult<NodeId> {
        let at = self.skip_spaces(from);
        match self.bytes.get(at) {
            None | Some(b'\n' | b'\r' | b'#') => self.below(from, column, mapping, true),
            Some(b'|' | b'>') => self.block(at, column, mapping),
            Some(_) => self.scalar(at, column, mapping),
        }
    }

    /// The value on the lines below a key or dash. Null if there is none.
    fn below(
        &mut self,
        from: usize,
        column: usize,
        parent: NodeId,
        may_be_level: bool,
    ) -> SubsetResult<NodeId> {
        let end = self.end_of_line(from);
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
