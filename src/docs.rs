//! Documentation from types: the doc comments of a function and its fields become its README, its
//! KRMFunctionDefinition, its schemas and the output of `explain`. This module does no input or output.

mod gpus;
mod instances;
mod packed;
mod rules;
mod scaffold;
mod schema;

use std::fmt::Write;

use serde_json::{Value, json};

pub use gpus::explain_gpu;
pub use instances::explain_instance;
pub use packed::{example_names, examples, pages};
pub use rules::{explain_rule, list_rules, rule_ids, rule_page, rule_pages};
pub use scaffold::scaffold;
pub use schema::{Field, all_schemas, json_schema, open_api};
use schema::{fields, unwrap_lines};

use crate::functions::{API_VERSION, GROUP, VERSION};
use crate::krm::{Entry, Hint, Registry, Shape};
use crate::yaml::write;

/// The result of running an example: its functionConfig, the diff of the input files, and the generated
/// resources.
#[derive(Debug)]
pub struct Example<'e> {
    pub config: &'e str,
    pub diff: &'e str,
    pub new: &'e str,
}

fn manual(entry: &Entry) -> String {
    entry.spec_schema().get("description").and_then(Value::as_str).map(unwrap_lines).unwrap_or_default()
}

/// The first sentence of a function's manual.
pub fn summary(entry: &Entry) -> String {
    let manual = manual(entry);
    manual.split("\n\n").next().unwrap_or_default().to_owned()
}

pub fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Generator => "generator",
        Shape::Transformer => "transformer",
        Shape::Validator => "validator",
    }
}

fn spec_fields(entry: &Entry) -> Vec<Field> {
    let schema = open_api(entry);
    schema.pointer("/properties/spec").map(fields).unwrap_or_default()
}

/// `list`: one function per line.
pub fn list(registry: &Registry) -> String {
    let width = registry.functions.iter().map(|entry| entry.kind.len()).max().unwrap_or(0);
    registry.functions.iter().fold(String::new(), |mut out, entry| {
        let _ = writeln!(out, "{:width$}  {:11}  {}", entry.kind, shape_name(entry.shape), summary(entry));
        out
    })
}

/// `list -o json`: the functions, for programs.
pub fn list_json(registry: &Registry) -> String {
    let function = |entry: &Entry| {
        json!({
            "apiVersion": API_VERSION,
            "kind": entry.kind,
            "name": entry.name,
            "type": shape_name(entry.shape),
            "summary": summary(entry),
        })
    };
    format!("{:#}\n", Value::Array(registry.functions.iter().map(function).collect()))
}

/// `explain KIND[.field.path]`: the manual of a function, or of one of its fields, as wide as the terminal.
pub fn explain(entry: &Entry, path: &[&str], width: usize) -> Result<String, String> {
    let path = path.strip_prefix(&["spec"]).unwrap_or(path);
    if path.is_empty() {
        let mut out = format!(
            "{} ({API_VERSION}), a {}\n\n{}\n\nspec:\n",
            entry.kind,
            shape_name(entry.shape),
            wrapped(&manual(entry), 0, width)
        );
        outline(&spec_fields(entry), 1, width, &mut out);
        return Ok(out);
    }
    let mut known = spec_fields(entry);
    let mut walked = format!("{}.spec", entry.kind);
    for (depth, name) in path.iter().enumerate() {
        let Some(at) = known.iter().position(|field| field.name == *name) else {
            let names: Vec<&str> = known.iter().map(|field| field.name.as_str()).collect();
            let hint = Hint::among(name, names.iter().copied()).or(|| match names.is_empty() {
                true => "it has no fields".to_owned(),
                false => format!("its fields are {}", names.join(", ")),
            });
            return Err(format!("`{walked}` has no field `{name}`; {hint}"));
        };
        let field = known.swap_remove(at);
        let _ = write!(walked, ".{name}");
        if depth + 1 == path.len() {
            let mut out =
                format!("{walked}: {}\n\n{}\n", type_line(&field), wrapped(&field.description, 0, width));
            if !field.fields.is_empty() {
                out.push('\n');
                outline(&field.fields, 0, width, &mut out);
            }
            return Ok(out);
        }
        known = field.fields;
    }
    Err("the path is empty".to_owned())
}

fn type_line(field: &Field) -> String {
    let mut line = if field.values.is_empty() { field.kind.clone() } else { field.values.join(" | ") };
    match (&field.default, field.required) {
        (_, true) => line.push_str(", required"),
        (Some(default), false) => {
            let _ = write!(line, ", default {default}");
        }
        (None, false) => line.push_str(", optional"),
    }
    line
}

