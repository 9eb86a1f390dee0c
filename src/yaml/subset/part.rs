//! Part of an entry of a list, read and edited by itself.

use std::ops::Range;

use serde_json::Value;

use super::super::document::{Document, Frame, Step};
use super::super::events::Style;
use super::super::quote;
use super::super::text::Text;
use super::super::tree::{Kind, Tree};
use super::SubsetReader;
use super::skim::lines_of_pair;

/// One pair at the second level of an entry that the fast reader has accepted.
#[derive(Debug)]
pub struct Part {
    /// A mapping that contains only that pair.
    pub doc: Document,
    /// The bytes of the pair in the entry: its lines, or from its key to the end of its value in braces.
    pub range: Range<usize>,
    in_braces: bool,
}

impl Part {
    /// The field `inner` of the mapping `outer` of an entry in block style. None if it is not found without reading the
    /// whole entry, which does not mean that it is missing.
    pub fn of_block(text: &Text, outer: &str, inner: &str) -> Option<Part> {
        let range = lines_of_pair(text.as_bytes(), outer, inner)?;
        Part::read(text.part(range.clone()), range, false)
    }

    /// The same of an entry in braces.
    pub fn of_braces(text: &Text, outer: &str, inner: &str) -> Option<Part> {
        let range = SubsetReader::lenient(text, 0).ok()?.pair_in_braces(outer, inner).ok()?;
        Part::read(["{", &text[range.clone()], "}"].concat().into(), range, true)
    }

    fn read(text: Text, range: Range<usize>, in_braces: bool) -> Option<Part> {
        let tree = Tree::parse_subset(&text)?;
        Some(Part { doc: Document::of(text, tree, Frame::Whole), range, in_braces })
    }

    /// The text of the pair.
    pub fn text(&self) -> &str {
        let text = self.doc.text();
        if self.in_braces { &text[1..text.len() - 1] } else { text }
    }

    /// The part with another value of a field, or no part if the field already has that value. None if the whole entry
    /// must be edited, for example because this part does not show the style of the entry.
    pub fn set(&self, path: &[Step], value: &Value) -> Option<Option<Part>> {
        let shows_style =
            if self.in_braces { self.shows_quotes(path, value) } else { self.shows_indentation(path, value) };
        if !shows_style || !self.doc.is_plain() {
            return None;
        }
        let Some(edited) = self.doc.set(path, value).ok()? else { return Some(None) };
        let is_closed = edited.text().ends_with('\n') == self.doc.text().ends_with('\n');
        let edited = Part::read(edited.shared_text(), self.range.clone(), self.in_braces)?;
        is_closed.then_some(Some(edited))
    }

    fn shows_indentation(&self, path: &[Step], value: &Value) -> bool {
        let needs_dashes = contains_list(value) || path.iter().any(|step| matches!(step, Step::Index(_)));
        self.doc.shows_formatting(needs_dashes)
    }

    /// Whether the field is in double quotes and stays so, in JSON as well as in YAML.
    fn shows_quotes(&self, path: &[Step], value: &Value) -> bool {
        let is_quoted = |node| self.doc.tree().kind(node) == Kind::Scalar(Style::DoubleQuoted);
        let is_same_in_json = |text| quote::json(text) == quote::double(text);
        self.doc.find(path).is_some_and(is_quoted) && value.as_str().is_some_and(is_same_in_json)
    }
}

