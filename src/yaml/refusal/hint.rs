//! Hints for errors of the parser, where the line shows what its author meant.

use super::super::error::YamlError;
use super::characters::{LINE_SEPARATORS, NO_BYTE_ORDER_MARK, NO_LINE_SEPARATOR};

pub(super) const TEMPLATE: &str =
    "this looks like a template that was not rendered; render it first, or put the text in quotes";

/// Whether a line contains Go or Jinja template text.
pub(super) fn has_template(line: &str) -> bool {
    ["{{", "{%"].iter().any(|open| line.contains(open))
}

/// Adds a hint to the error, if one applies.
pub fn explained(text: &str, error: YamlError) -> YamlError {
    let Some(at) = error.at else { return error };
    let line = text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
    let message = error.message();
    let says = |part: &str| message.contains(part);
    let hint = if has_template(line) {
        TEMPLATE
    } else if let Some(separator) = text.find(LINE_SEPARATORS) {
        return YamlError::at(text, separator, NO_LINE_SEPARATOR);
    } else if says("multiline quoted scalar") || says("tab cannot be used as indentation") {
        "a quoted string continues on this line; indent the line with spaces, deeper than its key"
    } else if says("tabs disallowed") || says("found a tab") || says("start with a tab") {
        "use spaces"
    } else if says("comments must be separated") {
        "add a space before the `#`"
    } else if says("BOM must not appear") {
        NO_BYTE_ORDER_MARK
    } else if line.trim_start().starts_with('*') && says("expected ':'") {
        "add a space between the alias and the colon"
    } else {
        return error;
    };
    YamlError::placed(at, format!("{message}; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;
    use super::super::refused;

    #[test]
    fn templates_that_were_not_rendered() {
        for text in [
            "a: {{ .Values.x }}\n",
            "{{ .Values.x }}: a\n",
            "a: [{{ .Values.x }}]\n",
            "{{- if .Values.x }}\na: 1\n{{- end }}\n",
            "{% if x %}\n",
        ] {
            refused(text, 1, "a template that was not rendered");
        }
        refused("a:\n{{ toYaml .Values.x }}\n", 2, "a template that was not rendered");
        assert!(Tree::parse("a: \"{{ .x }}\"\nb: x {{ .y }}\nc: |\n  {{ .z }}\n").is_ok());
    }

    /// go-yaml accepts these. The message explains how to write them instead.
    #[test]
    fn syntax_that_only_go_yaml_accepts() {
        refused("a: \"x\ny\"\n", 2, "indent the line with spaces");
        refused("k:\n  a: 'x\n  y'\n", 3, "indent the line with spaces");
        refused("a: 'b'#c\n", 1, "add a space before the `#`");
        refused("a: &x b\n*x: 1\n", 2, "add a space between the alias and the colon");
        refused("a: x\nb: y\u{2028}z\n", 2, "as line breaks");
        refused("# c\u{85}d\na: 1\n", 1, "as line breaks");
        refused("a: 1\nb: \u{feff}c\n", 2, "byte order mark");
        assert!(Tree::parse("a: \"x\u{2028}y\u{feff}\"\n").is_ok());
    }
}
