//! The entries of the list, in block style and in brackets.

use super::super::document::{Document, Frame};
use super::super::events::Layout;
use super::super::subset::{SubsetResult, Unsupported};
use super::super::tree::{Kind, NodeId, Tree};
use super::{Outliner, VisitedEntry};

impl<'t, V, Visit: Fn(VisitedEntry<'_>) -> V> Outliner<'t, '_, V, Visit> {
    /// The list whose dashes are at this column.
    pub(super) fn list(&mut self, column: usize, mapping: NodeId) -> SubsetResult<()> {
        let list = self.reader.open(Kind::Sequence(Layout::Block), Some(mapping))?;
        while self.reader.has_entry(column)? {
            if !self.take_part(self.reader.at, list) {
                self.entry(column, list)?;
            }
        }
        self.reader.entry = None;
        self.reader.close(list);
        Ok(())
    }

    /// The entry that begins the current line, and whose dash is at this column.
    pub(super) fn entry(&mut self, column: usize, list: NodeId) -> SubsetResult<()> {
        let (start, checkpoint) = (self.reader.at, self.reader.checkpoint());
        self.reader.anchors.open_entry();
        self.reader.entry = Some(NodeId(self.reader.tree.len() as u32));
        match self.reader.entry(column, list) {
            Ok(entry) if !self.was_doubtful(start) => self.visit_and_discard(entry),
            _ => {
                self.reader.discard_since(checkpoint);
                self.unsupported_entry(start - column, column, list)
            }
        }
    }

    pub(super) fn list_in_brackets(&mut self, start: usize, mapping: NodeId) -> SubsetResult<usize> {
        self.reader.at = start;
        let list = self.reader.open(Kind::Sequence(Layout::Flow), Some(mapping))?;
        let mut at = self.reader.skip_breaks(start + 1, None)?;
        while self.text.as_bytes().get(at) != Some(&b']') {
            at = match self.take_part(at, list) {
                true => self.reader.at,
                false => self.entry_in_brackets(at, list)?,
            };
        }
        self.reader.entry = None;
        self.reader.close_braces(list, at + 1);
        Ok(at + 1)
    }

    /// The entry that begins here. Returns where the next one begins, or the bracket that ends the list.
    pub(super) fn entry_in_brackets(&mut self, start: usize, list: NodeId) -> SubsetResult<usize> {
        let entry = NodeId(self.reader.tree.len() as u32);
        self.reader.entry = Some(entry);
        let end = self.reader.value_in_braces(start, None, list)?;
        self.visit_and_discard(entry)?;
        let at = self.reader.skip_breaks(end, None)?;
        let next = match self.text.as_bytes().get(at) {
            Some(b',') => self.reader.skip_breaks(at + 1, None)?,
            Some(b']') => return Ok(at),
            _ => return Err(Unsupported),
        };
        // A comma before the bracket is for the complete reader.
        if self.text.as_bytes().get(next) == Some(&b']') { Err(Unsupported) } else { Ok(next) }
    }

    /// Reads an entry with the complete reader. By itself it means the same as in the list: no line at the
    /// column of the dashes belongs to it, and an alias to another entry is an error then.
    fn unsupported_entry(&mut self, line: usize, column: usize, list: NodeId) -> SubsetResult<()> {
        let end = self.reader.end_of_entry(line, column);
        let text = self.text.part(line..end);
        let tree = Tree::parse_events(&text).map_err(|_| Unsupported)?;
        let doc = Document::of(text, tree, Frame::Entry);
        let (Some(sequence), Some(entry)) = (doc.tree.root(), doc.root()) else { return Err(Unsupported) };
        let kind = doc.tree.kind(entry);
        let is_alone = doc.tree.children(sequence).count() == 1
            && doc.tree.kind(sequence) == Kind::Sequence(Layout::Block)
            && doc.tree.span(sequence).start == column;
        if !is_alone || !matches!(kind, Kind::Mapping(_)) {
            return Err(Unsupported);
        }
        self.refuse_open_block(&doc.tree, line)?;
        self.visited.push((self.visit)(VisitedEntry { doc: &doc, node: entry, is_simple: false }));
        let span = doc.tree.span(entry);
        self.reader.end = line + span.end;
        let node = self.reader.tree.push(kind, line + span.start..line + span.end, Some(list));
        let source: &'t str = self.text;
        let properties = doc.tree.properties.iter().map(|(_, p)| p.range.start + line..p.range.end + line);
        let words = properties.flat_map(|range| source[range].split_ascii_whitespace());
        self.reader.anchors.add_inside(node, words.filter_map(|word| word.strip_prefix('&')));
        self.reader.go_to(end)
    }
}
