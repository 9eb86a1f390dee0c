//! Scalars that end on their line: plain, quoted, and collections that are empty.

use std::ops::Range;

use memchr::{memchr, memchr3};

use super::super::events::{Layout, Style};
use super::super::tree::{Kind, NodeId};
use super::{Doubt, Reader, Sure};

impl Reader<'_> {
    /// A scalar, or an empty collection, that ends on its line.
    pub(super) fn scalar(&mut self, start: usize, column: usize, parent: NodeId) -> Sure<NodeId> {
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
    pub(super) fn next_sign(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|b| SIGNS[*b as usize]).unwrap_or(rest.len())
    }

    /// Behind the last character of a plain scalar.
    pub(super) fn end_of_plain(&self, start: usize) -> Sure<usize> {
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
    pub(super) fn end_of_quotes(&self, start: usize) -> Sure<usize> {
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
    pub(super) fn end_of_value(&self, end: usize) -> Sure<usize> {
        let at = self.skip_blanks(end);
        match self.bytes.get(at) {
            None | Some(b'\n') => Ok(at),
            Some(b'#') if at > end => Ok(self.end_of_line(at)),
            _ => Err(Doubt),
        }
    }

    /// Notes what a quoted scalar means, where that is not what stands between its quotes.
    pub(super) fn decode(&mut self, node: NodeId, inside: Range<usize>, style: Style) -> Sure<()> {
        let text = &self.text[inside];
        let sign = if style == Style::DoubleQuoted { b'\\' } else { b'\'' };
        if memchr(sign, text.as_bytes()).is_none() {
            return Ok(());
        }
        let decoded = if sign == b'\'' { text.replace("''", "'") } else { unescape(text)? };
        self.tree.decoded.push((node, decoded.into()));
        Ok(())
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
pub(super) fn begins_plain(byte: u8) -> bool {
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
