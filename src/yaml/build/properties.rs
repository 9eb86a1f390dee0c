//! Anchors, aliases and tags.

use std::ops::Range;

use super::super::error::YamlError;
use super::super::events::{Layout, Style};
use super::super::tree::{Kind, NodeId, Properties};
use super::Builder;

impl Builder<'_> {
    pub(super) fn alias(&mut self, anchor: usize, range: Range<usize>) -> Result<(), YamlError> {
        self.enter()?;
        let Some(target) = self.anchors.get(&anchor).copied() else {
            return Err(self.error(range.start, "an alias without an anchor"));
        };
        if self.open.iter().any(|open| open.id == target) {
            return Err(self.error(range.start, "an alias inside the node that it refers to"));
        }
        self.cursor = range.end;
        let id = self.tree.push(Kind::Alias, range, self.parent());
        self.tree.aliases.push((id, target));
        self.leave_child(id);
        Ok(())
    }

    pub(super) fn anchor(&mut self, anchor: usize, range: Range<usize>) {
        let Some(id) = self.latest else { return };
        self.anchors.insert(anchor, id);
        self.cursor = self.cursor.max(range.end);
        let properties = &mut self.tree.properties;
        match properties.last_mut() {
            Some((last, p)) if *last == id => {
                p.range = p.range.start.min(range.start)..p.range.end.max(range.end);
            }
            _ => properties.push((id, Properties { range: range.clone(), tag: None })),
        }
        self.begin_at_property(id, range.start);
        // The position of an empty value is after its anchor, as it is after a tag.
        let node = &mut self.tree.nodes[id.0 as usize];
        if matches!(node.kind, Kind::Scalar(Style::Plain)) && node.start == node.end {
            (node.start, node.end) = (range.end as u32, range.end as u32);
            if let Some(open) = self.open.last() {
                let parent = &mut self.tree.nodes[open.id.0 as usize];
                parent.end = parent.end.max(range.end as u32);
            }
        }
    }

    pub(super) fn tag(&mut self, id: NodeId, tag: Option<(Range<usize>, String)>) {
        if let Some((range, tag)) = tag {
            self.cursor = self.cursor.max(range.end);
            let start = range.start;
            self.tree.properties.push((id, Properties { range, tag: Some(tag) }));
            self.begin_at_property(id, start);
        }
    }

    /// A block mapping begins at its first key, and a key begins at its first property.
    fn begin_at_property(&mut self, id: NodeId, start: usize) {
        if let Some(open) = self.open.last() {
            let parent = &mut self.tree.nodes[open.id.0 as usize];
            let is_first_child = open.id.0 + 1 == id.0;
            if is_first_child && parent.kind == Kind::Mapping(Layout::Block) {
                parent.start = parent.start.min(start as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;

    #[test]
    fn properties_precede_the_node() {
        let text = "c: &x !!map\n  !!str k: v\nd: *x\n";
        let tree = Tree::parse(text).unwrap();
        let root = tree.root().unwrap();
        let (_, c) = tree.pairs(root).next().unwrap();
        assert_eq!(&text[tree.outer_start(c)..tree.span(c).start], "&x !!map\n  ");
        assert_eq!(&text[tree.span(c)], "!!str k: v");
        let (_, d) = tree.pairs(root).nth(1).unwrap();
        assert_eq!(tree.alias_target(d), Some(c));
    }

    #[test]
    fn an_alias_to_its_own_parent_is_refused() {
        assert!(Tree::parse("&a [*a]\n").unwrap_err().message().contains("inside the node"));
    }
}
