//! Finds a pair in an entry of a list without reading all of it: in block style by the columns of its lines, and in
//! braces by reading only what precedes it.
//!
//! That is right only for text that the fast reader has accepted. In block style, all lines of a value are deeper than
//! its key then, except for the dashes of a sequence.

use std::ops::Range;

use memchr::memchr;

use super::super::events::Layout;
use super::super::tree::{Kind, NodeId};
use super::words::skip_spaces;
use super::{SubsetReader, SubsetResult, Unsupported};

/// The lines of the field `inner` of the mapping `outer` of an entry in block style. None if they are not found this
/// way, which does not mean that they are missing.
pub(super) fn lines_of_pair(bytes: &[u8], outer: &str, inner: &str) -> Option<Range<usize>> {
    let dash = skip_spaces(bytes, 0);
    if bytes.get(dash) != Some(&b'-') {
        return None;
    }
    let first = skip_spaces(bytes, dash + 1);
    let (key, _) = Lines { bytes, line: 0, at: first }.find(outer, first)?;
    // The value must begin on a line of its own, with a key.
    let value = skip_spaces(bytes, key + outer.len() + 1);
    let (line, at) = content(bytes, value)?;
    let column = at - line;
    let is_below = matches!(bytes.get(value), Some(b'\n' | b'\r' | b'#')) && column > first;
    if !is_below || is_dash(bytes, at) {
        return None;
    }
    let (key, mut after) = Lines { bytes, line, at }.find(inner, column)?;
    loop {
        if after.next().is_none() {
            return Some(key - column..bytes.len());
        }
        let next = after.at - after.line;
        if next < column || (next == column && !is_dash(bytes, after.at)) {
            return Some(key - column..after.line);
        }
    }
}

impl SubsetReader<'_> {
    /// The same of an entry in braces, from the key to the end of its value.
    pub(super) fn pair_in_braces(&mut self, outer: &str, inner: &str) -> SubsetResult<Range<usize>> {
        self.entry = Some(NodeId(0));
        let (_, mapping) = self.find_in_braces(outer, self.at)?;
        let (key, value) = self.find_in_braces(inner, mapping)?;
        Ok(key..self.value_in_braces(value, None, NodeId(0))?)
    }

    /// Where a key of the mapping in braces at `start` begins, and where its value does.
    fn find_in_braces(&mut self, wanted: &str, start: usize) -> SubsetResult<(usize, usize)> {
        if self.bytes.get(start) != Some(&b'{') {
            return Err(Unsupported);
        }
        let mapping = self.open(Kind::Mapping(Layout::Flow), None)?;
        let mut at = self.skip_breaks(start + 1, None)?;
        loop {
            let key = NodeId(self.tree.len() as u32);
            let colon = self.key_in_braces(at, mapping)?.colon;
            let value = self.skip_spaces(colon + 1);
            if self.tree.text(self.text, key) == wanted {
                return Ok((at, value));
            }
            let end = self.value_in_braces(value, None, mapping)?;
            at = self.skip_breaks(end, None)?;
            if self.bytes.get(at) != Some(&b',') {
                return Err(Unsupported);
            }
            at = self.skip_breaks(at + 1, None)?;
        }
    }
}

/// A line with content, and those after it.
struct Lines<'t> {
    bytes: &'t [u8],
    line: usize,
    /// Where the content begins.
    at: usize,
}

impl Lines<'_> {
    /// Finds a key of the mapping at this column, which begins here, and the line that it is on.
    fn find(mut self, key: &str, column: usize) -> Option<(usize, Self)> {
        loop {
            let rest = &self.bytes[self.at..];
            if self.at - self.line < column
                || (self.at - self.line == column && matches!(rest, [b'"' | b'\'', ..]))
            {
                // The mapping has ended, or the key may be in quotes.
                return None;
            }
            let is_key =
                || matches!(rest.strip_prefix(key.as_bytes()), Some([b':', b' ' | b'\n' | b'\r', ..]));
            if self.at - self.line == column && is_key() {
                return Some((self.at, self));
            }
            self.next()?;
        }
    }

    /// Moves to the next line with content.
    fn next(&mut self) -> Option<()> {
        (self.line, self.at) = content(self.bytes, self.at)?;
        Some(())
    }
}

/// The next line with content after the line of `at`: its start, and where its content begins.
fn content(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    loop {
        let line = at + memchr(b'\n', &bytes[at..])? + 1;
        at = skip_spaces(bytes, line);
        match bytes.get(at)? {
            b'\n' | b'\r' | b'#' => {}
            _ => return Some((line, at)),
        }
    }
}

fn is_dash(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'-') && matches!(bytes.get(at + 1), None | Some(b' ' | b'\n' | b'\r'))
}
