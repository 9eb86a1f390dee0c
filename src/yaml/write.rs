//! New values as YAML text in the style around them.

use serde_json::{Map, Value};

use super::quote;

/// The habits of the text that a value is written into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    /// Blanks by which a nested mapping is indented.
    pub indent: usize,
    /// Blanks between a key and the dashes of its list: none in the compact style.
    pub dash_indent: usize,
    /// Whether lines of text are written as literal blocks.
    pub literals: bool,
    /// Whether the text is JSON.
    pub json: bool,
    /// Whether lines end in CR LF.
    pub crlf: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Habits { indent: 2, dash_indent: 0, literals: true, json: false, crlf: false }
    }
}

impl Habits {
    pub fn newline(&self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }
}

/// A value in two parts: what stands on the line of its key or dash, and whole lines below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    pub inline: String,
    pub below: Vec<String>,
}

/// A keyed value, for a key that stands at `column`.
pub fn under_key(value: &Value, column: usize, habits: &Habits) -> Written {
    match value {
        Value::Object(map) if !map.is_empty() => {
            Written { inline: String::new(), below: mapping(map, column + habits.indent, habits) }
        }
        Value::Array(list) if !list.is_empty() => {
            Written { inline: String::new(), below: sequence(list, column + habits.dash_indent, habits) }
        }
        _ => scalar(value, column + habits.indent, habits.indent, habits),
    }
}

/// A list element, for a dash that stands at `column`.
pub fn under_dash(value: &Value, column: usize, habits: &Habits) -> Written {
    let lines = match value {
        Value::Object(map) if !map.is_empty() => mapping(map, column + 2, habits),
        Value::Array(list) if !list.is_empty() => sequence(list, column + 2, habits),
        _ => return scalar(value, column + 2, 2, habits),
    };
    let mut lines = lines.into_iter();
    let inline = lines.next().unwrap_or_default().trim_start_matches(' ').to_owned();
    Written { inline, below: lines.collect() }
}

/// A document of its own.
pub fn document(value: &Value, habits: &Habits) -> String {
    if habits.json {
        return flow(value, habits) + habits.newline();
    }
    let lines = match value {
        Value::Object(map) if !map.is_empty() => mapping(map, 0, habits),
        Value::Array(list) if !list.is_empty() => sequence(list, 0, habits),
        _ => {
            let written = scalar(value, habits.indent, habits.indent, habits);
            std::iter::once(written.inline).chain(written.below).collect()
        }
    };
    lines.into_iter().map(|line| line + habits.newline()).collect()
}

/// The lines of one `key: value`.
pub fn pair(key: &str, value: &Value, column: usize, habits: &Habits) -> Vec<String> {
    let margin = " ".repeat(column);
    let key = quote::inline(key, false);
    let written = under_key(value, column, habits);
    let mut lines = if is_simple_key(&key) {
        vec![join(format!("{margin}{key}:"), &written.inline)]
    } else {
        vec![format!("{margin}? {key}"), join(format!("{margin}:"), &written.inline)]
    };
    lines.extend(written.below);
    lines
}

/// The lines of one `- value`.
pub fn element(value: &Value, column: usize, habits: &Habits) -> Vec<String> {
    let written = under_dash(value, column, habits);
    let mut lines = vec![join(format!("{}-", " ".repeat(column)), &written.inline)];
    lines.extend(written.below);
    lines
}

/// On one line, in brackets and braces.
pub fn flow(value: &Value, habits: &Habits) -> String {
    match value {
        Value::Object(map) => {
            let pairs: Vec<String> = map.iter().map(|(k, v)| flow_pair(k, v, habits)).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        Value::Array(list) => {
            let elements: Vec<String> = list.iter().map(|v| flow(v, habits)).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::String(text) if habits.json => quote::json(text),
        Value::String(text) => quote::inline(text, true),
        _ => value.to_string(),
    }
}

pub fn flow_pair(key: &str, value: &Value, habits: &Habits) -> String {
    if habits.json {
        return format!("{}: {}", quote::json(key), flow(value, habits));
    }
    let key = quote::inline(key, true);
    let mark = if is_simple_key(&key) { "" } else { "? " };
    format!("{mark}{key}: {}", flow(value, habits))
}

/// YAML allows a key on the line of its value up to 1024 characters; beyond that it needs `? `.
fn is_simple_key(written: &str) -> bool {
    written.len() < 1000
}

fn mapping(map: &Map<String, Value>, column: usize, habits: &Habits) -> Vec<String> {
    map.iter().flat_map(|(key, value)| pair(key, value, column, habits)).collect()
}

fn sequence(list: &[Value], column: usize, habits: &Habits) -> Vec<String> {
    list.iter().flat_map(|value| element(value, column, habits)).collect()
}

/// Anything that is not a collection with content. A literal block stands at `column`, `step` blanks
/// deeper than its parent.
fn scalar(value: &Value, column: usize, step: usize, habits: &Habits) -> Written {
    let Value::String(text) = value else {
        return Written { inline: value.to_string(), below: Vec::new() };
    };
    match quote::literal(text, step).filter(|_| habits.literals) {
        Some((header, lines)) => {
            Written { inline: header, below: lines.iter().map(|line| indented(line, column)).collect() }
        }
        None => Written { inline: quote::inline(text, false), below: Vec::new() },
    }
}

/// A line of text at a column; an empty one stays empty.
pub fn indented(line: &str, column: usize) -> String {
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
            document(&value, &Habits::default()),
            "a: 1\n\"on\": \"yes\"\ntext: |\n  x\n  y\nlist:\n- k: a\n  v:\n  - 1\n  - - 2\n    - 3\n- s\n- {}\n- []\nempty: {}\nnone: null\n"
        );
        let wide = Habits { dash_indent: 2, ..Habits::default() };
        assert_eq!(document(&json!({"l": [{"t": "a\nb"}]}), &wide), "l:\n  - t: |-\n      a\n      b\n");
    }

    #[test]
    fn flow_and_json() {
        let value = json!({"a": "x, y", "b": [true, null], "c": "z"});
        assert_eq!(flow(&value, &Habits::default()), "{a: \"x, y\", b: [true, null], c: z}");
        let json = Habits { json: true, ..Habits::default() };
        assert_eq!(flow(&value, &json), r#"{"a": "x, y", "b": [true, null], "c": "z"}"#);
    }
}
