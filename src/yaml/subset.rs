//! The fast way of reading: the block style that tools write, and nothing else.
//!
//! Makes the very tree that [`super::build`] makes of the parser's events, ten times as fast, or says
//! that it is in [`Doubt`]: then the events decide. It need not know all of YAML, nor whether a text is
//! wrong; what it accepts it must be sure of. Beyond its subset are anchors, aliases, tags, `?`, folded
//! text, values that go on in the next line, filled flow collections, tabs outside literal text, and
//! carriage returns. `testdata/harness/readings.rs` compares both ways, and so does `fuzz/`.

use memchr::{memchr, memchr3, memchr3_iter};

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

    /// The start of the first line behind `line` that has content at the column of its dash, or left of it.
    pub(super) fn end_of_entry(&self, mut line: usize, column: usize) -> usize {
        loop {
            line = self.end_of_line(line) + 1;
            if line >= self.bytes.len() {
                return self.bytes.len();
            }
            let indent = self.skip_blanks(line) - line;
            if indent <= column && !matches!(self.bytes.get(line + indent), Some(b'\n' | b'#')) {
                return line;
            }
        }
    }

    /// A scalar, or an empty collection, that ends on its line.
    fn scalar(&mut self, start: usize, column: usize, parent: NodeId) -> Sure<NodeId> {
        let push = |reader: &mut Self, kind, end| reader.tree.push(kind, start..end, Some(parent));
        let (node, end) = match self.bytes[start] {
            b'"' => {
                let end = self.end_of_quotes(start)?;
                let node = push(self, Kind::Scalar(Style::DoubleQuoted), end);
                self.decode(node, start + 1..end - 1, Style::DoubleQuoted)?;
                (node, end)
            }
            b'\'' => {
                let end = self.end_of_quotes(start)?;
                let node = push(self, Kind::Scalar(Style::SingleQuoted), end);
                self.decode(node, start + 1..end - 1, Style::SingleQuoted)?;
                (node, end)
            }
            b'{' if self.bytes.get(start + 1) == Some(&b'}') => {
                (push(self, Kind::Mapping(Layout::Flow), start + 2), start + 2)
            }
            b'[' if self.bytes.get(start + 1) == Some(&b']') => {
                (push(self, Kind::Sequence(Layout::Flow), start + 2), start + 2)
            }
            first if begins_plain(first) || (first == b'-' && !self.is_break(start + 1)) => {
                let end = self.end_of_plain(start)?;
                (push(self, Kind::Scalar(Style::Plain), end), end)
            }
            _ => return Err(Doubt),
        };
        let end = self.end_of_value(end)?;
        self.go_to(end + 1)?;
        // A deeper line would go on with the scalar, or be a mistake.
        if self.column > Some(column) { Err(Doubt) } else { Ok(node) }
    }

    /// The next byte that may end a plain scalar, or the end of the text.
    fn next_sign(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|b| SIGNS[*b as usize]).unwrap_or(rest.len())
    }

    /// Behind the last character of a plain scalar.
    fn end_of_plain(&self, start: usize) -> Sure<usize> {
        let mut at = start;
        loop {
            at = self.next_sign(at);
            match self.bytes.get(at) {
                None | Some(b'\n') => break,
                Some(b':') if self.is_break(at + 1) => return Err(Doubt),
                Some(b'#') if self.bytes[at - 1] == b' ' => break,
                Some(b'\t') => return Err(Doubt),
                _ => at += 1,
            }
        }
        while self.bytes[at - 1] == b' ' {
            at -= 1;
        }
        Ok(at)
    }

    /// Behind the closing quote, which is on the same line.
    fn end_of_quotes(&self, start: usize) -> Sure<usize> {
        let quote = self.bytes[start];
        let mut at = start + 1;
        loop {
            at += memchr3(quote, b'\\', b'\n', &self.bytes[at..]).ok_or(Doubt)?;
            match (self.bytes[at], self.bytes.get(at + 1)) {
                (b'\n', _) => return Err(Doubt),
                (b'\\', _) if quote == b'"' => at += 2,
                (b'\'', Some(b'\'')) => at += 2,
                (byte, _) if byte == quote => break,
                _ => at += 1,
            }
            if at > self.bytes.len() {
                return Err(Doubt);
            }
        }
        if memchr(b'\t', &self.bytes[start..at]).is_some() { Err(Doubt) } else { Ok(at + 1) }
    }

    /// The end of the line behind a value: only blanks and a comment may be there.
    fn end_of_value(&self, end: usize) -> Sure<usize> {
        let at = self.skip_blanks(end);
        match self.bytes.get(at) {
            None | Some(b'\n') => Ok(at),
            Some(b'#') if at > end => Ok(self.end_of_line(at)),
            _ => Err(Doubt),
        }
    }

    /// Notes what a quoted scalar means, where that is not what stands between its quotes.
    fn decode(&mut self, node: NodeId, inside: std::ops::Range<usize>, style: Style) -> Sure<()> {
        let text = &self.text[inside];
        let sign = if style == Style::DoubleQuoted { b'\\' } else { b'\'' };
        if memchr(sign, text.as_bytes()).is_none() {
            return Ok(());
        }
        let decoded = if sign == b'\'' { text.replace("''", "'") } else { unescape(text)? };
        self.tree.decoded.push((node, decoded.into()));
        Ok(())
    }

    /// A literal block below a key or dash at this column.
    fn literal(&mut self, header: usize, column: usize, parent: NodeId) -> Sure<NodeId> {
        let (chomping, first) = match self.bytes[header + 1..] {
            [b'\n', ..] => (b' ', header + 2),
            [sign @ (b'-' | b'+'), b'\n', ..] => (sign, header + 3),
            _ => return Err(Doubt),
        };
        let margin = self.margin_of_literal(first, column)?;
        self.scratch.clear();
        let (mut line, mut end, mut blank_lines) = (first, first, 0);
        while line < self.bytes.len() {
            let indent = self.count_blanks(line, margin);
            let at = line + indent;
            match self.bytes.get(at) {
                Some(b'\n') => {
                    blank_lines += 1;
                    line = at + 1;
                }
                Some(_) if indent == margin => {
                    line = at + memchr(b'\n', &self.bytes[at..]).ok_or(Doubt)? + 1;
                    self.scratch.extend(std::iter::repeat_n('\n', blank_lines));
                    self.scratch.push_str(&self.text[at..line]);
                    (blank_lines, end) = (0, line);
                }
                Some(_) if indent <= column => break,
                _ => return Err(Doubt),
            }
        }
        match chomping {
            b'-' => drop(self.scratch.pop()),
            b'+' => {
                self.scratch.extend(std::iter::repeat_n('\n', blank_lines));
                end = line;
            }
            _ => {}
        }
        let node = self.tree.push(Kind::Scalar(Style::Literal), header..end, Some(parent));
        self.tree.decoded.push((node, self.scratch.as_str().into()));
        self.go_to(line)?;
        if self.column > Some(column) { Err(Doubt) } else { Ok(node) }
    }

    /// The column of a literal's first line of text.
    fn margin_of_literal(&self, first: usize, column: usize) -> Sure<usize> {
        let (mut line, mut widest) = (first, 0);
        loop {
            let indent = self.skip_blanks(line) - line;
            match self.bytes.get(line + indent) {
                Some(b'\n') => {
                    widest = widest.max(indent);
                    line += indent + 1;
                }
                Some(b'\t') | None => return Err(Doubt),
                Some(_) if indent <= column || indent < widest => return Err(Doubt),
                Some(_) => return Ok(indent),
            }
        }
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

    /// Moves to the first line at or behind `line` that has content.
    pub(super) fn go_to(&mut self, mut line: usize) -> Sure<()> {
        loop {
            let at = self.skip_blanks(line.min(self.bytes.len()));
            (self.at, self.column) = (at, Some(at.wrapping_sub(line)));
            match self.bytes.get(at) {
                Some(b'\n') => line = at + 1,
                Some(b'#') => line = self.end_of_line(at) + 1,
                Some(b'\t') => return Err(Doubt),
                Some(_) => return Ok(()),
                None => {
                    self.column = None;
                    return Ok(());
                }
            }
        }
    }

    fn end_of_line(&self, at: usize) -> usize {
        memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |i| at + i)
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|b| *b != b' ').unwrap_or(rest.len())
    }

    fn count_blanks(&self, at: usize, most: usize) -> usize {
        self.bytes[at..].iter().take(most).take_while(|b| **b == b' ').count()
    }

    /// Whether a sequence entry begins here.
    pub(super) fn is_dash(&self, at: usize) -> bool {
        self.bytes.get(at) == Some(&b'-') && self.is_break(at + 1)
    }

    /// Whether a token that ends here stands apart from what follows.
    fn is_break(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), None | Some(b' ' | b'\n'))
    }
}

