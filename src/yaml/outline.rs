//! Reads a long list entry by entry. Each entry is passed to a callback and then discarded, so memory holds
//! the nodes of only one of them at a time. Parts of the list can be read side by side.

mod entries;
mod parts;

use std::ops::Range;
use std::vec;

use self::parts::Cuts;
pub use self::parts::OutlinePart;
use super::document::{Document, Frame};
use super::events::Layout;
use super::subset::{MANY, SubsetReader, SubsetResult, Unsupported, doubtful};
use super::text::Text;
use super::tree::{Kind, NodeId, Tree};

/// An entry of a list, while it is read.
#[derive(Debug, Clone, Copy)]
pub struct VisitedEntry<'d> {
    pub doc: &'d Document,
    pub node: NodeId,
    /// Whether the fast reader has accepted it.
    pub is_simple: bool,
}

/// How to read a mapping in which a key holds a list of mappings.
#[derive(Debug)]
pub struct Outline<'t> {
    text: &'t Text,
    key: &'t str,
    cuts: Cuts,
}

impl<'t> Outline<'t> {
    /// Plans to read the list in about so many parts. It may turn out that there are fewer, or none.
    pub fn new(text: &'t Text, key: &'t str, parts: usize) -> Self {
        Outline { text, key, cuts: Cuts::find(text, key, parts) }
    }

    pub fn part_count(&self) -> usize {
        self.cuts.starts.len()
    }

