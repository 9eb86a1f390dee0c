//! Source text together with the tree of nodes that was read from it.

use super::error::YamlError;
use super::index::Index;
use super::text::Text;
use super::tree::{NodeId, Tree};

/// One step of a path from the root to a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// What the text of a document consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// The document itself.
    Whole,
    /// One entry of a block sequence with its dash and indentation. The value of the entry is the root.
    Entry,
}

#[derive(Debug, Clone)]
pub struct Document {
    pub(super) text: Text,
    pub(super) tree: Tree,
    pub(super) frame: Frame,
    pub(super) json: bool,
    pub(super) index: Index,
    root: Option<NodeId>,
}

impl Document {
    /// Reads text that contains one document.
    pub fn parse(text: impl Into<Text>) -> Result<Self, YamlError> {
        Self::framed(text, Frame::Whole)
    }

    /// Reads one entry of a block sequence: whole lines, beginning with the line of the dash.
    pub fn parse_entry(text: impl Into<Text>) -> Result<Self, YamlError> {
        Self::framed(text, Frame::Entry)
    }

    pub(super) fn framed(text: impl Into<Text>, frame: Frame) -> Result<Self, YamlError> {
        let text = text.into();
        let tree = Tree::parse(&text)?;
        let json = frame == Frame::Whole && looks_like_json(&text);
        Ok(Document { json, ..Self::of(text, tree, frame) })
    }

    /// Combines source text with the tree that was read from it.
    pub(super) fn of(text: Text, tree: Tree, frame: Frame) -> Self {
        let root = match frame {
            Frame::Whole => tree.root(),
            Frame::Entry => tree.root().and_then(|sequence| tree.children(sequence).next()),
        };
        Document { text, tree, frame, json: false, index: Index::default(), root }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without copying it.
    pub fn shared_text(&self) -> Text {
        self.text.clone()
    }

    pub fn into_text(self) -> String {
        self.text.into_string()
    }

    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text of a node as it is written.
    pub fn source(&self, id: NodeId) -> &str {
        &self.text[self.tree.span(id)]
    }

    pub(super) fn error(&self, id: NodeId, message: &str) -> YamlError {
        YamlError::at(&self.text, self.tree.span(id).start, message)
    }
}

pub(super) fn looks_like_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(text.trim_start_matches('\u{feff}')).is_ok()
}
