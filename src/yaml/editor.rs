//! The editor: changes of nodes as splices of the text, in the style that is there.

use std::ops::Range;

use serde_json::{Map, Value};

use super::document::{Document, Frame};
use super::error::YamlError;
use super::events::{Layout, Style};
use super::quote;
use super::tree::{Kind, NodeId, find_dash, line_end, line_start, next_line};
use super::write::{self, Habits, Written};

/// Bytes to replace.
#[derive(Debug, Clone)]
struct Splice {
    range: Range<usize>,
    with: String,
}

/// What becomes of a collection's members.
struct Plan<'v> {
    /// The members that stay, with the value they get.
    change: Vec<(NodeId, &'v Value)>,
    /// The numbers of those that go.
    gone: Vec<usize>,
    /// Whether there are new ones.
    grows: bool,
}

/// How a node hangs in its parent.
#[derive(Clone, Copy)]
enum Place {
    Root,
    /// The value of the key that stands at this column.
    Value {
        column: usize,
    },
    /// An element whose dash stands at this column.
    Element {
        column: usize,
    },
    Flow,
}

pub(super) struct Editor<'d> {
    doc: &'d Document,
    habits: Habits,
    splices: Vec<Splice>,
}

impl<'d> Editor<'d> {
    pub(super) fn new(doc: &'d Document) -> Self {
        Editor { doc, habits: doc.habits(), splices: Vec::new() }
    }

    /// Applies the splices and reads the result.
    pub(super) fn finish(mut self) -> Result<Document, YamlError> {
        self.splices.sort_by_key(|s| (s.range.start, s.range.end));
        let mut text = String::with_capacity(self.doc.text.len() + 256);
        let mut at = 0;
        for splice in &self.splices {
            if splice.range.start < at {
                return Err(YamlError::new("two changes of one field at once"));
            }
            text.push_str(&self.doc.text[at..splice.range.start]);
            text.push_str(&splice.with);
            at = splice.range.end;
        }
        text.push_str(&self.doc.text[at..]);
        Document::framed(text, self.doc.frame)
    }

    fn splice(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.splices.push(Splice { range, with: with.into() });
    }

    /// Changes a node into a value with as few splices as its shape allows.
    pub(super) fn update(&mut self, node: NodeId, value: &Value) -> Result<(), YamlError> {
        if self.doc.value(node)? == *value {
            return Ok(());
        }
        let done = match (self.doc.tree().kind(node), value) {
            (Kind::Mapping(layout), Value::Object(map)) => match self.plan_mapping(node, map) {
                Some(plan) => self.follow(node, layout, value, plan)?,
                None => false,
            },
            (Kind::Sequence(layout), Value::Array(list)) if !self.touches_alias(node) => {
                let children: Vec<NodeId> = self.doc.tree().children(node).collect();
                let plan = Plan {
                    change: children.iter().copied().zip(list).collect(),
                    gone: (list.len()..children.len()).collect(),
                    grows: list.len() > children.len(),
                };
                self.follow(node, layout, value, plan)?
            }
            (Kind::Scalar(Style::Literal), Value::String(text)) => self.update_literal(node, text),
            _ => false,
        };
        if !done {
            self.replace(node, value);
        }
        Ok(())
    }

    /// Carries out a plan. False, with nothing done, where two splices would touch or nothing stays.
    fn follow(
        &mut self,
        node: NodeId,
        layout: Layout,
        value: &Value,
        plan: Plan<'_>,
    ) -> Result<bool, YamlError> {
        let neighbours = plan.gone.len() > 1 && (layout == Layout::Flow || plan.gone.contains(&0));
        let members = plan.change.len() + plan.gone.len();
        let last_goes = plan.gone.last().is_some_and(|last| last + 1 == members);
        if neighbours || plan.change.is_empty() || (plan.grows && last_goes) {
            return Ok(false);
        }
        for (child, value) in plan.change {
            self.update(child, value)?;
        }
        match value {
            Value::Object(map) => {
                let new: Vec<(&str, &Value)> = map
                    .iter()
                    .filter(|(key, _)| self.doc.own_entry(node, key).is_none())
                    .map(|(key, value)| (key.as_str(), value))
                    .collect();
                self.insert(node, &new);
            }
            Value::Array(list) => self.push(node, list.get(members..).unwrap_or_default()),
            _ => {}
        }
        for index in plan.gone {
            self.remove(node, index);
        }
        Ok(true)
    }