fn contains_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(fields) => fields.values().any(contains_list),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, outer: &str, inner: &str) -> Option<String> {
        Part::of_block(&Text::from(text), outer, inner).map(|part| text[part.range].to_owned())
    }

    #[test]
    fn a_part_is_the_lines_of_its_pair() {
        let text = "- kind: A\n  metadata:\n    name: a\n  spec:\n    # about a\n    a:\n    - x\n\n    - b: 1\n    # about b\n    b:\n      c: |\n        spec:\n          b: 1\n    # the end\n  status: {}\n";
        assert_eq!(part(text, "spec", "a").unwrap(), "    a:\n    - x\n\n    - b: 1\n    # about b\n");
        let b = "    b:\n      c: |\n        spec:\n          b: 1\n    # the end\n";
        assert_eq!(part(text, "spec", "b").unwrap(), b);
        assert_eq!(part(text, "metadata", "name").unwrap(), "    name: a\n");
        for (outer, inner) in [("spec", "c"), ("status", "a"), ("kind", "a"), ("sp", "a"), ("spec", "x")] {
            assert_eq!(part(text, outer, inner), None);
        }
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(part(&crlf, "spec", "b").unwrap(), b.replace('\n', "\r\n"));
        assert_eq!(part("  - spec:\n      b: 1", "spec", "b").unwrap(), "      b: 1");
        assert_eq!(part("- spec:\n    b:\n    - 1\n  - 2\n", "spec", "b").unwrap(), "    b:\n    - 1\n");
    }

    #[test]
    fn a_part_in_braces_ends_with_its_value() {
        let part = |text: &str| {
            let part = Part::of_braces(&Text::from(text), "spec", "b")?;
            assert_eq!(part.text(), &text[part.range.clone()]);
            Some(part.text().to_owned())
        };
        let found =
            |text: &str, expected: &str| assert_eq!(part(text).as_deref(), Some(expected), "{text:?}");
        found(r#"{"kind":"A","spec":{"a":[{"b":1}],"b":{"c":[1]},"d":2},"e":3}"#, r#""b":{"c":[1]}"#);
        found("{kind: A, spec: {\n  a: 'b',\n  b: x y ,\n  c: 1}}", "b: x y");
        found(r#"{"\u0073pec":{"a":"\n","\u0062": "1"}}"#, r#""\u0062": "1""#);
        for text in [
            r#"{"kind":"A"}"#,
            r#"{"spec":[{"b":1}]}"#,
            r#"{"spec":"b"}"#,
            r#"{"spec":{"c":1},"b":1}"#,
            r#"{"spec":{"c":{"b":1}}}"#,
            r#"{"spec":{"b":"\/"}}"#,
            "- spec:\n    b: 1\n",
            "",
        ] {
            assert_eq!(part(text), None, "{text:?}");
        }
    }

    #[test]
    fn quoted_text_in_braces_is_edited_by_itself() {
        let set = |text: &str, value: Value| {
            let text = Text::from(text);
            let part = Part::of_braces(&text, "spec", "b").unwrap();
            let edited = part.set(&[Step::Key("b".to_owned()), Step::Key("c".to_owned())], &value);
            edited.map(|part| part.map(|part| part.text().to_owned()))
        };
        let text = r#"{"spec":{"a":1,"b":{"c":"x","d":2}}}"#;
        assert_eq!(set(text, "x".into()), Some(None));
        assert_eq!(set(text, "[y]\n\"".into()), Some(Some(r#""b":{"c":"[y]\n\"","d":2}"#.to_owned())));
        // JSON has other escapes, and another style than YAML.
        for value in ["\u{7f}".into(), 1.into(), serde_json::json!({"x": 1})] {
            assert_eq!(set(text, value), None);
        }
        assert_eq!(set("{spec: {b: {c: x}}}", "y".into()), None);
        assert_eq!(set("{spec: {b: {d: x}}}", "y".into()), None);
    }

    #[test]
    fn other_ways_to_write_it_are_not_found() {
        for text in [
            "- spec: {b: 1}\n",
            "- spec: &x\n    b: 1\n",
            "- spec: # c\n    \"b\": 1\n",
            "- 'spec':\n    b: 1\n",
            "- spec:\n  - b: 1\n",
            "- spec:\n",
            "- spec:\n  b: 1\n",
            "- spec: |\n    b: 1\n",
            "spec:\n  b: 1\n",
        ] {
            assert_eq!(part(text, "spec", "b"), None, "{text:?}");
        }
    }
}
