//! Schemas of functionConfigs are what editors and SchemaStore expect.

use rhoso_fn::docs;
use rhoso_fn::functions::REGISTRY;
use serde_json::{Value, json};

/// What SchemaStore asks of a schema, and what its validator rejects in strict mode: each property has a description
/// and a type, a type is a single one, and objects say whether they accept other keys.
fn problems(schema: &Value, path: &str, found: &mut Vec<String>) {
    let Value::Object(object) = schema else { return };
    if object.get("type").is_some_and(Value::is_array) {
        found.push(format!("{path}: several types; use `anyOf`"));
    }
    for (keyword, kind) in [("properties", "object"), ("items", "array"), ("pattern", "string")] {
        if object.contains_key(keyword) && object.get("type") != Some(&json!(kind)) {
            found.push(format!("{path}: `{keyword}`, but the type is not {kind}"));
        }
    }
    if let Some(Value::Object(properties)) = object.get("properties") {
        if !object.contains_key("additionalProperties") {
            found.push(format!("{path}: no `additionalProperties`"));
        }
        for name in object.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !name.as_str().is_some_and(|name| properties.contains_key(name)) {
                found.push(format!("{path}: {name} is required but unknown"));
            }
        }
        for (name, property) in properties {
            let path = format!("{path}.{name}");
            // The fields of a toleration are those of a pod, which Kubernetes documents.
            if property.get("description").is_none() && !path.contains(".tolerations[].") {
                found.push(format!("{path}: no description"));
            }
            problems(property, &path, found);
        }
    }
    for (keyword, suffix) in [("items", "[]"), ("additionalProperties", ".*")] {
        object.get(keyword).iter().for_each(|inner| problems(inner, &format!("{path}{suffix}"), found));
    }
    for inner in
        ["anyOf", "oneOf"].iter().filter_map(|key| object.get(*key)).filter_map(Value::as_array).flatten()
    {
        problems(inner, path, found);
    }
}

#[test]
fn schemas_are_ready_for_schema_store() {
    for entry in REGISTRY.functions {
        let schema = docs::json_schema(entry);
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        assert_eq!(schema["$id"], format!("https://fn.rhoso.dev/v1alpha1/{}.json", entry.kind));
        assert_eq!(schema["title"], entry.kind);
        let mut found = Vec::new();
        problems(&schema, entry.kind, &mut found);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

/// Without references to other files, a URL of `all.json` is enough.
#[test]
fn the_schema_of_all_kinds_is_complete() {
    let (name, all) = docs::all_schemas(REGISTRY).pop().unwrap();
    assert_eq!((name.as_str(), &all["$id"]), ("all.json", &json!("https://fn.rhoso.dev/v1alpha1/all.json")));
    assert_eq!(all["oneOf"].as_array().unwrap().len(), REGISTRY.functions.len());
    for reference in all["oneOf"].as_array().unwrap() {
        let pointer = reference["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
        let kind = all.pointer(&format!("{pointer}/properties/kind/enum/0")).unwrap();
        assert!(pointer.ends_with(kind.as_str().unwrap()), "{pointer}");
    }
}

#[test]
fn defects_of_schemas_are_found() {
    let schema =
        json!({"type": "object", "required": ["b"], "properties": {"a": {"type": ["string", "null"]}}});
    let mut found = Vec::new();
    problems(&schema, "x", &mut found);
    assert_eq!(found.len(), 4, "{found:?}");
}