/// The bytes that may end a plain scalar.
const SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    signs[b'\n' as usize] = true;
    signs[b'\t' as usize] = true;
    signs[b':' as usize] = true;
    signs[b'#' as usize] = true;
    signs
};

/// Whether a plain scalar may begin so: with nothing that is an indicator anywhere.
fn begins_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"/._($<+=^~;)\\".contains(&byte)
}

/// Escapes that every reader knows; the others are for the parser.
fn unescape(text: &str) -> Sure<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push(match rest.as_bytes().get(at + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            _ => return Err(Doubt),
        });
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether a text has only characters that YAML and people see alike: no control characters but line
/// feeds and tabs, no other line breaks, no byte order marks.
fn is_printable(bytes: &[u8]) -> bool {
    let controls = |chunk: &[u8]| {
        chunk
            .iter()
            .fold(false, |found, b| found | ((*b < b' ') & (*b != b'\n') & (*b != b'\t')) | (*b == 0x7f))
    };
    if bytes.chunks(4096).any(controls) {
        return false;
    }
    memchr3_iter(0xc2, 0xe2, 0xef, bytes).all(|at| match bytes[at..] {
        [0xc2, next, ..] => next >= 0xa0,
        [0xe2, 0x80, next, ..] => !matches!(next, 0xa8 | 0xa9),
        [0xef, 0xbb, 0xbf, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] => false,
        _ => true,
    })
}
