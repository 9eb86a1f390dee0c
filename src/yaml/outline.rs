//! A document that is one long list, read entry by entry: each is shown once and then let go, so that
//! memory holds one of them at a time.

use super::document::{Document, Frame};
use super::events::Layout;
use super::subset::{Doubt, Reader, Sure};
use super::text::Text;
use super::tree::{Kind, NodeId, Tree};

impl Document {
    /// Reads a mapping in block style in which `key` holds a list of mappings. Every entry of the list is
    /// shown, in a document that holds it; in the document that is left, entries have no children.
    ///
    /// None when in doubt: then [`Document::parse`] reads the text, or says what is wrong with it.
    pub fn outline(text: &Text, key: &str, show: impl FnMut(&Document, NodeId)) -> Option<Document> {
        let reader = Reader::new(text).ok()?;
        let mut outliner = Outliner { text, key, show, reader };
        outliner.mapping().ok()?;
        Some(Document::of(text.clone(), outliner.reader.tree, Frame::Whole))
    }
}

struct Outliner<'t, Show> {
    text: &'t Text,
    key: &'t str,
    show: Show,
    reader: Reader<'t>,
}

impl<Show: FnMut(&Document, NodeId)> Outliner<'_, Show> {
    fn mapping(&mut self) -> Sure<()> {
        let mapping = self.reader.open(Kind::Mapping(Layout::Block), None)?;
        loop {
            match self.reader.column {
                Some(0) => {}
                None if self.reader.tree.len() > 1 => break,
                _ => return Err(Doubt),
            }
            let colon = self.reader.key(mapping, 0)?;
            let is_list = self
                .reader
                .tree
                .nodes
                .last()
                .is_some_and(|key| self.text[key.start as usize..key.end as usize] == *self.key);
            match is_list.then(|| self.reader.first_entry(colon + 1)).transpose()?.flatten() {
                Some(column) => self.list(column, mapping)?,
                None => self.value(colon, mapping)?,
            }
        }
        self.reader.close(mapping);
        self.reader.refuse_duplicate_keys(mapping)
    }

    /// The value of the key that ends at this colon. What is beyond the subset is read by itself.
    fn value(&mut self, colon: usize, mapping: NodeId) -> Sure<()> {
        let mark = self.reader.mark();
        let key = self.reader.tree.nodes.last().map_or(0, |key| key.start as usize);
        match self.reader.value(colon + 1, 0, mapping) {
            Ok(_) => Ok(()),
            Err(Doubt) => {
                self.reader.forget_since(mark);
                self.doubtful_value(key, mapping)
            }
        }
    }

    /// A pair at the margin, read by itself: it ends at the next line that has content there, unless that is
    /// an entry of a list. The key is in the tree already.
    fn doubtful_value(&mut self, line: usize, mapping: NodeId) -> Sure<()> {
        let end = self.reader.end_of_pair(line);
        let tree = Tree::parse_events(&self.text[line..end]).map_err(|_| Doubt)?;
        let root = tree.root().ok_or(Doubt)?;
        let mut pairs = tree.pairs(root);
        let (Some((_, value)), None) = (pairs.next(), pairs.next()) else { return Err(Doubt) };
        if tree.kind(root) != Kind::Mapping(Layout::Block) || tree.span(root).start != 0 {
            return Err(Doubt);
        }
        self.reader.tree.graft(&tree, value, mapping, line);
        self.reader.go_to(end)
    }

    fn list(&mut self, column: usize, mapping: NodeId) -> Sure<()> {
        let list = self.reader.open(Kind::Sequence(Layout::Block), Some(mapping))?;
        while self.reader.has_entry(column)? {
            let (start, mark) = (self.reader.at, self.reader.mark());
            match self.reader.entry(column, list) {
                Ok(entry) => self.let_go(entry)?,
                Err(Doubt) => {
                    self.reader.forget_since(mark);
                    self.doubtful_entry(start - column, column, list)?;
                }
            }
        }
        self.reader.close(list);
        Ok(())
    }

    /// Shows the entry that has just been read, and forgets what is in it.
    fn let_go(&mut self, entry: NodeId) -> Sure<()> {
        if !matches!(self.reader.tree.kind(entry), Kind::Mapping(_)) {
            return Err(Doubt);
        }
        self.refuse_open_block(&self.reader.tree, 0)?;
        let tree = std::mem::take(&mut self.reader.tree);
        let doc = Document::of(self.text.clone(), tree, Frame::Whole);
        (self.show)(&doc, entry);
        self.reader.tree = doc.tree;
        self.reader.tree.truncate(entry.0 as usize + 1);
        Ok(())
    }

    /// An entry beyond the subset, read by itself. What can be read so means the same in the list: a line
    /// at the column of the dashes is no part of it, and an alias to another entry is refused.
    fn doubtful_entry(&mut self, line: usize, column: usize, list: NodeId) -> Sure<()> {
        let end = self.reader.end_of_entry(line, column);
        let text = self.text.part(line..end);
        let tree = Tree::parse_events(&text).map_err(|_| Doubt)?;
        let doc = Document::of(text, tree, Frame::Entry);
        let (Some(sequence), Some(entry)) = (doc.tree.root(), doc.root()) else { return Err(Doubt) };
        let kind = doc.tree.kind(entry);
        let is_alone = doc.tree.children(sequence).count() == 1
            && doc.tree.kind(sequence) == Kind::Sequence(Layout::Block)
            && doc.tree.span(sequence).start == column;
        if !is_alone || !matches!(kind, Kind::Mapping(_)) {
            return Err(Doubt);
        }
        self.refuse_open_block(&doc.tree, line)?;
        (self.show)(&doc, entry);
        let span = doc.tree.span(entry);
        self.reader.tree.push(kind, line + span.start..line + span.end, Some(list));
        self.reader.go_to(end)
    }

    /// A block scalar that the end of the text cuts off says so in its header when something follows; for that
    /// it must be in the tree.
    fn refuse_open_block(&self, tree: &Tree, offset: usize) -> Sure<()> {
        let ends_here = |node| offset + tree.span(node).end == self.text.len();
        let is_open = !self.text.ends_with('\n') && tree.last_block_scalar().is_some_and(ends_here);
        if is_open { Err(Doubt) } else { Ok(()) }
    }
}
