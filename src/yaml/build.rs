//! From the parser's events to a tree, with spans of our own.

use std::collections::HashMap;
use std::ops::Range;

use super::error::{Position, YamlError};
use super::events::{Event, Events, Layout, Style, What};
use super::refusal;
use super::scan::{
    after_colon, block_scalar_end, find_dash, find_header, line_end, lone_carriage_return, next_line,
};
use super::tree::{Kind, NodeId, Properties, Tree};

impl Tree {
    /// Reads one document; a text of blanks and comments alone is a tree without a root.
    pub fn parse(text: &str) -> Result<Tree, YamlError> {
        Self::parse_subset(text).map_or_else(|| Self::parse_events(text), Ok)
    }

    /// Reads one document of any kind.
    pub fn parse_events(text: &str) -> Result<Tree, YamlError> {
        if u32::try_from(text.len()).is_err() {
            return Err(YamlError::new("the input is larger than 4 GiB"));
        }
        if let Some(at) = lone_carriage_return(text) {
            return Err(YamlError::at(text, at, "a carriage return without a line feed after it"));
        }
        let mut builder = Builder::new(text);
        for event in Events::of(text) {
            builder.take(event.map_err(|error| refusal::explained(text, error))?)?;
        }
        let mut tree = builder.tree;
        tree.targets = tree.aliases.iter().map(|(_, target)| *target).collect();
        tree.targets.sort_unstable();
        tree.targets.dedup();
        refusal::refuse(text, &tree)?;
        Ok(tree)
    }
}

/// A collection whose end has not been seen yet.
struct Open {
    id: NodeId,
    children: u32,
}

