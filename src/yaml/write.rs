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
    let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 2).sum());
    for line in lines {
        text.push_str(&line);
        text.push_str(formatting.newline());
    }
    text
}

/// The lines of a pair, `key: value`.
pub(super) fn pair(key: &str, value: &Value, column: usize, formatting: &Formatting) -> Vec<String> {
    let mut lines = Vec::new();
    push_pair(&mut lines, key, value, column, formatting);
    lines
}

fn push_pair(lines: &mut Vec<String>, key: &str, value: &Value, column: usize, formatting: &Formatting) {
    let key = quote::inline(key, false);
    let mut line = margin(column, key.len() + 32);
    if is_simple_key(&key) {
        line.push_str(&key);
    } else {
        line.push_str("? ");
        line.push_str(&key);
        lines.push(line);
        line = margin(column, 2);
    }
    line.push(':');
    match value {
        Value::Object(map) if !map.is_empty() => {
            lines.push(line);
            push_mapping(lines, map, column + formatting.indent, formatting);
        }
        Value::Array(list) if !list.is_empty() => {
            lines.push(line);
            push_sequence(lines, list, column + formatting.dash_indent, formatting);
        }
        _ => {
            let written = scalar(value, column + formatting.indent, formatting.indent, formatting);
            lines.push(join(line, &written.inline));
            lines.extend(written.below);
        }
    }
}

/// The lines of a list element, `- value`.
pub(super) fn element(value: &Value, column: usize, formatting: &Formatting) -> Vec<String> {
    let mut lines = Vec::new();
    push_element(&mut lines, value, column, formatting);
    lines
}

fn push_element(lines: &mut Vec<String>, value: &Value, column: usize, formatting: &Formatting) {
    let first = lines.len();
    match value {
        Value::Object(map) if !map.is_empty() => push_mapping(lines, map, column + 2, formatting),
        Value::Array(list) if !list.is_empty() => push_sequence(lines, list, column + 2, formatting),
        _ => {
            let written = scalar(value, column + 2, 2, formatting);
            let mut line = margin(column, written.inline.len() + 2);
            line.push('-');
            lines.push(join(line, &written.inline));
            lines.extend(written.below);
            return;
        }
    }
    // The dash is in the margin of the first line.
    if let Some(line) = lines.get_mut(first) {
        line.replace_range(column..=column, "-");
    }
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
    let mut lines = Vec::new();
    push_mapping(&mut lines, map, column, formatting);
    lines
}

fn push_mapping(lines: &mut Vec<String>, map: &Map<String, Value>, column: usize, formatting: &Formatting) {
    for (key, value) in map {
        push_pair(lines, key, value, column, formatting);
    }
}

fn sequence(list: &[Value], column: usize, formatting: &Formatting) -> Vec<String> {
    let mut lines = Vec::new();
    push_sequence(&mut lines, list, column, formatting);
    lines
}

fn push_sequence(lines: &mut Vec<String>, list: &[Value], column: usize, formatting: &Formatting) {
    for value in list {
        push_element(lines, value, column, formatting);
    }
}

/// The beginning of a line at a column, with room for more.
fn margin(column: usize, more: usize) -> String {
    let mut line = String::with_capacity(column + more);
    line.extend(std::iter::repeat_n(' ', column));
    line
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

fn join(mut head: String, inline: &str) -> String {
    if !inline.is_empty() {
        head.push(' ');
        head.push_str(inline);
    }
    head
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
