//! Rejects what the parser crate accepts and other readers do not: go-yaml (kustomize, kpt, kubectl) and
//! PyYAML (Ansible). If we accepted it, another tool would fail on it later.

mod characters;
mod hint;
mod keys;
mod tags;

use std::cell::OnceCell;

pub(super) use self::hint::explained;
use super::error::YamlError;
use super::events::{Layout, Style};
use super::tree::{Kind, NodeId, Tree};

/// Checks text that was parsed without an error.
pub(super) fn check(text: &str, tree: &Tree) -> Result<(), YamlError> {
    let checker = Checker { text, tree, is_json: OnceCell::new() };
    checker.invisible_characters()?;
    for node in tree.ids() {
        match tree.kind(node) {
            Kind::Mapping(_) => checker.mapping(node)?,
            Kind::Scalar(style) => checker.scalar(node, style)?,
            Kind::Sequence(_) | Kind::Alias => {}
        }
    }
    checker.properties()?;
    checker.tabs()
}

struct Checker<'t> {
    text: &'t str,
    tree: &'t Tree,
    /// Whether the text is JSON, if that matters.
    is_json: OnceCell<bool>,
}

impl Checker<'_> {
    fn scalar(&self, node: NodeId, style: Style) -> Result<(), YamlError> {
        let in_flow = self.tree.parent(node).is_some_and(|parent| self.is_flow(parent));
        if style == Style::Plain && in_flow {
            let text = self.tree.text(self.text, node);
            if text.contains('?') || text.starts_with(':') {
                return self
                    .error(node, "put this text in quotes, because it contains `?` or begins with `:`");
            }
        }
        if matches!(style, Style::Literal | Style::Folded) {
            self.tab_at_start_of_block(node)?;
        }
        if style == Style::DoubleQuoted {
            self.escaped_slash(node)?;
        }
        self.tag(node, style, in_flow)
    }

    fn is_flow(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Mapping(Layout::Flow) | Kind::Sequence(Layout::Flow))
    }

    fn resolved(&self, node: NodeId) -> NodeId {
        self.tree.alias_target(node).unwrap_or(node)
    }

    fn error(&self, node: NodeId, message: &str) -> Result<(), YamlError> {
        Err(YamlError::at(self.text, self.tree.span(node).start, message))
    }
}

#[cfg(test)]
#[track_caller]
fn refused(text: &str, line: usize, message: &str) {
    let error = Tree::parse(text).expect_err(text);
    assert_eq!(error.at.map(|at| at.line), Some(line), "{text:?}: {error}");
    assert!(error.message().contains(message), "{text:?}: {error}");
}
