//! Random changes of a package's values: removes fields, duplicates them, or replaces them with other values
//! of the package.

use serde_json::{Map, Value, json};

use crate::mutation::Mutation;

/// Changes some of the resources, and sometimes their number.
pub fn change(resources: &mut Vec<Value>, chance: &mut Mutation) {
    for _ in 0..chance.below(4) {
        if resources.is_empty() {
            return;
        }
        let at = chance.below(resources.len());
        match chance.below(8) {
            0 => drop(resources.remove(at)),
            1 => resources.insert(at, resources[at].clone()),
            2 => {
                let other = chance.below(resources.len());
                resources.swap(at, other);
            }
            _ => {
                let words = words_of(resources);
                change_value(&mut resources[at], &words, chance, 0);
            }
        }
    }
}

/// Strings of the package, and some generally interesting ones.
fn words_of(resources: &[Value]) -> Vec<String> {
    let mut words: Vec<String> =
        ["", "x", "null", "on", "0644", "10.0.0.1", "172.17.0.80-172.17.0.90", "fd00::/64", "a\nb\n"]
            .map(str::to_owned)
            .to_vec();
    fn collect(value: &Value, words: &mut Vec<String>) {
        match value {
            Value::String(text) => words.push(text.clone()),
            Value::Array(list) => list.iter().for_each(|value| collect(value, words)),
            Value::Object(map) => map.values().for_each(|value| collect(value, words)),
            _ => {}
        }
    }
    resources.iter().for_each(|resource| collect(resource, &mut words));
    words
}

pub fn change_value(value: &mut Value, words: &[String], chance: &mut Mutation, depth: usize) {
    let goes_deeper = chance.below(6) > 0;
    match value {
        Value::Object(map) if goes_deeper && !map.is_empty() => {
            let key = map.keys().nth(chance.below(map.len())).cloned().unwrap_or_default();
            if depth > 0 && chance.below(8) == 0 {
                change_keys(map, &key, chance);
            } else if let Some(inner) = map.get_mut(&key) {
                change_value(inner, words, chance, depth + 1);
            }
        }
        Value::Array(list) if goes_deeper && !list.is_empty() => {
            let at = chance.below(list.len());
            match chance.below(5) {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                _ => change_value(&mut list[at], words, chance, depth + 1),
            }
        }
        Value::Number(number) => {
            let odd = [0, 1, -1, 3, i64::from(i32::MAX), i64::MAX];
            *value = json!(number.as_i64().unwrap_or(0).wrapping_add(odd[chance.below(odd.len())]));
        }
        Value::Bool(yes) => *value = json!(!*yes),
        _ if depth > 0 => *value = replacement(words, chance),
        _ => {}
    }
}

fn change_keys(map: &mut Map<String, Value>, key: &str, chance: &mut Mutation) {
    let value = map.shift_remove(key).unwrap_or_default();
    match chance.below(3) {
        0 => {}
        1 => drop(map.insert(format!("{key}x"), value)),
        _ => drop(map.insert(key.to_owned(), Value::Null)),
    }
}

fn replacement(words: &[String], chance: &mut Mutation) -> Value {
    match chance.below(12) {
        0 => Value::Null,
        1 => json!({}),
        2 => json!([]),
        3 => json!(chance.below(300)),
        _ => json!(words[chance.below(words.len())]),
    }
}
