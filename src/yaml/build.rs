//! The complete reader: builds a tree from the events of the parser crate, with spans of our own.

#[cfg(test)]
mod dump;
mod properties;
mod scalars;

use std::collections::HashMap;
use std::ops::Range;

use super::error::{Position, YamlError};
use super::events::{Event, EventKind, Events, Layout};
use super::refusal;
use super::scan::{find_dash, lone_carriage_return};
use super::tree::{Kind, NodeId, Tree};

impl Tree {
    /// Reads one document. Text that contains only blank lines and comments becomes a tree without a root.
    pub fn parse(text: &str) -> Result<Tree, YamlError> {
        Self::parse_subset(text).map_or_else(|| Self::parse_events(text), Ok)
    }

    /// Reads one document with the parser crate, without trying the subset first.
    pub fn parse_events(text: &str) -> Result<Tree, YamlError> {
        Self::build(text, false)
    }

    /// Reads one document, which may contain duplicate keys.
    pub(super) fn parse_with_duplicate_keys(text: &str) -> Result<Tree, YamlError> {
        Self::build(text, true)
    }

    fn build(text: &str, allows_duplicate_keys: bool) -> Result<Tree, YamlError> {
        if u32::try_from(text.len()).is_err() {
            return Err(YamlError::new("the input is larger than 4 GiB"));
        }
        if let Some(at) = lone_carriage_return(text) {
            return Err(YamlError::at(text, at, "a carriage return without a line feed after it"));
        }
        let mut builder = Builder::new(text, allows_duplicate_keys);
        for event in Events::of(text) {
            builder.take(event.map_err(|error| refusal::explained(text, error))?)?;
        }
        let mut tree = builder.tree;
        tree.find_targets();
        refusal::check(text, &tree)?;
        Ok(tree)
    }
}

/// A collection whose end has not been reached.
struct Open {
    id: NodeId,
    children: u32,
}

