//! The layout of YAML text: its formatting, columns, and the lines of nodes.

use std::ops::Range;

use super::document::Document;
use super::events::Layout;
use super::scan::{find_dash, line_end, line_start, next_line};
use super::tree::{Kind, NodeId};
use super::write::Formatting;

impl Document {
    /// The formatting of this text, taken from its first nested mapping and its first list.
    pub(super) fn formatting(&self) -> Formatting {
        let default = Formatting::default();
        let (indent, dash_indent) = self.indentation();
        Formatting {
            json: self.json,
            crlf: self.text.find('\n').is_some_and(|i| self.text[..i].ends_with('\r')),
            indent: indent.filter(|i| *i > 0).unwrap_or(default.indent),
            dash_indent: dash_indent.unwrap_or(default.dash_indent),
            ..default
        }
    }

    /// Whether the document shows how it is indented, and its lists, if that matters.
    pub fn shows_formatting(&self, needs_dashes: bool) -> bool {
        let (indent, dash_indent) = self.indentation();
        indent.is_some() && (dash_indent.is_some() || !needs_dashes)
    }

    /// How many columns mappings and dashes are indented, as far as the document has them.
    fn indentation(&self) -> (Option<usize>, Option<usize>) {
        let (mut indent, mut dash_indent) = (None, None);
        let mut pending: Vec<NodeId> = self.root().into_iter().collect();
        while let Some(node) = pending.pop() {
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
                        pending.push(value);
                    }
                }
                Kind::Sequence(Layout::Block) => pending.extend(self.tree().children(node)),
                _ => {}
            }
            if indent.is_some() && dash_indent.is_some() {
                break;
            }
        }
        (indent, dash_indent)
    }

    /// The column of a byte, counted from 0 in characters.
    pub(super) fn column(&self, at: usize) -> usize {
        self.text[line_start(&self.text, at)..at].chars().count()
    }

    /// The column of the keys of a block mapping.
    pub(super) fn column_of_mapping(&self, mapping: NodeId) -> usize {
        self.column(self.start_of_key(self.tree().span(mapping).start))
    }

    /// Where a pair begins whose key begins at `key`: for `? key`, at the question mark.
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

    /// The end of the last line of a node in block style that ends at `end`. Only spaces and a comment can
    /// follow the node on that line.
    pub(super) fn last_line_end(&self, end: usize) -> usize {
        let text = &self.text[..end];
        match text.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line).len(),
            None => line_end(&self.text, end),
        }
    }

    /// The whole lines of a span.
    pub(super) fn lines_of(&self, span: Range<usize>) -> Range<usize> {
        line_start(&self.text, span.start)..next_line(&self.text, self.last_line_end(span.end))
    }

    /// Skips comments that are indented deeper than a column: they belong to what is above them, so a new
    /// sibling at that column goes below them. Takes and returns the end of a line.
    pub(super) fn after_deeper_comments(&self, mut at: usize, column: usize) -> usize {
        let text = &self.text;
        let mut line = next_line(text, at);
        while line < text.len() {
            let end = line_end(text, line);
            let content = text[line..end].trim_start_matches(' ');
            let indent = end - line - content.len();
            if content.starts_with('#') && indent > column {
                at = end;
            } else if !content.is_empty() {
                break;
            }
            let next = next_line(text, end);
            if next == line {
                break;
            }
            line = next;
        }
        at
    }

    /// The whole lines of an entry of a block list: from the first dash after `from` to the end of the entry,
    /// and the comments below it that are indented deeper than the dash.
    pub(super) fn entry_lines(&self, from: usize, end: usize) -> Range<usize> {
        let dash = find_dash(&self.text, from);
        self.lines_with_comments(dash..end)
    }

    /// The whole lines of a span, and the comments below it that are indented deeper than its start.
    pub(super) fn lines_with_comments(&self, span: Range<usize>) -> Range<usize> {
        let column = self.column(span.start);
        let end = self.after_deeper_comments(self.last_line_end(span.end), column);
        line_start(&self.text, span.start)..next_line(&self.text, end)
    }
}
