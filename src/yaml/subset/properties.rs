//! Tags, anchors and aliases as values of a block mapping, and aliases as entries of a block sequence.
//!
//! Only the usual forms: `!!str` or a tag of one's own before a scalar, an anchor before a value on the same line or a
//! collection below it.

use std::collections::HashMap;

use super::super::tree::{Kind, NodeId, Properties};
use super::{SubsetReader, SubsetResult, Unsupported};

/// The anchors that were read so far.
#[derive(Debug, Default)]
pub(in super::super) struct Anchors<'t> {
    nodes: HashMap<&'t str, Anchored>,
    /// The names that the current entry of a list defines, with what they referred to before.
    own: Vec<(&'t str, Option<Anchored>)>,
}

#[derive(Debug, Clone, Copy)]
enum Anchored {
    Node(NodeId),
    /// The entry of a list that contains the node. The node itself was discarded.
    Inside(NodeId),
}

impl<'t> Anchors<'t> {
    /// Begins another entry of a list.
    pub(in super::super) fn open_entry(&mut self) {
        self.own.clear();
    }

    /// Remembers of the anchors in the current entry of a list only that they are there.
    pub(in super::super) fn close_entry(&mut self, entry: NodeId) {
        for (name, _) in self.own.drain(..) {
            self.nodes.insert(name, Anchored::Inside(entry));
        }
    }

    /// The names of all anchors, with the entries that contain them, between two entries of a list.
    pub(in super::super) fn inside(&self) -> impl Iterator<Item = (&'t str, NodeId)> {
        self.nodes.iter().map(|(name, Anchored::Node(node) | Anchored::Inside(node))| (*name, *node))
    }

    pub(in super::super) fn add_inside(&mut self, entry: NodeId, names: impl Iterator<Item = &'t str>) {
        self.nodes.extend(names.map(|name| (name, Anchored::Inside(entry))));
    }

    /// Forgets the anchors in the current entry.
    pub(super) fn discard_entry(&mut self) {
        for (name, before) in self.own.drain(..).rev() {
            match before {
                Some(anchored) => self.nodes.insert(name, anchored),
                None => self.nodes.remove(name),
            };
        }
    }

    pub(in super::super) fn clear(&mut self) {
        self.nodes.clear();
        self.own.clear();
    }

    fn add(&mut self, name: &'t str, node: NodeId) {
        let before = self.nodes.insert(name, Anchored::Node(node));
        self.own.push((name, before));
    }
}

impl<'t> SubsetReader<'t> {
    /// The value of a key at this column that begins with a tag or an anchor.
    pub(super) fn with_property(
        &mut self,
        start: usize,
        column: usize,
        parent: NodeId,
    ) -> SubsetResult<NodeId> {
        let end = self.end_of_name(start + 1);
        let (name, is_anchor) = (&self.text[start + 1..end], self.bytes[start] == b'&');
        let is_name = !name.is_empty() && !name.contains('!');
        let is_tag =
            name == "!str" || (is_name && name.starts_with(|first: char| first.is_ascii_alphabetic()));
        if !self.is_break(end) || !(if is_anchor { is_name } else { is_tag }) {
            return Err(Unsupported);
        }
        let id = NodeId(self.tree.len() as u32);
        let tag = (!is_anchor).then(|| self.text[start..end].to_owned());
        self.tree.properties.push((id, Properties { range: start..end, tag }));
        if is_anchor {
            self.anchors.add(name, id);
        }
        let at = self.skip_spaces(end);
        let value = match self.bytes.get(at) {
            Some(b'\n' | b'\r' | b'#') if is_anchor => self.below(end, column, parent, false)?,
            Some(b'\n' | b'\r' | b'#' | b'&' | b'!' | b'*' | b'|' | b'>') | None => return Err(Unsupported),
            Some(b'{' | b'[') if !is_anchor => return Err(Unsupported),
            Some(_) => self.scalar(at, column, parent)?,
        };
        let span = self.tree.span(value);
        // Readers disagree about where a value without text is, and about tags of text that goes on.
        let is_unusual = matches!(self.tree.kind(value), Kind::Scalar(_))
            && (span.is_empty() || self.bytes[span].contains(&b'\n'));
        if value != id || is_unusual { Err(Unsupported) } else { Ok(value) }
    }

    /// The alias that begins here, which the rest of the line must follow.
    pub(super) fn alias(&mut self, start: usize, column: usize, parent: NodeId) -> SubsetResult<NodeId> {
        let end = self.end_of_name(start + 1);
        let target = match self.anchors.nodes.get(&self.text[start + 1..end]) {
            Some(Anchored::Node(node)) => *node,
            Some(Anchored::Inside(entry)) if !self.identifies(parent) => {
                self.borrowed.push((start..end, *entry));
                *entry
            }
            _ => return Err(Unsupported),
        };
        let mut above = Some(parent);
        while let Some(node) = above {
            if node == target {
                return Err(Unsupported);
            }
            above = self.tree.parent(node);
        }
        let node = self.tree.push(Kind::Alias, start..end, Some(parent));
        self.tree.aliases.push((node, target));
        self.end = end;
        let line_end = self.end_of_value(end)?;
        self.go_to(line_end + 1)?;
        if self.column > Some(column) { Err(Unsupported) } else { Ok(node) }
    }

    /// Whether anyone reads the text that comes next in this collection. Nobody reads the text of an entry that is
    /// discarded, except what the entry is.
    pub(super) fn is_read(&self, collection: NodeId) -> bool {
        self.entry.is_none() || self.identifies(collection)
    }

    /// Whether the value that comes next in this mapping may say what an entry of a list is, so that it must be known.
    pub(super) fn identifies(&self, mapping: NodeId) -> bool {
        let Some(entry) = self.entry else { return true };
        let key = self.tree.nodes.last().map_or("", |key| &self.text[key.start as usize..key.end as usize]);
        let is_near = mapping == entry || self.tree.parent(mapping) == Some(entry);
        let names = ["apiVersion", "kind", "metadata", "name", "namespace"];
        is_near && (key.contains('\\') || names.contains(&key.trim_matches(['"', '\''])))
    }

    fn end_of_name(&self, at: usize) -> usize {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'!');
        at + self.bytes[at..].iter().take_while(|byte| is_name(byte)).count()
    }
}
