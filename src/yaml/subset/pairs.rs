//! Pairs of a plain key and a plain value on one line, which most lines of a manifest are. One loop reads them all,
//! which takes half as many instructions as a call for each part.

use super::super::events::Style;
use super::super::tree::{Kind, Node, NodeId};
use super::keys::{Ascending, Key, MAX_KEY};
use super::scalars::begins_plain;
use super::words::{end_of_plain, skip_spaces};
use super::{SubsetReader, SubsetResult};

/// What follows some plain pairs.
pub(super) enum After {
    /// A key at the same column, with another kind of value.
    Key(Key),
    /// Another kind of key, or no key.
    Line,
    /// A line at another column, or the end of the text.
    Mapping,
}

impl<'t> SubsetReader<'t> {
    /// Reads plain pairs of the mapping at this column, which is not the margin. The first of them, if any, begins the
    /// current line.
    pub(super) fn plain_pairs(
        &mut self,
        column: usize,
        mapping: NodeId,
        order: &mut Ascending<'t>,
    ) -> SubsetResult<After> {
        let bytes = self.bytes;
        let mut start = self.at;
        loop {
            self.at = start;
            if !bytes.get(start).is_some_and(|first| begins_plain(*first) && *first != b'<') {
                return Ok(After::Line);
            }
            let colon = end_of_plain(bytes, start);
            let Some([b':', after, first, ..]) = bytes.get(colon..) else { return Ok(After::Line) };
            let is_space_before = bytes[colon - 1] == b' ';
            if is_space_before || colon - start > MAX_KEY || !matches!(after, b' ' | b'\n' | b'\r') {
                return Ok(After::Line);
            }
            let key = Key::plain(start, colon);
            if *after != b' ' || !begins_plain(*first) {
                return Ok(After::Key(key));
            }
            let value = colon + 2;
            let end = end_of_plain(bytes, value);
            let line = match bytes.get(end) {
                Some(b'\n') => end + 1,
                Some(b'\r') => end + 2,
                _ => return Ok(After::Key(key)),
            };
            if bytes[end - 1] == b' ' {
                return Ok(After::Key(key));
            }
            start = skip_spaces(bytes, line);
            let next = bytes.get(start).copied();
            // Comments and blank lines end with the general way, and so does text that goes on.
            let is_content = next > Some(b'#');
            if !is_content || start - line > column {
                return Ok(After::Key(key));
            }
            let at = self.tree.nodes.len() as u32;
            let node = |start: usize, end: usize, at: u32| Node {
                kind: Kind::Scalar(Style::Plain),
                start: start as u32,
                end: end as u32,
                next: at + 1,
                parent: mapping.0,
            };
            self.tree.nodes.extend_from_slice(&[node(self.at, colon, at), node(value, end, at + 1)]);
            order.add(self, key);
            if start - line != column || next == Some(b'-') {
                (self.at, self.column, self.end) = (start, Some(start - line), end);
                return Ok(if start - line == column { After::Line } else { After::Mapping });
            }
            self.end = end;
        }
    }
}
