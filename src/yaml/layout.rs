//! Where things stand in a text: columns, line ends, and the habits of whoever wrote it.

use std::ops::Range;

use super::document::{Document, Step};
use super::events::Layout;
use super::tree::{Kind, NodeId, find_dash, line_end, line_start, next_line};
use super::write::Habits;

impl Document {
    /// The habits of this text, read off its first nested mapping and its first list.
    pub fn habits(&self) -> Habits {
        let mut habits = Habits {
            json: self.json,
            crlf: self.text.find('\n').is_some_and(|i| self.text[..i].ends_with('\r')),
            ..Habits::default()
        };
        let (mut indent, mut dash_indent) = (None, None);
        let mut waiting: Vec<NodeId> = self.root().into_iter().collect();
        while let Some(node) = waiting.pop() {
            match self.tree().kind(node) {
                Kind::Mapping(Layout::Block) => {
                    let column = self.column_of_mapping(node);
                    for (_, value) in self.tree().pairs(node) {
                        let start = self.column(self.tree().span(value).start);
                        match self.tree().kind(value) {
                            Kind::Mapping(Layout::Block) => indent = indent.or(start.checked_sub(column)),
                            Kind::Sequence(Layout::Block) => {
                                dash_indent = dash_indent.or(start.checked_sub(column));
                            }
                            _ => {}
                        }
                        waiting.push(value);
                    }
                }
                Kind::Sequence(Layout::Block) => waiting.extend(self.tree().children(node)),
                _ => {}
            }
            if indent.is_some() && dash_indent.is_some() {
                break;
            }
        }
        habits.indent = indent.filter(|i| *i > 0).unwrap_or(habits.indent);
        habits.dash_indent = dash_indent.unwrap_or(habits.dash_indent);
        habits
    }

    pub(super) fn column(&self, at: usize) -> usize {
        self.text[line_start(&self.text, at)..at].chars().count()
    }

    /// Where the keys of a block mapping stand.
    pub(super) fn column_of_mapping(&self, mapping: NodeId) -> usize {
        self.column(self.start_of_key(self.tree().span(mapping).start))
    }

    /// Where a pair begins whose key begins at `key`: at the question mark of `? key`.
    pub(super) fn start_of_key(&self, key: usize) -> usize {
        let line = line_start(&self.text, key);
        let before = &self.text[line..key];
        match before.trim_end_matches(' ').strip_suffix('?') {
            Some(rest) if before.ends_with(' ') && rest.bytes().all(|b| matches!(b, b' ' | b'-')) => {
                line + rest.len()
            }
            _ => key,
        }
    }

    /// The end of the last line of a node that ends at `end`, in block style: what follows the node on
    /// that line is blanks and a comment.
    pub(super) fn last_line_end(&self, end: usize) -> usize {
        let text = &self.text[..end];
        match text.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line).len(),
            None => line_end(&self.text, end),
        }
    }

    /// The whole lines that a span stands on.
    pub fn lines_of(&self, span: Range<usize>) -> Range<usize> {
        line_start(&self.text, span.start)..next_line(&self.text, self.last_line_end(span.end))
    }

    /// The whole lines of a block list's entry: from the first dash behind `from` to the entry's end.
    pub fn entry_lines(&self, from: usize, end: usize) -> Range<usize> {
        self.lines_of(find_dash(&self.text, from)..end)
    }

    /// The collection that holds a node, and the node's key.
    pub(super) fn parent(&self, node: NodeId) -> Option<(NodeId, Option<NodeId>)> {
        let tree = self.tree();
        let mut at = tree.root()?;
        if at == node {
            return None;
        }
        loop {
            let children: Vec<NodeId> = tree.children(at).collect();
            let index = children.partition_point(|child| *child <= node).checked_sub(1)?;
            if children[index] == node {
                let key = matches!(tree.kind(at), Kind::Mapping(_)).then(|| children[index - index % 2]);
                return Some((at, key));
            }
            at = children[index];
        }
    }

    /// The steps from the root to a node.
    pub(super) fn path_to(&self, mut node: NodeId) -> Vec<Step> {
        let mut path = Vec::new();
        while let Some((parent, key)) = self.parent(node).filter(|_| Some(node) != self.root()) {
            path.push(match key {
                Some(key) => Step::Key(self.key_text(key).unwrap_or_default().to_owned()),
                None => {
                    Step::Index(self.tree().children(parent).position(|child| child == node).unwrap_or(0))
                }
            });
            node = parent;
        }
        path.reverse();
        path
    }
}