struct Builder<'t> {
    text: &'t str,
    tree: Tree,
    open: Vec<Open>,
    /// Where the last token ended. Only whitespace, comments, indicators and properties follow until the next
    /// one.
    cursor: usize,
    anchors: HashMap<usize, NodeId>,
    /// The node that the next anchor event describes.
    latest: Option<NodeId>,
    documents: usize,
    allows_duplicate_keys: bool,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, allows_duplicate_keys: bool) -> Self {
        Builder {
            text,
            tree: Tree::default(),
            open: Vec::new(),
            cursor: 0,
            anchors: HashMap::new(),
            latest: None,
            documents: 0,
            allows_duplicate_keys,
        }
    }

    fn take(&mut self, event: Event<'t>) -> Result<(), YamlError> {
        match event.kind {
            EventKind::DocumentStart => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.error(event.range.start, "a second document begins here"));
                }
                // An explicit marker has its own range. The range of an implicit one is that of the first
                // token.
                if self.text[event.range.clone()] == *"---" {
                    self.cursor = event.range.end;
                }
            }
            EventKind::Anchor(anchor) => self.anchor(anchor, event.range),
            EventKind::Alias(anchor) => self.alias(anchor, event.range)?,
            EventKind::Scalar(value, style) => {
                self.enter()?;
                let id = self.scalar(&value, style, event.range, &event.tag)?;
                self.tag(id, event.tag);
                self.leave_child(id);
            }
            EventKind::MappingStart(layout) => {
                self.start(Kind::Mapping(layout), event.range, event.tag)?;
            }
            EventKind::SequenceStart(layout) => {
                self.start(Kind::Sequence(layout), event.range, event.tag)?;
            }
            EventKind::CollectionEnd => self.end(&event.range)?,
        }
        Ok(())
    }

    /// Prepares for a child. Events do not include the dash of a block sequence, so this searches for it.
    fn enter(&mut self) -> Result<(), YamlError> {
        if self.in_block_sequence()
            && let Some(open) = self.open.last()
        {
            let dash = find_dash(self.text, self.cursor);
            if self.text.as_bytes().get(dash) != Some(&b'-') {
                return Err(self.not_understood(dash));
            }
            if open.children == 0 {
                let sequence = &mut self.tree.nodes[open.id.0 as usize];
                (sequence.start, sequence.end) = (dash as u32, dash as u32 + 1);
            }
            self.cursor = dash + 1;
        }
        Ok(())
    }

    fn not_understood(&self, at: usize) -> YamlError {
        self.error(at, "the syntax of this part of the text is not supported; write it in plain block style")
    }

    /// The collection that the next node belongs to.
    fn parent(&self) -> Option<NodeId> {
        self.open.last().map(|open| open.id)
    }

    fn in_block_sequence(&self) -> bool {
        self.open.last().is_some_and(|open| self.tree.kind(open.id) == Kind::Sequence(Layout::Block))
    }

    fn leave_child(&mut self, id: NodeId) {
        self.latest = Some(id);
        let end = self.tree.node(id).end;
        let start = self.tree.outer_start(id) as u32;
        if let Some(open) = self.open.last_mut() {
            let parent = &mut self.tree.nodes[open.id.0 as usize];
            if open.children == 0 && matches!(parent.kind, Kind::Mapping(_)) && parent.start == parent.end {
                parent.start = start; // a block mapping, or the single pair in `[a: b]`
            }
            parent.end = parent.end.max(end);
            open.children += 1;
        }
    }

    fn start(
        &mut self,
        kind: Kind,
        range: Range<usize>,
        tag: Option<(Range<usize>, String)>,
    ) -> Result<(), YamlError> {
        self.enter()?;
        let has_braces = matches!(self.text[range.clone()].as_bytes().first(), Some(b'{' | b'['));
        if has_braces {
            self.cursor = range.end;
        }
        let span = if has_braces { range } else { range.start..range.start };
        let id = self.tree.push(kind, span, self.parent());
        self.tag(id, tag);
        self.open.push(Open { id, children: 0 });
        self.latest = Some(id);
        Ok(())
    }

    fn end(&mut self, range: &Range<usize>) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else {
            return Err(self.error(range.start, "a collection ends here, but none has begun"));
        };
        let next = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[open.id.0 as usize];
        node.next = next;
        if matches!(self.text[range.clone()].as_bytes(), [b'}' | b']']) {
            node.end = range.end as u32;
        }
        self.cursor = self.cursor.max(node.end as usize);
        if matches!(node.kind, Kind::Mapping(_)) && !self.allows_duplicate_keys {
            self.refuse_duplicate_keys(open.id)?;
        }
        self.leave_child(open.id);
        Ok(())
    }

    fn refuse_duplicate_keys(&self, mapping: NodeId) -> Result<(), YamlError> {
        let Some((first, second)) = self.tree.duplicate_key(self.text, mapping) else { return Ok(()) };
        let line = Position::of(self.text.as_bytes(), self.tree.span(first).start).line;
        let text = self.tree.text(self.text, self.tree.alias_target(second).unwrap_or(second));
        let message = format!("the key {text:?} is given twice");
        Err(self.error(self.tree.span(second).start, &message).first_on(line))
    }

    fn error(&self, offset: usize, message: &str) -> YamlError {
        YamlError::at(self.text, offset, message)
    }
}

#[cfg(test)]
mod tests {
    use super::dump::dump;
    use super::*;

    #[test]
    fn spans_of_blocks_sequences_and_empty_values() {
        let text = "a:\n- x\n-   # c\n  y: 1\n  z: # none\n- - q\n  - \nb:\n";
        assert_eq!(
            dump(text),
            r#"mapping 0..47 "a:\n- x\n-   # c\n  y: 1\n  z: # none\n- - q\n  - \nb:"
  scalar 0..1 "a"
  sequence 3..43 "- x\n-   # c\n  y: 1\n  z: # none\n- - q\n  -"
    scalar 5..6 "x"
    mapping 17..26 "y: 1\n  z:"
      scalar 17..18 "y"
      scalar 20..21 "1"
      scalar 24..25 "z"
      scalar 26..26 ""
    sequence 36..43 "- q\n  -"
      scalar 38..39 "q"
      scalar 43..43 ""
  scalar 45..46 "b"
  scalar 47..47 ""
"#
        );
    }

    #[test]
    fn duplicate_keys_name_both_lines() {
        let error = Tree::parse("a: 1\nb:\n  c: 1\n  d: 2\n  \"c\": 3\n").unwrap_err();
        assert_eq!(error.to_string(), "line 5, column 3: the key \"c\" is given twice, first on line 3");
        let many: String = (0..20).map(|i| format!("k{i}: 1\n")).collect::<String>() + "k3: 2\n";
        let error = Tree::parse(&many).unwrap_err();
        assert_eq!(error.to_string(), "line 21, column 1: the key \"k3\" is given twice, first on line 4");
    }
}
