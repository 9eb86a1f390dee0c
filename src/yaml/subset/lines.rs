//! Moving from line to line, and recognizing what separates tokens.

use memchr::{memchr, memchr_iter};

use super::words::skip_spaces;
use super::{SubsetReader, SubsetResult, Unsupported};

impl SubsetReader<'_> {
    /// Moves to the first line with content, at or after `line`.
    #[inline]
    pub fn go_to(&mut self, line: usize) -> SubsetResult<()> {
        let at = self.skip_spaces(line);
        match self.bytes.get(at) {
            // Everything else may be content, or not.
            Some(byte) if *byte > b'#' => {
                (self.at, self.column) = (at, Some(at - line));
                Ok(())
            }
            _ => self.go_to_content(line),
        }
    }

    /// The same where blank lines and comments may come first, or nothing.
    #[inline(never)]
    fn go_to_content(&mut self, mut line: usize) -> SubsetResult<()> {
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

    #[inline]
    pub(in super::super) fn skip_spaces(&self, at: usize) -> usize {
        skip_spaces(self.bytes, at)
    }

    pub(super) fn count_spaces(&self, at: usize, most: usize) -> usize {
        (skip_spaces(self.bytes, at) - at).min(most)
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
    const CHUNK: usize = 256;
    // Control characters and everything beyond ASCII, as one comparison: adding 1 wraps the latter, and 0x7f.
    let is_unusual =
        |b: u8| (b.wrapping_add(1).cast_signed() <= b' '.cast_signed()) & (b != b'\n') & (b != b'\r');
    let mut found = Vec::new();
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        if chunk.iter().fold(false, |found, b| found | is_unusual(*b)) && found.len() <= MANY {
            let start = CHUNK * number;
            let unusual = chunk.iter().enumerate().filter(|(_, b)| is_unusual(**b)).map(|(at, _)| start + at);
            found.extend(unusual.filter(|at| is_doubtful(&bytes[*at..])));
        }
    }
    let carriage_returns = memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n'));
    found.extend(carriage_returns.take(MANY));
    found.sort_unstable();
    found
}

/// Whether the text begins with a doubtful character. Carriage returns are looked for separately.
fn is_doubtful(bytes: &[u8]) -> bool {
    match bytes {
        [first, ..] if *first < b' ' => !matches!(first, b'\n' | b'\t' | b'\r'),
        [0x7f, ..] => true,
        [0xc2, next, ..] => *next < 0xa0,
        [0xe2, 0x80, next, ..] => matches!(next, 0xa8 | 0xa9),
        [0xef, 0xbb, 0xbf, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_doubtful_character_is_found_wherever_it_is() {
        let doubtful_ones =
            ['\0', '\u{1f}', '\u{7f}', '\u{85}', '\u{9f}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{fffe}'];
        for at in [0, 1, 15, 16, 254, 255, 256, 1000] {
            for character in doubtful_ones {
                let text = format!("{}{character}{}", "x".repeat(at), "y".repeat(20));
                assert_eq!(doubtful(text.as_bytes()), [at], "{character:?}");
            }
        }
        assert!(doubtful("a\tb\r\nc \u{a0}\u{e9}\u{2026}\u{ff01}\u{1f600} ~".as_bytes()).is_empty());
        assert_eq!(doubtful(b"a\rb\r\n\r"), [1, 5]);
    }
}
