//! The fields of an object that differ, one line for each value.

use serde_json::Value;

use crate::formats::matching::{self, Edit};
use crate::krm::shortened;
use crate::model::differences::{ChangeKind, FieldChange, ObjectChange, Side};
use crate::yaml::quote;

/// Lines with their signs: `+`, `-`, or a blank.
pub fn of(change: &ObjectChange) -> Vec<(char, String)> {
    match &change.kind {
        ChangeKind::Changed(fields) => fields.iter().flat_map(of_field).collect(),
        _ => Vec::new(),
    }
}

fn of_field(field: &FieldChange) -> Vec<(char, String)> {
    let path = &field.path;
    match (&field.old, &field.new) {
        (None, None) => vec![('~', path.clone())],
        (Some(Side::Value(Value::String(old))), Some(Side::Value(Value::String(new))))
            if old.contains('\n') || new.contains('\n') =>
        {
            let mut lines = vec![(' ', format!("{path}:"))];
            lines.extend(of_texts(old, new));
            lines
        }
        (old, new) => {
            // A value that is only on one side is shown to recognise it, both sides to compare them.
            let is_whole = old.is_some() && new.is_some();
            let line = |side: &Side| format!("{path}: {}", shown(side, is_whole));
            let old = old.iter().map(|side| ('-', line(side)));
            old.chain(new.iter().map(|side| ('+', line(side)))).collect()
        }
    }
}

/// The lines of a text that differ.
fn of_texts(old: &str, new: &str) -> Vec<(char, String)> {
    let (olds, news): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let line = |edit: &Edit| match *edit {
        Edit::Keep(..) => None,
        Edit::Remove(at) => Some(('-', format!("  {}", olds[at]))),
        Edit::Add(at) => Some(('+', format!("  {}", news[at]))),
    };
    matching::compare(&olds, &news).iter().filter_map(line).collect()
}

fn shown(side: &Side, is_whole: bool) -> String {
    let text = match side {
        Side::Hidden => return "(hidden)".to_owned(),
        Side::Value(Value::String(text)) if text.contains('\n') => quote::double(text),
        Side::Value(Value::String(text)) => quote::inline(text, false),
        Side::Value(value) => value.to_string(),
    };
    if is_whole { text } else { shortened(&text).into_owned() }
}
