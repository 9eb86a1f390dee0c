//! Writes a value as YAML in a random style, to cover the styles of different people and tools.

use rhoso_fn::yaml::quote;
use serde_json::{Map, Value};

use crate::mutation::Mutation;

/// The style of one document.
pub struct Writer<'r> {
    chance: &'r mut Mutation,
    indent: usize,
    dash_indent: usize,
    comments: bool,
    flow: bool,
    /// Strings that have an anchor, and its name. Later equal strings can be aliases.
    anchors: Vec<(String, String)>,
}

impl<'r> Writer<'r> {
    pub fn new(chance: &'r mut Mutation) -> Self {
        Writer {
            indent: 1 + chance.below(4),
            dash_indent: [0, 0, 2, 1][chance.below(4)],
            comments: chance.below(3) == 0,
            flow: chance.below(2) == 0,
            anchors: Vec::new(),
            chance,
        }
    }

    /// Writes a document without a line break at the end.
    pub fn document(&mut self, value: &Value) -> String {
        let mut lines = Vec::new();
        match value {
            Value::Object(map) if !map.is_empty() => self.mapping(map, 0, &mut lines),
            other => lines.push(self.inline(other)),
        }
        lines.join("\n")
    }

    fn mapping(&mut self, map: &Map<String, Value>, column: usize, lines: &mut Vec<String>) {
        for (key, value) in map {
            if self.comments && self.chance.below(6) == 0 {
                lines.push(format!("{}# {key}", " ".repeat(column)));
            }
            let key = self.quoted(key, false);
            let head = format!("{}{key}:", " ".repeat(column));
            self.value(head, value, column, column + self.dash_indent, lines);
        }
    }

    /// Writes a value below or next to its key, which is at `column`.
    fn value(&mut self, head: String, value: &Value, column: usize, dashes: usize, lines: &mut Vec<String>) {
        let in_braces = self.flow && self.chance.below(6) == 0;
        match value {
            Value::Object(map) if !map.is_empty() && !in_braces => {
                lines.push(self.with_comment(head));
                self.mapping(map, column + self.indent, lines);
            }
            Value::Array(list) if !list.is_empty() && !in_braces => {
                lines.push(self.with_comment(head));
                for element in list {
                    self.element(element, dashes, lines);
                }
            }
            Value::String(text) if self.chance.below(3) > 0 => match quote::literal(text, self.indent) {
                Some((header, content)) => {
                    lines.push(self.with_comment(format!("{head} {header}")));
                    let margin = " ".repeat(column + self.indent);
                    lines.extend(content.iter().map(|line| match line.is_empty() {
                        true => String::new(),
                        false => format!("{margin}{line}"),
                    }));
                }
                None => self.push_inline(head, value, lines),
            },
            _ => self.push_inline(head, value, lines),
        }
    }

    fn push_inline(&mut self, head: String, value: &Value, lines: &mut Vec<String>) {
        let line = format!("{head} {}", self.inline(value));
        lines.push(self.with_comment(line));
    }

    fn element(&mut self, element: &Value, column: usize, lines: &mut Vec<String>) {
        let margin = " ".repeat(column);
        match element {
            Value::Object(map) if !map.is_empty() && !(self.flow && self.chance.below(4) == 0) => {
                let mut below = Vec::new();
                let saved = (self.comments, self.dash_indent);
                self.comments = false; // the first line must be a key
                self.mapping(map, column + 2, &mut below);
                (self.comments, self.dash_indent) = saved;
                let first = below[0].trim_start().to_owned();
                below[0] = format!("{margin}- {first}");
                lines.extend(below);
            }
            _ => {
                let line = format!("{margin}- {}", self.inline(element));
                lines.push(self.with_comment(line));
            }
        }
    }

    /// Writes a value on one line.
    fn inline(&mut self, value: &Value) -> String {
        match value {
            Value::Object(map) => {
                let pairs: Vec<String> = map
                    .iter()
                    .map(|(k, v)| format!("{}: {}", self.quoted(k, true), self.inline_in_flow(v)))
                    .collect();
                format!("{{{}}}", pairs.join(", "))
            }
            Value::Array(list) => {
                let elements: Vec<String> = list.iter().map(|v| self.inline_in_flow(v)).collect();
                format!("[{}]", elements.join(self.chance_of(&[", ", ",  "])))
            }
            Value::String(text) => self.shared(text),
            Value::Null => self.chance_of(&["null", "~", "Null"]).to_owned(),
            Value::Bool(true) => self.chance_of(&["true", "True"]).to_owned(),
            other => other.to_string(),
        }
    }

    fn inline_in_flow(&mut self, value: &Value) -> String {
        match value {
            Value::String(text) => self.quoted(text, true),
            other => self.inline(other),
        }
    }

    /// Writes a string, sometimes with an anchor or as an alias of an earlier one.
    fn shared(&mut self, text: &str) -> String {
        let written = self.quoted(text, false);
        if let Some((_, name)) = self.anchors.iter().find(|(other, _)| other == text) {
            return if self.chance.below(2) == 0 { format!("*{name}") } else { written };
        }
        if !text.is_empty() && self.chance.below(60) == 0 {
            // Names are unique across documents, because a list becomes one document and PyYAML rejects
            // duplicate anchors.
            let name = format!("a{}", self.chance.below(1_000_000_000));
            self.anchors.push((text.to_owned(), name.clone()));
            return format!("&{name} {written}");
        }
        written
    }

    fn quoted(&mut self, text: &str, in_flow: bool) -> String {
        match self.chance.below(6) {
            0 => quote::double(text),
            1 => quote::single(text).unwrap_or_else(|| quote::double(text)),
            _ => quote::inline(text, in_flow),
        }
    }

    fn with_comment(&mut self, line: String) -> String {
        if self.comments && self.chance.below(8) == 0 { format!("{line} # c") } else { line }
    }

    fn chance_of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.chance.below(choices.len())]
    }
}
