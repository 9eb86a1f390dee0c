//! Values on one line: plain and quoted scalars, and empty collections.

use std::ops::Range;

use memchr::{memchr, memchr3};

use super::super::events::{Layout, Style};
use super::super::tree::{Kind, NodeId};
use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// A scalar or an empty collection that ends on its line.
    pub(super) fn scalar(&mut self, start: usize, column: usize, parent: NodeId) -> SubsetResult<NodeId> {
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
            _ => return Err(Unsupported),
        };
        let end = self.end_of_value(end)?;
        self.go_to(end + 1)?;
        // A deeper line would continue the scalar or be an error.
        if self.column > Some(column) { Err(Unsupported) } else { Ok(node) }
    }

    /// The next byte that can end a plain scalar, or the end of the text.
    pub(super) fn next_indicator(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|b| ENDS_PLAIN[*b as usize]).unwrap_or(rest.len())
    }

    /// The end of the plain scalar at `start`.
    fn end_of_plain(&self, start: usize) -> SubsetResult<usize> {
        let mut at = start;
        loop {
            at = self.next_indicator(at);
            match self.bytes.get(at) {
                None | Some(b'\n') => break,
                Some(b':') if self.is_break(at + 1) => return Err(Unsupported),
                Some(b'#') if self.bytes[at - 1] == b' ' => break,
                Some(b'\t') => return Err(Unsupported),
                _ => at += 1,
            }
        }
        while self.bytes[at - 1] == b' ' {
            at -= 1;
        }
        Ok(at)
    }

    /// The position after the closing quote, which must be on the same line.
    pub(super) fn end_of_quotes(&self, start: usize) -> SubsetResult<usize> {
        let quote = self.bytes[start];
        let mut at = start + 1;
        loop {
            at += memchr3(quote, b'\\', b'\n', &self.bytes[at..]).ok_or(Unsupported)?;
            match (self.bytes[at], self.bytes.get(at + 1)) {
                (b'\n', _) => return Err(Unsupported),
                (b'\\', _) if quote == b'"' => at += 2,
                (b'\'', Some(b'\'')) => at += 2,
                (byte, _) if byte == quote => break,
                _ => at += 1,
            }
            if at > self.bytes.len() {
                return Err(Unsupported);
            }
        }
        if memchr(b'\t', &self.bytes[start..at]).is_some() { Err(Unsupported) } else { Ok(at + 1) }
    }

    /// The end of the line of a value. Only spaces and a comment may follow the value.
    fn end_of_value(&self, end: usize) -> SubsetResult<usize> {
        let at = self.skip_spaces(end);
        match self.bytes.get(at) {
            None | Some(b'\n') => Ok(at),
            Some(b'#') if at > end => Ok(self.end_of_line(at)),
            _ => Err(Unsupported),
        }
    }

    /// Stores the text of a quoted scalar if it differs from what is between the quotes.
    pub(super) fn decode(&mut self, node: NodeId, inside: Range<usize>, style: Style) -> SubsetResult<()> {
        let text = &self.text[inside];
        let escape = if style == Style::DoubleQuoted { b'\\' } else { b'\'' };
        if memchr(escape, text.as_bytes()).is_none() {
            return Ok(());
        }
        let decoded = if escape == b'\'' { text.replace("''", "'") } else { unescape(text)? };
        self.tree.decoded.push((node, decoded.into()));
        Ok(())
    }
}

/// The bytes that can end a plain scalar.
const ENDS_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    table[b'\n' as usize] = true;
    table[b'\t' as usize] = true;
    table[b':' as usize] = true;
    table[b'#' as usize] = true;
    table
};

/// Whether a plain scalar of the subset may begin with this byte: it is not an indicator in any context.
pub(super) fn begins_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"/._($<+=^~;)\\".contains(&byte)
}

/// Decodes the escapes that every reader supports. The parser handles the others.
fn unescape(text: &str) -> SubsetResult<String> {
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
            _ => return Err(Unsupported),
        });
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    Ok(out)
}
