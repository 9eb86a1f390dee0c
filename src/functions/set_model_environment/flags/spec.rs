//! Reads the flags of the spec, and reports those that vLLM does not have.

use serde_json::{Map, Value};

use super::FlagChange;
use crate::functions::set_model_environment::sizes::{got, text};
use crate::krm::{FieldPath, Hint, Mistakes, quoted};
use crate::model::serving::FlagValue;
use crate::platform::vllm::{self, FlagFacts, FlagKind};

/// The changes, in the order of the spec.
pub fn read(args: &Map<String, Value>, mistakes: &mut Mistakes) -> Vec<FlagChange> {
    let mut changes: Vec<FlagChange> = Vec::new();
    for (key, value) in args {
        let path = FieldPath::new("spec.args").key(key.clone());
        let Some(change) = mistakes.value(path.clone(), change(key, value)) else { continue };
        if changes.iter().any(|other| other.name == change.name) {
            mistakes
                .add(path, format!("is the same flag as another key, `{}`; keep one of them", change.name));
            continue;
        }
        changes.push(change);
    }
    changes
}

fn change(key: &str, value: &Value) -> Result<FlagChange, String> {
    if key.starts_with('-') || key.is_empty() || key.contains(['=', ' ']) {
        return Err("must be the name of a flag without dashes, such as `max-model-len`".to_owned());
    }
    if let Some(facts) = vllm::negated(key) {
        return Err(format!("use `{}: false` instead", facts.name));
    }
    let name = key.replace('_', "-");
    // `compilation-config.mode` sets one key of the JSON.
    let facts = vllm::flag(&name);
    let head = name.split('.').next().unwrap_or_default();
    if facts.is_none() && vllm::flag(head).is_none() {
        let names: Vec<&str> = vllm::flags().map(|flag| flag.name).collect();
        if let Some(close) = Hint::among(&name, names).name() {
            return Err(format!("vLLM has no flag {}{}", quoted(key), Hint::of(Some(close)).suffix()));
        }
    }
    let name = facts.map_or(name, |facts| facts.name.to_owned());
    let value = if value.is_null() { None } else { Some(flag_value(facts, value)?) };
    Ok(FlagChange { name, facts, value })
}

fn flag_value(facts: Option<FlagFacts>, value: &Value) -> Result<FlagValue, String> {
    let kind = facts.map(|facts| facts.kind);
    let wrong = |wanted: &str| Err(format!("must be {wanted}, got {}", got(value)));
    match (kind, value) {
        (Some(FlagKind::Bool) | None, Value::Bool(true)) => Ok(FlagValue::On),
        (Some(FlagKind::Bool) | None, Value::Bool(false)) => Ok(FlagValue::Off),
        (Some(FlagKind::Bool), _) => wrong("true, false or null"),
        (Some(FlagKind::List), Value::Array(values)) => {
            let texts: Option<Vec<String>> = values.iter().map(text).collect();
            texts
                .filter(|texts| !texts.is_empty())
                .map(FlagValue::Separate)
                .map_or_else(|| wrong("a list of values"), Ok)
        }
        (Some(FlagKind::Json) | None, Value::Object(_) | Value::Array(_)) => {
            Ok(FlagValue::Joined(value.to_string()))
        }
        (_, Value::Object(_) | Value::Array(_) | Value::Null) => wrong("a single value"),
        (Some(FlagKind::Int), _) if !is_whole_number(value) => wrong("a whole number"),
        (Some(FlagKind::Float), _) if !is_number(value) => wrong("a number"),
        (Some(_), Value::Bool(_)) => wrong("a value, not a boolean"),
        _ => {
            let written = text(value).unwrap_or_default();
            let choices: Vec<&str> = facts.into_iter().flat_map(FlagFacts::choices).collect();
            match choices.is_empty() || choices.contains(&written.as_str()) {
                true => Ok(FlagValue::Joined(written)),
                false => wrong(&format!("one of {}", choices.join(", "))),
            }
        }
    }
}

/// vLLM also reads numbers such as `32k`, and `auto`.
fn is_whole_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::String(text) => {
            let digits = text.strip_suffix(|c: char| "kKmMgGtT".contains(c)).unwrap_or(text);
            text == "auto" || digits.parse::<f64>().is_ok()
        }
        _ => false,
    }
}

fn is_number(value: &Value) -> bool {
    value.is_number() || value.as_str().is_some_and(|text| text.parse::<f64>().is_ok())
}
