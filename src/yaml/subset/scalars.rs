//! Plain and quoted scalars.

use std::ops::Range;

use memchr::memchr;

use super::super::events::Style;
use super::super::tree::{Kind, NodeId};
use super::words;
use super::{SubsetReader, SubsetResult, Unsupported};

/// A quoted scalar.
#[derive(Clone, Copy)]
pub(super) struct Quotes {
    /// The position after the closing quote.
    pub(super) end: usize,
    pub(super) has_escapes: bool,
    /// Whether it has several lines.
    pub(super) has_breaks: bool,
}

impl SubsetReader<'_> {
    /// A scalar, or a collection in braces.
    pub(super) fn scalar(&mut self, start: usize, column: usize, parent: NodeId) -> SubsetResult<NodeId> {
        let node = NodeId(self.tree.len() as u32);
        let first = self.bytes[start];
        let mut is_plain = false;
        self.end = match first {
            b'"' | b'\'' => self.quoted(start, column, parent)?,
            b'{' | b'[' => self.braces(start, Some(column), Some(parent))?,
            _ if begins_plain(first) || (first == b'-' && !self.is_break(start + 1)) => {
                is_plain = true;
                let end = self.end_of_plain(start)?;
                self.tree.push(Kind::Scalar(Style::Plain), start..end, Some(parent));
                end
            }
            _ => return Err(Unsupported),
        };
        let line_end = self.end_of_value(self.end)?;
        self.go_to(line_end + 1)?;
        // A deeper line continues a plain scalar, and is an error after any other value.
        match self.column > Some(column) {
            false => Ok(node),
            true if is_plain => self.continued(node, column),
            true => Err(Unsupported),
        }
    }

    /// A plain scalar that fills the rest of its line.
    pub(super) fn plain_line(
        &mut self,
        span: Range<usize>,
        column: usize,
        parent: NodeId,
    ) -> SubsetResult<NodeId> {
        self.end = span.end;
        let node = self.tree.push(Kind::Scalar(Style::Plain), span, Some(parent));
        self.go_to(self.end + 1)?;
        if self.column > Some(column) { self.continued(node, column) } else { Ok(node) }
    }

    /// The next byte that can end a plain scalar, or the end of the text.
    pub(super) fn next_indicator(&self, at: usize) -> usize {
        words::end_of_plain(self.bytes, at)
    }

    /// The end of the part of a plain scalar that is on the line of `start`.
    pub(super) fn end_of_plain(&self, start: usize) -> SubsetResult<usize> {
        let mut at = start;
        loop {
            at = self.next_indicator(at);
            match self.bytes.get(at) {
                None | Some(b'\n' | b'\r') => break,
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

    /// A quoted scalar below a key or dash at this column. Returns its end.
    fn quoted(&mut self, start: usize, column: usize, parent: NodeId) -> SubsetResult<usize> {
        let quotes = self.quotes(start, column)?;
        self.push_quoted(start, quotes, parent)?;
        Ok(quotes.end)
    }

    pub(super) fn push_quoted(&mut self, start: usize, quotes: Quotes, parent: NodeId) -> SubsetResult<()> {
        let style = if self.bytes[start] == b'"' { Style::DoubleQuoted } else { Style::SingleQuoted };
        let is_read = quotes.has_escapes && self.is_read(parent);
        let node = self.tree.push(Kind::Scalar(style), start..quotes.end, Some(parent));
        let inside = start + 1..quotes.end - 1;
        if quotes.has_breaks {
            let text = self.joined(&self.text[inside], style)?;
            self.tree.decoded.push((node, text.into()));
        } else if is_read {
            self.decode(node, inside, style)?;
        } else if quotes.has_escapes && style == Style::DoubleQuoted {
            check_escapes(&self.text[inside])?;
        }
        Ok(())
    }

    /// Finds the closing quote. The lines of the scalar must be deeper than the column.
    #[inline]
    pub(super) fn quotes(&self, start: usize, column: usize) -> SubsetResult<Quotes> {
        let quote = self.bytes[start];
        let at = words::end_of_quoted(self.bytes, start + 1, quote);
        let is_end = self.bytes.get(at) == Some(&quote);
        if is_end && (quote == b'"' || self.bytes.get(at + 1) != Some(&quote)) {
            return Ok(Quotes { end: at + 1, has_escapes: false, has_breaks: false });
        }
        self.quotes_after(at, quote, column)
    }

    /// The same where the text up to `at` has neither quotes nor escapes.
    fn quotes_after(&self, mut at: usize, quote: u8, column: usize) -> SubsetResult<Quotes> {
        let (mut has_escapes, mut has_breaks) = (false, false);
        loop {
            at = words::end_of_quoted(self.bytes, at, quote);
            match (self.bytes.get(at), self.bytes.get(at + 1)) {
                (Some(b'\\'), Some(next)) if quote == b'"' => {
                    has_escapes = true;
                    at += if matches!(next, b'\n' | b'\r') { 1 } else { 2 };
                }
                (Some(b'\''), Some(b'\'')) if quote == b'\'' => {
                    has_escapes = true;
                    at += 2;
                }
                (Some(byte), _) if *byte == quote => {
                    return Ok(Quotes { end: at + 1, has_escapes, has_breaks });
                }
                (Some(b'\n'), _) => {
                    has_breaks = true;
                    let line = at + 1;
                    at = self.skip_spaces(line);
                    let is_blank = matches!(self.bytes.get(at), Some(b'\n' | b'\r'));
                    if at - line <= column && !is_blank {
                        return Err(Unsupported);
                    }
                }
                (None | Some(b'\t'), _) => return Err(Unsupported),
                _ => at += 1,
            }
        }
    }

    /// The end of the line of a value. Only spaces and a comment may follow the value.
    pub(in super::super) fn end_of_value(&self, end: usize) -> SubsetResult<usize> {
        let at = self.skip_spaces(end);
        match self.bytes.get(at) {
            None | Some(b'\n') => Ok(at),
            Some(b'\r') => Ok(at + 1),
            Some(b'#') if at > end => Ok(self.end_of_line(at)),
            _ => Err(Unsupported),
        }
    }

    /// Stores the text of a quoted scalar on one line, which has escapes.
    pub(super) fn decode(&mut self, node: NodeId, inside: Range<usize>, style: Style) -> SubsetResult<()> {
        let text = &self.text[inside];
        let decoded = if style == Style::DoubleQuoted { unescape(text)? } else { text.replace("''", "'") };
        self.tree.decoded.push((node, decoded.into()));
        Ok(())
    }
}

/// Decodes the escapes that every reader supports. The parser handles the others.
pub(super) fn unescape(text: &str) -> SubsetResult<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (character, after) = escaped(&rest[at + 1..])?;
        out.push(character);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether [`unescape`] can decode the text.
fn check_escapes(mut rest: &str) -> SubsetResult<()> {
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        rest = escaped(&rest[at + 1..])?.1;
    }
    Ok(())
}

/// The character that is written after a backslash, and what follows it.
fn escaped(text: &str) -> SubsetResult<(char, &str)> {
    let escape = *text.as_bytes().first().ok_or(Unsupported)?;
    let rest = text.get(1..).ok_or(Unsupported)?;
    let digits = match escape {
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => 0,
    };
    let character = match escape {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\\' | b' ' => escape as char,
        b'x' | b'u' | b'U' => character(rest.get(..digits).ok_or(Unsupported)?)?,
        _ => return Err(Unsupported),
    };
    Ok((character, &rest[digits..]))
}

/// Whether a plain scalar of the subset may begin with this byte: it is not an indicator in any context.
pub(super) fn begins_plain(byte: u8) -> bool {
    BEGINS_PLAIN[byte as usize]
}

const BEGINS_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte >= 0x80 || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    with_bytes(table, b"/._($<+=^~;)\\")
};

/// A table that has these bytes too.
pub(super) const fn with_bytes(mut table: [bool; 256], bytes: &[u8]) -> [bool; 256] {
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
}

/// The character with this hexadecimal number.
fn character(digits: &str) -> SubsetResult<char> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Unsupported);
    }
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or(Unsupported)
}
