//! Writes values as YAML text in a given formatting.

use serde_json::{Map, Value};

use super::quote;

/// How text is formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formatting {
    /// How many spaces a nested mapping is indented by.
    pub indent: usize,
    /// How many spaces the dashes of a list are indented by, relative to its key. 0 in the compact style.
    pub dash_indent: usize,
    /// Whether multi-line strings are written as literal blocks.
    pub literals: bool,
    /// Whether the text is JSON.
    pub json: bool,
    /// Whether lines end with CR LF.
    pub crlf: bool,
}

impl Default for Formatting {
    fn default() -> Self {
        Formatting { indent: 2, dash_indent: 0, literals: true, json: false, crlf: false }
    }
}

impl Formatting {
    pub(super) fn newline(&self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }
}

/// A value in two parts: the text on the line of its key or dash, and the whole lines below.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Written {
    pub(super) inline: String,
    pub(super) below: Vec<String>,
}

/// The value of a key at `column`.
pub(super) fn under_key(value: &Value, column: usize, formatting: &Formatting) -> Written {
    match value {
        Value::Object(map) if !map.is_empty() => {
            Written { inline: String::new(), below: mapping(map, column + formatting.indent, formatting) }
        }
        Value::Array(list) if !list.is_empty() => Written {
            inline: String::new(),
            below: sequence(list, column + formatting.dash_indent, formatting),
        },
        _ => scalar(value, column + formatting.indent, formatting.indent, formatting),
    }
}

/// The value of a list element with its dash at `column`.
pub(super) fn under_dash(value: &Value, column: usize, formatting: &Formatting) -> Written {
    let lines = match value {
        Value::Object(map) if !map.is_empty() => mapping(map, column + 2, formatting),
        Value::Array(list) if !list.is_empty() => sequence(list, column + 2, formatting),
        _ => return scalar(value, column + 2, 2, formatting),
    };
    let mut lines = lines.into_iter();
    let inline = lines.next().unwrap_or_default().trim_start_matches(' ').to_owned();
    Written { inline, below: lines.collect() }
}

/// A whole document.
pub fn document(value: &Value, formatting: &Formatting) -> String {
    if formatting.json {
        return flow(value, formatting) + formatting.newline();
    }
    let lines = match value {
        Value::Object(map) if !map.is_empty() => mapping(map, 0, formatting),
        Value::Array(list) if !list.is_empty() => sequence(list, 0, formatting),
        _ => {
            let written = scalar(value, formatting.indent, formatting.indent, formatting);
            std::iter::once(written.inline).chain(written.below).collect()
        }
    };
    lines.into_iter().map(|line| line + formatting.newline()).collect()
}

/// The lines of a pair, `key: value`.
pub(super) fn pair(key: &str, value: &Value, column: usize, formatting: &Formatting) -> Vec<String> {
    let margin = " ".repeat(column);
    let key = quote::inline(key, false);
    let written = under_key(value, column, formatting);
    let mut lines = if is_simple_key(&key) {
        vec![join(format!("{margin}{key}:"), &written.inline)]
    } else {
        vec![format!("{margin}? {key}"), join(format!("{margin}:"), &written.inline)]
    };
    lines.extend(written.below);
    lines
}

/// The lines of a list element, `- value`.
pub(super) fn element(value: &Value, column: usize, formatting: &Formatting) -> Vec<String> {
    let written = under_dash(value, column, formatting);
    let mut lines = vec![join(format!("{}-", " ".repeat(column)), &written.inline)];
    lines.extend(written.below);
    lines
}

/// A value on one line, in brackets and braces.
pub fn flow(value: &Value, formatting: &Formatting) -> String {
    match value {
        Value::Object(map) => {
            let pairs: Vec<String> = map.iter().map(|(k, v)| flow_pair(k, v, formatting)).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        Value::Array(list) => {
            let elements: Vec<String> = list.iter().map(|v| flow(v, formatting)).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::String(text) if formatting.json => quote::json(text),
        Value::String(text) => quote::inline(text, true),
        _ => value.to_string(),
    }
}

pub(super) fn flow_pair(key: &str, value: &Value, formatting: &Formatting) -> String {
    if formatting.json {
        return format!("{}: {}", quote::json(key), flow(value, formatting));
    }
    let key = quote::inline(key, true);
    let mark = if is_simple_key(&key) { "" } else { "? " };
    format!("{mark}{key}: {}", flow(value, formatting))
}

/// Whether a key may be on the line of its value. YAML requires `? ` for keys of more than 1024 characters.
fn is_simple_key(written: &str) -> bool {
    written.len() < 1000
}

fn mapping(map: &Map<String, Value>, column: usize, formatting: &Formatting) -> Vec<String> {
    map.iter().flat_map(|(key, value)| pair(key, value, column, formatting)).collect()
}

fn sequence(list: &[Value], column: usize, formatting: &Formatting) -> Vec<String> {
    list.iter().flat_map(|value| element(value, column, formatting)).collect()
}

/// A scalar or an empty collection. A literal block is indented to `column`, `step` spaces deeper than its
/// parent.
fn scalar(value: &Value, column: usize, step: usize, formatting: &Formatting) -> Written {
    let Value::String(text) = value else {
        return Written { inline: value.to_string(), below: Vec::new() };
    };
    match quote::literal(text, step).filter(|_| formatting.literals) {
        Some((header, lines)) => {
            Written { inline: header, below: lines.iter().map(|line| indented(line, column)).collect() }
        }
        None => Written { inline: quote::inline(text, false), below: Vec::new() },
    }
}

/// A line of text at a column. An empty line stays empty.
pub(super) fn indented(line: &str, column: usize) -> String {
    if line.is_empty() { String::new() } else { format!("{}{line}", " ".repeat(column)) }
}

fn join(head: String, inline: &str) -> String {
    if inline.is_empty() { head } else { format!("{head} {inline}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_in_the_style_that_tools_write() {
        let value = json!({
            "a": 1,
            "on": "yes",
            "text": "x\ny\n",
            "list": [{"k": "a", "v": [1, [2, 3]]}, "s", {}, []],
            "empty": {},
            "none": null,
        });
        assert_eq!(
            document(&value, &Formatting::default()),
            "a: 1\n\"on\": \"yes\"\ntext: |\n  x\n  y\nlist:\n- k: a\n  v:\n  - 1\n  - - 2\n    - 3\n- s\n- {}\n- []\nempty: {}\nnone: null\n"
        );
        let wide = Formatting { dash_indent: 2, ..Formatting::default() };
        assert_eq!(document(&json!({"l": [{"t": "a\nb"}]}), &wide), "l:\n  - t: |-\n      a\n      b\n");
    }

    #[test]
    fn flow_and_json() {
        let value = json!({"a": "x, y", "b": [true, null], "c": "z"});
        assert_eq!(flow(&value, &Formatting::default()), "{a: \"x, y\", b: [true, null], c: z}");
        let json = Formatting { json: true, ..Formatting::default() };
        assert_eq!(flow(&value, &json), r#"{"a": "x, y", "b": [true, null], "c": "z"}"#);
    }
}
