//! The edits that the tests try, and the check that nothing else changes.

use rhoso_fn::yaml::{Document, Step, YamlError};
use serde_json::json;

use super::field::{line_start, lines_of_field};
use crate::host::diff;

#[derive(Debug, Clone, Copy)]
pub(super) enum Edit {
    Set,
    Add,
    Remove,
    Rename,
}

impl Edit {
    pub(super) const ALL: [Edit; 4] = [Edit::Set, Edit::Add, Edit::Remove, Edit::Rename];

    pub(super) fn apply(self, doc: &Document, path: &[Step]) -> Result<Option<Document>, YamlError> {
        let (_, parent) = path.split_last().unwrap();
        match (self, path.last().unwrap()) {
            (Edit::Set, _) => doc.set(path, &json!("a new value")),
            (Edit::Remove, _) => doc.remove(path),
            (Edit::Rename, Step::Key(_)) => doc.rename(path, "renamed by a test"),
            (Edit::Rename, Step::Index(_)) => Ok(None),
            (Edit::Add, Step::Key(_)) => {
                doc.set(&[parent, &[Step::Key("added by a test".into())]].concat(), &json!({"x": "1\n2\n"}))
            }
            (Edit::Add, Step::Index(_)) => {
                let list = doc.value(doc.find(parent).unwrap()).unwrap();
                let end = Step::Index(list.as_array().unwrap().len());
                doc.set(&[parent, &[end]].concat(), &json!({"x": "1\n2\n"}))
            }
        }
    }

    /// The bytes outside the lines that the edit may touch must be the same. `Document::set` has already
    /// compared the values.
    pub(super) fn check(self, doc: &Document, edited: &Document, path: &[Step], name: &str) {
        let (old, new) = (doc.text(), edited.text());
        let what = || format!("{name}: {self:?} of {path:?}:\n{}", diff(old, new));
        let editable = match self {
            Edit::Set | Edit::Remove => lines_of_field(doc, path, doc.find(path).unwrap()),
            // Begins with the line of the last member, which may get a comma.
            Edit::Add => {
                let parent = doc.find(&path[..path.len() - 1]).unwrap();
                let last = doc.tree().children(parent).last().unwrap();
                line_start(old, old[..doc.tree().span(last).end].trim_end().len())..old.len()
            }
            Edit::Rename => {
                let parent = doc.find(&path[..path.len() - 1]).unwrap();
                let Some(Step::Key(name)) = path.last() else { unreachable!() };
                let mut keys = doc.tree().pairs(parent).map(|(key, _)| key);
                doc.tree().span(keys.find(|key| doc.key_text(*key) == Some(name)).unwrap())
            }
        };
        // Expanding an alias changes more than the lines of the field.
        if !doc.tree().has_aliases() {
            assert!(new.len() >= old.len() - editable.len(), "{}", what());
            assert!(new.starts_with(&old[..editable.start]), "{}", what());
            assert!(new.ends_with(&old[editable.end..]), "{}", what());
        }
        if let Edit::Add = self {
            // Nothing is removed, except that a line in flow style gets a comma.
            let diff = similar::TextDiff::from_lines(old, new);
            let removed =
                diff.iter_all_changes().filter(|change| change.tag() == similar::ChangeTag::Delete).count();
            assert!(removed <= 1 || doc.tree().has_aliases(), "{}", what());
        }
    }
}
