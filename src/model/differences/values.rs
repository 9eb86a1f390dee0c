//! Compares values: mappings by key, lists by name or by their longest common part, strings by what is in them.

use serde_json::{Map, Value};

use super::fields::{At, Changes};
use super::texts;
use crate::formats::matching::{self, Edit};

pub fn compare(at: &At, old: &Value, new: &Value, changes: &mut Changes) {
    if old == new {
        return;
    }
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => mappings(at, old, new, changes),
        (Value::Array(old), Value::Array(new)) => lists(at, old, new, changes),
        (Value::String(before), Value::String(after)) if !Changes::is_hidden(at) => {
            if !texts::compare(at, before, after, changes) {
                changes.add(at, Some(old), Some(new));
            }
        }
        _ => changes.add(at, Some(old), Some(new)),
    }
}

/// In the order of the new mapping; removed keys come last.
fn mappings(at: &At, old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Changes) {
    for (key, value) in new {
        let at = at.key(key, changes.is_secret_object);
        match old.get(key) {
            Some(before) => compare(&at, before, value, changes),
            None => changes.add(&at, None, Some(value)),
        }
    }
    for (key, value) in old.iter().filter(|(key, _)| !new.contains_key(*key)) {
        changes.add(&at.key(key, changes.is_secret_object), Some(value), None);
    }
}

fn lists(at: &At, old: &[Value], new: &[Value], changes: &mut Changes) {
    if let (Some(olds), Some(news)) = (names(old), names(new)) {
        by_name(at, &olds, &news, changes);
        return;
    }
    let texts = |list: &[Value]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (old_texts, new_texts) = (texts(old), texts(new));
    let old_texts: Vec<&str> = old_texts.iter().map(String::as_str).collect();
    let new_texts: Vec<&str> = new_texts.iter().map(String::as_str).collect();
    let edits = matching::compare(&old_texts, &new_texts);
    let is_change = |edit: &Edit| !matches!(edit, Edit::Keep(..));
    for run in edits.chunk_by(|one, next| is_change(one) && is_change(next)).filter(|run| is_change(&run[0]))
    {
        let mut removed =
            run.iter().filter_map(|edit| if let Edit::Remove(at) = edit { Some(*at) } else { None });
        let mut added = run.iter().filter_map(|edit| if let Edit::Add(at) = edit { Some(*at) } else { None });
        loop {
            match (removed.next(), added.next()) {
                (Some(before), Some(after)) => {
                    compare(&at.element(&after.to_string()), &old[before], &new[after], changes);
                }
                (Some(before), None) => {
                    changes.add(&at.element(&before.to_string()), Some(&old[before]), None);
                }
                (None, Some(after)) => changes.add(&at.element(&after.to_string()), None, Some(&new[after])),
                (None, None) => break,
            }
        }
    }
}

/// The elements by their names. None if an element has no name, or two have the same.
fn names(list: &[Value]) -> Option<Vec<(&str, &Value)>> {
    let mut named: Vec<(&str, &Value)> = Vec::new();
    for value in list {
        let name = value.get("name")?.as_str()?;
        if named.iter().any(|(other, _)| *other == name) {
            return None;
        }
        named.push((name, value));
    }
    Some(named)
}

fn by_name(at: &At, old: &[(&str, &Value)], new: &[(&str, &Value)], changes: &mut Changes) {
    let find = |list: &[(&str, &Value)], name: &str| list.iter().position(|(other, _)| *other == name);
    for (name, value) in new {
        let at = at.element(&format!("name={name}"));
        match find(old, name) {
            Some(before) => compare(&at, old[before].1, value, changes),
            None => changes.add(&at, None, Some(value)),
        }
    }
    for (name, value) in old.iter().filter(|(name, _)| find(new, name).is_none()) {
        changes.add(&at.element(&format!("name={name}")), Some(value), None);
    }
    // The order of a list can matter, as that of containers or of services.
    let order = |list: &[(&str, &Value)], other: &[(&str, &Value)]| -> Vec<Value> {
        list.iter()
            .filter(|(name, _)| find(other, name).is_some())
            .map(|(name, _)| Value::from(*name))
            .collect()
    };
    let (before, after) = (order(old, new), order(new, old));
    if before != after {
        changes.add(&at.note("order"), Some(&Value::Array(before)), Some(&Value::Array(after)));
    }
}
