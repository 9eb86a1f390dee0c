//! Reads a document again after an edit: only the smallest pair around the change, if that is enough.
//!
//! The lines of a pair in block style mean the same by themselves as in their document. So if they still contain that
//! one pair, all other nodes are as before.

use std::ops::Range;

use super::super::document::Document;
use super::super::error::YamlError;
use super::super::events::Layout;
use super::super::scan::line_start;
use super::super::text::Text;
use super::super::tree::{Kind, Node, NodeId, Properties, Tree};

/// A document after an edit.
pub(super) struct Edited {
    pub(super) doc: Document,
    /// None if all of it was read again.
    pub(super) reread: Option<Reread>,
}

/// The nodes that were read again. All other nodes are copies.
#[derive(Debug, Clone)]
pub(super) struct Reread {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// A pair in block style, on lines of its own.
struct Pair {
    key: NodeId,
    value: NodeId,
    lines: Range<usize>,
    depth: usize,
}

impl Edited {
    /// Reads the text of `before` after a change of the bytes at `changed`.
    pub(super) fn read(before: &Document, changed: Range<usize>, text: String) -> Result<Edited, YamlError> {
        let text = Text::from(text);
        if let Some((tree, reread)) = before.reread(&changed, &text) {
            debug_assert_eq!(Tree::parse(&text).as_ref(), Ok(&tree), "{}", &*text);
            let doc = Document::of(text, tree, before.frame);
            return Ok(Edited { doc, reread: Some(reread) });
        }
        let tree = Tree::parse(&text)?;
        let mut doc = Document::of(text, tree, before.frame);
        // An edit of JSON writes JSON.
        doc.json = before.json;
        Ok(Edited { doc, reread: None })
    }
}

impl Document {
    fn reread(&self, changed: &Range<usize>, text: &str) -> Option<(Tree, Reread)> {
        let pair = self.pair_around(changed)?;
        let old = pair.key.0 as usize..self.tree.subtree(pair.value).end;
        if self.tree.is_shared(&old) {
            return None;
        }
        let end = (text.len() + pair.lines.end).checked_sub(self.text.len())?;
        let lines = text.get(pair.lines.start..end)?;
        let new = Tree::parse_subset_below(lines, pair.depth)?;
        let root = new.root()?;
        let mut pairs = new.pairs(root);
        let (Some((key, _)), None) = (pairs.next(), pairs.next()) else { return None };
        let is_same_key = lines[new.span(key)] == self.text[self.tree.span(pair.key)]
            && new.span(key).start + pair.lines.start == self.tree.span(pair.key).start;
        let is_plain = new.properties.is_empty() && new.aliases.is_empty();
        if !is_same_key || !is_plain || new.kind(root) != Kind::Mapping(Layout::Block) {
            return None;
        }
        // The root of the lines is a mapping of its own, which the tree already has.
        let reread = Reread { new: old.start..old.start + new.len() - 1, old };
        Some((self.tree.spliced(&new, &reread, pair.lines.start, text.len(), self.text.len()), reread))
    }

