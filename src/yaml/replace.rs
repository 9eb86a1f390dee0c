//! A new value in the place of an old one: on the line of its key or dash, and on lines below.

use std::ops::Range;

use serde_json::Value;

use super::document::Frame;
use super::editor::Editor;
use super::events::{Layout, Style};
use super::quote;
use super::scan::{after_colon, block_header, line_end, next_line};
use super::tree::{Kind, NodeId};
use super::write::{self, Written};

/// How a node hangs in its parent.
#[derive(Clone, Copy)]
enum Slot {
    Root,
    /// The value of the key that stands at this column.
    Value {
        column: usize,
    },
    /// An element whose dash stands at this column.
    Element {
        column: usize,
    },
    Flow,
}

impl Editor<'_> {
    /// Writes a value in the place of a node, whatever the node was.
    pub(super) fn replace(&mut self, node: NodeId, value: &Value) {
        let tree = self.doc.tree();
        let text = &self.doc.text;
        let slot = self.slot(node);
        let outer = tree.outer_start(node)..tree.span(node).end;
        let written = match slot {
            Slot::Flow => {
                let new = self.in_old_quotes(node, value).unwrap_or_else(|| write::flow(value, &self.habits));
                let gap = if outer.is_empty() { " " } else { "" };
                return self.splice(outer, format!("{gap}{new}"));
            }
            Slot::Root if self.habits.json => return self.splice(outer, write::flow(value, &self.habits)),
            Slot::Root => {
                let new = write::document(value, &self.habits);
                let end = self.doc.last_line_end(outer.end);
                let new = new.strip_suffix(self.habits.newline()).unwrap_or(&new);
                return self.splice(outer.start..end, new);
            }
            Slot::Value { column } => {
                let old = self.in_old_style(node, value, column);
                old.unwrap_or_else(|| write::under_key(value, column, &self.habits))
            }
            Slot::Element { column } => {
                let old = self.in_old_style(node, value, column);
                old.unwrap_or_else(|| write::under_dash(value, column, &self.habits))
            }
        };

        // What the node has on the line of its key or dash, and the lines below it.
        let (inline, below) = match tree.kind(node) {
            Kind::Scalar(Style::Literal | Style::Folded) => {
                let header = tree.span(node).start;
                let header_len = text[header..]
                    .find(|c: char| c.is_ascii_whitespace() || c == '#')
                    .unwrap_or(text.len() - header);
                (outer.start..header + header_len, line_end(text, header)..self.doc.last_line_end(outer.end))
            }
            Kind::Mapping(Layout::Block) | Kind::Sequence(Layout::Block) => {
                let first_line_end = match slot {
                    // A collection below its key: nothing of it on the key's line but tag and anchor.
                    Slot::Value { .. } => {
                        let key_end = self.value_start(node);
                        let end = match tree.properties(node) {
                            Some(p) => p.range.end.max(key_end),
                            None => key_end,
                        };
                        (key_end..end, line_end(text, end))
                    }
                    _ => {
                        let end = line_end(text, outer.start).min(self.doc.last_line_end(outer.end));
                        (outer.start..end, end)
                    }
                };
                (first_line_end.0, first_line_end.1..self.doc.last_line_end(outer.end))
            }
            _ => {
                let end = line_end(text, outer.end);
                (outer, end..end)
            }
        };
        self.splice_written(inline, below, &written);
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
        let newline = self.habits.newline();
        let lines: String = written.below.iter().map(|line| format!("{newline}{line}")).collect();
        let first = format!("{gap}{}", written.inline);
        // PyYAML allows no tab in front of a comment.
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

    /// Keeps quotes where quotes were, and a block where a block was. `column` is the parent's.
    fn in_old_style(&self, node: NodeId, value: &Value, column: usize) -> Option<Written> {
        if let Some(inline) = self.in_old_quotes(node, value) {
            return Some(Written { inline, below: Vec::new() });
        }
        let (Kind::Scalar(Style::Literal | Style::Folded), Value::String(text)) =
            (self.doc.tree().kind(node), value)
        else {
            return None;
        };
        let at = self.block_column(node).filter(|_| self.habits.literals)?;
        let (header, lines) = quote::literal(text, at.checked_sub(column)?)?;
        Some(Written { inline: header, below: lines.iter().map(|line| write::indented(line, at)).collect() })
    }

    pub(super) fn in_old_quotes(&self, node: NodeId, value: &Value) -> Option<String> {
        let Value::String(text) = value else { return None };
        match self.doc.tree().kind(node) {
            Kind::Scalar(Style::DoubleQuoted) if !self.habits.json => Some(quote::double(text)),
            Kind::Scalar(Style::SingleQuoted) => quote::single(text),
            _ => None,
        }
    }

    /// The column at which a block scalar's text stands.
    fn block_column(&self, node: NodeId) -> Option<usize> {
        let span = self.doc.tree().span(node);
        let text = &self.doc.text[span];
        let (header, content) = text.split_once('\n')?;
        if header.split('#').next()?.bytes().any(|b| b.is_ascii_digit()) {
            return None; // the text may begin with blanks of its own
        }
        content
            .lines()
            .find(|line| !line.trim().is_empty())
            .map(|line| line.len() - line.trim_start_matches(' ').len())
    }

    /// Changes only the lines of a literal block that differ. False when that is not possible.
    pub(super) fn update_literal(&mut self, node: NodeId, new: &str) -> bool {
        let span = self.doc.tree().span(node);
        let text = &self.doc.text;
        let Some(column) = self.block_column(node).filter(|_| self.habits.literals) else { return false };
        let header_end = line_end(text, span.start);
        let Some((new_header, new_lines)) = quote::literal(new, column) else { return false };
        let old_header = block_header(text, span.start);
        // Without a line break behind the last line, one would have to be made up.
        if old_header != new_header || !text[..span.end].ends_with('\n') {
            return false;
        }
        let old = self.doc.tree().text(text, node);
        let old_lines: Vec<&str> = old.strip_suffix('\n').unwrap_or(old).split('\n').collect();
        // Where the header and each line end. Splices begin and end there, as insertions behind do.
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
        let newline = self.habits.newline();
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

    /// Right behind the colon that a value belongs to.
    fn value_start(&self, node: NodeId) -> usize {
        match self.doc.tree().key_of(node) {
            Some(key) => after_colon(&self.doc.text, self.doc.tree().span(key).end),
            None => self.doc.tree().outer_start(node),
        }
    }
}
