//! From a functionConfig to a function: every mistake becomes a message with the field and the way out.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::finding::{Fault, did_you_mean, quoted};
use super::function::{API_VERSION, Entry, Function, GROUP};
use super::path::FieldPath;
use super::resource::{Resource, kind_of};
use crate::yaml::Document;

/// The whole functionConfig, so that a misspelt `spec` is found like any other key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Envelope<F> {
    #[serde(rename = "apiVersion")]
    _api_version: String,
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "metadata")]
    _metadata: Option<Map<String, Value>>,
    spec: F,
}

/// The function that a functionConfig names.
pub fn dispatch<'r>(config: Option<&Resource>, registry: &'r [Entry]) -> Result<&'r Entry, Fault> {
    let kinds = || registry.iter().map(|entry| entry.kind).collect::<Vec<_>>().join(", ");
    let Some(config) = config else {
        return Err(Fault::new(
            "function-config",
            format!("the ResourceList has no functionConfig; give one of kind {}", kinds()),
        ));
    };
    let id = config.id();
    if is_config_map(config) {
        let kind: Option<String> = config.get(&FieldPath::new("data.kind"))?;
        let Some(kind) = kind else {
            return Err(Fault::new(
                "function-config",
                format!(
                    "the functionConfig is a ConfigMap without `data.kind`; name the function there ({}), or give a functionConfig of apiVersion {API_VERSION}",
                    kinds()
                ),
            ));
        };
        return find(&kind, registry).map_err(|f| f.field(config, &FieldPath::new("data.kind")));
    }
    if id.group() != GROUP {
        return Err(Fault::new(
            "function-config",
            format!(
                "the functionConfig has apiVersion {}, which is not ours; expected {API_VERSION} and kind {}",
                quoted(&id.api_version),
                kinds()
            ),
        )
        .on(config));
    }
    if id.api_version != API_VERSION {
        return Err(Fault::new(
            "function-config",
            format!("unknown version {}; expected {API_VERSION}", quoted(&id.api_version)),
        )
        .field(config, &FieldPath::new("apiVersion")));
    }
    find(&id.kind, registry).map_err(|f| f.field(config, &FieldPath::new("kind")))
}

fn find<'r>(kind: &str, registry: &'r [Entry]) -> Result<&'r Entry, Fault> {
    registry.iter().find(|entry| entry.kind == kind).ok_or_else(|| {
        let names = || registry.iter().map(|entry| entry.kind);
        let hint =
            did_you_mean(kind, names()).map(|name| format!("did you mean {name}? ")).unwrap_or_default();
        let all: Vec<&str> = names().collect();
        Fault::new(
            "unknown-kind",
            format!("there is no function {}; {hint}the kinds are: {}", quoted(kind), all.join(", ")),
        )
    })
}

fn is_config_map(config: &Resource) -> bool {
    config.id().kind == "ConfigMap" && config.id().api_version == "v1"
}

/// Reads the function out of its config.
pub fn load<F: Function>(config: &Resource) -> Result<F, Fault> {
    let value =
        if is_config_map(config) { from_config_map(config)? } else { config.value(&FieldPath::default())? };
    let envelope: Result<Envelope<F>, _> = serde_path_to_error::deserialize(value.unwrap_or(Value::Null));
    let function = envelope
        .map(|envelope| envelope.spec)
        .map_err(|error| explain(config, &field_path(error.path()), &error.inner().to_string()))?;
    function.check().map_err(|bad| Fault::new("wrong-value", bad.message).field(config, &bad.path))?;
    Ok(function)
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
                    Fault::new("function-config", format!("must be YAML: {e}"))
                        .field(config, &FieldPath::new("data").key(key.clone()))
                })?
            }
            other => other.clone(),
        };
        spec.insert(key.clone(), value);
    }
    Ok(Some(json!({"apiVersion": API_VERSION, "kind": data.get("kind"), "spec": spec})))
}

fn field_path(path: &serde_path_to_error::Path) -> FieldPath {
    use serde_path_to_error::Segment;
    path.iter().fold(FieldPath::default(), |path, segment| match segment {
        Segment::Seq { index } => path.index(*index),
        Segment::Map { key } => path.key(key.clone()),
        Segment::Enum { variant } => path.key(variant.clone()),
        Segment::Unknown => path,
    })
}

/// serde's words in ours.
fn explain(config: &Resource, path: &FieldPath, message: &str) -> Fault {
    if let Some((key, known)) = unknown_field(message) {
        let hint = match did_you_mean(key, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None if known.is_empty() => "there are no keys here".to_owned(),
            None => format!("the keys here are {}", backquoted(&known)),
        };
        // serde reports the unknown key as the last step of the path.
        return Fault::new("unknown-key", format!("unknown key `{key}`; {hint}")).field(config, path);
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return Fault::new("missing-key", format!("the key {field} is required here")).field(config, path);
    }
    let given = config.source_of(path).map(str::to_owned).or_else(|| {
        let value = config.value(path).ok().flatten()?;
        Some(kind_of(&value).to_owned())
    });
    let given = given.filter(|text| !text.is_empty()).unwrap_or_else(|| "nothing".to_owned());
    let text = match message.split_once(", expected ") {
        Some((_, expected)) => format!("must be {}, got {given}", readable(expected)),
        None => message.to_owned(),
    };
    Fault::new("wrong-value", text).field(config, path)
}

fn readable(expected: &str) -> String {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            "a whole number".to_owned()
        }
        "f32" | "f64" => "a number".to_owned(),
        "a map" => "a mapping".to_owned(),
        "a sequence" => "a list".to_owned(),
        _ if expected.starts_with("struct ") => "a mapping".to_owned(),
        _ => expected.to_owned(),
    }
}

/// "unknown field `a`, expected one of `b`, `c`"
fn unknown_field(message: &str) -> Option<(&str, Vec<&str>)> {
    let rest = message.strip_prefix("unknown field `")?;
    let (key, rest) = rest.split_once('`')?;
    Some((key, rest.split('`').skip(1).step_by(2).collect()))
}

fn backquoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