    /// The smallest pair with lines of its own that contain the change and more.
    fn pair_around(&self, changed: &Range<usize>) -> Option<Pair> {
        let tree = &self.tree;
        let (mut node, mut end, mut depth) = (tree.root()?, self.text.len(), 0);
        let mut found = None;
        loop {
            depth += 1;
            let children: Vec<NodeId> = match tree.kind(node) {
                Kind::Mapping(Layout::Block) => tree.pairs(node).map(|(key, _)| key).collect(),
                Kind::Sequence(Layout::Block) => tree.children(node).collect(),
                _ => return found,
            };
            let after = children.partition_point(|child| tree.span(*child).start <= changed.start);
            let Some(child) = after.checked_sub(1).map(|index| children[index]) else { return found };
            if let Some(next) = children.get(after) {
                end = line_start(&self.text, tree.span(*next).start);
            }
            let start = line_start(&self.text, tree.span(child).start);
            if changed.end >= end {
                return found;
            }
            node = child;
            if matches!(tree.kind(tree.parent(child)?), Kind::Mapping(_)) {
                let margin = start..tree.span(child).start;
                node = NodeId(tree.subtree(child).end as u32);
                let has_lines = self.text[margin].bytes().all(|byte| byte == b' ');
                if has_lines && changed.start > tree.span(child).end {
                    found = Some(Pair { key: child, value: node, lines: start..end, depth });
                }
            }
        }
    }
}

impl Tree {
    /// Whether some of these nodes of a subtree have tags or anchors, or are aliases, or whether aliases refer to what
    /// is around them. Then a change here has effects elsewhere.
    fn is_shared(&self, nodes: &Range<usize>) -> bool {
        let is_inside = |id: &NodeId| nodes.contains(&(id.0 as usize));
        let mut above = NodeId(nodes.start as u32);
        let around = std::iter::from_fn(|| {
            above = self.parent(above)?;
            Some(above)
        });
        self.properties.iter().any(|(id, _)| is_inside(id))
            || self.aliases.iter().any(|(id, _)| is_inside(id))
            || around.into_iter().any(|node| self.is_aliased(node))
    }

    /// This tree with other nodes for a pair, from the tree of its lines, which begin at `offset`. The texts of both
    /// documents have these lengths.
    fn spliced(&self, pair: &Tree, reread: &Reread, offset: usize, new_len: usize, old_len: usize) -> Tree {
        let (old, new) = (&reread.old, &reread.new);
        let moved = |at: u32| (at as usize + new_len - old_len) as u32;
        let renumbered =
            |id: u32| if (id as usize) < old.end { id } else { (id as usize + new.end - old.end) as u32 };
        let mapping = self.nodes[old.start].parent;
        let mut nodes = Vec::with_capacity(self.nodes.len() + new.end - old.end);
        nodes.extend_from_slice(&self.nodes[..old.start]);
        // In the tree of the lines, the root is first, and then come the nodes of the pair.
        let inside = |id: u32| if id == 0 { mapping } else { id - 1 + old.start as u32 };
        nodes.extend(pair.nodes[1..].iter().map(|node| Node {
            start: node.start + offset as u32,
            end: node.end + offset as u32,
            next: node.next - 1 + old.start as u32,
            parent: inside(node.parent),
            ..*node
        }));
        nodes.extend(self.nodes[old.end..].iter().map(|node| Node {
            start: moved(node.start),
            end: moved(node.end),
            next: renumbered(node.next),
            parent: renumbered(node.parent),
            ..*node
        }));
        let pair_end = pair.nodes[0].end + offset as u32;
        let mut above = mapping as usize;
        loop {
            let node = &mut nodes[above];
            node.end = if node.next as usize == old.end { pair_end } else { moved(node.end) };
            node.next = renumbered(node.next);
            if above == 0 {
                break;
            }
            above = node.parent as usize;
        }
        let before = self.decoded.iter().take_while(|(id, _)| (id.0 as usize) < old.start);
        let inside = pair.decoded.iter().map(|(id, text)| (NodeId(inside(id.0)), text.clone()));
        let after = self.decoded.iter().skip_while(|(id, _)| (id.0 as usize) < old.end);
        let id = |id: &NodeId| NodeId(renumbered(id.0));
        let after = after.map(|(node, text)| (id(node), text.clone()));
        let properties = self.properties.iter().map(|(node, properties)| {
            let Range { start, end } = properties.range.clone();
            let is_before = (node.0 as usize) < old.start;
            let range =
                if is_before { start..end } else { start + new_len - old_len..end + new_len - old_len };
            (id(node), Properties { range, tag: properties.tag.clone() })
        });
        Tree {
            nodes,
            decoded: before.cloned().chain(inside).chain(after).collect(),
            properties: properties.collect(),
            aliases: self.aliases.iter().map(|(alias, target)| (id(alias), id(target))).collect(),
            targets: self.targets.iter().map(id).collect(),
        }
    }
}