fn outline(fields: &[Field], depth: usize, width: usize, out: &mut String) {
    let margin = "  ".repeat(depth);
    for field in fields {
        let _ = writeln!(out, "{margin}{}: {}", field.name, type_line(field));
        let _ = writeln!(out, "{}", wrapped(&field.description, depth * 2 + 4, width));
        outline(&field.fields, depth + 1, width, out);
    }
}

/// Wraps paragraphs at a width, indented by a margin.
fn wrapped(text: &str, margin: usize, width: usize) -> String {
    let indent = " ".repeat(margin);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && margin + line.len() + 1 + word.len() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
        .iter()
        .map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The KRMFunctionDefinition of a function.
pub fn definition(entry: &Entry) -> String {
    let value = json!({
        "apiVersion": "config.kubernetes.io/v1alpha1",
        "kind": "KRMFunctionDefinition",
        "metadata": {"name": entry.name},
        "spec": {
            "group": GROUP,
            "names": {"kind": entry.kind},
            "description": summary(entry),
            "publisher": "rhoso-fn",
            "tags": [shape_name(entry.shape)],
            "versions": [{
                "name": VERSION,
                "idempotent": true,
                "license": "Apache-2.0",
                "usage": format!("functions/{}/README.md", entry.name),
                "examples": [format!("functions/{}/example", entry.name)],
                "runtime": {"exec": {"path": "rhoso-fn"}},
                "schema": {"openAPIV3Schema": open_api(entry)},
            }],
        },
    });
    format!(
        "# Generated from src/functions/{}.rs by `UPDATE=1 cargo test`.\n{}",
        entry.name.replace('-', "_"),
        write::document(&value, &write::Formatting::default())
    )
}

/// The README of a function.
pub fn readme(entry: &Entry, example: &Example<'_>) -> String {
    let mut out = format!(
        "<!-- Generated from src/functions/{}.rs by `UPDATE=1 cargo test`. -->\n\n# {}\n\n{}\n\n",
        entry.name.replace('-', "_"),
        entry.kind,
        manual(entry)
    );
    let name = entry.name;
    let _ = write!(
        out,
        "## Example\n\n`rhoso-fn render functions/{name}/example` runs this functionConfig:\n\n```yaml\n{}```\n\n",
        example.config
    );
    match (example.diff, example.new) {
        ("", "") => out.push_str("It reports no findings.\n\n"),
        (diff, "") => {
            let _ = write!(out, "This is the only change:\n\n```diff\n{diff}```\n\n");
        }
        ("", new) => {
            let _ = write!(out, "It generates:\n\n```yaml\n{new}```\n\n");
        }
        (diff, new) => {
            let _ = write!(
                out,
                "It generates:\n\n```yaml\n{new}```\n\nThis is the only other change:\n\n```diff\n{diff}```\n\n"
            );
        }
    }
    let _ = write!(
        out,
        "The example also runs in kustomize and kpt, if `rhoso-fn` is on your PATH:\n\n```console\n\
         $ kustomize build --enable-alpha-plugins --enable-exec functions/{name}/example\n\
         $ kpt fn render --allow-exec functions/{name}/example\n```\n\n## Fields of `spec`\n\n"
    );
    out.push_str("| field | type | description |\n|---|---|---|\n");
    rows(&spec_fields(entry), "", &mut out);
    let _ = write!(
        out,
        "\n`rhoso-fn explain {kind}` prints this reference in the terminal. `rhoso-fn schema {kind}` prints the JSON schema \
         for your editor.\n",
        kind = entry.kind
    );
    out
}

fn rows(fields: &[Field], prefix: &str, out: &mut String) {
    for field in fields {
        let description = field.description.replace("\n\n", "<br>").replace('\n', "<br>").replace('|', "\\|");
        let _ = writeln!(
            out,
            "| `{prefix}{}` | {} | {description} |",
            field.name,
            type_line(field).replace('|', "\\|")
        );
        let list = if field.kind.starts_with("list") { "[]" } else { "" };
        rows(&field.fields, &format!("{prefix}{}{list}.", field.name), out);
    }
}

/// The table of functions in the project's README.
pub fn table(registry: &Registry) -> String {
    registry.functions.iter().fold(
        "| function | type | description |\n|---|---|---|\n".to_owned(),
        |mut out, entry| {
            let _ = writeln!(
                out,
                "| [{}](functions/{}/README.md) | {} | {} |",
                entry.kind,
                entry.name,
                shape_name(entry.shape),
                summary(entry)
            );
            out
        },
    )
}
