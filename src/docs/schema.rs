//! Schemas of complete functionConfigs, and the tree of fields that the reference pages are generated from.

use serde_json::{Map, Value, json};

use crate::functions::API_VERSION;
use crate::krm::{Entry, Registry};

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The OpenAPI v3 schema of a functionConfig.
pub fn open_api(entry: &Entry) -> Value {
    let mut spec = entry.spec_schema().to_value();
    simplify(&mut spec);
    let description = spec.as_object_mut().and_then(|s| {
        s.shift_remove("title");
        s.shift_remove("description")
    });
    let mut schema = Map::new();
    if let Some(description) = description {
        schema.insert("description".into(), description);
    }
    schema.insert("type".into(), json!("object"));
    schema.insert("required".into(), json!(["apiVersion", "kind", "spec"]));
    schema.insert(
        "properties".into(),
        json!({
            "apiVersion": {"type": "string", "enum": [API_VERSION]},
            "kind": {"type": "string", "enum": [entry.kind]},
            "metadata": {"type": "object"},
            "spec": spec,
        }),
    );
    schema.insert("additionalProperties".into(), json!(false));
    Value::Object(schema)
}

/// The `$id` of the schema of a kind, or of all kinds.
fn id_of(name: &str) -> String {
    format!("https://{API_VERSION}/{name}.json")
}

/// The fields of every functionConfig, with their descriptions.
const ENVELOPE: [(&str, &str); 4] = [
    ("apiVersion", "The API version of functionConfigs."),
    ("kind", "The function."),
    ("metadata", "The name, and annotations that tell hosts how to run the function."),
    ("spec", "The settings of the function."),
];

/// The same schema as JSON Schema, for editors and SchemaStore.
pub fn json_schema(entry: &Entry) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!(DRAFT));
    schema.insert("$id".into(), json!(id_of(entry.kind)));
    schema.insert("title".into(), json!(entry.kind));
    if let Value::Object(rest) = open_api(entry) {
        schema.extend(rest);
    }
    for (field, description) in ENVELOPE {
        if let Some(Value::Object(field)) = schema.get_mut("properties").and_then(|all| all.get_mut(field)) {
            field.insert("description".into(), json!(description));
        }
    }
    Value::Object(schema)
}

/// `schema --all`: one file for each kind, and `all.json`, which accepts every functionConfig.
///
/// `all.json` contains the other schemas instead of referring to their files, so that it can be published by itself.
pub fn all_schemas(registry: &Registry) -> Vec<(String, Value)> {
    let mut files: Vec<(String, Value)> =
        registry.functions.iter().map(|entry| (format!("{}.json", entry.kind), json_schema(entry))).collect();
    let (mut references, mut definitions) = (Vec::new(), Map::new());
    for entry in registry.functions {
        let mut schema = json_schema(entry);
        if let Value::Object(schema) = &mut schema {
            schema.shift_remove("$schema");
            schema.shift_remove("$id");
        }
        references.push(json!({"$ref": format!("#/definitions/{}", entry.kind)}));
        definitions.insert(entry.kind.into(), schema);
    }
    let all = json!({
        "$schema": DRAFT,
        "$id": id_of("all"),
        "title": API_VERSION,
        "description": "A functionConfig of rhoso-fn.",
        "type": "object",
        "oneOf": references,
        "definitions": definitions,
    });
    files.push(("all.json".to_owned(), all));
    files
}

