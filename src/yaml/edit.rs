//! Edits: changing one field is a few splices of the text, in the style of the text around it.
//!
//! Every edit ends with a check: the new text is read again and must mean exactly what the old one meant,
//! except for the change. An edit that would do anything else is refused and never written.

mod attempt;
mod comparison;
mod editor;
#[cfg(test)]
mod expect;
mod insert;
mod intent;
mod remove;
mod replace;
mod reread;
mod standalone;
mod together;
mod update;

use serde_json::Value;

use self::editor::Strategy;
use self::intent::{equal, remove_at, rename_at, set_at};
use self::reread::Edited;
use super::document::{Document, Step};
use super::error::YamlError;

pub use self::together::Apart;

impl Document {
    /// Sets the value at a path and creates missing parents. None if the value is already set.
    ///
    /// Setting the index after the last element extends a list.
    pub fn set(&self, path: &[Step], value: &Value) -> Result<Option<Document>, YamlError> {
        if let Some(current) = self.find(path)
            && equal(&self.value(current)?, value)
        {
            return Ok(None);
        }
        let intended = || {
            let mut intended = self.root_value()?;
            set_at(&mut intended, path, value)?;
            Ok(intended)
        };
        let is_local = |edited: &Edited| self.differs_only_at(edited, path, Some(value));
        self.first_correct(intended, is_local, |strategy| self.try_set(path, value, strategy)).map(Some)
    }

    /// Removes the field or element at a path. None if it does not exist.
    pub fn remove(&self, path: &[Step]) -> Result<Option<Document>, YamlError> {
        if path.is_empty() || self.find(path).is_none() {
            return Ok(None);
        }
        let intended = || {
            let mut intended = self.root_value()?;
            remove_at(&mut intended, path);
            Ok(intended)
        };
        let is_local = |edited: &Edited| self.differs_only_at(edited, path, None);
        self.first_correct(intended, is_local, |strategy| self.try_remove(path, strategy)).map(Some)
    }

    /// Renames the key at the end of a path and keeps its position. None if it does not exist.
    pub fn rename(&self, path: &[Step], new: &str) -> Result<Option<Document>, YamlError> {
        let mut intended = self.root_value()?;
        if !rename_at(&mut intended, path, new)? {
            return Ok(None);
        }
        let edit = |strategy| self.try_rename(path, new, strategy);
        self.first_correct(|| Ok(intended.clone()), |_| false, edit).map(Some)
    }

    /// Tries one strategy after the other and returns the first result that means what was intended.
    ///
    /// In most cases the nodes show that only the field has changed (`is_local`), which is cheap to compare.
    /// Otherwise the values of both documents are compared.
    fn first_correct(
        &self,
        intended: impl Fn() -> Result<Value, YamlError>,
        is_local: impl Fn(&Edited) -> bool,
        edit: impl Fn(Strategy) -> Result<Edited, YamlError>,
    ) -> Result<Document, YamlError> {
        let mut value = None;
        for strategy in Strategy::ALL {
            let edited = match edit(strategy) {
                Ok(edited) if is_local(&edited) => return Ok(edited.doc),
                edited => edited,
            };
            // With aliases and tags an edit can fail for several reasons; a path that does not fit is reported
            // first.
            let intended = match &value {
                Some(intended) => intended,
                None if edited.is_ok() || !self.is_plain() => value.insert(intended()?),
                None => &Value::Null,
            };
            match edited {
                Ok(edited) if equal(&edited.doc.root_value()?, intended) => return Ok(edited.doc),
                // A refusal holds for every strategy. Any other error is about the text that the edit
                // produced, which the user has not written.
                Err(error) if error.is_refusal() => return Err(error),
                _ => {}
            }
        }
        Err(YamlError::new(
            "this field cannot be edited safely because of how the text around it is written; write the field and its parents in plain block style",
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::Document;
    use super::expect::{path, rename, set};

    #[test]
    fn scalars_keep_their_quotes_and_comments() {
        set("a: 1 # one\nb: 2\n", "a", json!(3), "a: 3 # one\nb: 2\n");
        set("a: 'x' # c\n", "a", json!("it's"), "a: 'it''s' # c\n");
        set("a: \"x\"\n", "a", json!("y"), "a: \"y\"\n");
        set("a: x\n", "a", json!("yes"), "a: \"yes\"\n");
        set("a: # nothing\nb: 1\n", "a", json!("x"), "a: x # nothing\nb: 1\n");
        set("- a\n-\n- c\n", "1", json!("b"), "- a\n- b\n- c\n");
        set("a: !!str 5 # c\n", "a", json!(6), "a: 6 # c\n");
        set("a: x\n  y\n  z # c\nb: 1\n", "a", json!("w"), "a: w # c\nb: 1\n");
    }

    #[test]
    fn a_renamed_key_stays_in_its_place() {
        rename("a: 1 # one\n# two\nb:\n  c: 2\nd: 3\n", "b", "x", "a: 1 # one\n# two\nx:\n  c: 2\nd: 3\n");
        rename("a: {'b': 1, \"c\": 2}\n", "a.b", "it's", "a: {'it''s': 1, \"c\": 2}\n");
        rename("a: {'b': 1, \"c\": 2}\n", "a.c", "x", "a: {'b': 1, \"x\": 2}\n");
        rename("- a: 1\n  b: 2\n", "0.a", "on", "- \"on\": 1\n  b: 2\n");
        rename("? a\n: 1\n", "a", "b", "? b\n: 1\n");
        rename("{\"a\": 1}", "a", "b", "{\"b\": 1}");
        rename("a: &x {k: 1}\nb: *x\n", "b.k", "l", "a: &x {k: 1}\nb:\n  l: 1\n");
        let refused = |text: &str, at: &str, new: &str, message: &str| {
            let error = Document::parse(text).unwrap().rename(&path(at), new).unwrap_err();
            assert!(error.message().contains(message), "{error}");
        };
        refused("a: 1\nb: 2\n", "a", "b", "`b` already exists");
        refused("a: &x {k: 1}\nb: *x\n", "a.k", "l", "anchored");
        refused("a: &x {k: 1}\nb:\n  <<: *x\n  l: 1\n", "b.k", "m", "merge key");
        refused("&k a: 1\nb: *k\n", "a", "c", "anchored");
    }

    #[test]
    fn equal_numbers_are_no_change() {
        let doc = Document::parse("a: 1000\nb: 9007199254740993\n").unwrap();
        assert!(doc.set(&path("a"), &json!(1000.0)).unwrap().is_none());
        assert!(doc.set(&path("b"), &json!(9007199254740992u64)).unwrap().is_some());
    }

    #[test]
    fn entries_of_a_list_are_edited_in_their_indentation() {
        let doc = Document::parse_entry("  - # head\n    kind: A\n    spec: {}\n").unwrap();
        let edited = doc.set(&path("spec.x.z"), &json!("l1\nl2\n")).unwrap().unwrap();
        assert_eq!(
            edited.text(),
            "  - # head\n    kind: A\n    spec:\n      x:\n        z: |\n          l1\n          l2\n"
        );
    }
}
