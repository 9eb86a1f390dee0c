//! The editor collects splices of the text. `insert`, `remove`, `replace` and `update` add them for nodes.

use std::ops::Range;

use serde_json::Value;

use super::super::document::Document;
use super::super::error::YamlError;
use super::super::events::Layout;
use super::super::order::Order as _;
use super::super::quote;
use super::super::scan::block_header;
use super::super::tree::{Kind, NodeId};
use super::super::write::Formatting;
use super::reread::Edited;

/// How an edit writes its text. If the result of one strategy does not mean what was intended, the next one
/// is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Follows the style of the text.
    Preserve,
    /// Also ends the text with a line break: a literal block at the end may need it.
    FinalNewline,
    /// Writes several lines of text in quotes: a literal block could absorb a comment below the field.
    NoLiterals,
}

impl Strategy {
    pub(super) const ALL: [Strategy; 3] = [Strategy::Preserve, Strategy::FinalNewline, Strategy::NoLiterals];
}

/// A range of bytes and the text that replaces it.
#[derive(Debug, Clone)]
struct Splice {
    range: Range<usize>,
    with: String,
}

pub(super) struct Editor<'d> {
    pub(super) doc: &'d Document,
    strategy: Strategy,
    pub(super) formatting: Formatting,
    splices: Vec<Splice>,
}

impl<'d> Editor<'d> {
    pub(super) fn new(doc: &'d Document, strategy: Strategy) -> Self {
        let formatting = Formatting { literals: strategy != Strategy::NoLiterals, ..doc.formatting() };
        Editor { doc, strategy, formatting, splices: Vec::new() }
    }

    /// Applies the splices and reads the result.
    pub(super) fn finish(self) -> Result<Document, YamlError> {
        Ok(self.edited()?.doc)
    }

    /// The same, with what was read.
    pub(super) fn edited(mut self) -> Result<Edited, YamlError> {
        self.splices.order_by_key(|s| (s.range.start, s.range.end));
        // An edited text can be one of thousands that stay in memory, so it gets no more than it needs.
        let added: usize = self.splices.iter().map(|splice| splice.with.len()).sum();
        let removed: usize = self.splices.iter().map(|splice| splice.range.len()).sum();
        let mut text = String::with_capacity((self.doc.text.len() + added).saturating_sub(removed));
        let mut at = 0;
        let mut changed = self.splices.first().map_or(0, |splice| splice.range.start)..0;
        for splice in &self.splices {
            if splice.range.start < at {
                return Err(YamlError::new("two changes of the text overlap"));
            }
            text.push_str(&self.doc.text[at..splice.range.start]);
            text.push_str(&splice.with);
            at = splice.range.end;
        }
        changed.end = at;
        text.push_str(&self.doc.text[at..]);
        if self.strategy == Strategy::FinalNewline && !text.ends_with('\n') {
            text.push_str(self.formatting.newline());
            changed.end = self.doc.text.len();
        }
        Edited::read(self.doc, changed, text)
    }

    pub(super) fn splice(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.splices.push(Splice { range, with: with.into() });
    }

    /// Replaces the text of a key.
    pub(super) fn rename(&mut self, key: NodeId, name: &str) {
        let tree = self.doc.tree();
        let in_flow = tree.parent(key).is_some_and(|parent| tree.kind(parent) == Kind::Mapping(Layout::Flow));
        let text = Value::String(name.to_owned());
        let written = self.in_old_quotes(key, &text).unwrap_or_else(|| match self.formatting.json {
            true => quote::json(name),
            false => quote::inline(name, in_flow),
        });
        // The span of a key that is a block scalar includes its last line break, which must stay.
        let start = tree.span(key).start;
        self.splice(start..start + self.doc.source(key).trim_end().len(), written);
    }

    /// Removes the anchor from the tag and anchor of a node.
    pub(super) fn remove_anchor(&mut self, properties: Range<usize>) {
        let text = &self.doc.text;
        let Some(offset) = text[properties.clone()].find('&') else { return };
        let anchor = properties.start + offset;
        let end = anchor
            + text[anchor..properties.end].find([' ', '\t', '\n', '\r']).unwrap_or(properties.end - anchor);
        let rest = &text[end..];
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[spaces..].starts_with(['\n', '\r']) || rest.len() == spaces {
            // Nothing follows on the line, so the spaces before the anchor are removed as well.
            self.splice(text[..anchor].trim_end_matches([' ', '\t']).len()..end, "");
        } else {
            self.splice(anchor..end + spaces, "");
        }
    }

    /// Adds `-` to the header of a block scalar that ends the text without a line break: its value does not
    /// end with one, and must not get one from lines that are appended.
    pub(super) fn strip_last_block_scalar(&mut self) {
        let tree = self.doc.tree();
        let text = &self.doc.text;
        if let Some(node) = tree.last_block_scalar()
            && !text.ends_with('\n')
            && tree.span(node).end == text.len()
        {
            let header = tree.span(node).start;
            let old = block_header(text, header);
            let new = format!("{}-", old.trim_end_matches(['+', '-']));
            self.splice(header..header + old.len(), new);
        }
    }
}
