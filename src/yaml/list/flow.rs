//! Lists in JSON and flow style: entries are spliced into the text, everything else is an edit of the
//! document.

use std::ops::Range;

use serde_json::Value;

use super::super::document::{Document, Step};
use super::super::error::YamlError;
use super::super::text::Text;
use super::super::tree::Tree;
use super::{ListChanges, ListDocument};

impl ListDocument {
    pub(super) fn write_flow(&self, changes: ListChanges<'_>) -> Result<Vec<Text>, YamlError> {
        let is_complete = self.entry_count > 0
            && changes.appended.is_empty()
            && changes.sibling.is_none()
            && !self.has_sibling;
        if is_complete && self.in_braces && changes.replaced.iter().all(|(_, entry)| is_simple(entry)) {
            return Ok(self.with_entries_replaced(changes.replaced));
        }
        let text: String =
            self.with_entries_replaced(changes.replaced).iter().map(|piece| &**piece).collect();
        let after = self.source.len() - self.range.end;
        let mut doc = Document::parse(&text[self.range.start..text.len() - after])?;
        if !is_complete {
            let appended = changes.appended.iter().map(|text| Document::parse(*text)?.root_value());
            doc = self.append(doc, appended.collect::<Result<_, _>>()?)?;
            let path = [Step::Key(self.keys.sibling.to_owned())];
            let edited = match &changes.sibling {
                None => doc.remove(&path)?,
                Some(value) => doc.set(&path, value)?,
            };
            doc = edited.unwrap_or(doc);
        }
        let (before, after) = (0..self.range.start, self.range.end..self.source.len());
        Ok(vec![self.source.part(before), doc.shared_text(), self.source.part(after)])
    }

    /// The source with other texts of some entries, in pieces.
    fn with_entries_replaced(&self, replaced: Vec<(Range<usize>, Text)>) -> Vec<Text> {
        let mut pieces = Vec::with_capacity(2 * replaced.len() + 1);
        let mut at = 0;
        for (range, entry) in replaced {
            pieces.extend([self.source.part(at..range.start), entry]);
            at = range.end;
        }
        pieces.push(self.source.part(at..self.source.len()));
        pieces
    }

    /// Appends values to the list. An empty list gets its key.
    fn append(&self, mut doc: Document, new: Vec<Value>) -> Result<Document, YamlError> {
        let list = Step::Key(self.keys.list.to_owned());
        if self.entry_count == 0 {
            return Ok(doc.set(&[list], &Value::Array(new))?.unwrap_or(doc));
        }
        if let Some(Ok(Value::Array(mut all))) = doc.find([&list]).map(|node| doc.value(node)) {
            all.extend(new);
            return Ok(doc.set(&[list], &Value::Array(all))?.unwrap_or(doc));
        }
        // An entry has a value that JSON cannot represent. Appending one by one does not read the existing
        // entries.
        for (index, value) in new.into_iter().enumerate() {
            let path = [list.clone(), Step::Index(self.entry_count + index)];
            doc = doc.set(&path, &value)?.unwrap_or(doc);
        }
        Ok(doc)
    }
}

/// Whether a text means the same by itself and in braces: a mapping in braces, without anything that refers to other
/// text or depends on columns.
fn is_simple(entry: &str) -> bool {
    entry.starts_with('{') && entry.ends_with('}') && Tree::parse_subset(entry).is_some()
}
