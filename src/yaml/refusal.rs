//! What the parser crate accepts and the readers of our users' tools refuse: go-yaml (kustomize, kpt, kubectl)
//! and PyYAML (Ansible). A text that we took and they did not would fail later, and elsewhere.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::error::YamlError;
use super::events::{Layout, Style};
use super::scalar::{Scalar, core_tag, is_timestamp, resolve};
use super::scan::{line_end, line_start};
use super::tree::{Kind, NodeId, Tree};

/// Refuses a text that was read without an error.
pub(super) fn refuse(text: &str, tree: &Tree) -> Result<(), YamlError> {
    let check = Check { text, tree };
    check.invisible_characters()?;
    for node in tree.ids() {
        match tree.kind(node) {
            Kind::Mapping(_) => check.mapping(node)?,
            Kind::Scalar(style) => check.scalar(node, style)?,
            Kind::Sequence(_) | Kind::Alias => {}
        }
    }
    check.properties()?;
    check.tabs()
}

/// A better message for an error of the parser, where the line shows what was meant.
pub(super) fn explained(text: &str, error: YamlError) -> YamlError {
    let Some(at) = error.at else { return error };
    let line = text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
    let message = error.message();
    let says = |part: &str| message.contains(part);
    let hint = if holds_template(line) {
        TEMPLATE
    } else if let Some(separator) = text.find(LINE_SEPARATORS) {
        return YamlError::at(text, separator, SEPARATOR);
    } else if says("multiline quoted scalar") || says("tab cannot be used as indentation") {
        "a quoted text goes on in this line: indent the line with blanks, deeper than the key of the text"
    } else if says("tabs disallowed") || says("found a tab") || says("start with a tab") {
        "use blanks"
    } else if says("comments must be separated") {
        "put a blank in front of the `#`"
    } else if says("BOM must not appear") {
        NO_MARK
    } else if line.trim_start().starts_with('*') && says("expected ':'") {
        "put a blank between the alias and the colon"
    } else {
        return error;
    };
    YamlError::placed(at, format!("{message}; {hint}"))
}

/// YAML 1.1, and so go-yaml and PyYAML, end a line at these; YAML 1.2 takes them for text.
const LINE_SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

const LINE_ENDS: [char; 4] = ['\n', '\u{85}', '\u{2028}', '\u{2029}'];

const BYTE_ORDER_MARK: char = '\u{feff}';

const NO_MARK: &str = "remove the byte order mark (U+FEFF), or write \"\\uFEFF\" in double quotes";

const TEMPLATE: &str =
    "this looks like a template that was not rendered: render it first, or put the text in quotes";

const SEPARATOR: &str = "kustomize and kubectl take U+0085, U+2028 and U+2029 for line breaks: use an ordinary line \
     break, or an escape such as \"\\u2028\" in double quotes";

/// Whether a line holds Go or Jinja template text.
fn holds_template(line: &str) -> bool {
    ["{{", "{%"].iter().any(|open| line.contains(open))
}

const PLAIN: Kind = Kind::Scalar(Style::Plain);

fn is_of_anchor(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_".contains(c)
}

fn is_of_tag(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_!;/?:@&=+$.~*'()%".contains(c)
}

struct Check<'t> {
    text: &'t str,
    tree: &'t Tree,
}

