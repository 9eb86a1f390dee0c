//! The fast way of reading: the block style that tools write, and nothing else.
//!
//! Makes the very tree that [`super::build`] makes of the parser's events, ten times as fast, or says
//! that it is in [`Doubt`]: then the events decide. It need not know all of YAML, nor whether a text is
//! wrong; what it accepts it must be sure of. Beyond its subset are anchors, aliases, tags, `?`, folded
//! text, values that go on in the next line, filled flow collections, tabs outside literal text, and
//! carriage returns. `testdata/harness/readings.rs` compares both ways, and so does `fuzz/`.

mod lines;
mod literal;
mod scalars;

use self::lines::is_printable;
use self::scalars::begins_plain;
use super::events::{Layout, Style};
use super::tree::{Kind, NodeId, Tree};

/// The text may mean something else than it seems to; whoever knows all of YAML must read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Doubt;

pub(super) type Sure<T> = Result<T, Doubt>;

/// Nesting that no manifest needs; the parser has its own limit, with its own message.
const DEPTH: usize = 100;

/// YAML ends a key on one line after 1024 characters.
const KEY: usize = 512;

impl Tree {
    /// Reads one document of the subset; none when in doubt.
    pub fn parse_subset(text: &str) -> Option<Tree> {
        let mut reader = Reader::new(text).ok()?;
        reader.document().ok()?;
        Some(reader.tree)
    }
}

/// How far reading has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    nodes: usize,
    depth: usize,
}

