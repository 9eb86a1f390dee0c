//! Literal blocks: lines of text below a `|`.

use memchr::memchr;

use super::super::events::Style;
use super::super::tree::{Kind, NodeId};
use super::{Doubt, Reader, Sure};

impl Reader<'_> {
    /// A literal block below a key or dash at this column.
    pub(super) fn literal(&mut self, header: usize, column: usize, parent: NodeId) -> Sure<NodeId> {
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
    pub(super) fn margin_of_literal(&self, first: usize, column: usize) -> Sure<usize> {
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
}