    /// What becomes of a mapping's pairs; none where keys are merged, shared or no strings.
    fn plan_mapping<'v>(&self, node: NodeId, map: &'v Map<String, Value>) -> Option<Plan<'v>> {
        let mut plan = Plan { change: Vec::new(), gone: Vec::new(), grows: false };
        for (index, (key, child)) in self.doc.tree().pairs(node).enumerate() {
            let text = self.doc.key_text(key).filter(|_| !self.doc.is_merge(key))?;
            match map.get(text) {
                Some(value) => plan.change.push((child, value)),
                None => plan.gone.push(index),
            }
        }
        plan.grows = map.len() > plan.change.len();
        (!self.touches_alias(node)).then_some(plan)
    }

    fn touches_alias(&self, node: NodeId) -> bool {
        self.doc.tree().children(node).any(|child| self.doc.tree().aliases_of(child).next().is_some())
    }

    /// Adds keys behind the last one of a mapping.
    pub(super) fn insert(&mut self, mapping: NodeId, pairs: &[(&str, &Value)]) {
        let tree = self.doc.tree();
        match tree.kind(mapping) {
            _ if pairs.is_empty() => {}
            Kind::Mapping(Layout::Block) => {
                let column = self.doc.column_of_mapping(mapping);
                let lines: Vec<String> = pairs
                    .iter()
                    .flat_map(|(key, value)| write::pair(key, value, column, &self.habits))
                    .collect();
                self.insert_lines(tree.span(mapping).end, column, &lines);
            }
            _ if tree.pairs(mapping).next().is_none() && !self.habits.json => {
                let map = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).clone()));
                self.replace(mapping, &Value::Object(map.collect()));
            }
            _ => {
                let members: Vec<String> =
                    pairs.iter().map(|(key, value)| write::flow_pair(key, value, &self.habits)).collect();
                let last = tree.pairs(mapping).last();
                let last = last.map(|(key, value)| (tree.outer_start(key), tree.span(value).end));
                self.insert_in_flow(mapping, last, &members);
            }
        }
    }

    /// Adds elements behind the last one of a list.
    pub(super) fn push(&mut self, sequence: NodeId, values: &[Value]) {
        let tree = self.doc.tree();
        match tree.kind(sequence) {
            _ if values.is_empty() => {}
            Kind::Sequence(Layout::Block) => {
                let column = self.doc.column(tree.span(sequence).start);
                let lines: Vec<String> =
                    values.iter().flat_map(|value| write::element(value, column, &self.habits)).collect();
                self.insert_lines(tree.span(sequence).end, column, &lines);
            }
            _ if tree.children(sequence).next().is_none() && !self.habits.json => {
                self.replace(sequence, &Value::Array(values.to_vec()));
            }
            _ => {
                let members: Vec<String> =
                    values.iter().map(|value| write::flow(value, &self.habits)).collect();
                let last = tree.children(sequence).last();
                let last = last.map(|child| (tree.outer_start(child), tree.span(child).end));
                self.insert_in_flow(sequence, last, &members);
            }
        }
    }

    /// Adds lines at a column behind a node of that column.
    fn insert_lines(&mut self, behind: usize, column: usize, lines: &[String]) {
        let at = self.behind_deeper_comments(self.doc.last_line_end(behind), column);
        let newline = self.habits.newline();
        let text: String = lines.iter().map(|line| format!("{newline}{line}")).collect();
        self.splice(at..at, text);
    }

    /// Comments that stand deeper than a column belong to what is above them, so a new sibling at that
    /// column goes behind them. Takes and gives the end of a line.
    fn behind_deeper_comments(&self, mut at: usize, column: usize) -> usize {
        let text = &self.doc.text;
        let mut line = next_line(text, at);
        while line < text.len() {
            let end = line_end(text, line);
            let content = text[line..end].trim_start_matches(' ');
            let indent = end - line - content.len();
            if content.starts_with('#') && indent > column {
                at = end;
            } else if !content.is_empty() {
                break;
            }
            let next = next_line(text, end);
            if next == line {
                break;
            }
            line = next;
        }
        at
    }

    /// Adds members to a collection in braces, on lines of their own if the last one has one.
    fn insert_in_flow(&mut self, collection: NodeId, last: Option<(usize, usize)>, members: &[String]) {
        let text = &self.doc.text;
        let Some((start, end)) = last else {
            let open = self.doc.tree().span(collection).start + 1;
            return self.splice(open..open, members.join(", "));
        };
        let margin = &text[line_start(text, start)..start];
        let own_line = margin.chars().all(|c| c == ' ' || c == '\t')
            && self.doc.tree().span(collection).start < line_start(text, start);
        let behind = end + text[end..].len() - text[end..].trim_start().len();
        let has_comma = text.as_bytes().get(behind) == Some(&b',');
        let at = if has_comma { behind + 1 } else { end };
        let comma = if has_comma { "" } else { "," };
        if !own_line {
            return self.splice(at..at, format!("{comma} {}", members.join(", ")));
        }
        let newline = self.habits.newline();
        let lines = members.join(&format!(",{newline}{margin}"));
        let lines = format!("{newline}{margin}{lines}{}", if has_comma { "," } else { "" });
        let eol = line_end(text, at);
        let tail = text[at..eol].trim_start();
        if tail.is_empty() || tail.starts_with('#') {
            // The comment of the last member stays on its line.
            self.splice(end..end, comma);
            self.splice(eol..eol, lines);
        } else {
            self.splice(at..at, format!("{comma}{lines}"));
        }
    }

    /// Removes a mapping's pair or a list's element by number.
    pub(super) fn remove(&mut self, parent: NodeId, index: usize) {
        let tree = self.doc.tree();
        let is_mapping = matches!(tree.kind(parent), Kind::Mapping(_));
        // Where each member begins and ends.
        let members: Vec<(usize, usize)> = if is_mapping {
            tree.pairs(parent)
                .map(|(key, value)| {
                    let start = tree.outer_start(key);
                    (self.doc.start_of_key(start), tree.span(value).end.max(tree.span(key).end))
                })
                .collect()
        } else {
            let mut behind = tree.span(parent).start;
            let block = tree.kind(parent) == Kind::Sequence(Layout::Block);
            tree.children(parent)
                .map(|child| {
                    let start =
                        if block { find_dash(&self.doc.text, behind) } else { tree.outer_start(child) };
                    behind = tree.span(child).end;
                    (start, behind)
                })
                .collect()
        };
        let Some(&(start, end)) = members.get(index) else { return };
        let flow = matches!(tree.kind(parent), Kind::Mapping(Layout::Flow) | Kind::Sequence(Layout::Flow));
        if flow {
            return self.remove_in_flow(&members, index);
        }
        if members.len() == 1 {
            let empty = if is_mapping { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
            return self.replace(parent, &empty);
        }
        let text = &self.doc.text;
        let end = self.doc.last_line_end(end);
        let first_line = line_start(text, start);
        if text[first_line..start].bytes().any(|b| b != b' ') {
            // The line begins with the dash of a list around it, which stays.
            let Some((next, _)) = members.get(index + 1).copied() else { return };
            let between = text.get(next_line(text, end)..line_start(text, next)).unwrap_or_default();
            if between.trim().is_empty() {
                self.splice(start..next, "");
            } else {
                let dash_end = text[..start].trim_end_matches(' ').len();
                self.splice(dash_end..end, "");
            }
            return;
        }
        // The comment at the head of a document is about the document.
        let heads_document = index == 0 && Some(parent) == self.doc.root();
        let from =
            if heads_document { first_line } else { self.head_comment(first_line, start - first_line) };
        let stop = next_line(text, end);
        let after_block_scalar = index > 0 && members[index - 1].1 == from;
        if stop > end || from == 0 || after_block_scalar {
            self.splice(from..stop, "");
        } else {
            // The last line of a text without a line break at its end: the one before takes its place.
            self.splice(self.doc.last_line_end(from)..end, "");
        }
    }

    /// The start of the comment lines right above a line, at the same column: they describe it.
    fn head_comment(&self, line: usize, column: usize) -> usize {
        let text = &self.doc.text;
        let mut from = line;
        while from > 0 {
            let above = line_start(text, from - 1);
            let line = &text.as_bytes()[above..from];
            if line.get(column) == Some(&b'#') && line[..column].iter().all(|b| *b == b' ') {
                from = above;
            } else {
                break;
            }
        }
        from
    }

    fn remove_in_flow(&mut self, members: &[(usize, usize)], index: usize) {
        let (start, end) = members[index];
        let range = if let Some((next, _)) = members.get(index + 1) {
            start..*next
        } else if index > 0 {
            members[index - 1].1..end
        } else {
            let rest = &self.doc.text[end..];
            let blanks = rest.len() - rest.trim_start().len();
            let comma = usize::from(rest[blanks..].starts_with(','));
            start..if comma == 1 { end + blanks + 1 } else { end }
        };
        self.splice(range, "");
    }

    /// Writes a value in the place of a node, whatever the node was.
    pub(super) fn replace(&mut self, node: NodeId, value: &Value) {
        let tree = self.doc.tree();
        let text = &self.doc.text;
        let place = self.place(node);
        let outer = tree.outer_start(node)..tree.span(node).end;
        let written = match place {
            Place::Flow => {
                let new = self.in_old_quotes(node, value).unwrap_or_else(|| write::flow(value, &self.habits));
                let gap = if outer.is_empty() { " " } else { "" };
                return self.splice(outer, format!("{gap}{new}"));
            }
            Place::Root if self.habits.json => return self.splice(outer, write::flow(value, &self.habits)),
            Place::Root => {
                let new = write::document(value, &self.habits);
                let end = self.doc.last_line_end(outer.end);
                let new = new.strip_suffix(self.habits.newline()).unwrap_or(&new);
                return self.splice(outer.start..end, new);
            }
            Place::Value { column } => {
                let old = self.in_old_style(node, value, column);
                old.unwrap_or_else(|| write::under_key(value, column, &self.habits))
            }
            Place::Element { column } => {
                let old = self.in_old_style(node, value, column);
                old.unwrap_or_else(|| write::under_dash(value, column, &self.habits))
            }
        };

        // What the node has on the line of its key or dash, and the lines below it.
        let (inline, below) = match tree.kind(node) {
            Kind::Scalar(Style::Literal | Style::Folded) => {
                let header = tree.span(node).start;
                let header_len = text[header..]
                    .find(|c: char| c.is_ascii_whitespace() || c == '#')
                    .unwrap_or(text.len() - header);
                (outer.start..header + header_len, line_end(text, header)..self.doc.last_line_end(outer.end))
            }
            Kind::Mapping(Layout::Block) | Kind::Sequence(Layout::Block) => {
                let first_line_end = match place {
                    // A collection below its key: nothing of it on the key's line but tag and anchor.
                    Place::Value { .. } => {
                        let key_end = self.value_slot(node);
                        let end = match tree.properties(node) {
                            Some(p) => p.range.end.max(key_end),
                            None => key_end,
                        };
                        (key_end..end, line_end(text, end))
                    }
                    _ => {
                        let end = line_end(text, outer.start).min(self.doc.last_line_end(outer.end));
                        (outer.start..end, end)
                    }
                };
                (first_line_end.0, first_line_end.1..self.doc.last_line_end(outer.end))
            }
            _ => {
                let end = line_end(text, outer.end);
                (outer, end..end)
            }
        };
        self.splice_written(inline, below, &written);
    }

    fn splice_written(&mut self, inline: Range<usize>, below: Range<usize>, written: &Written) {
        let text = &self.doc.text;
        let before = &text[..inline.start];
        let inline_start =
            if written.inline.is_empty() { before.trim_end_matches([' ', '\t']).len() } else { inline.start };
        let gap = if written.inline.is_empty() || before.ends_with([' ', '\t', '\n']) || before.is_empty() {
            ""
        } else {
            " "
        };
        let newline = self.habits.newline();
        let lines: String = written.below.iter().map(|line| format!("{newline}{line}")).collect();
        let first = format!("{gap}{}", written.inline);
        if inline.end >= below.start {
            self.splice(inline_start..below.end.max(inline.end), first + &lines);
        } else {
            self.splice(inline_start..inline.end, first);
            self.splice(below, lines);
        }
    }

    /// Keeps quotes where quotes were, and a block where a block was. `column` is the parent's.
    fn in_old_style(&self, node: NodeId, value: &Value, column: usize) -> Option<Written> {
        if let Some(inline) = self.in_old_quotes(node, value) {
            return Some(Written { inline, below: Vec::new() });
        }
        let (Kind::Scalar(Style::Literal | Style::Folded), Value::String(text)) =
            (self.doc.tree().kind(node), value)
        else {
            return None;
        };
        let at = self.block_column(node)?;
        let (header, lines) = quote::literal(text, at.checked_sub(column)?)?;
        Some(Written { inline: header, below: lines.iter().map(|line| write::indented(line, at)).collect() })
    }

    fn in_old_quotes(&self, node: NodeId, value: &Value) -> Option<String> {
        let Value::String(text) = value else { return None };
        match self.doc.tree().kind(node) {
            Kind::Scalar(Style::DoubleQuoted) if !self.habits.json => Some(quote::double(text)),
            Kind::Scalar(Style::SingleQuoted) => quote::single(text),
            _ => None,
        }
    }

    /// The column at which a block scalar's text stands.
    fn block_column(&self, node: NodeId) -> Option<usize> {
        let span = self.doc.tree().span(node);
        let text = &self.doc.text[span];
        let (header, content) = text.split_once('\n')?;
        if header.split('#').next()?.bytes().any(|b| b.is_ascii_digit()) {
            return None; // the text may begin with blanks of its own
        }
        content
            .lines()
            .find(|line| !line.trim().is_empty())
            .map(|line| line.len() - line.trim_start_matches(' ').len())
    }

    /// Changes only the lines of a literal block that differ. False when that is not possible.
    fn update_literal(&mut self, node: NodeId, new: &str) -> bool {
        let span = self.doc.tree().span(node);
        let text = &self.doc.text;
        let Some(column) = self.block_column(node) else { return false };
        let header_end = line_end(text, span.start);
        let Some((new_header, new_lines)) = quote::literal(new, column) else { return false };
        let old_header = text[span.start..header_end].split(['#', ' ', '\t']).next().unwrap_or_default();
        // Without a line break behind the last line, one would have to be made up.
        if old_header != new_header || !text[..span.end].ends_with('\n') {
            return false;
        }
        let old = self.doc.tree().text(text, node);
        let old_lines: Vec<&str> = old.strip_suffix('\n').unwrap_or(old).split('\n').collect();
        // Where the header and each line end. Splices begin and end there, as insertions behind do.
        let mut ends = vec![header_end];
        while let Some(&end) = ends.last().filter(|end| next_line(text, **end) < span.end) {
            ends.push(line_end(text, next_line(text, end)));
        }
        if ends.len() != old_lines.len() + 1 {
            return false;
        }
        let same_head = old_lines.iter().zip(&new_lines).take_while(|(a, b)| a == b).count();
        let rest = (old_lines[same_head..].iter().rev(), new_lines[same_head..].iter().rev());
        let same_tail = rest.0.zip(rest.1).take_while(|(a, b)| a == b).count();
        let newline = self.habits.newline();
        let middle = &new_lines[same_head..new_lines.len() - same_tail];
        let with: String =
            middle.iter().map(|line| format!("{newline}{}", write::indented(line, column))).collect();
        self.splice(ends[same_head]..ends[old_lines.len() - same_tail], with);
        true
    }

    fn place(&self, node: NodeId) -> Place {
        if Some(node) == self.doc.root() && self.doc.frame == Frame::Whole {
            return Place::Root;
        }
        let Some((parent, key)) = self.doc.parent(node) else { return Place::Root };
        match (self.doc.tree().kind(parent), key) {
            (Kind::Mapping(Layout::Block), Some(_)) => {
                Place::Value { column: self.doc.column_of_mapping(parent) }
            }
            (Kind::Sequence(Layout::Block), _) => {
                Place::Element { column: self.doc.column(self.doc.tree().span(parent).start) }
            }
            _ => Place::Flow,
        }
    }

    /// Right behind the colon that a value belongs to.
    fn value_slot(&self, node: NodeId) -> usize {
        match self.doc.parent(node) {
            Some((_, Some(key))) => {
                let end = self.doc.tree().span(key).end;
                self.doc.text[end..].find(':').map_or(end, |i| end + i + 1)
            }
            _ => self.doc.tree().outer_start(node),
        }
    }
}