struct Builder<'t> {
    text: &'t str,
    tree: Tree,
    open: Vec<Open>,
    /// Where the last token ended: what follows is blanks, comments, indicators and properties.
    cursor: usize,
    anchors: HashMap<usize, NodeId>,
    /// The node that an anchor event would describe.
    latest: Option<NodeId>,
    documents: usize,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Builder {
            text,
            tree: Tree::default(),
            open: Vec::new(),
            cursor: 0,
            anchors: HashMap::new(),
            latest: None,
            documents: 0,
        }
    }

    fn take(&mut self, event: Event<'t>) -> Result<(), YamlError> {
        match event.what {
            What::DocumentStart => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.error(event.range.start, "a second document begins here"));
                }
                // An explicit marker has a range of its own; an implicit one borrows the first token's.
                if self.text[event.range.clone()] == *"---" {
                    self.cursor = event.range.end;
                }
            }
            What::Anchor(anchor) => self.anchor(anchor, event.range),
            What::Alias(anchor) => {
                self.enter()?;
                let target = self.anchors.get(&anchor).copied();
                let Some(target) = target else {
                    return Err(self.error(event.range.start, "an alias without an anchor"));
                };
                if self.open.iter().any(|open| open.id == target) {
                    let message = "an alias inside the very node that it stands for";
                    return Err(self.error(event.range.start, message));
                }
                self.cursor = event.range.end;
                let id = self.tree.push(Kind::Alias, event.range, self.holder());
                self.tree.aliases.push((id, target));
                self.leave_child(id);
            }
            What::Scalar(value, style) => {
                self.enter()?;
                let id = self.scalar(&value, style, event.range, &event.tag)?;
                self.tag(id, event.tag);
                self.leave_child(id);
            }
            What::MappingStart(layout) => {
                self.start(Kind::Mapping(layout), event.range, event.tag)?;
            }
            What::SequenceStart(layout) => {
                self.start(Kind::Sequence(layout), event.range, event.tag)?;
            }
            What::CollectionEnd => self.end(&event.range)?,
        }
        Ok(())
    }

    /// Before a child: a block sequence's dash is found here, because events do not show it.
    fn enter(&mut self) -> Result<(), YamlError> {
        if self.in_block_sequence()
            && let Some(open) = self.open.last()
        {
            let dash = find_dash(self.text, self.cursor);
            if self.text.as_bytes().get(dash) != Some(&b'-') {
                return Err(self.lost(dash));
            }
            if open.children == 0 {
                let sequence = &mut self.tree.nodes[open.id.0 as usize];
                (sequence.start, sequence.end) = (dash as u32, dash as u32 + 1);
            }
            self.cursor = dash + 1;
        }
        Ok(())
    }

    fn lost(&self, at: usize) -> YamlError {
        self.error(at, "this part of the text is written in a way that is not understood")
    }

    /// The collection that the next node belongs to.
    fn holder(&self) -> Option<NodeId> {
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
                parent.start = start; // a block mapping, or the one pair in `[a: b]`
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
        let braced = matches!(self.text[range.clone()].as_bytes().first(), Some(b'{' | b'['));
        if braced {
            self.cursor = range.end;
        }
        let span = if braced { range } else { range.start..range.start };
        let id = self.tree.push(kind, span, self.holder());
        self.tag(id, tag);
        self.open.push(Open { id, children: 0 });
        self.latest = Some(id);
        Ok(())
    }

    fn end(&mut self, range: &Range<usize>) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else {
            return Err(self.error(range.start, "a collection ends that never began"));
        };
        let next = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[open.id.0 as usize];
        node.next = next;
        if matches!(self.text[range.clone()].as_bytes(), [b'}' | b']']) {
            node.end = range.end as u32;
        }
        self.cursor = self.cursor.max(node.end as usize);
        if matches!(node.kind, Kind::Mapping(_)) {
            self.refuse_duplicate_keys(open.id)?;
        }
        self.leave_child(open.id);
        Ok(())
    }

    fn anchor(&mut self, anchor: usize, range: Range<usize>) {
        let Some(id) = self.latest else { return };
        self.anchors.insert(anchor, id);
        self.cursor = self.cursor.max(range.end);
        let properties = &mut self.tree.properties;
        match properties.last_mut() {
            Some((last, p)) if *last == id => {
                p.range = p.range.start.min(range.start)..p.range.end.max(range.end);
            }
            _ => properties.push((id, Properties { range: range.clone(), tag: None })),
        }
        self.begin_at_property(id, range.start);
        // An empty value stands behind its anchor, as it does behind a tag.
        let node = &mut self.tree.nodes[id.0 as usize];
        if matches!(node.kind, Kind::Scalar(Style::Plain)) && node.start == node.end {
            (node.start, node.end) = (range.end as u32, range.end as u32);
            if let Some(open) = self.open.last() {
                let parent = &mut self.tree.nodes[open.id.0 as usize];
                parent.end = parent.end.max(range.end as u32);
            }
        }
    }

    fn tag(&mut self, id: NodeId, tag: Option<(Range<usize>, String)>) {
        if let Some((range, tag)) = tag {
            self.cursor = self.cursor.max(range.end);
            let start = range.start;
            self.tree.properties.push((id, Properties { range, tag: Some(tag) }));
            self.begin_at_property(id, start);
        }
    }

    /// A block mapping begins at its first key, and a key begins at its first property.
    fn begin_at_property(&mut self, id: NodeId, start: usize) {
        if let Some(open) = self.open.last() {
            let parent = &mut self.tree.nodes[open.id.0 as usize];
            let first_child = open.id.0 + 1 == id.0;
            if first_child && parent.kind == Kind::Mapping(Layout::Block) {
                parent.start = parent.start.min(start as u32);
            }
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: Style,
        range: Range<usize>,
        tag: &Option<(Range<usize>, String)>,
    ) -> Result<NodeId, YamlError> {
        let is_value = self.open.last().is_some_and(|open| {
            matches!(self.tree.kind(open.id), Kind::Mapping(_)) && open.children % 2 == 1
        });
        let (span, literal_value) = match style {
            Style::Plain if range.is_empty() => {
                let at = match tag {
                    Some((tag, _)) => tag.end,
                    None if is_value => after_colon(self.text, self.cursor),
                    None if self.in_block_sequence() => self.cursor,
                    None => range.start.max(self.cursor),
                };
                (at..at, "")
            }
            Style::Literal | Style::Folded => {
                let header = find_header(self.text, self.cursor);
                if !matches!(self.text.as_bytes().get(header), Some(b'|' | b'>')) {
                    return Err(self.lost(header));
                }
                (header..block_scalar_end(self.text, header, &range), value)
            }
            _ => (range, value),
        };
        self.cursor = self.cursor.max(span.end);
        // Where the text ends without a line break, go-yaml and PyYAML find none in the value either.
        let is_block = matches!(style, Style::Literal | Style::Folded);
        let cut = is_block && span.end == self.text.len() && !self.text.ends_with('\n');
        let literal_value = if cut { literal_value.trim_end_matches('\n') } else { literal_value };
        let literal_value =
            if is_block { self.without_open_line(&span, literal_value) } else { literal_value };
        let id = self.tree.push(Kind::Scalar(style), span, self.holder());
        if self.tree.text(self.text, id) != literal_value {
            self.tree.decoded.push((id, literal_value.into()));
        }
        Ok(id)
    }

    /// A block scalar of blank lines, the last of which has no line break: the parser adds one.
    fn without_open_line<'v>(&self, span: &Range<usize>, value: &'v str) -> &'v str {
        let first_line = next_line(self.text, line_end(self.text, span.start));
        let rest = &self.text[first_line..];
        let is_blank = value.bytes().all(|byte| byte == b'\n');
        if !is_blank || rest.ends_with('\n') || !rest.trim().is_empty() {
            return value;
        }
        &value[..value.len().min(rest.matches('\n').count())]
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
    use super::*;

    /// The tree as an outline: kind and source text of every node, indented.
    fn outline(text: &str) -> String {
        let tree = Tree::parse(text).unwrap();
        let mut out = String::new();
        fn walk(tree: &Tree, text: &str, id: NodeId, depth: usize, out: &mut String) {
            let kind = match tree.kind(id) {
                Kind::Scalar(_) => "scalar",
                Kind::Mapping(_) => "mapping",
                Kind::Sequence(_) => "sequence",
                Kind::Alias => "alias",
            };
            let span = tree.span(id);
            out.push_str(&format!(
                "{}{kind} {}..{} {:?}",
                "  ".repeat(depth),
                span.start,
                span.end,
                &text[span.clone()]
            ));
            if matches!(tree.kind(id), Kind::Scalar(_)) && tree.text(text, id) != &text[span] {
                out.push_str(&format!(" = {:?}", tree.text(text, id)));
            }
            out.push('\n');
            for child in tree.children(id) {
                walk(tree, text, child, depth + 1, out);
            }
        }
        if let Some(root) = tree.root() {
            walk(&tree, text, root, 0, &mut out);
        }
        out
    }

    #[test]
    fn spans_of_blocks_sequences_and_empty_values() {
        let text = "a:\n- x\n-   # c\n  y: 1\n  z: # none\n- - q\n  - \nb:\n";
        assert_eq!(
            outline(text),
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
    fn block_scalars_begin_at_their_header_and_end_with_their_last_line() {
        assert_eq!(
            outline("a: |- # c\n\n  l1\n  l2\n\n\nb: |+\n  k\n\nc: >2\n    f\n  g\n"),
            "mapping 0..50 \"a: |- # c\\n\\n  l1\\n  l2\\n\\n\\nb: |+\\n  k\\n\\nc: >2\\n    f\\n  g\\n\"\n\
            \x20 scalar 0..1 \"a\"\n\
            \x20 scalar 3..21 \"|- # c\\n\\n  l1\\n  l2\\n\" = \"\\nl1\\nl2\"\n\
            \x20 scalar 23..24 \"b\"\n\
            \x20 scalar 26..34 \"|+\\n  k\\n\\n\" = \"k\\n\\n\"\n\
            \x20 scalar 34..35 \"c\"\n\
            \x20 scalar 37..50 \">2\\n    f\\n  g\\n\" = \"  f\\ng\\n\"\n"
        );
    }

    #[test]
    fn empty_block_scalars_end_with_their_header() {
        let spans = |text: &str| {
            let tree = Tree::parse(text).unwrap();
            let (_, value) = tree.pairs(tree.root().unwrap()).next().unwrap();
            (text[tree.span(value)].to_owned(), tree.text(text, value).to_owned())
        };
        assert_eq!(spans("a: |\nb: 1\n"), ("|\n".into(), "".into()));
        assert_eq!(spans("  a: |-\n# note\n  b: 1\n"), ("|-\n".into(), "".into()));
        assert_eq!(spans("  a: |+\n\n  b: 1\n"), ("|+\n\n".into(), "\n".into()));
        assert_eq!(spans("a: |\n  x"), ("|\n  x".into(), "x".into()));
        assert_eq!(spans("a: |-"), ("|-".into(), "".into()));
        assert_eq!(spans("a: |+\n "), ("|+\n".into(), "".into()));
        assert_eq!(spans("a: |+\n\n "), ("|+\n\n".into(), "\n".into()));
        assert_eq!(spans("a: |2\n    "), ("|2\n    ".into(), "  ".into()));
        // Blanks beyond the indentation are text, though no line break follows.
        assert_eq!(spans("a: |\n  x\n    "), ("|\n  x\n    ".into(), "x\n  ".into()));
        assert_eq!(spans("a: |\n  x\n  "), ("|\n  x\n".into(), "x\n".into()));
    }

    #[test]
    fn properties_precede_the_node() {
        let text = "c: &x !!map\n  !!str k: v\nd: *x\n";
        let tree = Tree::parse(text).unwrap();
        let root = tree.root().unwrap();
        let (_, c) = tree.pairs(root).next().unwrap();
        assert_eq!(&text[tree.outer_start(c)..tree.span(c).start], "&x !!map\n  ");
        assert_eq!(&text[tree.span(c)], "!!str k: v");
        let (_, d) = tree.pairs(root).nth(1).unwrap();
        assert_eq!(tree.alias_target(d), Some(c));
    }

    #[test]
    fn duplicate_keys_name_both_lines() {
        let error = Tree::parse("a: 1\nb:\n  c: 1\n  d: 2\n  \"c\": 3\n").unwrap_err();
        assert_eq!(error.to_string(), "line 5, column 3: the key \"c\" is given twice, first on line 3");
        let many: String = (0..20).map(|i| format!("k{i}: 1\n")).collect::<String>() + "k3: 2\n";
        let error = Tree::parse(&many).unwrap_err();
        assert_eq!(error.to_string(), "line 21, column 1: the key \"k3\" is given twice, first on line 4");
    }

    #[test]
    fn an_alias_to_its_own_parent_is_refused() {
        assert!(Tree::parse("&a [*a]\n").unwrap_err().message().contains("very node"));
    }
}