impl Check<'_> {
    fn mapping(&self, mapping: NodeId) -> Result<(), YamlError> {
        for (key, value) in self.tree.pairs(mapping) {
            self.key(key)?;
            self.colon(mapping, key)?;
            if self.tree.is_merge(self.text, key) && !self.can_be_merged(value) {
                return self.error(value, "`<<` merges mappings: give an alias, a mapping or a list of them");
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
                let is_template = holds_template(line);
                self.error(
                    key,
                    if is_template { TEMPLATE } else { "a key must be a string; put it in quotes" },
                )
            }
        }
    }

    /// Whether a key follows a question mark, which allows it to have several lines.
    fn is_explicit(&self, key: NodeId) -> bool {
        self.text[..self.tree.outer_start(key)].trim_end().ends_with('?')
    }

    /// In braces, the colon is on the line of its key, and something parts it from a comma or brace.
    fn colon(&self, mapping: NodeId, key: NodeId) -> Result<(), YamlError> {
        let end = self.tree.span(key).end;
        if self.tree.kind(mapping) != Kind::Mapping(Layout::Flow) || self.is_explicit(key) {
            return Ok(());
        }
        let rest = &self.text[end..];
        let behind = rest.trim_start();
        match behind.strip_prefix(':') {
            Some(_) if rest[..rest.len() - behind.len()].contains('\n') => {
                self.error(key, "the colon of this key must be on its line")
            }
            Some(value) if self.tree.kind(key) == PLAIN && value.starts_with([',', '}', ']']) => {
                self.error(key, "put a blank after the colon of this key")
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

    fn scalar(&self, node: NodeId, style: Style) -> Result<(), YamlError> {
        let in_flow = || self.tree.parent(node).is_some_and(|parent| self.is_flow(parent));
        if style == Style::Plain && in_flow() {
            let text = self.tree.text(self.text, node);
            if text.contains('?') || text.starts_with(':') {
                return self.error(node, "put this text in quotes: it has a `?` or begins with `:`");
            }
        }
        let Some(tag) = self.tree.properties(node).and_then(|p| p.tag.as_deref()) else { return Ok(()) };
        let text = self.tree.text(self.text, node);
        if tag == "!" {
            return self
                .error(node, "readers disagree about the tag `!`; remove it, or put the value in quotes");
        }
        if style == Style::Plain && text.is_empty() && in_flow() {
            return self.error(node, &format!("the tag `{tag}` has no value"));
        }
        if tag == "!!merge" && !self.tree.is_merge(self.text, node) {
            return self.error(node, "the tag `!!merge` belongs to the key `<<`");
        }
        let is_number = |found: Scalar<'_>| matches!(found, Scalar::Int(_) | Scalar::Uint(_));
        let fits = match core_tag(tag) {
            Some("int") => is_number(resolve(text)),
            Some("float") => is_number(resolve(text)) || matches!(resolve(text), Scalar::Float(_)),
            Some("bool") => matches!(resolve(text), Scalar::Bool(_)),
            Some("null") => resolve(text) == Scalar::Null,
            Some("timestamp") => is_timestamp(text),
            Some("binary") => {
                let digits: String = text.split_ascii_whitespace().collect();
                STANDARD.decode(digits).is_ok()
            }
            _ => true,
        };
        if fits { Ok(()) } else { self.error(node, &format!("this value is no `{tag}`")) }
    }

    fn properties(&self) -> Result<(), YamlError> {
        for (node, properties) in &self.tree.properties {
            for word in self.text[properties.range.clone()].split_ascii_whitespace() {
                let fits = match word.strip_prefix('&') {
                    Some(name) => !name.is_empty() && name.chars().all(is_of_anchor),
                    None => word.starts_with("!<") || word.chars().all(is_of_tag),
                };
                if !fits {
                    return self
                        .error(*node, &format!("`{word}` has a character that no anchor or tag may have"));
                }
            }
            let next = self.text[properties.range.end..].chars().next();
            if next.is_some_and(|next| !next.is_whitespace() && !",]}?:".contains(next)) {
                return self.error(*node, "put a blank between an anchor or tag and its value");
            }
        }
        Ok(())
    }

    /// Tabs separate tokens on a line and may indent lines in braces, but no others.
    fn tabs(&self) -> Result<(), YamlError> {
        for (at, _) in self.text.match_indices('\t') {
            let before = &self.text[line_start(self.text, at)..at];
            let indents = before.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':'));
            let is_text = self.scalar_at(at).is_some_and(|node| self.tree.kind(node) != PLAIN);
            if indents && !is_text && !self.is_in_flow(at) {
                return Err(YamlError::at(self.text, at, "a tab indents this line; use blanks"));
            }
        }
        Ok(())
    }

    /// In quotes a line separator is text or a folded line, and nothing else changes; anywhere else it may
    /// end a comment or a value.
    fn invisible_characters(&self) -> Result<(), YamlError> {
        if let Some((at, _)) =
            self.text.match_indices(BYTE_ORDER_MARK).find(|(at, _)| *at > 0 && !self.is_quoted(*at))
        {
            let message = format!("a BOM must not appear inside a document; {NO_MARK}");
            return Err(YamlError::at(self.text, at, message));
        }
        match self.text.match_indices(LINE_SEPARATORS).map(|(at, _)| at).find(|at| !self.is_quoted(*at)) {
            Some(at) => Err(YamlError::at(self.text, at, SEPARATOR)),
            None => Ok(()),
        }
    }

    fn is_quoted(&self, at: usize) -> bool {
        self.scalar_at(at).is_some_and(|node| {
            matches!(self.tree.kind(node), Kind::Scalar(Style::SingleQuoted | Style::DoubleQuoted))
        })
    }

    /// The scalar that holds a byte of the text.
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

    fn is_flow(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Mapping(Layout::Flow) | Kind::Sequence(Layout::Flow))
    }

    /// The last node that begins at or before a byte: nodes are in the order of the text.
    fn last_before(&self, at: usize) -> Option<NodeId> {
        let count = self.tree.nodes.partition_point(|node| node.start as usize <= at);
        count.checked_sub(1).map(|index| NodeId(index as u32))
    }

    fn resolved(&self, node: NodeId) -> NodeId {
        self.tree.alias_target(node).unwrap_or(node)
    }

    fn error(&self, node: NodeId, message: &str) -> Result<(), YamlError> {
        Err(YamlError::at(self.text, self.tree.span(node).start, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, line: usize, message: &str) {
        let error = Tree::parse(text).expect_err(text);
        assert_eq!(error.at.map(|at| at.line), Some(line), "{text:?}: {error}");
        assert!(error.message().contains(message), "{text:?}: {error}");
    }

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

    #[test]
    fn keys_that_kubernetes_cannot_have() {
        refused("a: 1\n? [b]\n: 2\n", 2, "a key must be a string");
        refused("{a: 1}: b\n", 1, "a key must be a string");
        refused("a: &x [1]\n*x : 1\n", 2, "a key must be a string");
        refused("a: 1\n: 2\n", 2, "a key is missing");
        refused("{: 1}\n", 1, "a key is missing");
        refused("a: {\"b\n  c\": 1}\n", 1, "on one line");
        refused("{&a\n  b: 1}\n", 2, "on one line");
        refused("a: {b\n  : 1}\n", 1, "must be on its line");
        refused("a: {b:, c: 1}\n", 1, "put a blank after the colon");
        assert!(Tree::parse("? |\n  a\n: 1\n? b\n: 2\n\"\": 3\n").is_ok());
    }

    #[test]
    fn tabs_that_indent() {
        for text in ["- \tx\n", "-\tx\n", "? \tx\n: 1\n", "\ta: 1\n", "  \t\na: 1\n"] {
            refused(text, 1, "use blanks");
        }
        refused("a: |\n  x\n\t\n", 3, "use blanks");
        refused("? a\n:\tb\n", 2, "use blanks");
        refused("a: x\n\t\n  y\n", 2, "use blanks");
        for text in ["a:\tx\t# c\n", "{\n\t\"a\": 1\n}\n", "a: |\n  \tx\n", "# \tc\na: 1\n"] {
            assert!(Tree::parse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn values_that_are_not_what_their_tag_says() {
        for text in
            ["!!int x", "!!int 3.5", "!!float x", "!!bool yes", "!!null x", "!!timestamp x", "!!binary x"]
        {
            refused(&format!("a: {text}\n"), 1, "this value is no `!!");
        }
        for text in
            ["!!int '3'", "!!float 3", "!!bool True", "!!null ''", "!!str 3", "!!binary aGk=", "!mine x"]
        {
            assert!(Tree::parse(&format!("a: {text}\n")).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn merge_keys_without_mappings() {
        for text in ["<<: 1\n", "<<:\n", "<<: [{a: 1}, 2]\n"] {
            refused(text, 1, "`<<` merges mappings");
        }
        refused("a: &a [{b: 1}]\n<<: *a\n", 2, "`<<` merges mappings");
        refused("!!merge a: {b: 1}\n", 1, "belongs to the key `<<`");
        assert!(Tree::parse("a: &a {b: 1}\nc:\n  <<: [*a, {d: 1}]\n\"<<\": 1\n").is_ok());
    }

    #[test]
    fn anchors_and_tags_that_only_some_know() {
        refused("a: &x.y 1\n", 1, "no anchor or tag may have");
        refused("a: &x{b: 1}\n", 1, "put a blank");
        refused("a: !!st#r 1\n", 1, "no anchor or tag may have");
        refused("a: {b: !!str, c: 1}\n", 1, "has no value");
        refused("a: ! true\n", 1, "readers disagree");
        refused("a: [b?c]\n", 1, "put this text in quotes");
    }

    /// What go-yaml reads and we do not: the message says how to write it.
    #[test]
    fn forms_that_we_do_not_read() {
        refused("a: \"x\ny\"\n", 2, "indent the line with blanks");
        refused("k:\n  a: 'x\n  y'\n", 3, "indent the line with blanks");
        refused("a: 'b'#c\n", 1, "put a blank in front of the `#`");
        refused("a: &x b\n*x: 1\n", 2, "put a blank between the alias and the colon");
        refused("a: x\nb: y\u{2028}z\n", 2, "for line breaks");
        refused("# c\u{85}d\na: 1\n", 1, "for line breaks");
        refused("a: 1\nb: \u{feff}c\n", 2, "byte order mark");
        assert!(Tree::parse("a: \"x\u{2028}y\u{feff}\"\n").is_ok());
    }
}
