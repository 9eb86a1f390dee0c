//! Plain and quoted scalars of several lines. A line break becomes a space, and blank lines become line breaks.

use super::super::events::Style;
use super::super::tree::NodeId;
use super::scalars::{begins_plain, unescape};
use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// Continues the plain scalar that was read last, below a key or dash at this column.
    pub(super) fn continued(&mut self, node: NodeId, column: usize) -> SubsetResult<NodeId> {
        let mut text = self.text[self.tree.span(node)].to_owned();
        let mut line = self.line_after(self.end)?;
        let mut blank_lines = 0;
        loop {
            let at = self.skip_spaces(line);
            match self.bytes.get(at) {
                Some(b'\n') => (blank_lines, line) = (blank_lines + 1, at + 1),
                Some(b'\r') => (blank_lines, line) = (blank_lines + 1, at + 2),
                Some(first) if at - line > column && continues_plain(*first) => {
                    self.end = self.end_of_plain(at)?;
                    fold(&mut text, blank_lines);
                    text.push_str(&self.text[at..self.end]);
                    blank_lines = 0;
                    match self.line_after(self.end) {
                        Ok(after) => line = after,
                        // A comment ends the scalar, and so does the end of the text.
                        Err(Unsupported) => break,
                    }
                }
                _ => break,
            }
        }
        self.tree.nodes[node.0 as usize].end = self.end as u32;
        self.tree.decoded.push((node, text.into()));
        let line_end = self.end_of_line(self.end);
        self.go_to(line_end + 1)?;
        if self.column > Some(column) { Err(Unsupported) } else { Ok(node) }
    }

    /// The start of the next line, if only spaces precede it.
    fn line_after(&self, end: usize) -> SubsetResult<usize> {
        let at = self.skip_spaces(end);
        match self.bytes.get(at) {
            Some(b'\n') => Ok(at + 1),
            Some(b'\r') => Ok(at + 2),
            _ => Err(Unsupported),
        }
    }

    /// Decodes the text between quotes that are on different lines.
    pub(super) fn joined(&self, inside: &str, style: Style) -> SubsetResult<String> {
        let is_escaped = |line: &str| {
            style == Style::DoubleQuoted && line.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
        };
        let mut out = String::with_capacity(inside.len());
        let mut lines = inside.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
        let (mut is_first, mut blank_lines, mut is_open) = (true, 0, false);
        while let Some(line) = lines.next() {
            let is_last = lines.peek().is_none();
            let line = if is_first { line } else { line.trim_start_matches(' ') };
            let trimmed = if is_last { line } else { line.trim_end_matches(' ') };
            if trimmed.is_empty() && !is_first && !is_last {
                // A blank line after an escaped line break is a matter for the complete reader.
                if is_open {
                    return Err(Unsupported);
                }
                blank_lines += 1;
                continue;
            }
            if !is_first && !is_open {
                fold(&mut out, blank_lines);
            }
            blank_lines = 0;
            is_open = !is_last && is_escaped(line);
            let text = match is_open {
                true => &line[..line.len() - 1],
                false if !is_last && is_escaped(trimmed) => return Err(Unsupported),
                false => trimmed,
            };
            match style {
                Style::DoubleQuoted => out.push_str(&unescape(text)?),
                _ => out.push_str(&text.replace("''", "'")),
            }
            is_first = false;
        }
        Ok(out)
    }
}

/// Replaces the line break between two lines.
fn fold(text: &mut String, blank_lines: usize) {
    if blank_lines == 0 {
        text.push(' ');
    }
    text.extend(std::iter::repeat_n('\n', blank_lines));
}

/// Whether this byte may begin a further line of a plain scalar.
fn continues_plain(byte: u8) -> bool {
    begins_plain(byte) || matches!(byte, b'"' | b'\'' | b'`' | b'*' | b'@' | b'%')
}