    /// Reads the text, except for the parts of the list that were read before: all of them in their order, or none. Calls
    /// `visit` for every other entry of the list, with a document that contains it. In the returned document, entries have
    /// no children but aliases to other entries. With it comes what `visit` returned for each entry.
    ///
    /// None if the text is not supported. Then [`Document::parse`] reads it, or reports what is wrong with
    /// it.
    pub fn read<V>(
        &self,
        parts: Vec<OutlinePart<'t, V>>,
        visit: &impl Fn(VisitedEntry<'_>) -> V,
    ) -> Option<(Document, Vec<V>)> {
        let unread = 0..parts.first().map_or(self.text.len(), |part| part.start);
        let mut doubtful = doubtful(&self.text.as_bytes()[unread]);
        doubtful.extend(parts.iter().flat_map(|part| &part.doubtful));
        let reader = SubsetReader::lenient(self.text, 0).ok()?;
        let mut outliner = Outliner {
            text: self.text,
            key: self.key,
            visit,
            visited: Vec::new(),
            reader,
            doubtful,
            parts: parts.into_iter(),
        };
        outliner.document().ok()?;
        outliner.reader.tree.find_targets();
        let document = Document::of(self.text.clone(), outliner.reader.tree, Frame::Whole);
        Some((document, outliner.visited))
    }
}

struct Outliner<'t, 'v, V, Visit> {
    text: &'t Text,
    key: &'t str,
    visit: &'v Visit,
    /// What `visit` returned for each entry so far.
    visited: Vec<V>,
    reader: SubsetReader<'t>,
    /// The positions of characters that only the complete reader may read.
    doubtful: Vec<usize>,
    /// The parts of the list that were read before and begin later.
    parts: vec::IntoIter<OutlinePart<'t, V>>,
}

impl<V, Visit: Fn(VisitedEntry<'_>) -> V> Outliner<'_, '_, V, Visit> {
    fn document(&mut self) -> SubsetResult<()> {
        let before = 0..self.reader.at;
        if self.doubtful.len() > MANY || self.is_doubtful(before) {
            return Err(Unsupported);
        }
        if !self.reader.has_braces() {
            return self.mapping();
        }
        let is_mapping = self.text.as_bytes()[self.reader.at] == b'{';
        if is_mapping && self.doubtful.is_empty() { self.braces() } else { Err(Unsupported) }
    }

    fn is_doubtful(&self, range: Range<usize>) -> bool {
        let first = self.doubtful.partition_point(|at| *at < range.start);
        self.doubtful.get(first).is_some_and(|at| *at < range.end)
    }

    /// Whether the part of the text since `start` that was just read has characters that readers disagree about.
    fn was_doubtful(&self, start: usize) -> bool {
        let end = if self.reader.column.is_some() { self.reader.at } else { self.text.len() };
        self.is_doubtful(start..end)
    }

    fn mapping(&mut self) -> SubsetResult<()> {
        let mapping = self.reader.open(Kind::Mapping(Layout::Block), None)?;
        loop {
            match self.reader.column {
                Some(0) => {}
                None if self.reader.tree.len() > 1 => break,
                _ => return Err(Unsupported),
            }
            let key = self.reader.key(0)?;
            self.reader.push_key(key, mapping)?;
            let is_list = self.text[key.start..key.colon] == *self.key;
            match is_list.then(|| self.reader.first_entry(key.colon + 1)).transpose()?.flatten() {
                Some(column) if !self.was_doubtful(key.start) => self.list(column, mapping)?,
                Some(_) => return Err(Unsupported),
                None => self.value(key.colon, mapping)?,
            }
        }
        self.reader.close(mapping);
        self.reader.refuse_duplicate_keys(mapping)
    }

    /// The value of the key that ends at this colon.
    fn value(&mut self, colon: usize, mapping: NodeId) -> SubsetResult<()> {
        let checkpoint = self.reader.checkpoint();
        let key = self.reader.tree.nodes.last().map_or(0, |key| key.start as usize);
        match self.reader.value(colon + 1, 0, mapping) {
            Ok(_) if !self.was_doubtful(key) => Ok(()),
            _ => {
                self.reader.discard_since(checkpoint);
                self.unsupported_value(key, mapping)
            }
        }
    }

    /// Reads a pair at the margin with the complete reader. It ends at the next line that has content at the
    /// margin and is not an entry of a list. The tree already contains the key.
    fn unsupported_value(&mut self, line: usize, mapping: NodeId) -> SubsetResult<()> {
        let end = self.reader.end_of_pair(line);
        let tree = Tree::parse_events(&self.text[line..end]).map_err(|_| Unsupported)?;
        let root = tree.root().ok_or(Unsupported)?;
        let mut pairs = tree.pairs(root);
        let (Some((_, value)), None) = (pairs.next(), pairs.next()) else { return Err(Unsupported) };
        if tree.kind(root) != Kind::Mapping(Layout::Block) || tree.span(root).start != 0 {
            return Err(Unsupported);
        }
        self.reader.tree.graft(&tree, value, mapping, line);
        // The anchors of this value are unknown, and so is what they replace.
        self.reader.anchors.clear();
        self.reader.end = line + tree.span(value).end;
        self.reader.go_to(end)
    }

    /// A list in braces, such as JSON.
    fn braces(&mut self) -> SubsetResult<()> {
        let mapping = self.reader.open(Kind::Mapping(Layout::Flow), None)?;
        let mut at = self.reader.skip_breaks(self.reader.at + 1, None)?;
        loop {
            let key = NodeId(self.reader.tree.len() as u32);
            let colon = self.reader.key_in_braces(at, mapping)?.colon;
            let is_list = self.reader.tree.text(self.text, key) == self.key;
            at = self.reader.skip_spaces(colon + 1);
            at = match self.text.as_bytes().get(at) {
                Some(b'[') if is_list => self.list_in_brackets(at, mapping)?,
                _ => self.reader.value_in_braces(at, None, mapping)?,
            };
            at = self.reader.skip_breaks(at, None)?;
            match self.text.as_bytes().get(at) {
                Some(b',') => at = self.reader.skip_breaks(at + 1, None)?,
                Some(b'}') => break,
                _ => return Err(Unsupported),
            }
        }
        self.reader.close_braces(mapping, at + 1);
        self.reader.refuse_duplicate_keys(mapping)?;
        self.reader.go_to(self.reader.end_of_value(at + 1)? + 1)?;
        if self.reader.column.is_some() { Err(Unsupported) } else { Ok(()) }
    }

    /// Visits the entry that was just read and discards the nodes below it.
    fn visit_and_discard(&mut self, entry: NodeId) -> SubsetResult<()> {
        if !matches!(self.reader.tree.kind(entry), Kind::Mapping(_)) {
            return Err(Unsupported);
        }
        self.refuse_open_block(&self.reader.tree, 0)?;
        let tree = std::mem::take(&mut self.reader.tree);
        let doc = Document::of(self.text.clone(), tree, Frame::Whole);
        self.visited.push((self.visit)(VisitedEntry { doc: &doc, node: entry, is_simple: true }));
        self.reader.tree = doc.tree;
        self.reader.tree.truncate(entry.0 as usize + 1);
        self.reader.anchors.close_entry(entry);
        self.keep_aliases(entry);
        Ok(())
    }

    /// Keeps the aliases of an entry that refer to other entries, which must not change then.
    fn keep_aliases(&mut self, entry: NodeId) {
        let tree = &mut self.reader.tree;
        for (span, lender) in self.reader.borrowed.drain(..) {
            let alias = tree.push(Kind::Alias, span, Some(entry));
            tree.aliases.push((alias, lender));
        }
        tree.nodes[entry.0 as usize].next = tree.nodes.len() as u32;
    }

    /// A block scalar that ends the text without a line break needs another header when something is
    /// appended, so it must stay in the tree.
    fn refuse_open_block(&self, tree: &Tree, offset: usize) -> SubsetResult<()> {
        let ends_here = |node| offset + tree.span(node).end == self.text.len();
        let is_open = !self.text.ends_with('\n') && tree.last_block_scalar().is_some_and(ends_here);
        if is_open { Err(Unsupported) } else { Ok(()) }
    }
}
