//! Moving from line to line, and recognizing what separates tokens.

use memchr::{memchr, memchr3_iter};

use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// Moves to the first line with content, at or after `line`.
    pub fn go_to(&mut self, mut line: usize) -> SubsetResult<()> {
        loop {
            let at = self.skip_spaces(line.min(self.bytes.len()));
            (self.at, self.column) = (at, Some(at.wrapping_sub(line)));
            match self.bytes.get(at) {
                Some(b'\n') => line = at + 1,
                Some(b'#') => line = self.end_of_line(at) + 1,
                Some(b'\t') => return Err(Unsupported),
                Some(_) => return Ok(()),
                None => {
                    self.column = None;
                    return Ok(());
                }
            }
        }
    }

    pub(super) fn end_of_line(&self, at: usize) -> usize {
        memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |i| at + i)
    }

    pub(super) fn skip_spaces(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|b| *b != b' ').unwrap_or(rest.len())
    }

    pub(super) fn count_spaces(&self, at: usize, most: usize) -> usize {
        self.bytes[at..].iter().take(most).take_while(|b| **b == b' ').count()
    }

    /// Whether a sequence entry begins here.
    pub(super) fn is_dash(&self, at: usize) -> bool {
        self.bytes.get(at) == Some(&b'-') && self.is_break(at + 1)
    }

    /// Whether whitespace or the end of the text follows here, so that a token can end.
    pub(super) fn is_break(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), None | Some(b' ' | b'\n'))
    }

    /// The start of the first line after `line` that has content at the margin and is not an entry of a list.
    pub fn end_of_pair(&self, mut line: usize) -> usize {
        loop {
            line = self.end_of_line(line) + 1;
            match self.bytes.get(line) {
                None => return self.bytes.len(),
                Some(b' ' | b'\n' | b'#') => {}
                Some(_) if self.is_dash(line) => {}
                Some(_) => return line,
            }
        }
    }

    /// The start of the first line after `line` that has content at the column of its dash, or left of it.
    pub fn end_of_entry(&self, mut line: usize, column: usize) -> usize {
        loop {
            line = self.end_of_line(line) + 1;
            if line >= self.bytes.len() {
                return self.bytes.len();
            }
            let indent = self.skip_spaces(line) - line;
            if indent <= column && !matches!(self.bytes.get(line + indent), Some(b'\n' | b'#')) {
                return line;
            }
        }
    }
}

/// Whether a string has only characters that all readers treat in the same way: no control characters except
/// line feeds and tabs, no other line breaks, no byte order marks.
pub(super) fn is_printable(bytes: &[u8]) -> bool {
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
