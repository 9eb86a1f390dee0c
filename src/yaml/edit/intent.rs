//! Edits of values. They define what an edit of the text must mean.

use serde_json::{Map, Value};

use super::super::document::Step;
use super::super::error::YamlError;

/// Whether two values are written in the same way: `1000.0` is written and read as `1000`.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || ((x.is_f64() || y.is_f64()) && x.as_f64() == y.as_f64())
        }
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| equal(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| equal(x, y)))
        }
        _ => a == b,
    }
}

/// A value inside the collections that a path describes.
pub(super) fn nested(path: &[Step], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, step| match step {
        Step::Key(key) => Value::Object(Map::from_iter([(key.clone(), value)])),
        Step::Index(_) => Value::Array(vec![value]),
    })
}

/// A path as messages show it.
pub(super) fn dotted(path: &[Step]) -> String {
    path.iter().fold(String::new(), |text, step| match step {
        Step::Key(key) if text.is_empty() => key.clone(),
        Step::Key(key) => format!("{text}.{key}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}

/// The error for a path that leads through something that cannot hold its next step.
pub(super) fn cannot_hold(parents: &[Step], step: &Step) -> YamlError {
    let parent = if parents.is_empty() { "the root".to_owned() } else { format!("`{}`", dotted(parents)) };
    YamlError::new(match step {
        Step::Key(key) => format!("{parent} is not a mapping, so it cannot hold `{key}`"),
        Step::Index(index) => format!("{parent} is not a list that can hold element {index}"),
    })
    .refusal()
}

/// Sets the value at a path, as `Document::set` does.
pub(super) fn set_at(mut target: &mut Value, path: &[Step], value: &Value) -> Result<(), YamlError> {
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
            _ => return Err(cannot_hold(&path[..depth], step)),
        };
    }
    *target = value.clone();
    Ok(())
}

/// Removes the value at a path. False if it does not exist.
pub(super) fn remove_at(target: &mut Value, path: &[Step]) -> bool {
    let Some((step, rest)) = path.split_first() else { return false };
    match (target, step) {
        (Value::Object(map), Step::Key(key)) if rest.is_empty() => map.shift_remove(key).is_some(),
        (Value::Object(map), Step::Key(key)) => map.get_mut(key).is_some_and(|value| remove_at(value, rest)),
        (Value::Array(list), Step::Index(index)) if rest.is_empty() => {
            let exists = *index < list.len();
            if exists {
                list.remove(*index);
            }
            exists
        }
        (Value::Array(list), Step::Index(index)) => {
            list.get_mut(*index).is_some_and(|value| remove_at(value, rest))
        }
        _ => false,
    }
}

/// Renames the key at the end of a path and keeps its position. False if it does not exist.
pub(super) fn rename_at(target: &mut Value, path: &[Step], new: &str) -> Result<bool, YamlError> {
    let Some((Step::Key(old), parents)) = path.split_last() else { return Ok(false) };
    let mut parent = target;
    for step in parents {
        let child = match (parent, step) {
            (Value::Object(map), Step::Key(key)) => map.get_mut(key),
            (Value::Array(list), Step::Index(index)) => list.get_mut(*index),
            _ => None,
        };
        let Some(child) = child else { return Ok(false) };
        parent = child;
    }
    let Value::Object(map) = parent else { return Ok(false) };
    if !map.contains_key(old) {
        return Ok(false);
    }
    if map.contains_key(new) {
        return Err(YamlError::new(format!("`{new}` already exists")).refusal());
    }
    let name = |key: String| if key == *old { new.to_owned() } else { key };
    *map = std::mem::take(map).into_iter().map(|(key, value)| (name(key), value)).collect();
    Ok(true)
}
