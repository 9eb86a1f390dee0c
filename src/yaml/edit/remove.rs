//! Removing members of a mapping or list, with their lines and the comments above them.

use std::ops::{Range, RangeInclusive};

use serde_json::{Map, Value};

use super::super::events::Layout;
use super::super::scan::{find_dash, line_start, next_line};
use super::super::tree::{Kind, NodeId};
use super::editor::Editor;

impl Editor<'_> {
    /// Removes consecutive members of a collection, by position.
    pub(super) fn remove(&mut self, parent: NodeId, run: RangeInclusive<usize>) {
        let members = self.members(parent);
        let (Some(&(start, _)), Some(&(_, end))) = (members.get(*run.start()), members.get(*run.end()))
        else {
            return;
        };
        let previous_end = run.start().checked_sub(1).map(|index| members[index].1);
        let next = members.get(run.end() + 1).map(|(start, _)| *start);
        match self.doc.tree().kind(parent) {
            Kind::Mapping(Layout::Flow) | Kind::Sequence(Layout::Flow) => {
                self.remove_in_flow(start..end, previous_end, next);
            }
            Kind::Mapping(_) if members.len() == run.clone().count() => {
                self.replace(parent, &Value::Object(Map::new()));
            }
            _ if members.len() == run.count() => self.replace(parent, &Value::Array(Vec::new())),
            _ => self.remove_lines(parent, start..end, previous_end, next),
        }
    }

    /// Removes members in block style. Other members are kept.
    fn remove_lines(
        &mut self,
        parent: NodeId,
        members: Range<usize>,
        previous_end: Option<usize>,
        next: Option<usize>,
    ) {
        let text = &self.doc.text;
        let start = members.start;
        let end = self.doc.last_line_end(members.end);
        let first_line = line_start(text, start);
        if text[first_line..start].bytes().any(|b| b != b' ') {
            // The line begins with the dash of an outer list, which stays.
            let Some(next) = next else { return };
            let between = text.get(next_line(text, end)..line_start(text, next)).unwrap_or_default();
            if between.trim().is_empty() {
                self.splice(start..next, "");
            } else {
                let dash_end = text[..start].trim_end_matches(' ').len();
                self.splice(dash_end..end, "");
            }
            return;
        }
        // The comment at the top of a document is about the document, not about its first field.
        let heads_document = previous_end.is_none() && Some(parent) == self.doc.root();
        let from =
            if heads_document { first_line } else { self.comment_above(first_line, start - first_line) };
        let stop = next_line(text, end);
        let follows_block_scalar = previous_end == Some(from);
        if stop > end || from == 0 || follows_block_scalar {
            self.splice(from..stop, "");
        } else {
            // The last line of the text has no line break, so the one before it must not have one either.
            self.splice(self.doc.last_line_end(from)..end, "");
        }
    }

    /// Where each member of a collection begins, including its dash or question mark, and where it ends.
    fn members(&self, parent: NodeId) -> Vec<(usize, usize)> {
        let tree = self.doc.tree();
        match tree.kind(parent) {
            Kind::Mapping(_) => tree
                .pairs(parent)
                .map(|(key, value)| {
                    let start = self.doc.start_of_key(tree.outer_start(key));
                    (start, tree.span(value).end.max(tree.span(key).end))
                })
                .collect(),
            kind => {
                let mut previous_end = tree.span(parent).start;
                tree.children(parent)
                    .map(|child| {
                        let start = if kind == Kind::Sequence(Layout::Block) {
                            find_dash(&self.doc.text, previous_end)
                        } else {
                            tree.outer_start(child)
                        };
                        previous_end = tree.span(child).end;
                        (start, previous_end)
                    })
                    .collect()
            }
        }
    }

    /// The start of the comment lines directly above a line, at the same column: they describe it.
    fn comment_above(&self, line: usize, column: usize) -> usize {
        let text = &self.doc.text;
        let mut from = line;
        while from > 0 {
            let above = line_start(text, from - 1);
            let line = &text.as_bytes()[above..from];
            if line.get(column) == Some(&b'#') && line[..column].iter().all(|b| *b == b' ') {
                from = above;
            } else {
                break;
            }
        }
        from
    }

    fn remove_in_flow(&mut self, members: Range<usize>, previous_end: Option<usize>, next: Option<usize>) {
        let range = match (previous_end, next) {
            (_, Some(next)) => members.start..next,
            (Some(previous_end), None) => previous_end..members.end,
            (None, None) => {
                let rest = &self.doc.text[members.end..];
                let spaces = rest.len() - rest.trim_start().len();
                let has_comma = rest[spaces..].starts_with(',');
                members.start..if has_comma { members.end + spaces + 1 } else { members.end }
            }
        };
        self.splice(range, "");
    }
}

#[cfg(test)]
mod tests {
    use super::super::expect::{path, remove};
    use crate::yaml::Document;

    #[test]
    fn a_field_is_removed_with_its_lines() {
        remove("a: 1\n# about b\nb:\n  c: 1\n  d: 2 # x\ne: 3\n", "b", "a: 1\ne: 3\n");
        remove("a: 1 # c\nb: 2\n", "a", "b: 2\n");
        remove("a: 1\nb: |\n  x\n\nc: 1", "b", "a: 1\n\nc: 1");
        remove("a: 1\nb: 2", "b", "a: 1");
        remove("a:\n  b: 1\nc: 1\n", "a.b", "a: {}\nc: 1\n");
        remove("- a: 1\n  b: 2\n- c\n", "0.a", "- b: 2\n- c\n");
        remove("- a: 1\n  # about b\n  b: 2\n", "0.a", "-\n  # about b\n  b: 2\n");
        remove("- a\n- b # x\n- c\n", "1", "- a\n- c\n");
        remove("l:\n- a\n", "l.0", "l: []\n");
        remove("{a: 1, b: 2, c: 3}\n", "b", "{a: 1, c: 3}\n");
        remove("{a: 1, b: 2}\n", "b", "{a: 1}\n");
        remove("[{a: 1,}]\n", "0.a", "[{}]\n");
        assert!(Document::parse("[x, a: b]\n").unwrap().remove(&path("1.a")).is_err());
    }
}