pub(super) struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pub(super) tree: Tree,
    /// Where the current line's content begins, and its column: none behind the last line.
    pub(super) at: usize,
    pub(super) column: Option<usize>,
    depth: usize,
    /// For decoding.
    scratch: String,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Sure<Self> {
        if u32::try_from(text.len()).is_err() || !is_printable(text.as_bytes()) {
            return Err(Doubt);
        }
        let bytes = text.as_bytes();
        let tree = Tree::default();
        let mut reader = Reader { text, bytes, tree, at: 0, column: None, depth: 0, scratch: String::new() };
        reader.go_to(0)?;
        Ok(reader)
    }

    fn document(&mut self) -> Sure<()> {
        let column = self.column.ok_or(Doubt)?;
        self.collection(column, None)?;
        if self.column.is_some() { Err(Doubt) } else { Ok(()) }
    }

    /// The collection that begins with the current line.
    fn collection(&mut self, column: usize, parent: Option<NodeId>) -> Sure<NodeId> {
        if self.is_dash(self.at) { self.sequence(column, parent) } else { self.mapping(column, parent) }
    }

    fn mapping(&mut self, column: usize, parent: Option<NodeId>) -> Sure<NodeId> {
        let mapping = self.open(Kind::Mapping(Layout::Block), parent)?;
        // Tools write keys in order, and then no two can be the same.
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
                Some(next) if next >= column => return Err(Doubt),
                _ => break,
            }
        }
        self.close(mapping);
        if !ascending {
            self.refuse_duplicate_keys(mapping)?;
        }
        Ok(mapping)
    }

    pub(super) fn refuse_duplicate_keys(&self, mapping: NodeId) -> Sure<()> {
        match self.tree.duplicate_key(self.text, mapping) {
            Some(_) => Err(Doubt),
            None => Ok(()),
        }
    }

    fn sequence(&mut self, column: usize, parent: Option<NodeId>) -> Sure<NodeId> {
        let sequence = self.open(Kind::Sequence(Layout::Block), parent)?;
        while self.has_entry(column)? {
            self.entry(column, sequence)?;
        }
        Ok(self.close(sequence))
    }

    /// Whether the current line is an entry of the sequence at this column; doubt if it is nothing that
    /// could follow one.
    pub(super) fn has_entry(&self, column: usize) -> Sure<bool> {
        match self.column {
            Some(next) if next > column => Err(Doubt),
            next => Ok(next == Some(column) && self.is_dash(self.at)),
        }
    }

    /// What stands behind the dash at this column, which begins the current line or follows a dash.
    pub(super) fn entry(&mut self, column: usize, sequence: NodeId) -> Sure<NodeId> {
        let dash = self.at;
        let at = self.skip_blanks(dash + 1);
        let inner = column + (at - dash);
        match self.bytes.get(at) {
            None | Some(b'\n' | b'#') => self.below(dash + 1, column, sequence, false),
            Some(b'|') => self.literal(at, column, sequence),
            Some(_) if self.is_dash(at) || self.find_colon(at)?.is_some() => {
                (self.at, self.column) = (at, Some(inner));
                self.collection(inner, Some(sequence))
            }
            Some(_) => self.scalar(at, column, sequence),
        }
    }

    /// A key of the mapping at this column, and where its colon is.
    pub(super) fn key(&mut self, mapping: NodeId, column: usize) -> Sure<usize> {
        let start = self.at;
        // A line of dots or dashes parts documents.
        if column == 0 && self.bytes[start..].starts_with(b"...") {
            return Err(Doubt);
        }
        let colon = self.find_colon(start)?.ok_or(Doubt)?;
        // What a merge key may hold, the events decide.
        if self.bytes[start..colon] == *b"<<" {
            return Err(Doubt);
        }
        let style = match self.bytes[start] {
            b'"' => Style::DoubleQuoted,
            b'\'' => Style::SingleQuoted,
            _ => Style::Plain,
        };
        let key = self.tree.push(Kind::Scalar(style), start..colon, Some(mapping));
        if style != Style::Plain {
            self.decode(key, start + 1..colon - 1, style)?;
        }
        Ok(colon)
    }

    /// The colon behind the key at `start`; none if the line goes on as a scalar.
    fn find_colon(&self, start: usize) -> Sure<Option<usize>> {
        let mut at = start;
        match self.bytes.get(at) {
            Some(b'"' | b'\'') => {
                at = self.end_of_quotes(at)?;
                let is_key = self.bytes.get(at) == Some(&b':') && self.is_break(at + 1);
                return if is_key && at - start > KEY { Err(Doubt) } else { Ok(is_key.then_some(at)) };
            }
            Some(first) if begins_plain(*first) => {}
            // A scalar may begin with a dash, a key of ours not.
            Some(b'-') => return Ok(None),
            // An empty collection: who holds it knows what to do.
            Some(b'{' | b'[') => return Ok(None),
            _ => return Err(Doubt),
        }
        loop {
            at = self.next_sign(at);
            match self.bytes.get(at) {
                None | Some(b'\n') => return Ok(None),
                Some(b':') if self.is_break(at + 1) => break,
                Some(b'#') if self.bytes[at - 1] == b' ' => return Ok(None),
                Some(b'\t') => return Err(Doubt),
                _ => at += 1,
            }
        }
        if at - start > KEY || self.bytes[at - 1] == b' ' { Err(Doubt) } else { Ok(Some(at)) }
    }

    /// The value behind the colon of a key at this column.
    pub(super) fn value(&mut self, from: usize, column: usize, mapping: NodeId) -> Sure<NodeId> {
        let at = self.skip_blanks(from);
        match self.bytes.get(at) {
            None | Some(b'\n' | b'#') => self.below(from, column, mapping, true),
            Some(b'|') => self.literal(at, column, mapping),
            Some(_) => self.scalar(at, column, mapping),
        }
    }

    /// What stands on the lines below a key or dash; nothing there is null.
    fn below(&mut self, from: usize, column: usize, parent: NodeId, may_be_level: bool) -> Sure<NodeId> {
        let end = self.end_of_line(from);
        self.go_to(end + 1)?;
        match self.column {
            Some(next) if next > column => self.collection(next, Some(parent)),
            Some(next) if next == column && may_be_level && self.is_dash(self.at) => {
                self.sequence(next, Some(parent))
            }
            _ => Ok(self.tree.push(Kind::Scalar(Style::Plain), from..from, Some(parent))),
        }
    }

    /// The column of the first dash below a key at the margin, and moves there; none if the key holds
    /// something else, and then nothing is moved.
    pub(super) fn first_entry(&mut self, from: usize) -> Sure<Option<usize>> {
        if !matches!(self.bytes.get(self.skip_blanks(from)), Some(b'\n' | b'#')) {
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

    pub(super) fn open(&mut self, kind: Kind, parent: Option<NodeId>) -> Sure<NodeId> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Doubt);
        }
        Ok(self.tree.push(kind, self.at..self.at, parent))
    }

    /// Where reading can begin again after a doubt.
    pub(super) fn mark(&self) -> Mark {
        Mark { nodes: self.tree.len(), depth: self.depth }
    }

    pub(super) fn forget_since(&mut self, mark: Mark) {
        self.tree.truncate(mark.nodes);
        self.depth = mark.depth;
    }

    /// Ends a collection where its last child ends.
    pub(super) fn close(&mut self, collection: NodeId) -> NodeId {
        self.depth -= 1;
        // Children end where their parents end, so the last node of all will do.
        let last = self.tree.nodes.len() - 1;
        let (end, next) = (self.tree.nodes[last].end, last as u32 + 1);
        let node = &mut self.tree.nodes[collection.0 as usize];
        (node.end, node.next) = (end, next);
        collection
    }
}
