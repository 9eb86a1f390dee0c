//! Assertions about edits for the unit tests of this module. Paths are written as `a.0.b`.

use serde_json::Value;

use super::super::document::{Document, Step};

pub(super) fn path(text: &str) -> Vec<Step> {
    text.split('.')
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().map_or_else(|_| Step::Key(part.to_owned()), Step::Index))
        .collect()
}

#[track_caller]
pub(super) fn set(before: &str, at: &str, value: Value, after: &str) {
    let doc = Document::parse(before).unwrap();
    let edited = doc.set(&path(at), &value).unwrap().expect("a change");
    assert_eq!(edited.text(), after);
    assert!(edited.set(&path(at), &value).unwrap().is_none(), "the second run changes nothing");
}

#[track_caller]
pub(super) fn remove(before: &str, at: &str, after: &str) {
    let doc = Document::parse(before).unwrap();
    let edited = doc.remove(&path(at)).unwrap().expect("a change");
    assert_eq!(edited.text(), after);
    if let Some(Step::Key(_)) = path(at).last() {
        assert!(edited.remove(&path(at)).unwrap().is_none(), "the second run changes nothing");
    }
}

#[track_caller]
pub(super) fn rename(before: &str, at: &str, new: &str, after: &str) {
    let doc = Document::parse(before).unwrap();
    let edited = doc.rename(&path(at), new).unwrap().expect("a change");
    assert_eq!(edited.text(), after);
    assert!(edited.rename(&path(at), new).unwrap().is_none(), "the second run changes nothing");
}

#[track_caller]
pub(super) fn refused(before: &str, at: &str, value: Value, message: &str) {
    let error = Document::parse(before).unwrap().set(&path(at), &value).unwrap_err();
    assert!(error.to_string().contains(message), "{error}");
}
