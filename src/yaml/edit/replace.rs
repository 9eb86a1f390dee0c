//! A new value in place of an old one: on the line of its key or dash, and on the lines below.

use std::ops::Range;

use serde_json::Value;

use super::super::document::Frame;
use super::super::events::{Layout, Style};
use super::super::quote;
use super::super::scan::{after_colon, block_header, line_end, next_line};
use super::super::tree::{Kind, NodeId};
use super::super::write::{self, Written};
use super::editor::Editor;

/// The position of a node in its parent.
#[derive(Clone, Copy)]
enum Slot {
    Root,
    /// The value of a key at this column.
    Value {
        column: usize,
    },
    /// An element with its dash at this column.
    Element {
        column: usize,
    },
    Flow,
}

impl Editor<'_> {
    /// Writes a value in place of a node of any kind.
    pub(super) fn replace(&mut self, node: NodeId, value: &Value) {
        let tree = self.doc.tree();
        let outer = tree.outer_start(node)..tree.span(node).end;
        let slot = self.slot(node);
        let written = match slot {
            Slot::Flow => {
                let new =
                    self.in_old_quotes(node, value).unwrap_or_else(|| write::flow(value, &self.formatting));
                let gap = if outer.is_empty() { " " } else { "" };
                return self.splice(outer, format!("{gap}{new}"));
            }
            Slot::Root if self.formatting.json => {
                return self.splice(outer, write::flow(value, &self.formatting));
            }
            Slot::Root => {
                let new = write::document(value, &self.formatting);
                let end = self.doc.last_line_end(outer.end);
                let new = new.strip_suffix(self.formatting.newline()).unwrap_or(&new);
                return self.splice(outer.start..end, new);
            }
            Slot::Value { column } => {
                let old = self.in_old_style(node, value, column);
                old.unwrap_or_else(|| write::under_key(value, column, &self.formatting))
            }
            Slot::Element { column } => {
                let old = self.in_old_style(node, value, column);
                old.unwrap_or_else(|| write::under_dash(value, column, &self.formatting))
            }
        };
        let (inline, below) = self.inline_and_below(node, slot, outer);
        self.splice_written(inline, below, &written);
    }

    /// The bytes of a node on the line of its key or dash, and those of the lines below.
    fn inline_and_below(
        &self,
        node: NodeId,
        slot: Slot,
        outer: Range<usize>,
    ) -> (Range<usize>, Range<usize>) {
        let tree = self.doc.tree();
        let text = &self.doc.text;
        match (tree.kind(node), slot) {
            (Kind::Scalar(Style::Literal | Style::Folded), _) => {
                let header = tree.span(node).start;
                let header_len = text[header..]
                    .find(|c: char| c.is_ascii_whitespace() || c == '#')
                    .unwrap_or(text.len() - header);
                (outer.start..header + header_len, line_end(text, header)..self.doc.last_line_end(outer.end))
            }
            // If a collection is below its key, only its tag and anchor can be on the line of the key.
            (Kind::Mapping(Layout::Block) | Kind::Sequence(Layout::Block), Slot::Value { .. }) => {
                let start = self.value_start(node);
                let end = tree.properties(node).map_or(start, |p| p.range.end.max(start));
                (start..end, line_end(text, end)..self.doc.last_line_end(outer.end))
            }
            (Kind::Mapping(Layout::Block) | Kind::Sequence(Layout::Block), _) => {
                let last = self.doc.last_line_end(outer.end);
                let end = line_end(text, outer.start).min(last);
                (outer.start..end, end..last)
            }
            _ => {
                let end = line_end(text, outer.end);
                (outer, end..end)
            }
        }
    }

    fn splice_written(&mut self, inline: Range<usize>, below: Range<usize>, written: &Written) {
        let text = &self.doc.text;
        let before = &text[..inline.start];
        let inline_start =
            if written.inline.is_empty() { before.trim_end_matches([' ', '\t']).len() } else { inline.start };
        let gap = if written.inline.is_empty() || before.ends_with([' ', '\t', '\n']) || before.is_empty() {
            ""
        } else {
            " "
        };
        let newline = self.formatting.newline();
        let lines: String = written.below.iter().map(|line| format!("{newline}{line}")).collect();
        let first = format!("{gap}{}", written.inline);
        // PyYAML does not allow a tab before a comment.
        let rest = &text[inline.end..];
        let comment = rest.trim_start_matches([' ', '\t']);
        let between = &rest[..rest.len() - comment.len()];
        if between.contains('\t') && comment.starts_with('#') {
            self.splice(inline.end..inline.end + between.len(), " ");
        }
        if inline.end >= below.start {
            self.splice(inline_start..below.end.max(inline.end), first + &lines);
        } else {
            self.splice(inline_start..inline.end, first);
            self.splice(below, lines);
        }
    }

    /// The value in quotes if the old one was quoted, or in a block if the old one was a block. `column` is
    /// that of the parent.
    fn in_old_style(&self, node: NodeId, value: &Value, column: usize) -> Option<Written> {
        if let Some(inline) = self.in_old_quotes(node, value) {
            return Some(Written { inline, below: Vec::new() });
        }
        let (Kind::Scalar(Style::Literal | Style::Folded), Value::String(text)) =
            (self.doc.tree().kind(node), value)
        else {
            return None;
        };
        let at = self.block_column(node).filter(|_| self.formatting.literals)?;
        let (header, lines) = quote::literal(text, at.checked_sub(column)?)?;
        Some(Written { inline: header, below: lines.iter().map(|line| write::indented(line, at)).collect() })
    }

    pub(super) fn in_old_quotes(&self, node: NodeId, value: &Value) -> Option<String> {
        let Value::String(text) = value else { return None };
        match self.doc.tree().kind(node) {
            Kind::Scalar(Style::DoubleQuoted) if !self.formatting.json => Some(quote::double(text)),
            Kind::Scalar(Style::SingleQuoted) => quote::single(text),
            _ => None,
        }
    }

    /// The column of the text of a block scalar.
    fn block_column(&self, node: NodeId) -> Option<usize> {
        let span = self.doc.tree().span(node);
        let text = &self.doc.text[span];
        let (header, content) = text.split_once('\n')?;
        if header.split('#').next()?.bytes().any(|b| b.is_ascii_digit()) {
            return None; // the text itself may begin with spaces
        }
        content
            .lines()
            .find(|line| !line.trim().is_empty())
            .map(|line| line.len() - line.trim_start_matches(' ').len())
    }

    /// Changes only the lines of a literal block that differ. Returns false if that is not possible.
    pub(super) fn update_literal(&mut self, node: NodeId, new: &str) -> bool {
        let span = self.doc.tree().span(node);
        let text = &self.doc.text;
        let Some(column) = self.block_column(node).filter(|_| self.formatting.literals) else { return false };
        let header_end = line_end(text, span.start);
        let Some((new_header, new_lines)) = quote::literal(new, column) else { return false };
        let old_header = block_header(text, span.start);
        // If the last line has no line break, lines cannot be added after it.
        if old_header != new_header || !text[..span.end].ends_with('\n') {
            return false;
        }
        let old = self.doc.tree().text(text, node);
        let old_lines: Vec<&str> = old.strip_suffix('\n').unwrap_or(old).split('\n').collect();
        // Where the header and each line end. Splices begin and end there, like those of `insert_lines`.
        let mut ends = vec![header_end];
        while let Some(&end) = ends.last().filter(|end| next_line(text, **end) < span.end) {
            ends.push(line_end(text, next_line(text, end)));
        }
        if ends.len() != old_lines.len() + 1 {
            return false;
        }
        let same_head = old_lines.iter().zip(&new_lines).take_while(|(a, b)| a == b).count();
        let rest = (old_lines[same_head..].iter().rev(), new_lines[same_head..].iter().rev());
        let same_tail = rest.0.zip(rest.1).take_while(|(a, b)| a == b).count();
        let newline = self.formatting.newline();
        let middle = &new_lines[same_head..new_lines.len() - same_tail];
        let with: String =
            middle.iter().map(|line| format!("{newline}{}", write::indented(line, column))).collect();
        self.splice(ends[same_head]..ends[old_lines.len() - same_tail], with);
        true
    }

    fn slot(&self, node: NodeId) -> Slot {
        let tree = self.doc.tree();
        let is_root = Some(node) == self.doc.root() && self.doc.frame == Frame::Whole;
        let Some(parent) = tree.parent(node).filter(|_| !is_root) else { return Slot::Root };
        match tree.kind(parent) {
            Kind::Mapping(Layout::Block) => Slot::Value { column: self.doc.column_of_mapping(parent) },
            Kind::Sequence(Layout::Block) => {
                Slot::Element { column: self.doc.column(tree.span(parent).start) }
            }
            _ => Slot::Flow,
        }
    }

    /// The position after the colon that a value belongs to.
    fn value_start(&self, node: NodeId) -> usize {
        match self.doc.tree().key_of(node) {
            Some(key) => after_colon(&self.doc.text, self.doc.tree().span(key).end),
            None => self.doc.tree().outer_start(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::expect::set;

    #[test]
    fn texts_of_several_lines() {
        set("a: x # c\nb: 1\n", "a", json!("l1\nl2\n"), "a: | # c\n  l1\n  l2\nb: 1\n");
        set("a:\n- x # c\n- y\n", "a.0", json!("l1\nl2"), "a:\n- |- # c\n  l1\n  l2\n- y\n");
        set(
            "a: | # c\n    l1\n    l2\n\nb: 1\n",
            "a",
            json!("l1\nl2\nl3\n"),
            "a: | # c\n    l1\n    l2\n    l3\n\nb: 1\n",
        );
        set("a: |\n  l1\n  l2\n  l3\nb: 1\n", "a", json!("l1\nl3\n"), "a: |\n  l1\n  l3\nb: 1\n");
        set("a: |\n  l1\nb: 1\n", "a", json!("l1"), "a: l1\nb: 1\n");
        set("a: |\n  l1\nb: 1\n", "a", json!("l1\nl2"), "a: |-\n  l1\n  l2\nb: 1\n");
        set("a: >-\n   l1\n   l2\nb: 1\n", "a", json!("l1\nl2"), "a: |-\n   l1\n   l2\nb: 1\n");
        set("a: \"l1\\nl2\"\n", "a", json!("l1\nl3\n"), "a: \"l1\\nl3\\n\"\n");
        // Blank lines with spaces inside the block are not touched.
        set("a: |\n  l1\n \n  l3\n", "a", json!("l1\n\nl3\nl4\n"), "a: |\n  l1\n \n  l3\n  l4\n");
        set("a: |\r\n  l1\r\nb: 1\r\n", "a", json!("l1\nl2\n"), "a: |\r\n  l1\r\n  l2\r\nb: 1\r\n");
    }

    #[test]
    fn values_of_another_kind() {
        set("a: x # c\nb: 1\n", "a", json!({"k": 1}), "a: # c\n  k: 1\nb: 1\n");
        set("a: # c\n  k: 1\n  l: 2 # gone\nb: 1\n", "a", json!("x"), "a: x # c\nb: 1\n");
        set("- k: 1\n  l: 2\n- m\n", "0", json!("x"), "- x\n- m\n");
        set("- x # c\n- m\n", "0", json!({"k": 1, "l": 2}), "- k: 1 # c\n  l: 2\n- m\n");
        set("a:\n- x\n- y\nb: 1\n", "a", json!([]), "a: []\nb: 1\n");
        set("a: [1, 2]\n", "a", json!({"k": [1]}), "a:\n  k:\n  - 1\n");
        set("a: &x\n  k: 1\nb: 1\n", "a", json!("s"), "a: s\nb: 1\n");
    }

    #[test]
    fn a_tab_before_a_comment_becomes_a_space() {
        set("a: {}\t# c\n", "a.b", json!(1), "a: # c\n  b: 1\n");
        set("a: x \t # c\n", "a", json!(1), "a: 1 # c\n");
    }

    #[test]
    fn an_anchored_empty_value_is_replaced_with_its_anchor() {
        set("a: &x\nb: 1\n", "a", json!(1), "a: 1\nb: 1\n");
        set("l:\n- &x\n- b\n", "l.0", json!(1), "l:\n- 1\n- b\n");
    }
}
