//! `init`: a functionConfig to fill in, from the types of a function.

use std::fmt::Write;

use serde_json::Value;

use super::schema::Field;
use super::{spec_fields, summary, wrapped};
use crate::functions::{API_VERSION, PROGRAM};
use crate::krm::Entry;

/// A placeholder for a value that only the user knows.
const PLACEHOLDER: &str = "CHANGEME";

/// Fields that a function requires in most cases, although their types do not: one of several must be set.
const ALSO_REQUIRED: [(&str, &str); 6] = [
    ("GenerateInstances", "nodes"),
    ("GenerateSecrets", "externalSecrets"),
    ("GenerateVolumes", "namespace"),
    ("GenerateVolumes", "nodes"),
    ("InjectGpuAlias", "aliases.gpu"),
    ("SetServiceConfig", "services.config"),
];

/// The width of comments.
const WIDTH: usize = 78;

/// A functionConfig with both annotations and all required fields. Optional fields are comments with their defaults,
/// which begin with `#` and no blank. `schemas` is the directory or URL of the schemas.
pub fn scaffold(entry: &Entry, name: &str, schemas: &str) -> String {
    let kind = entry.kind;
    let mut out = format!(
        "# yaml-language-server: $schema={}/{kind}.json\n\
         # {}\n\
         # `{PROGRAM} explain {kind}` describes all fields.\n\
         apiVersion: {API_VERSION}\n\
         kind: {kind}\n\
         metadata:\n  \
           name: {name}\n  \
           annotations:\n    \
             config.kubernetes.io/local-config: \"true\" # kpt does not apply this file\n    \
             config.kubernetes.io/function: | # how kustomize finds the program\n      \
               exec:\n        \
                 path: {PROGRAM}\n",
        schemas.trim_end_matches('/'),
        wrapped(&summary(entry), 0, WIDTH - 2).replace('\n', "\n# "),
    );
    let fields = spec_fields(entry);
    let has_required = fields.iter().any(|field| is_required(kind, field, ""));
    out.push_str(if has_required { "spec:\n" } else { "spec: {} # remove {} if you set a field\n" });
    write_fields(kind, &fields, "", "  ", &mut out);
    out
}

fn is_required(kind: &str, field: &Field, parent: &str) -> bool {
    field.required || ALSO_REQUIRED.contains(&(kind, &format!("{parent}{}", field.name)))
}

/// Writes the fields of a mapping. `parent` is its path with a dot, `margin` its indentation.
fn write_fields(kind: &str, fields: &[Field], parent: &str, margin: &str, out: &mut String) {
    for field in fields {
        let path = format!("{parent}{}", field.name);
        comment(field, margin, out);
        if is_required(kind, field, parent) {
            write_required(kind, field, &path, margin, out);
        } else {
            let _ = writeln!(out, "{margin}#{}", optional(kind, field, &path));
        }
    }
}

/// The first sentence of the description.
fn comment(field: &Field, margin: &str, out: &mut String) {
    let first = field.description.split("\n\n").next().unwrap_or_default();
    let sentence = first.split_once(". ").map_or(first, |(sentence, _)| sentence).replace('\n', " ");
    let sentence = format!("{}.", sentence.trim_end_matches(['.', ':']));
    for line in wrapped(&sentence, 0, WIDTH - 2 - margin.len()).lines() {
        let _ = writeln!(out, "{margin}# {line}");
    }
}

fn write_required(kind: &str, field: &Field, path: &str, margin: &str, out: &mut String) {
    let name = &field.name;
    let below = format!("{path}.");
    let is_list = field.kind.starts_with("list");
    // Where a string or an object is possible, the string is shorter.
    if field.fields.is_empty() || field.kind.contains("string") {
        let value = match (field.values.first(), &field.default) {
            (_, Some(default)) => default.to_string(),
            (Some(first), None) => first.clone(),
            (None, None) if is_list => format!("[{PLACEHOLDER}]"),
            (None, None) => placeholder(field).to_owned(),
        };
        let _ = writeln!(out, "{margin}{name}: {value}");
        return;
    }
    let _ = writeln!(out, "{margin}{name}:");
    if !is_list {
        write_fields(kind, &field.fields, &below, &format!("{margin}  "), out);
        return;
    }
    // The first required field is the first line of the list item; the others follow in their order.
    let (required, optional): (Vec<&Field>, Vec<&Field>) =
        field.fields.iter().partition(|field| is_required(kind, field, &below));
    let mut lines = String::new();
    for part in [required, optional] {
        for field in part {
            write_fields(kind, std::slice::from_ref(field), &below, &format!("{margin}  "), &mut lines);
        }
    }
    let first = lines.lines().position(|line| !line.trim_start().starts_with('#'));
    for (at, line) in lines.lines().enumerate() {
        let is_first = Some(at) == first;
        let shown = if is_first { format!("{margin}- {}", line.trim_start()) } else { line.to_owned() };
        let _ = writeln!(out, "{shown}");
    }
}

fn placeholder(field: &Field) -> &'static str {
    match field.kind.as_str() {
        "integer" | "number" => "1",
        "boolean" => "false",
        _ => PLACEHOLDER,
    }
}

/// A field that is commented out: with its default, or else with its type.
fn optional(kind: &str, field: &Field, path: &str) -> String {
    let name = &field.name;
    match &field.default {
        Some(Value::Object(map)) if !map.is_empty() => format!("{name}: # {PROGRAM} explain {kind}.{path}"),
        Some(default) => format!("{name}: {default}"),
        None if !field.fields.is_empty() => {
            format!("{name}: # {}; {PROGRAM} explain {kind}.{path}", field.kind)
        }
        None if !field.values.is_empty() && field.values.len() < 6 => {
            format!("{name}: # {}", field.values.join(" | "))
        }
        None => format!("{name}: # {}", field.kind),
    }
}
