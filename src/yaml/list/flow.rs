//! Lists in JSON and flow style: entries are spliced into the text, everything else is an edit of the
//! document.

use serde_json::Value;

use super::super::document::{Document, Step};
use super::super::error::YamlError;
use super::{ListChanges, ListDocument};

impl ListDocument {
    pub(super) fn write_flow(&self, changes: ListChanges<'_>) -> Result<String, YamlError> {
        let mut text = String::with_capacity(self.source.len());
        let mut at = self.range.start;
        for (range, entry) in &changes.replaced {
            text.push_str(&self.source[at..range.start]);
            text.push_str(entry);
            at = range.end;
        }
        text.push_str(&self.source[at..self.range.end]);
        let mut doc = Document::parse(text)?;
        let is_complete = self.entry_count > 0
            && changes.appended.is_empty()
            && changes.sibling.is_none()
            && !self.has_sibling;
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
        let (before, after) = (&self.source[..self.range.start], &self.source[self.range.end..]);
        Ok(format!("{before}{}{after}", doc.text()))
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
