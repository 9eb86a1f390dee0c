//! One YAML document as a flat arena of nodes with byte spans.
//!
//! Nodes are in document order, so a subtree is a range of the arena and needs no pointers: the children of a
//! collection begin at the next index, and `next` is the index after the subtree. The children of a mapping
//! are keys and values in turn. Most scalars are slices of the text without their quotes. The others
//! (escapes, folded lines, block scalars) have their decoded text in a side table.
//!
//! Spans are our own and differ from those of the parser:
//! - a plain, quoted or flow node covers its token, without tag or anchor;
//! - a block scalar begins at its `|` or `>` and ends after the line break of its last line of text; blank
//!   lines at its end belong to it only if its header keeps them (`|+`);
//! - a block mapping begins at its first key, a block sequence at its first dash, and both end where their
//!   last child ends;
//! - an empty value is an empty span directly after the `:`, the `-`, the tag or the anchor that it belongs
//!   to.

use std::ops::Range;

use super::events::{Layout, Style};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Scalar(Style),
    Mapping(Layout),
    Sequence(Layout),
    Alias,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The index after the subtree of the node.
    pub(super) next: u32,
    /// The root is its own parent.
    pub(super) parent: u32,
}

/// The tag and anchor before a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Properties {
    pub(super) range: Range<usize>,
    pub(super) tag: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The text of scalars that are not slices of the source. Sorted by node, like the next two tables.
    pub(super) decoded: Vec<(NodeId, Box<str>)>,
    pub(super) properties: Vec<(NodeId, Properties)>,
    pub(super) aliases: Vec<(NodeId, NodeId)>,
    /// The nodes that aliases refer to, sorted.
    pub(super) targets: Vec<NodeId>,
}

impl Tree {
    pub(super) fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The bytes of a node, without tag and anchor.
    pub fn span(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        node.start as usize..node.end as usize
    }

    /// Where a node begins, including its tag and anchor.
    pub fn outer_start(&self, id: NodeId) -> usize {
        let start = self.node(id).start as usize;
        self.properties(id).map_or(start, |p| p.range.start.min(start))
    }

    pub(super) fn properties(&self, id: NodeId) -> Option<&Properties> {
        find(&self.properties, id)
    }

    pub(super) fn alias_target(&self, id: NodeId) -> Option<NodeId> {
        find(&self.aliases, id).copied()
    }

    /// The aliases that refer to a node.
    pub(super) fn aliases_of(&self, target: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.aliases.iter().filter(move |(_, t)| *t == target).map(|(alias, _)| *alias)
    }

    pub(super) fn is_aliased(&self, id: NodeId) -> bool {
        self.targets.binary_search(&id).is_ok()
    }

