//! Finds a pair in an entry of a block list by the columns of its lines, without reading the rest.
//!
//! That is right only for text that the fast reader has accepted: in the subset, all lines of a value are deeper than
//! its key, except for the dashes of a sequence.

use std::ops::Range;

use memchr::memchr;

use super::super::document::{Document, Frame};
use super::super::text::Text;
use super::super::tree::Tree;
use super::words::skip_spaces;

/// Part of a document that was read by itself: one pair at the second level.
#[derive(Debug)]
pub struct Part {
    /// A mapping that contains only that pair.
    pub doc: Document,
    /// The lines of the pair in the document.
    pub lines: Range<usize>,
}

impl Part {
    /// The field `inner` of the mapping `outer` of an entry. None if it is not found this way, which does not mean that
    /// it is missing.
    pub fn of_entry(text: &Text, outer: &str, inner: &str) -> Option<Part> {
        let bytes = text.as_bytes();
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
        let end = loop {
            if after.next().is_none() {
                break bytes.len();
            }
            let next = after.at - after.line;
            if next < column || (next == column && !is_dash(bytes, after.at)) {
                break after.line;
            }
        };
        let lines = key - column..end;
        Part::read(text.part(lines.clone()), lines)
    }

    /// Reads the lines of a pair.
    pub fn read(text: Text, lines: Range<usize>) -> Option<Part> {
        let tree = Tree::parse_subset(&text)?;
        Some(Part { doc: Document::of(text, tree, Frame::Whole), lines })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, outer: &str, inner: &str) -> Option<String> {
        Part::of_entry(&Text::from(text), outer, inner).map(|part| text[part.lines].to_owned())
    }

    #[test]
    fn a_part_is_the_lines_of_its_pair() {
        let text = "- kind: A\n  metadata:\n    name: a\n  spec:\n    # about a\n    a:\n    - x\n\n    - b: 1\n    # about b\n    b:\n      c: |\n        spec:\n          b: 1\n    # the end\n  status: {}\n";
        assert_eq!(part(text, "spec", "a").unwrap(), "    a:\n    - x\n\n    - b: 1\n    # about b\n");
        let b = "    b:\n      c: |\n        spec:\n          b: 1\n    # the end\n";
        assert_eq!(part(text, "spec", "b").unwrap(), b);
        assert_eq!(part(text, "metadata", "name").unwrap(), "    name: a\n");
        for (outer, inner) in [("spec", "c"), ("status", "a"), ("kind", "a"), ("sp", "a"), ("spec", "x")] {
            assert_eq!(part(text, outer, inner), None);
        }
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(part(&crlf, "spec", "b").unwrap(), b.replace('\n', "\r\n"));
        assert_eq!(part("  - spec:\n      b: 1", "spec", "b").unwrap(), "      b: 1");
        assert_eq!(part("- spec:\n    b:\n    - 1\n  - 2\n", "spec", "b").unwrap(), "    b:\n    - 1\n");
    }

    #[test]
    fn other_ways_to_write_it_are_not_found() {
        for text in [
            "- spec: {b: 1}\n",
            "- spec: &x\n    b: 1\n",
            "- spec: # c\n    \"b\": 1\n",
            "- 'spec':\n    b: 1\n",
            "- spec:\n  - b: 1\n",
            "- spec:\n",
            "- spec:\n  b: 1\n",
            "- spec: |\n    b: 1\n",
            "spec:\n  b: 1\n",
        ] {
            assert_eq!(part(text, "spec", "b"), None, "{text:?}");
        }
    }
}
