//! Moving from line to line, and recognizing what separates tokens.

use memchr::{memchr, memchr_iter, memchr3_iter};

use super::words::skip_spaces;
use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// Moves to the first line with content, at or after `line`.
    pub fn go_to(&mut self, mut line: usize) -> SubsetResult<()> {
        loop {
            let at = self.skip_spaces(line.min(self.bytes.len()));
            (self.at, self.column) = (at, Some(at.wrapping_sub(line)));
            match self.bytes.get(at) {
                Some(b'\n') => line = at + 1,
                Some(b'\r') => line = at + 2,
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
        skip_spaces(self.bytes, at)
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
        matches!(self.bytes.get(at), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// The start of the first line after `line` that has content at the margin and is not an entry of a list.
    pub fn end_of_pair(&self, mut line: usize) -> usize {
        loop {
            line = self.end_of_line(line) + 1;
            match self.bytes.get(line) {
                None => return self.bytes.len(),
                Some(b' ' | b'\n' | b'\r' | b'#') => {}
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
            if indent <= column && !matches!(self.bytes.get(line + indent), Some(b'\n' | b'\r' | b'#')) {
                return line;
            }
        }
    }
}

/// More doubtful characters than this are not worth remembering.
pub(in super::super) const MANY: usize = 1000;

/// The characters that not all readers treat in the same way: control characters except tabs and line breaks, other
/// line breaks, byte order marks. Of many, only the first.
pub(in super::super) fn doubtful(bytes: &[u8]) -> Vec<usize> {
    let is_control = |b: u8| ((b < b' ') & (b != b'\n') & (b != b'\t') & (b != b'\r')) | (b == 0x7f);
    let mut found = Vec::new();
    for (number, chunk) in bytes.chunks(4096).enumerate() {
        if chunk.iter().fold(false, |found, b| found | is_control(*b)) && found.len() <= MANY {
            let controls = chunk.iter().enumerate().filter(|(_, b)| is_control(**b));
            found.extend(controls.map(|(at, _)| 4096 * number + at));
        }
    }
    let carriage_returns = memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n'));
    found.extend(carriage_returns.take(MANY));
    let others = memchr3_iter(0xc2, 0xe2, 0xef, bytes).filter(|at| match bytes[*at..] {
        [0xc2, next, ..] => next < 0xa0,
        [0xe2, 0x80, next, ..] => matches!(next, 0xa8 | 0xa9),
        [0xef, 0xbb, 0xbf, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] => true,
        _ => false,
    });
    found.extend(others.take(MANY));
    found.sort_unstable();
    found
}