    /// Every alias with the node that it refers to, in document order.
    pub(super) fn aliases(&self) -> &[(NodeId, NodeId)] {
        &self.aliases
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id.0 > 0).then(|| NodeId(self.node(id).parent))
    }

    /// The key of a value in a mapping.
    pub(super) fn key_of(&self, value: NodeId) -> Option<NodeId> {
        let mapping = self.parent(value).filter(|parent| matches!(self.kind(*parent), Kind::Mapping(_)))?;
        let before = NodeId(value.0 - 1);
        // Nearly every key is a scalar, and then it is the node directly before its value.
        if before != mapping && self.parent(before) == Some(mapping) {
            return Some(before);
        }
        self.pairs(mapping).find(|(_, v)| *v == value).map(|(key, _)| key)
    }

    /// Whether a key is `<<` or, as kpt writes it, `!!merge <<`.
    pub(super) fn is_merge(&self, source: &str, key: NodeId) -> bool {
        self.kind(key) == Kind::Scalar(Style::Plain)
            && source[self.span(key)] == *"<<"
            && self.properties(key).and_then(|p| p.tag.as_deref()).is_none_or(|tag| tag == "!!merge")
    }

    /// Every node, in document order.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The last node, if it is a block scalar.
    pub(super) fn last_block_scalar(&self) -> Option<NodeId> {
        let id = NodeId((self.nodes.len() as u32).checked_sub(1)?);
        matches!(self.kind(id), Kind::Scalar(Style::Literal | Style::Folded)).then_some(id)
    }

    pub fn has_aliases(&self) -> bool {
        !self.aliases.is_empty()
    }

    pub fn has_anchors(&self, source: &str) -> bool {
        self.properties.iter().any(|(_, properties)| source[properties.range.clone()].contains('&'))
    }

    pub fn children(&self, id: NodeId) -> Children<'_> {
        let node = self.node(id);
        let end = match node.kind {
            Kind::Mapping(_) | Kind::Sequence(_) => node.next,
            Kind::Scalar(_) | Kind::Alias => id.0 + 1,
        };
        Children { tree: self, at: id.0 + 1, end }
    }

    /// The indices of a node and everything below it.
    pub(super) fn subtree(&self, id: NodeId) -> Range<usize> {
        id.0 as usize..self.node(id).next as usize
    }

    /// The keys and values of a mapping.
    pub fn pairs(&self, id: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let mut children = self.children(id);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The decoded text of a scalar.
    pub(super) fn text<'t>(&'t self, source: &'t str, id: NodeId) -> &'t str {
        if let Some(decoded) = find(&self.decoded, id) {
            return decoded;
        }
        match (self.kind(id), self.span(id)) {
            (Kind::Scalar(Style::SingleQuoted | Style::DoubleQuoted), span) => {
                source.get(span.start + 1..span.end - 1).unwrap_or_default()
            }
            (_, span) => &source[span],
        }
    }

    /// The decoded texts of some nodes, in document order.
    pub(super) fn decoded_in(&self, nodes: Range<usize>) -> impl Iterator<Item = &(NodeId, Box<str>)> {
        let from = |index: usize| self.decoded.partition_point(|(id, _)| (id.0 as usize) < index);
        self.decoded[from(nodes.start)..from(nodes.end)].iter()
    }

    /// Keeps only the first nodes. The last of them loses its children.
    pub(super) fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
        let end = NodeId(len as u32);
        self.decoded.truncate(self.decoded.partition_point(|(id, _)| *id < end));
        self.properties.truncate(self.properties.partition_point(|(id, _)| *id < end));
        self.aliases.truncate(self.aliases.partition_point(|(id, _)| *id < end));
        if let Some(last) = self.nodes.last_mut() {
            last.next = end.0;
        }
    }

    /// Copies a node and everything below it from the tree of text that begins at `offset` of this one.
    pub(super) fn graft(&mut self, other: &Tree, node: NodeId, parent: NodeId, offset: usize) {
        let subtree = other.subtree(node);
        let shift = self.nodes.len() as u32;
        let id = |node: NodeId| NodeId(node.0 - subtree.start as u32 + shift);
        let is_below = |node: NodeId| subtree.contains(&(node.0 as usize));
        let at = |range: &Range<usize>| range.start + offset..range.end + offset;
        for old in &other.nodes[subtree.clone()] {
            let is_top = self.nodes.len() as u32 == shift;
            self.nodes.push(Node {
                kind: old.kind,
                start: old.start + offset as u32,
                end: old.end + offset as u32,
                next: id(NodeId(old.next)).0,
                parent: if is_top { parent.0 } else { id(NodeId(old.parent)).0 },
            });
        }
        let decoded = other.decoded.iter().filter(|(node, _)| is_below(*node));
        self.decoded.extend(decoded.map(|(node, text)| (id(*node), text.clone())));
        let properties = other.properties.iter().filter(|(node, _)| is_below(*node));
        self.properties.extend(
            properties.map(|(node, p)| (id(*node), Properties { range: at(&p.range), tag: p.tag.clone() })),
        );
        let aliases = other.aliases.iter().filter(|(node, target)| is_below(*node) && is_below(*target));
        self.aliases.extend(aliases.map(|(node, target)| (id(*node), id(*target))));
        let targets = other.targets.iter().filter(|node| is_below(**node));
        self.targets.extend(targets.map(|node| id(*node)));
    }

    /// Appends the children of a list in another tree of the same text to a list at the end of this one. They are
    /// scalars, aliases, or collections that have only aliases below them. Returns how far their numbers move.
    pub(super) fn append_entries(&mut self, other: &Tree, from: NodeId, list: NodeId) -> u32 {
        let first = from.0 + 1;
        let shift = self.nodes.len() as u32 - first;
        self.nodes.extend(other.nodes[first as usize..].iter().map(|old| Node {
            next: old.next + shift,
            parent: if old.parent == from.0 { list.0 } else { old.parent + shift },
            ..*old
        }));
        let moved = |node: NodeId| NodeId(node.0 + shift);
        self.aliases.extend(other.aliases.iter().map(|(alias, target)| (moved(*alias), moved(*target))));
        shift
    }

    /// Notes the nodes that aliases refer to.
    pub(super) fn find_targets(&mut self) {
        self.targets = self.aliases.iter().map(|(_, target)| *target).collect();
        self.targets.sort_unstable();
        self.targets.dedup();
    }

    pub(super) fn push(&mut self, kind: Kind, span: Range<usize>, parent: Option<NodeId>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let parent = parent.unwrap_or(id).0;
        self.nodes.push(Node {
            kind,
            start: span.start as u32,
            end: span.end as u32,
            next: id.0 + 1,
            parent,
        });
        id
    }
}

fn find<T>(table: &[(NodeId, T)], id: NodeId) -> Option<&T> {
    table.binary_search_by_key(&id, |(key, _)| *key).ok().map(|i| &table[i].1)
}

#[derive(Debug, Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.at >= self.end {
            return None;
        }
        let id = NodeId(self.at);
        self.at = self.tree.node(id).next;
        Some(id)
    }
}
