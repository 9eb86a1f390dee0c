//! Tags and anchors: their characters, and whether a value is what its tag requires.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::error::YamlError;
use super::super::events::Style;
use super::super::scalar::{Scalar, core_tag, is_timestamp, resolve};
use super::super::tree::NodeId;
use super::Checker;

impl Checker<'_> {
    /// Checks the tag of a scalar.
    pub(super) fn tag(&self, node: NodeId, style: Style, in_flow: bool) -> Result<(), YamlError> {
        let Some(tag) = self.tree.properties(node).and_then(|p| p.tag.as_deref()) else { return Ok(()) };
        let text = self.tree.text(self.text, node);
        if tag == "!" {
            return self
                .error(node, "readers disagree about the tag `!`; remove it, or put the value in quotes");
        }
        if style == Style::Plain && text.is_empty() && in_flow {
            return self.error(node, &format!("the tag `{tag}` has no value"));
        }
        if tag == "!!merge" && !self.tree.is_merge(self.text, node) {
            return self.error(node, "only the key `<<` can have the tag `!!merge`");
        }
        if fits(tag, text) { Ok(()) } else { self.error(node, &format!("this value is not a valid `{tag}`")) }
    }

    pub(super) fn properties(&self) -> Result<(), YamlError> {
        for (node, properties) in &self.tree.properties {
            for word in self.text[properties.range.clone()].split_ascii_whitespace() {
                let is_valid = match word.strip_prefix('&') {
                    Some(name) => !name.is_empty() && name.chars().all(is_anchor_char),
                    None => word.starts_with("!<") || word.chars().all(is_tag_char),
                };
                if !is_valid {
                    let message =
                        format!("`{word}` contains a character that is not allowed in anchors and tags");
                    return self.error(*node, &message);
                }
            }
            let next = self.text[properties.range.end..].chars().next();
            if next.is_some_and(|next| !next.is_whitespace() && !",]}?:".contains(next)) {
                return self.error(*node, "add a space between an anchor or tag and its value");
            }
        }
        Ok(())
    }
}

fn fits(tag: &str, text: &str) -> bool {
    let is_integer = |found: Scalar<'_>| matches!(found, Scalar::Int(_) | Scalar::Uint(_));
    match core_tag(tag) {
        Some("int") => is_integer(resolve(text)),
        Some("float") => is_integer(resolve(text)) || matches!(resolve(text), Scalar::Float(_)),
        Some("bool") => matches!(resolve(text), Scalar::Bool(_)),
        Some("null") => resolve(text) == Scalar::Null,
        Some("timestamp") => is_timestamp(text),
        Some("binary") => {
            // go-yaml ignores line breaks, but no other white space.
            STANDARD.decode(text.replace(['\r', '\n'], "")).is_ok()
        }
        _ => true,
    }
}

fn is_anchor_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_".contains(c)
}

fn is_tag_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_!;/?:@&=+$.~*'()%".contains(c)
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;
    use super::super::refused;

    #[test]
    fn values_that_do_not_fit_their_tag() {
        for text in
            ["!!int x", "!!int 3.5", "!!float x", "!!bool yes", "!!null x", "!!timestamp x", "!!binary x"]
        {
            refused(&format!("a: {text}\n"), 1, "this value is not a valid `!!");
        }
        refused("a: !!binary aG k=\n", 1, "this value is not a valid `!!");
        assert!(Tree::parse("a: !!binary |\n  aG\n  k=\n").is_ok());
        for text in
            ["!!int '3'", "!!float 3", "!!bool True", "!!null ''", "!!str 3", "!!binary aGk=", "!mine x"]
        {
            assert!(Tree::parse(&format!("a: {text}\n")).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn anchors_and_tags_that_only_some_readers_accept() {
        refused("a: &x.y 1\n", 1, "not allowed in anchors and tags");
        refused("a: &x{b: 1}\n", 1, "add a space");
        refused("a: !!st#r 1\n", 1, "not allowed in anchors and tags");
        refused("a: {b: !!str, c: 1}\n", 1, "has no value");
        refused("a: ! true\n", 1, "readers disagree");
        refused("a: [b?c]\n", 1, "put this text in quotes");
    }
}
