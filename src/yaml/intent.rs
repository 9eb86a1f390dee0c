//! What an edit is meant to do, said on values: the text is changed to match.

use serde_json::{Map, Value};

use super::document::Step;
use super::error::YamlError;

/// Whether two values are written alike: `1000.0` is written and read as `1000`.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || ((x.is_f64() || y.is_f64()) && x.as_f64() == y.as_f64())
        }
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}

/// A value below the steps that lead to it.
pub(super) fn nested(path: &[Step], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, step| match step {
        Step::Key(key) => Value::Object(Map::from_iter([(key.clone(), value)])),
        Step::Index(_) => Value::Array(vec![value]),
    })
}

/// A path for messages.
pub(super) fn dotted(path: &[Step]) -> String {
    path.iter().fold(String::new(), |text, step| match step {
        Step::Key(key) if text.is_empty() => key.clone(),
        Step::Key(key) => format!("{text}.{key}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}

/// The path leads through something that cannot hold the next step.
pub(super) fn misfit(way: &[Step], step: &Step) -> YamlError {
    let holder = if way.is_empty() { "the root".to_owned() } else { format!("`{}`", dotted(way)) };
    YamlError::new(match step {
        Step::Key(key) => format!("{holder} is not a mapping, so it cannot hold `{key}`"),
        Step::Index(index) => format!("{holder} is not a list, or has no place for element {index}"),
    })
    .refusal()
}

/// Sets a path in a value, as `Document::set` does in a text.
pub(super) fn put(mut target: &mut Value, path: &[Step], value: &Value) -> Result<(), YamlError> {
    for (depth, step) in path.iter().enumerate() {
        if target.is_null() {
            *target = match step {
                Step::Key(_) => Value::Object(Map::new()),
                Step::Index(_) => Value::Array(Vec::new()),
            };
        }
        target = match (target, step) {
            (Value::Object(map), Step::Key(key)) => map.entry(key.clone()).or_insert(Value::Null),
            (Value::Array(list), Step::Index(index)) if *index <= list.len() => {
                if *index == list.len() {
                    list.push(Value::Null);
                }
                &mut list[*index]
            }
            _ => return Err(misfit(&path[..depth], step)),
        };
    }
    *target = value.clone();
    Ok(())
}

/// Removes a path from a value; false when it was not there.
pub(super) fn take(target: &mut Value, path: &[Step]) -> bool {
    let Some((step, rest)) = path.split_first() else { return false };
    match (target, step) {
        (Value::Object(map), Step::Key(key)) if rest.is_empty() => map.shift_remove(key).is_some(),
        (Value::Object(map), Step::Key(key)) => map.get_mut(key).is_some_and(|value| take(value, rest)),
        (Value::Array(list), Step::Index(index)) if rest.is_empty() => {
            let there = *index < list.len();
            if there {
                list.remove(*index);
            }
            there
        }
        (Value::Array(list), Step::Index(index)) => {
            list.get_mut(*index).is_some_and(|value| take(value, rest))
        }
        _ => false,
    }
}

/// Gives the key at the end of a path another name, in its place; false when it was not there.
pub(super) fn rename(target: &mut Value, path: &[Step], new: &str) -> Result<bool, YamlError> {
    let Some((Step::Key(old), way)) = path.split_last() else { return Ok(false) };
    let mut holder = target;
    for step in way {
        let inner = match (holder, step) {
            (Value::Object(map), Step::Key(key)) => map.get_mut(key),
            (Value::Array(list), Step::Index(index)) => list.get_mut(*index),
            _ => None,
        };
        let Some(inner) = inner else { return Ok(false) };
        holder = inner;
    }
    let Value::Object(map) = holder else { return Ok(false) };
    if !map.contains_key(old) {
        return Ok(false);
    }
    if map.contains_key(new) {
        return Err(YamlError::new(format!("there is a `{new}` already")).refusal());
    }
    let name = |key: String| if key == *old { new.to_owned() } else { key };
    *map = std::mem::take(map).into_iter().map(|(key, value)| (name(key), value)).collect();
    Ok(true)
}
