//! Lists in JSON and flow style: entries are spliced into the text, and everything else is an edit of the document, if
//! possible without its entries.

use std::ops::Range;

use memchr::memchr;
use serde_json::Value;

use super::super::document::{Document, Step, looks_like_json};
use super::super::error::YamlError;
use super::super::text::Text;
use super::super::tree::Tree;
use super::{ListChanges, ListDocument, Replacement};

impl ListDocument {
    pub(super) fn write_flow(&self, changes: ListChanges<'_>) -> Result<Vec<Text>, YamlError> {
        match &self.in_braces {
            Some(others)
                if changes.replaced.iter().all(|it| self.is_simple(it)) && self.shows_line_breaks(others) =>
            {
                let whole = cfg!(debug_assertions).then(|| self.write_whole(changes.clone()));
                let written = self.write_around(others.clone(), changes);
                debug_assert!(whole.is_none_or(|whole| {
                    whole.ok().as_deref().map(concatenated) == written.as_deref().ok().map(concatenated)
                }));
                written
            }
            _ => self.write_whole(changes),
        }
    }

    /// Whether the first line break, which shows how lines end, is outside these entries.
    fn shows_line_breaks(&self, others: &Range<usize>) -> bool {
        let has_break = |range: Range<usize>| memchr(b'\n', &self.source.as_bytes()[range]).is_some();
        has_break(self.range.start..others.start) || !has_break(others.clone())
    }

    /// Edits a document in which `{}` replaces all entries but the last, because they mean the same wherever they are in
    /// the list. The one that remains shows whether the last entry has a line of its own.
    fn write_around(
        &self,
        others: Range<usize>,
        mut changes: ListChanges<'_>,
    ) -> Result<Vec<Text>, YamlError> {
        if self.is_complete(&changes) {
            return Ok(self.replaced(0..self.source.len(), changes.replaced));
        }
        let count = changes.replaced.partition_point(|replaced| replaced.range.start < others.end);
        let after = self.replaced(others.end..self.range.end, changes.replaced.split_off(count));
        let placeholder = if others.is_empty() { "" } else { "{}" };
        let before = &self.source[self.range.start..others.start];
        let text = [before, placeholder, &concatenated(&after)].concat();
        let doc = self.edit(text, 1 + placeholder.len() / 2, &changes)?;
        let list = doc.find(&[self.list(), Step::Index(0)]);
        let start = list.map_or(0, |first| doc.tree().span(first).start);
        let text = doc.shared_text();
        let mut pieces = vec![self.source.part(0..self.range.start), text.part(0..start)];
        pieces.extend(self.replaced(others, changes.replaced));
        pieces.push(text.part(start + placeholder.len()..text.len()));
        pieces.push(self.source.part(self.range.end..self.source.len()));
        Ok(pieces)
    }

    /// Edits the whole document.
    fn write_whole(&self, mut changes: ListChanges<'_>) -> Result<Vec<Text>, YamlError> {
        let text = concatenated(&self.replaced(self.range.clone(), std::mem::take(&mut changes.replaced)));
        let doc = match self.is_complete(&changes) {
            true => Document::parse(text)?,
            false => self.edit(text, self.entry_count, &changes)?,
        };
        let (before, after) = (0..self.range.start, self.range.end..self.source.len());
        Ok(vec![self.source.part(before), doc.shared_text(), self.source.part(after)])
    }

    /// Whether only entries change.
    fn is_complete(&self, changes: &ListChanges<'_>) -> bool {
        self.entry_count > 0 && changes.appended.is_empty() && changes.sibling.is_none() && !self.has_sibling
    }

    /// Edits everything but the entries of a document with so many of them.
    fn edit(&self, text: String, count: usize, changes: &ListChanges<'_>) -> Result<Document, YamlError> {
        let mut doc = Document::parse(text)?;
        // Entries may be missing that are not JSON.
        doc.json = looks_like_json(&self.source[self.range.clone()]);
        let appended = changes.appended.iter().map(|text| Document::parse(*text)?.root_value());
        let doc = self.append(doc, count, appended.collect::<Result<_, _>>()?)?;
        let path = [Step::Key(self.keys.sibling.to_owned())];
        let edited = match &changes.sibling {
            None => doc.remove(&path)?,
            Some(value) => doc.set(&path, value)?,
        };
        Ok(edited.unwrap_or(doc))
    }

    /// A part of the source with replacements in it.
    fn replaced(&self, range: Range<usize>, replaced: Vec<Replacement>) -> Vec<Text> {
        let mut pieces = Vec::with_capacity(2 * replaced.len() + 1);
        let mut at = range.start;
        for Replacement { range, text, .. } in replaced {
            pieces.extend([self.source.part(at..range.start), text]);
            at = range.end;
        }
        pieces.push(self.source.part(at..range.end));
        pieces
    }

    /// Whether the list with this entry can be written without reading it again: its old text and its new text are mappings
    /// in braces, without anything that refers to other text or depends on columns.
    fn is_simple(&self, replacement: &Replacement) -> bool {
        let Replacement { range, text, is_simple } = replacement;
        let is_mapping = |text: &str| text.starts_with('{') && text.ends_with('}');
        *is_simple
            || is_mapping(&self.source[range.clone()])
                && is_mapping(text)
                && Tree::parse_subset(text).is_some()
    }

    fn list(&self) -> Step {
        Step::Key(self.keys.list.to_owned())
    }

    /// Appends values to the list, which has so many entries. An empty list gets its key.
    fn append(&self, mut doc: Document, count: usize, new: Vec<Value>) -> Result<Document, YamlError> {
        let list = self.list();
        if count == 0 {
            return Ok(doc.set(&[list], &Value::Array(new))?.unwrap_or(doc));
        }
        if let Some(Ok(Value::Array(mut all))) = doc.find([&list]).map(|node| doc.value(node)) {
            all.extend(new);
            return Ok(doc.set(&[list], &Value::Array(all))?.unwrap_or(doc));
        }
        // An entry has a value that JSON cannot represent. Appending one by one does not read the existing
        // entries.
        for (index, value) in new.into_iter().enumerate() {
            let path = [list.clone(), Step::Index(count + index)];
            doc = doc.set(&path, &value)?.unwrap_or(doc);
        }
        Ok(doc)
    }
}

fn concatenated(pieces: &[Text]) -> String {
    pieces.iter().map(|piece| &**piece).collect()
}
