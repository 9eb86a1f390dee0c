//! Tabs, line separators and byte order marks, which readers treat differently.

use super::super::error::YamlError;
use super::super::events::Style;
use super::super::scan::line_start;
use super::super::tree::{Kind, NodeId};
use super::Checker;

/// YAML 1.1, and therefore go-yaml and PyYAML, ends a line at these characters. For YAML 1.2 they are text.
pub(super) const LINE_SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

pub(super) const LINE_ENDS: [char; 4] = ['\n', '\u{85}', '\u{2028}', '\u{2029}'];

const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) const NO_BYTE_ORDER_MARK: &str =
    "remove the byte order mark (U+FEFF), or write \"\\uFEFF\" in double quotes";

pub(super) const NO_LINE_SEPARATOR: &str = "kustomize and kubectl read U+0085, U+2028 and U+2029 as line breaks; \
     use an ordinary line break, or an escape such as \"\\u2028\" in double quotes";

impl Checker<'_> {
    /// Tabs may separate tokens on a line and indent lines in braces, but must not indent other lines.
    pub(super) fn tabs(&self) -> Result<(), YamlError> {
        for (at, _) in self.text.match_indices('\t') {
            let before = &self.text[line_start(self.text, at)..at];
            let indents = before.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':'));
            let is_text =
                self.scalar_at(at).is_some_and(|node| self.tree.kind(node) != Kind::Scalar(Style::Plain));
            if indents && !is_text && !self.is_in_flow(at) {
                return Err(YamlError::at(self.text, at, "a tab indents this line; use spaces"));
            }
        }
        Ok(())
    }

    /// JSON has the escape `\/`, and YAML 1.2 adopted it, but go-yaml does not know it. kubectl reads JSON with another
    /// reader.
    pub(super) fn escaped_slash(&self, node: NodeId) -> Result<(), YamlError> {
        let span = self.tree.span(node);
        let mut escapes = self.text[span.clone()].match_indices('\\');
        while let Some((at, _)) = escapes.next() {
            match self.text.as_bytes().get(span.start + at + 1) {
                Some(b'/') if !self.is_json() => {
                    let message = "kustomize and kubectl do not accept the escape `\\/` in YAML; write `/`";
                    return Err(YamlError::at(self.text, span.start + at, message));
                }
                // The other backslash is not the start of an escape.
                Some(b'\\') => drop(escapes.next()),
                _ => {}
            }
        }
        Ok(())
    }

    fn is_json(&self) -> bool {
        *self.is_json.get_or_init(|| serde_json::from_str::<serde_json::Value>(self.text).is_ok())
    }

    /// go-yaml takes a tab at the start of a block scalar for indentation, unless the header has the number of spaces.
    pub(super) fn tab_at_start_of_block(&self, node: NodeId) -> Result<(), YamlError> {
        let span = self.tree.span(node);
        let (header, body) = self.text[span.clone()].split_once('\n').unwrap_or_default();
        let indicators = header.split(' ').next().unwrap_or_default();
        if indicators.contains(|c: char| c.is_ascii_digit()) {
            return Ok(());
        }
        let mut at = span.end - body.len();
        for line in body.split_inclusive('\n') {
            let text = line.trim_start_matches(' ');
            if text.starts_with('\t') {
                let message = "kustomize and kubectl do not accept a tab at the start of this text; write the number of \
                               spaces of its indentation after the `|` or `>`, such as `|2`";
                return Err(YamlError::at(self.text, at + line.len() - text.len(), message));
            }
            if !text.trim_end().is_empty() {
                break;
            }
            at += line.len();
        }
        Ok(())
    }

    /// In quotes a line separator is text or a folded line, and nothing else changes. Anywhere else it could
    /// end a comment or a value.
    pub(super) fn invisible_characters(&self) -> Result<(), YamlError> {
        if let Some((at, _)) =
            self.text.match_indices(BYTE_ORDER_MARK).find(|(at, _)| *at > 0 && !self.is_quoted(*at))
        {
            let message = format!("a BOM must not appear inside a document; {NO_BYTE_ORDER_MARK}");
            return Err(YamlError::at(self.text, at, message));
        }
        match self.text.match_indices(LINE_SEPARATORS).map(|(at, _)| at).find(|at| !self.is_quoted(*at)) {
            Some(at) => Err(YamlError::at(self.text, at, NO_LINE_SEPARATOR)),
            None => Ok(()),
        }
    }

    fn is_quoted(&self, at: usize) -> bool {
        self.scalar_at(at).is_some_and(|node| {
            matches!(self.tree.kind(node), Kind::Scalar(Style::SingleQuoted | Style::DoubleQuoted))
        })
    }

    /// The scalar that contains a byte of the text.
    fn scalar_at(&self, at: usize) -> Option<NodeId> {
        let node = self.last_before(at)?;
        let is_inside = self.tree.span(node).contains(&at);
        (is_inside && matches!(self.tree.kind(node), Kind::Scalar(_))).then_some(node)
    }

    /// Whether a byte is between the braces of a collection.
    fn is_in_flow(&self, at: usize) -> bool {
        let mut node = self.last_before(at);
        while let Some(inner) = node {
            if self.is_flow(inner) && self.tree.span(inner).contains(&at) {
                return true;
            }
            node = self.tree.parent(inner);
        }
        false
    }

    /// The last node that begins at or before a byte.
    fn last_before(&self, at: usize) -> Option<NodeId> {
        let count = self.tree.nodes.partition_point(|node| node.start as usize <= at);
        count.checked_sub(1).map(|index| NodeId(index as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;
    use super::super::refused;

    #[test]
    fn tabs_at_the_start_of_a_block() {
        for (text, line) in [("a: |\n  \tx\n", 2), ("a: >-\n\n  \tx\n", 3), ("a: | # 2\n  \tx\n  y\n", 2)] {
            refused(text, line, "such as `|2`");
        }
        for text in ["a: |2\n  \tx\n", "a: |-2\n  \tx\n", "a: |\n  x\n  \ty\n", "a: |\n\nb: 1\n", "a: |"] {
            assert!(Tree::parse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn tabs_that_indent() {
        for text in ["- \tx\n", "-\tx\n", "? \tx\n: 1\n", "\ta: 1\n", "  \t\na: 1\n"] {
            refused(text, 1, "use spaces");
        }
        refused("a: |\n  x\n\t\n", 3, "use spaces");
        refused("? a\n:\tb\n", 2, "use spaces");
        refused("a: x\n\t\n  y\n", 2, "use spaces");
        for text in ["a:\tx\t# c\n", "{\n\t\"a\": 1\n}\n", "a: |2\n  \tx\n", "# \tc\na: 1\n"] {
            assert!(Tree::parse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn escaped_slashes_outside_json() {
        refused("a: 1\nb: \"\\\\ \\/\"\n", 2, "write `/`");
        refused("a: {b: \"\\/\"}\n", 1, "write `/`");
        for almost_json in ["{a: \"\\/\"}", "{\"a\": \"\\/\"} # c", "\u{a0}{: \"\\/\""] {
            refused(almost_json, 1, "write `/`");
        }
        assert!(Tree::parse("{\"a\": \"\\/\"}\n").is_ok() && Tree::parse("a: \"\\\\/\"\n").is_ok());
    }
}