/// Simplifies what OpenAPI cannot express and readers do not need: an optional field is not nullable, just
/// not required, and a `oneOf` of documented constants becomes an `enum`.
fn simplify(schema: &mut Value) {
    if let Value::Array(list) = schema {
        list.iter_mut().for_each(simplify);
    }
    let Value::Object(object) = schema else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get_mut("anyOf") {
        options.retain(|option| option.get("type") != Some(&json!("null")));
        if let [Value::Object(only)] = options.as_slice() {
            let only = only.clone();
            object.shift_remove("anyOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
    if let Some(variants) = object.get("oneOf").and_then(enumeration) {
        object.shift_remove("oneOf");
        let text = object.get("description").and_then(Value::as_str).unwrap_or_default();
        let list: Vec<String> = variants.iter().map(|(name, doc)| format!("- `{name}`: {doc}")).collect();
        let text = format!("{text}\n\n{}", list.join("\n"));
        object.insert("description".into(), json!(text.trim()));
        object.insert("type".into(), json!("string"));
        let names: Vec<&String> = variants.iter().map(|(name, _)| name).collect();
        object.insert("enum".into(), json!(names));
    }
    if object.get("default") == Some(&Value::Null) {
        object.shift_remove("default");
    }
    object.values_mut().for_each(simplify);
}

/// The names and descriptions of a `oneOf` that contains only documented constants.
fn enumeration(one_of: &Value) -> Option<Vec<(String, String)>> {
    one_of
        .as_array()?
        .iter()
        .map(|option| {
            let name = option.get("const")?.as_str()?.to_owned();
            let doc = option.get("description").and_then(Value::as_str).unwrap_or_default();
            Some((name, unwrap_lines(doc)))
        })
        .collect()
}

/// A field of a functionConfig.
#[derive(Debug)]
pub struct Field {
    pub name: String,
    /// The type in words, such as `list of objects` or `string`.
    pub kind: String,
    pub required: bool,
    pub default: Option<Value>,
    pub values: Vec<String>,
    pub description: String,
    pub fields: Vec<Field>,
}

/// The fields of an object's schema.
pub fn fields(schema: &Value) -> Vec<Field> {
    let object = object_of(schema);
    let required = object.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|r| r == name));
    let Some(properties) = object.get("properties").and_then(Value::as_object) else { return Vec::new() };
    properties
        .iter()
        .map(|(name, schema)| Field {
            name: name.clone(),
            kind: in_words(schema),
            required: is_required(name),
            default: schema.get("default").cloned(),
            values: schema
                .get("enum")
                .and_then(Value::as_array)
                .map(|values| values.iter().filter_map(|v| Some(v.as_str()?.to_owned())).collect())
                .unwrap_or_default(),
            description: schema
                .get("description")
                .and_then(Value::as_str)
                .map(unwrap_lines)
                .unwrap_or_default(),
            fields: fields(schema),
        })
        .collect()
}

/// The elements of a list, or else the schema itself.
fn items_of(schema: &Value) -> &Value {
    schema.get("items").unwrap_or(schema)
}

/// The part of a schema that has fields: of the elements of a list, of the values of a mapping with any keys, or of one
/// of several types.
fn object_of(schema: &Value) -> &Value {
    let values = || schema.get("additionalProperties").filter(|values| values.is_object());
    let options = || schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let inner = schema.get("items").or_else(values);
    let inner = inner.or_else(|| options().find(|option| option.get("properties").is_some()));
    inner.map_or(schema, object_of)
}

fn in_words(schema: &Value) -> String {
    match schema.get("type").and_then(Value::as_str) {
        Some("array") => format!("list of {}s", in_words(items_of(schema))),
        Some(name) => match schema.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
            Some([Value::String(only)]) => only.clone(),
            _ => name.to_owned(),
        },
        None => match schema.get("anyOf").and_then(Value::as_array) {
            Some(options) => options.iter().map(in_words).collect::<Vec<_>>().join(" or "),
            None if schema.get("enum") == Some(&json!([null])) => "null".to_owned(),
            None => "any".to_owned(),
        },
    }
}

/// Joins the lines of each paragraph and list item, because doc comments are wrapped to fit the source.
pub fn unwrap_lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let starts_anew =
            line.is_empty() || line.starts_with("- ") || out.is_empty() || out.ends_with("\n\n");
        if !starts_anew {
            out.push(' ');
        } else if line.is_empty() {
            out.push_str("\n\n");
        } else if line.starts_with("- ") && !out.ends_with('\n') && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line.trim());
    }
    out
}
