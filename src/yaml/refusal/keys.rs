//! Keys of mappings and what merge keys hold.

use super::super::error::YamlError;
use super::super::events::{Layout, Style};
use super::super::scan::{line_end, line_start};
use super::super::tree::{Kind, NodeId};
use super::Checker;
use super::characters::LINE_ENDS;
use super::hint::{TEMPLATE, has_template};

impl Checker<'_> {
    pub(super) fn mapping(&self, mapping: NodeId) -> Result<(), YamlError> {
        for (key, value) in self.tree.pairs(mapping) {
            self.key(key)?;
            self.colon(mapping, key)?;
            if self.tree.is_merge(self.text, key) && !self.can_be_merged(value) {
                return self.error(value, "the value of `<<` must be a mapping, an alias or a list of these");
            }
        }
        Ok(())
    }

    fn key(&self, key: NodeId) -> Result<(), YamlError> {
        let span = self.tree.span(key);
        match self.tree.kind(self.resolved(key)) {
            Kind::Scalar(Style::Plain) if span.is_empty() => self.error(key, "a key is missing here"),
            Kind::Scalar(Style::Plain | Style::SingleQuoted | Style::DoubleQuoted)
                if self.text[self.tree.outer_start(key)..span.end].contains(LINE_ENDS)
                    && !self.is_explicit(key) =>
            {
                self.error(key, "a key must be written on one line")
            }
            Kind::Scalar(_) => Ok(()),
            _ => {
                let line = &self.text[line_start(self.text, span.start)..line_end(self.text, span.start)];
                let is_template = has_template(line);
                self.error(
                    key,
                    if is_template { TEMPLATE } else { "a key must be a string; put it in quotes" },
                )
            }
        }
    }

    /// Whether a key follows a question mark. Such a key may have several lines.
    fn is_explicit(&self, key: NodeId) -> bool {
        self.text[..self.tree.outer_start(key)].trim_end().ends_with('?')
    }

    /// In braces, the colon must be on the line of its key and must not touch a comma or brace.
    fn colon(&self, mapping: NodeId, key: NodeId) -> Result<(), YamlError> {
        let end = self.tree.span(key).end;
        if self.tree.kind(mapping) != Kind::Mapping(Layout::Flow) || self.is_explicit(key) {
            return Ok(());
        }
        let rest = &self.text[end..];
        let from_colon = without_comments(rest);
        let is_plain = self.tree.kind(key) == Kind::Scalar(Style::Plain);
        match from_colon.strip_prefix(':') {
            Some(_) if rest[..rest.len() - from_colon.len()].contains('\n') => {
                self.error(key, "the colon must be on the line of its key")
            }
            Some(value) if is_plain && value.starts_with([',', '}', ']']) => {
                self.error(key, "add a space after the colon of this key")
            }
            _ => Ok(()),
        }
    }

    fn can_be_merged(&self, value: NodeId) -> bool {
        let is_mapping = |node| matches!(self.tree.kind(self.resolved(node)), Kind::Mapping(_));
        match self.tree.kind(value) {
            Kind::Sequence(_) => self.tree.children(value).all(is_mapping),
            _ => is_mapping(value),
        }
    }
}

/// The text from the first character that is neither white space nor part of a comment.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('#') {
        rest = rest[line_end(rest, 0)..].trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;
    use super::super::refused;

    #[test]
    fn keys_that_kubernetes_cannot_have() {
        refused("a: 1\n? [b]\n: 2\n", 2, "a key must be a string");
        refused("{a: 1}: b\n", 1, "a key must be a string");
        refused("a: &x [1]\n*x : 1\n", 2, "a key must be a string");
        refused("a: 1\n: 2\n", 2, "a key is missing");
        refused("{: 1}\n", 1, "a key is missing");
        refused("a: {\"b\n  c\": 1}\n", 1, "on one line");
        refused("{&a\n  b: 1}\n", 2, "on one line");
        refused("a: {b\n  : 1}\n", 1, "must be on the line of its key");
        refused("a: {b # c\n  # d\n  : 1}\n", 1, "must be on the line of its key");
        refused("a: {b:, c: 1}\n", 1, "add a space after the colon");
        assert!(Tree::parse("? |\n  a\n: 1\n? b\n: 2\n\"\": 3\n").is_ok());
    }

    #[test]
    fn merge_keys_without_mappings() {
        for text in ["<<: 1\n", "<<:\n", "<<: [{a: 1}, 2]\n"] {
            refused(text, 1, "the value of `<<` must be");
        }
        refused("a: &a [{b: 1}]\n<<: *a\n", 2, "the value of `<<` must be");
        refused("!!merge a: {b: 1}\n", 1, "only the key `<<`");
        assert!(Tree::parse("a: &a {b: 1}\nc:\n  <<: [*a, {d: 1}]\n\"<<\": 1\n").is_ok());
    }
}
