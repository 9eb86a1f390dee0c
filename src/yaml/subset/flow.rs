//! Collections in braces and brackets, on one line or on several, and so JSON.

use super::super::events::{Layout, Style};
use super::super::tree::{Kind, NodeId};
use super::keys::{Ascending, Key};
use super::scalars::{begins_plain, with_bytes};
use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// Whether the text is one collection in braces or brackets.
    pub(in super::super) fn has_braces(&self) -> bool {
        self.column == Some(0) && matches!(self.bytes.get(self.at), Some(b'{' | b'['))
    }

    /// The collection that begins with a brace or bracket. Returns its end. The lines of a collection below a key or
    /// dash must be deeper than its column.
    pub(super) fn braces(
        &mut self,
        start: usize,
        column: Option<usize>,
        parent: Option<NodeId>,
    ) -> SubsetResult<usize> {
        let is_mapping = self.bytes[start] == b'{';
        let (kind, closing) = match is_mapping {
            true => (Kind::Mapping(Layout::Flow), b'}'),
            false => (Kind::Sequence(Layout::Flow), b']'),
        };
        self.at = start;
        let collection = self.open(kind, parent)?;
        let mut at = self.skip_breaks(start + 1, column)?;
        if self.bytes.get(at) == Some(&closing) {
            self.close_braces(collection, at + 1);
            return Ok(at + 1);
        }
        let mut order = Ascending::default();
        loop {
            if is_mapping {
                let key = self.key_in_braces(at, collection)?;
                order.add(self, key);
                at = self.skip_spaces(key.colon + 1);
            }
            at = self.value_in_braces(at, column, collection)?;
            at = self.skip_breaks(at, column)?;
            match self.bytes.get(at) {
                Some(b',') => at = self.skip_breaks(at + 1, column)?,
                Some(byte) if *byte == closing => break,
                _ => return Err(Unsupported),
            }
        }
        self.close_braces(collection, at + 1);
        if !order.holds() {
            self.refuse_duplicate_keys(collection)?;
        }
        Ok(at + 1)
    }

    /// Ends a collection after its closing brace or bracket.
    pub(in super::super) fn close_braces(&mut self, collection: NodeId, end: usize) {
        self.end = end;
        self.close(collection);
    }

    /// Reads a key. Its value must begin on the same line.
    pub(in super::super) fn key_in_braces(&mut self, start: usize, mapping: NodeId) -> SubsetResult<Key> {
        let first = *self.bytes.get(start).ok_or(Unsupported)?;
        let key = match first {
            b'"' | b'\'' => {
                let quotes = self.quotes(start, usize::MAX)?;
                if quotes.has_breaks || self.bytes.get(quotes.end) != Some(&b':') {
                    return Err(Unsupported);
                }
                let style = if first == b'"' { Style::DoubleQuoted } else { Style::SingleQuoted };
                Key { start, colon: quotes.end, style, has_escapes: quotes.has_escapes }
            }
            _ if begins_plain(first) => {
                let end = self.next_in_braces(start)?;
                let is_key = self.bytes.get(end) == Some(&b':') && self.bytes.get(end + 1) == Some(&b' ');
                if !is_key || self.bytes[end - 1] == b' ' {
                    return Err(Unsupported);
                }
                Key::plain(start, end)
            }
            _ => return Err(Unsupported),
        };
        self.push_key(key.limited()?, mapping)?;
        Ok(key)
    }

    /// Reads a value and returns its end.
    pub(in super::super) fn value_in_braces(
        &mut self,
        start: usize,
        column: Option<usize>,
        parent: NodeId,
    ) -> SubsetResult<usize> {
        match *self.bytes.get(start).ok_or(Unsupported)? {
            b'{' | b'[' => self.braces(start, column, Some(parent)),
            b'"' | b'\'' => {
                let quotes = self.quotes(start, usize::MAX)?;
                self.push_quoted(start, quotes, parent)?;
                Ok(quotes.end)
            }
            first if begins_plain(first) || (first == b'-' && self.begins_number(start + 1)) => {
                let mut end = self.next_in_braces(start)?;
                if self.bytes.get(end) == Some(&b':') {
                    return Err(Unsupported);
                }
                while self.bytes[end - 1] == b' ' {
                    end -= 1;
                }
                self.tree.push(Kind::Scalar(Style::Plain), start..end, Some(parent));
                Ok(end)
            }
            _ => Err(Unsupported),
        }
    }

    fn begins_number(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.')
    }

    /// What ends the plain scalar at `start`: a comma, a brace, a line break, or a colon that ends a key.
    fn next_in_braces(&self, start: usize) -> SubsetResult<usize> {
        let mut at = start;
        loop {
            let rest = &self.bytes[at..];
            at += rest.iter().position(|b| ENDS_PLAIN[*b as usize]).ok_or(Unsupported)?;
            match (self.bytes[at], self.bytes.get(at + 1)) {
                (b',' | b']' | b'}' | b'\n' | b'\r', _) => return Ok(at),
                (b':', Some(b' ' | b'\n' | b'\r')) => return Ok(at),
                (b':', None | Some(b',' | b'[' | b']' | b'{' | b'}' | b'\t')) => return Err(Unsupported),
                (b':', _) => at += 1,
                (b'#', _) if self.bytes[at - 1] != b' ' => at += 1,
                _ => return Err(Unsupported),
            }
        }
    }

    /// Skips spaces and line breaks. The next token must be deeper than the column if it is on another line.
    #[inline]
    pub(in super::super) fn skip_breaks(&self, at: usize, column: Option<usize>) -> SubsetResult<usize> {
        match self.bytes.get(at) {
            Some(byte) if *byte > b' ' => Ok(at),
            _ => self.skip_to_token(at, column),
        }
    }

    fn skip_to_token(&self, at: usize, column: Option<usize>) -> SubsetResult<usize> {
        let mut line = None;
        let mut at = self.skip_spaces(at);
        loop {
            at += match (self.bytes.get(at), self.bytes.get(at + 1)) {
                (Some(b'\n'), _) => 1,
                (Some(b'\r'), Some(b'\n')) => 2,
                // The next byte may be inside a character.
                (Some(b'\r'), _) => return Err(Unsupported),
                _ => break,
            };
            line = Some(at);
            at = self.skip_spaces(at);
        }
        let Some(line) = line else { return Ok(at) };
        let is_deep = match column {
            Some(column) => at.saturating_sub(line) > column,
            // At the margin, dashes and dots can end the document.
            None => !matches!(self.bytes.get(at), Some(b'-' | b'.')),
        };
        if is_deep { Ok(at) } else { Err(Unsupported) }
    }
}

/// The bytes that can end a plain scalar in braces, or that the subset excludes there.
const ENDS_PLAIN: [bool; 256] = with_bytes([false; 256], b",[]{}:#?\t\n\r");
