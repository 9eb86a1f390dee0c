//! Block scalars: the lines of text below a `|` or `>`.

use memchr::memchr;

use super::super::events::Style;
use super::super::tree::{Kind, NodeId};
use super::{SubsetReader, SubsetResult, Unsupported};

/// The line of a `|` or `>`.
struct Header {
    chomping: Option<u8>,
    /// The indentation, if the header has it.
    indent: Option<usize>,
    /// Where the next line begins.
    first: usize,
}

impl SubsetReader<'_> {
    /// The block scalar below a key or dash at this column.
    pub(super) fn block(&mut self, start: usize, column: usize, parent: NodeId) -> SubsetResult<NodeId> {
        let header = self.header(start)?;
        let first = header.first;
        let is_folded = self.bytes[start] == b'>';
        let margin = match header.indent {
            Some(indent) => column + indent,
            None => self.margin_of_block(first, column)?,
        };
        let is_read = self.is_read(parent);
        self.scratch.clear();
        let (mut line, mut end, mut blank_lines) = (first, first, 0);
        while line < self.bytes.len() {
            let at = line + self.count_spaces(line, margin);
            match self.bytes.get(at) {
                Some(b'\n') => (blank_lines, line) = (blank_lines + 1, at + 1),
                Some(b'\r') => (blank_lines, line) = (blank_lines + 1, at + 2),
                Some(byte) if at - line == margin => {
                    // Deeper lines of folded text are not folded.
                    if is_folded && matches!(byte, b' ' | b'\t') {
                        return Err(Unsupported);
                    }
                    let after = at + memchr(b'\n', &self.bytes[at..]).ok_or(Unsupported)? + 1;
                    if is_read {
                        self.separate(end > first, blank_lines, is_folded);
                        let text = &self.text[at..after - 1];
                        self.scratch.push_str(text.strip_suffix('\r').unwrap_or(text));
                    }
                    (blank_lines, end, line) = (0, after, after);
                }
                Some(_) if at - line <= column => break,
                _ => return Err(Unsupported),
            }
        }
        if end == first {
            return Err(Unsupported);
        }
        if header.chomping != Some(b'-') {
            self.scratch.push('\n');
        }
        if header.chomping == Some(b'+') {
            self.scratch.extend(std::iter::repeat_n('\n', blank_lines));
            end = line;
        }
        let style = if is_folded { Style::Folded } else { Style::Literal };
        let node = self.tree.push(Kind::Scalar(style), start..end, Some(parent));
        if is_read {
            self.tree.decoded.push((node, self.scratch.as_str().into()));
        }
        self.end = end;
        self.go_to(line)?;
        if self.column > Some(column) { Err(Unsupported) } else { Ok(node) }
    }

    /// Separates a line of text from what precedes it.
    fn separate(&mut self, has_text: bool, blank_lines: usize, is_folded: bool) {
        if has_text {
            match (is_folded, blank_lines) {
                (true, 0) => self.scratch.push(' '),
                (true, _) => {}
                (false, _) => self.scratch.push('\n'),
            }
        }
        for _ in 0..blank_lines {
            self.scratch.push('\n');
        }
    }

    /// Indicators in either order, and perhaps a comment.
    fn header(&self, start: usize) -> SubsetResult<Header> {
        let (mut at, mut chomping, mut indent) = (start + 1, None, None);
        loop {
            match self.bytes.get(at) {
                Some(sign @ (b'-' | b'+')) if chomping.is_none() => chomping = Some(*sign),
                Some(digit @ b'1'..=b'9') if indent.is_none() => indent = Some(usize::from(digit - b'0')),
                _ => break,
            }
            at += 1;
        }
        let after = self.skip_spaces(at);
        let first = match self.bytes.get(after) {
            Some(b'\n') => after + 1,
            Some(b'\r') => after + 2,
            Some(b'#') if after > at => self.end_of_line(after) + 1,
            _ => return Err(Unsupported),
        };
        if first > self.bytes.len() { Err(Unsupported) } else { Ok(Header { chomping, indent, first }) }
    }

    /// The column of the first line of text.
    fn margin_of_block(&self, first: usize, column: usize) -> SubsetResult<usize> {
        let (mut line, mut widest) = (first, 0);
        loop {
            let indent = self.skip_spaces(line) - line;
            match self.bytes.get(line + indent) {
                Some(b'\n') => {
                    widest = widest.max(indent);
                    line += indent + 1;
                }
                Some(b'\r') => {
                    widest = widest.max(indent);
                    line += indent + 2;
                }
                Some(b'\t') | None => return Err(Unsupported),
                Some(_) if indent <= column || indent < widest => return Err(Unsupported),
                Some(_) => return Ok(indent),
            }
        }
    }
}
