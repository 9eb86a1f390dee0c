//! Literal blocks: the lines of text below a `|`.

use memchr::memchr;

use super::super::events::Style;
use super::super::tree::{Kind, NodeId};
use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// A literal block below a key or dash at this column.
    pub(super) fn literal(&mut self, header: usize, column: usize, parent: NodeId) -> SubsetResult<NodeId> {
        let (chomping, first) = match self.bytes[header + 1..] {
            [b'\n', ..] => (b' ', header + 2),
            [sign @ (b'-' | b'+'), b'\n', ..] => (sign, header + 3),
            _ => return Err(Unsupported),
        };
        let margin = self.margin_of_literal(first, column)?;
        self.scratch.clear();
        let (mut line, mut end, mut blank_lines) = (first, first, 0);
        while line < self.bytes.len() {
            let indent = self.count_spaces(line, margin);
            let at = line + indent;
            match self.bytes.get(at) {
                Some(b'\n') => {
                    blank_lines += 1;
                    line = at + 1;
                }
                Some(_) if indent == margin => {
                    line = at + memchr(b'\n', &self.bytes[at..]).ok_or(Unsupported)? + 1;
                    self.scratch.extend(std::iter::repeat_n('\n', blank_lines));
                    self.scratch.push_str(&self.text[at..line]);
                    (blank_lines, end) = (0, line);
                }
                Some(_) if indent <= column => break,
                _ => return Err(Unsupported),
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
        if self.column > Some(column) { Err(Unsupported) } else { Ok(node) }
    }

    /// The column of the first line of text of a literal.
    fn margin_of_literal(&self, first: usize, column: usize) -> SubsetResult<usize> {
        let (mut line, mut widest) = (first, 0);
        loop {
            let indent = self.skip_spaces(line) - line;
            match self.bytes.get(line + indent) {
                Some(b'\n') => {
                    widest = widest.max(indent);
                    line += indent + 1;
                }
                Some(b'\t') | None => return Err(Unsupported),
                Some(_) if indent <= column || indent < widest => return Err(Unsupported),
                Some(_) => return Ok(indent),
            }
        }
    }
}
