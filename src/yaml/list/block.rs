//! Lists in block style, the style of every orchestrator: lines are replaced and inserted, and nothing is
//! read again.

use std::ops::Range;

use super::super::document::Document;
use super::super::events::Layout;
use super::super::order::Order as _;
use super::super::text::Text;
use super::super::tree::{Kind, NodeId};
use super::super::write::{self, Formatting};
use super::{ListChanges, ListKeys, Replacement, shifted};

/// Where lines can be inserted, as offsets in the source.
#[derive(Debug)]
pub(super) struct BlockLines {
    /// The end of the last entry. None if the list is missing.
    entries_end: Option<usize>,
    sibling: Option<Range<usize>>,
    /// The column of the dashes.
    dash_column: usize,
    /// The end of the last line of the document.
    end: usize,
    crlf: bool,
}

impl BlockLines {
    /// None if the document is not in block style, or if inserted lines would change the meaning of others.
    pub(super) fn find(
        doc: &Document,
        root: NodeId,
        keys: ListKeys,
        offset: usize,
        entries_end: Option<usize>,
    ) -> Option<Self> {
        let tree = doc.tree();
        let list = doc.entry(root, keys.list);
        let sibling = tree.pairs(root).find(|(key, _)| doc.key_text(*key) == Some(keys.sibling));
        // A block scalar that ends without a line break would get one.
        let ends_text = |node| tree.span(node).end == doc.text().len();
        let has_open_end = !doc.text().ends_with('\n') && tree.last_block_scalar().is_some_and(ends_text);
        let is_editable = tree.kind(root) == Kind::Mapping(Layout::Block)
            && doc.column(tree.span(root).start) == 0
            && list.is_none_or(|node| tree.kind(node) == Kind::Sequence(Layout::Block))
            && !sibling.is_some_and(|(_, value)| tree.is_aliased(value))
            && !has_open_end;
        is_editable.then(|| BlockLines {
            entries_end,
            sibling: sibling.map(|(key, value)| {
                shifted(doc.lines_with_comments(tree.outer_start(key)..tree.span(value).end), offset)
            }),
            dash_column: list.map_or(0, |node| doc.column(tree.span(node).start)),
            end: offset + doc.lines_with_comments(tree.span(root)).end,
            crlf: doc.formatting().crlf,
        })
    }

    pub(super) fn write(&self, source: &Text, keys: ListKeys, changes: ListChanges<'_>) -> Vec<Text> {
        let formatting =
            Formatting { crlf: self.crlf, dash_indent: self.dash_column, ..Formatting::default() };
        let text = |lines: Vec<String>| -> String {
            lines.into_iter().map(|line| line + formatting.newline()).collect()
        };
        let replaced = changes.replaced.into_iter().map(|Replacement { range, text, .. }| (range, text));
        let mut replacements: Vec<(Range<usize>, Text)> = replaced.collect();
        let appended = changes.appended.iter().flat_map(|text| entry_lines(text, self.dash_column));
        let mut appended: Vec<String> = appended.collect();
        let at = self.entries_end.unwrap_or(self.end);
        if self.entries_end.is_none() {
            let key = if appended.is_empty() { ": []" } else { ":" };
            appended.insert(0, format!("{}{key}", keys.list));
        }
        replacements.push((at..at, text(appended).into()));
        let sibling = changes.sibling.map(|value| write::pair(keys.sibling, &value, 0, &formatting));
        let range = self.sibling.clone().unwrap_or(self.end..self.end);
        let mut sibling = text(sibling.unwrap_or_default());
        if self.sibling.is_some() && range.end == source.len() && !source.ends_with('\n') {
            // It ended without a line break before.
            sibling.truncate(sibling.trim_end_matches(['\r', '\n']).len());
        }
        replacements.push((range, sibling.into()));
        // The sort is stable: where both are inserted at the end, the list stays before its sibling.
        replacements.order_by_key(|(range, _)| (range.start, range.end));
        with_lines_replaced(source, replacements, formatting.newline())
    }
}

/// The source with some of its lines replaced. Inserts a line break where text needs one before the next.
fn with_lines_replaced(source: &Text, replacements: Vec<(Range<usize>, Text)>, newline: &str) -> Vec<Text> {
    let mut pieces: Vec<Text> = Vec::with_capacity(2 * replacements.len() + 1);
    let mut push = |piece: Text| {
        if !piece.is_empty() {
            pieces.push(piece);
        }
    };
    let mut has_open_line = false;
    let mut at = 0;
    for (range, text) in replacements {
        let before = source.part(at..range.start);
        at = range.end;
        if !before.is_empty() {
            has_open_line = !before.ends_with('\n');
        }
        push(before);
        if !text.is_empty() {
            if has_open_line {
                push(newline.into());
            }
            has_open_line = !text.ends_with('\n');
        }
        push(text);
    }
    push(source.part(at..source.len()));
    pieces
}

/// The lines of a document as a list entry whose dash is at `column`.
fn entry_lines(text: &str, column: usize) -> impl Iterator<Item = String> {
    let margin = " ".repeat(column);
    text.lines().enumerate().map(move |(i, line)| match (i, line) {
        (0, _) => format!("{margin}- {line}"),
        (_, "") => String::new(),
        _ => format!("{margin}  {line}"),
    })
}
