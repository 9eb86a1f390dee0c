//! Reads a function from its functionConfig. Every mistake is reported with its field and what to do.

use super::rules;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::function::Function;
use super::message::{Hint, shortened};
use super::path::{FieldPath, Segment};
use super::resource::Resource;
use super::results::Results;
use super::typed::{TypeError, kind_of, typed, wanted};
use crate::yaml::Document;

/// The whole functionConfig, so that a misspelt `spec` is found like any other key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Envelope {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<Map<String, Value>>,
    #[serde(rename = "spec")]
    _spec: IgnoredAny,
}

/// The key of the function's own fields.
const SPEC: &str = "spec";

/// The start of serde's message about a missing field.
const MISSING: &str = "missing field ";

/// The maximum number of mistakes to report. Finding the next one takes another pass over the functionConfig.
const MOST_MISTAKES: usize = 20;

pub(super) fn is_config_map(config: &Resource) -> bool {
    config.id().kind == "ConfigMap" && config.id().api_version == "v1"
}

/// The function that a functionConfig describes. None if the config has mistakes, which are reported.
pub fn load<F: Function>(config: &Resource, results: &mut Results) -> Result<Option<F::Ready>, Fault> {
    let mut spec: Option<F> = None;
    let is_right = read(config, results, &mut |value| typed(value).map(|read| spec = Some(read)))?;
    let Some(spec) = spec.filter(|_| is_right) else { return Ok(None) };
    match spec.check() {
        Ok(function) => Ok(Some(function)),
        Err(mistakes) => {
            for (path, message) in mistakes.into_vec() {
                results.error(&rules::WRONG_VALUE, message).field(config, &as_written(config, path));
            }
            Ok(None)
        }
    }
}

/// Passes the spec to a function that reads it, until it has no more mistakes or the next one cannot be found. It is not
/// generic, because each function would have a copy. Returns whether there were no mistakes.
fn read(
    config: &Resource,
    results: &mut Results,
    read_spec: &mut dyn FnMut(&Value) -> Result<(), TypeError>,
) -> Result<bool, Fault> {
    let value =
        if is_config_map(config) { from_config_map(config)? } else { config.value(&FieldPath::default())? };
    let mut value = value.unwrap_or(Value::Null);
    let mut wrong: Vec<FieldPath> = Vec::new();
    loop {
        let read = typed::<Envelope>(&value).and_then(|_| {
            let spec = value.get(SPEC).unwrap_or(&Value::Null);
            read_spec(spec).map_err(|error| error.below(Segment::Key(SPEC.into())))
        });
        let Err(error) = read else { return Ok(wrong.is_empty()) };
        let (path, message) = (error.path(), error.message);
        let is_missing = message.starts_with(MISSING);
        if is_missing && wrong.iter().any(|other| other.clone().parent() == path) {
            // It may be the field that was just reported.
            return Ok(false);
        }
        let given = config.source_of(&path).map(str::to_owned).or_else(|| path.lookup(&value).map(describe));
        results.add(explain(config, &as_written(config, path.clone()), given, &message).into_finding());
        // serde stops at the first mistake. Without that field, it finds the next one.
        if is_missing || wrong.len() == MOST_MISTAKES || !path.take_from(&mut value) {
            return Ok(false);
        }
        wrong.push(path);
    }
}

/// A field of the spec is a key of the data in a ConfigMap.
fn as_written(config: &Resource, path: FieldPath) -> FieldPath {
    if is_config_map(config) { path.with_root(SPEC, "data") } else { path }
}

/// A value for a message. Scalars are shown; for lists and mappings, only the type.
fn describe(value: &Value) -> String {
    match value {
        Value::Object(_) | Value::Array(_) => kind_of(value).to_owned(),
        scalar => scalar.to_string(),
    }
}

/// kpt's `-- key=value` arrives as a ConfigMap of strings: `kind` names the function, and every other
/// key is a field of its spec, written in YAML.
fn from_config_map(config: &Resource) -> Result<Option<Value>, Fault> {
    let data: Map<String, Value> = config.get(&FieldPath::new("data"))?.unwrap_or_default();
    let mut spec = Map::new();
    for (key, value) in data.iter().filter(|(key, _)| *key != "kind") {
        let value = match value {
            Value::String(text) => {
                Document::parse(text.as_str()).and_then(|doc| doc.root_value()).map_err(|e| {
                    Fault::new(&rules::FUNCTION_CONFIG, format!("must be YAML: {e}"))
                        .field(config, &FieldPath::new("data").key(key.clone()))
                })?
            }
            other => other.clone(),
        };
        spec.insert(key.clone(), value);
    }
    Ok(Some(json!({"apiVersion": config.id().api_version, "kind": data.get("kind"), "spec": spec})))
}

/// Rewords serde's message for people who write YAML.
fn explain(config: &Resource, path: &FieldPath, given: Option<String>, message: &str) -> Fault {
    if let Some((key, known)) = unknown_field(message) {
        let hint = Hint::among(key, known.iter().copied()).or(|| match known.is_empty() {
            true => "no keys are allowed here".to_owned(),
            false => format!("the keys here are {}", backquoted(&known)),
        });
        // serde reports the unknown key as the last step of the path.
        let key = shortened(key);
        return Fault::new(&rules::UNKNOWN_KEY, format!("unknown key `{key}`; {hint}")).field(config, path);
    }
    if let Some(field) = message.strip_prefix(MISSING) {
        return Fault::new(&rules::MISSING_KEY, format!("the key {field} is required here"))
            .field(config, path);
    }
    let given = given.filter(|text| !text.is_empty()).unwrap_or_else(|| "nothing".to_owned());
    let text = match wanted(message) {
        Some(wanted) => format!("must be {wanted}, got {}", shortened(&given)),
        None => without_long_names(message),
    };
    Fault::new(&rules::WRONG_VALUE, text).field(config, path)
}

/// "unknown field `a`, expected one of `b`, `c`"
fn unknown_field(message: &str) -> Option<(&str, Vec<&str>)> {
    let rest = message.strip_prefix("unknown field `")?;
    let (key, rest) = rest.split_once('`')?;
    Some((key, rest.split('`').skip(1).step_by(2).collect()))
}

/// Shortens the names that serde puts in backquotes, which can have any length.
fn without_long_names(message: &str) -> String {
    message.split('`').map(shortened).collect::<Vec<_>>().join("`")
}

fn backquoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
