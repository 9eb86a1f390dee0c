//! Trees as text, for the unit tests of this module.

use super::super::tree::{Kind, NodeId, Tree};

/// The kind, span and text of every node, indented by depth.
pub(super) fn dump(text: &str) -> String {
    fn walk(tree: &Tree, text: &str, id: NodeId, depth: usize, out: &mut String) {
        let kind = match tree.kind(id) {
            Kind::Scalar(_) => "scalar",
            Kind::Mapping(_) => "mapping",
            Kind::Sequence(_) => "sequence",
            Kind::Alias => "alias",
        };
        let span = tree.span(id);
        let (start, end, source) = (span.start, span.end, &text[span]);
        out.push_str(&format!("{}{kind} {start}..{end} {source:?}", "  ".repeat(depth)));
        if matches!(tree.kind(id), Kind::Scalar(_)) && tree.text(text, id) != source {
            out.push_str(&format!(" = {:?}", tree.text(text, id)));
        }
        out.push('\n');
        for child in tree.children(id) {
            walk(tree, text, child, depth + 1, out);
        }
    }
    let tree = Tree::parse(text).unwrap();
    let mut out = String::new();
    if let Some(root) = tree.root() {
        walk(&tree, text, root, 0, &mut out);
    }
    out
}
