//! Compares strings that contain a language: INI by option, JSON by field.

use serde_json::Value;

use super::fields::{At, Changes};
use super::values;
use crate::formats::ini::Ini;
use crate::formats::json;

/// Compares two different strings. Returns false if they contain no language that is known.
pub fn compare(at: &At, old: &str, new: &str, changes: &mut Changes) -> bool {
    if let (Some(before), Some(after)) = (as_json(old), as_json(new)) {
        let count = changes.found.len();
        values::compare(at, &before, &after, changes);
        if changes.found.len() == count {
            changes.add(&at.note("formatting of the JSON"), None, None);
        }
        return true;
    }
    let (before, after) = (Ini::parse(old), Ini::parse(new));
    if !is_ini(&before) || !is_ini(&after) {
        return false;
    }
    let count = changes.found.len();
    options(at, &before, &after, changes);
    if changes.found.len() == count {
        changes.add(&at.note("comments, blank lines or order"), None, None);
    }
    true
}

/// An object or a list. Other strings may be valid JSON by accident, such as numbers.
pub fn as_json(text: &str) -> Option<Value> {
    json::parse(text).ok().filter(|value| value.is_object() || value.is_array())
}

fn is_ini(ini: &Ini<'_>) -> bool {
    ini.headers().next().is_some() && !ini.options().is_empty() && ini.refused_lines().is_empty()
}

fn options(at: &At, old: &Ini<'_>, new: &Ini<'_>, changes: &mut Changes) {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for option in new.options().iter().chain(old.options()) {
        let name = (option.section.as_str(), option.key.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for (section, key) in names {
        let values = |ini: &Ini<'_>| -> Vec<Value> {
            ini.all(section, key).map(|option| Value::from(option.value.as_str())).collect()
        };
        let (before, after) = (values(old), values(new));
        let at = at.option(section, key);
        match (before.as_slice(), after.as_slice()) {
            (before, after) if before == after => {}
            ([], [only]) => changes.add(&at, None, Some(only)),
            ([only], []) => changes.add(&at, Some(only), None),
            ([], all) => all.iter().for_each(|value| changes.add(&at, None, Some(value))),
            (all, []) => all.iter().for_each(|value| changes.add(&at, Some(value), None)),
            ([before], [after]) => values::compare(&at, before, after, changes),
            // An option that is given several times has several values.
            (before, after) => {
                let (before, after) = (Value::Array(before.to_vec()), Value::Array(after.to_vec()));
                values::compare(&at, &before, &after, changes);
            }
        }
    }
}
