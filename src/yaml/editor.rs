//! The editor: changes of nodes as splices of the text, in the style that is there.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

use serde_json::{Map, Value};

use super::document::Document;
use super::error::YamlError;
use super::events::{Layout, Style};
use super::intent::same;
use super::quote;
use super::scan::{block_header, find_dash, line_end, line_start, next_line};
use super::tree::{Kind, NodeId};
use super::write::{self, Habits};

/// How an edit goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Plainly,
    /// Ends the text with a line break.
    WithFinalNewline,
    /// Writes lines of text in quotes.
    WithoutLiterals,
}

/// Bytes to replace.
#[derive(Debug, Clone)]
struct Splice {
    range: Range<usize>,
    with: String,
}

/// What becomes of a collection's members.
#[derive(Default)]
struct Plan<'v> {
    /// The members that stay, with the value they get.
    change: Vec<(NodeId, &'v Value)>,
    /// The numbers of those that go.
    gone: Vec<usize>,
    /// New pairs of a mapping.
    pairs: Vec<(&'v str, &'v Value)>,
    /// New elements of a list.
    elements: &'v [Value],
}

pub(super) struct Editor<'d> {
    pub(super) doc: &'d Document,
    manner: Manner,
    pub(super) habits: Habits,
    splices: Vec<Splice>,
}

impl<'d> Editor<'d> {
    pub(super) fn new(doc: &'d Document, manner: Manner) -> Self {
        let habits = Habits { literals: manner != Manner::WithoutLiterals, ..doc.habits() };
        Editor { doc, manner, habits, splices: Vec::new() }
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
        if self.manner == Manner::WithFinalNewline && !text.ends_with('\n') {
            text.push_str(self.habits.newline());
        }
        Document::framed(text, self.doc.frame)
    }

    pub(super) fn splice(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.splices.push(Splice { range, with: with.into() });
    }

    /// Changes a node into a value with as few splices as its shape allows.
    pub(super) fn update(&mut self, node: NodeId, value: &Value) -> Result<(), YamlError> {
        if same(&self.doc.value(node)?, value) {
            return Ok(());
        }
        let plan = match (self.doc.tree().kind(node), value) {
            (Kind::Mapping(_), Value::Object(map)) => self.plan_mapping(node, map),
            (Kind::Sequence(_), Value::Array(list)) => self.plan_sequence(node, list),
            _ => None,
        };
        let done = match (plan, self.doc.tree().kind(node), value) {
            (Some(plan), _, _) => self.follow(node, plan)?,
            (None, Kind::Scalar(Style::Literal), Value::String(text)) => self.update_literal(node, text),
            _ => false,
        };
        if !done {
            self.replace(node, value);
        }
        Ok(())
    }

    /// Carries out a plan. False, with nothing done, where nothing stays or two splices would touch.
    fn follow(&mut self, node: NodeId, plan: Plan<'_>) -> Result<bool, YamlError> {
        let members = plan.change.len() + plan.gone.len();
        let last_goes = plan.gone.last().is_some_and(|last| last + 1 == members);
        let grows = !plan.pairs.is_empty() || !plan.elements.is_empty();
        if plan.change.is_empty() || (grows && last_goes) {
            return Ok(false);
        }
        for (child, value) in plan.change {
            self.update(child, value)?;
        }
        self.insert(node, &plan.pairs);
        self.push(node, plan.elements);
        for run in plan.gone.chunk_by(|a, b| a + 1 == *b) {
            self.remove(node, run[0]..=run[run.len() - 1]);
        }
        Ok(true)
    }

    /// What becomes of a mapping's pairs; none where keys are merged, shared or no strings.
    fn plan_mapping<'v>(&self, node: NodeId, map: &'v Map<String, Value>) -> Option<Plan<'v>> {
        let mut plan = Plan::default();
        let mut there = HashSet::new();
        for (index, (key, child)) in self.doc.tree().pairs(node).enumerate() {
            let text = self.doc.key_text(key).filter(|_| !self.doc.is_merge(key))?;
            there.insert(text);
            match map.get(text) {
                Some(value) => plan.change.push((child, value)),
                None => plan.gone.push(index),
            }
        }
        let new = map.iter().filter(|(key, _)| !there.contains(key.as_str()));
        plan.pairs = new.map(|(key, value)| (key.as_str(), value)).collect();
        (!self.touches_alias(node)).then_some(plan)
    }

    /// What becomes of a list's elements: those in front stay where they are.
    fn plan_sequence<'v>(&self, node: NodeId, list: &'v [Value]) -> Option<Plan<'v>> {
        let children: Vec<NodeId> = self.doc.tree().children(node).collect();
        let plan = Plan {
            change: children.iter().copied().zip(list).collect(),
            gone: (list.len()..children.len()).collect(),
            elements: list.get(children.len()..).unwrap_or_default(),
            pairs: Vec::new(),
        };
        (!self.touches_alias(node)).then_some(plan)
    }

    fn touches_alias(&self, node: NodeId) -> bool {
        self.doc.tree().children(node).any(|child| self.doc.tree().is_aliased(child))
    }

    /// Writes another name in the place of a key.
    pub(super) fn rename(&mut self, key: NodeId, name: &str) {
        let tree = self.doc.tree();
        let in_flow = tree.parent(key).is_some_and(|parent| tree.kind(parent) == Kind::Mapping(Layout::Flow));
        let text = Value::String(name.to_owned());
        let written = self.in_old_quotes(key, &text).unwrap_or_else(|| match self.habits.json {
            true => quote::json(name),
            false => quote::inline(name, in_flow),
        });
        // A key that is a block of text ends behind its line break, which stays.
        let start = tree.span(key).start;
        self.splice(start..start + self.doc.source(key).trim_end().len(), written);
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
        let at = self.doc.behind_deeper_comments(self.doc.last_line_end(behind), column);
        if at == self.doc.text.len() {
            self.strip_last_block_scalar();
        }
        let newline = self.habits.newline();
        let text: String = lines.iter().map(|line| format!("{newline}{line}")).collect();
        self.splice(at..at, text);
    }

    /// Removes the anchor from a tag and anchor in front of a node.
    pub(super) fn remove_anchor(&mut self, properties: Range<usize>) {
        let text = &self.doc.text;
        let Some(offset) = text[properties.clone()].find('&') else { return };
        let anchor = properties.start + offset;
        let end = anchor
            + text[anchor..properties.end].find([' ', '\t', '\n', '\r']).unwrap_or(properties.end - anchor);
        let rest = &text[end..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[blanks..].starts_with(['\n', '\r']) || rest.len() == blanks {
            // Nothing follows on the line: the blanks in front of the anchor go as well.
            self.splice(text[..anchor].trim_end_matches([' ', '\t']).len()..end, "");
        } else {
            self.splice(anchor..end + blanks, "");
        }
    }

    /// A block scalar that ends the text without a line break has none in its value; with lines behind
    /// it, its header must say so.
    pub(super) fn strip_last_block_scalar(&mut self) {
        let tree = self.doc.tree();
        let text = &self.doc.text;
        if let Some(node) = tree.last_block_scalar()
            && !text.ends_with('\n')
            && tree.span(node).end == text.len()
        {
            let header = tree.span(node).start;
            let old = block_header(text, header);
            let new = format!("{}-", old.trim_end_matches(['+', '-']));
            self.splice(header..header + old.len(), new);
        }
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

    /// Removes neighbouring pairs of a mapping or elements of a list, by their numbers.
    pub(super) fn remove(&mut self, parent: NodeId, run: RangeInclusive<usize>) {
        let tree = self.doc.tree();
        let members = self.members(parent);
        let (Some(&(start, _)), Some(&(_, end))) = (members.get(*run.start()), members.get(*run.end()))
        else {
            return;
        };
        let before = run.start().checked_sub(1).map(|index| members[index].1);
        let next = members.get(run.end() + 1).map(|(start, _)| *start);
        match tree.kind(parent) {
            Kind::Mapping(Layout::Flow) | Kind::Sequence(Layout::Flow) => {
                return self.remove_in_flow(start..end, before, next);
            }
            Kind::Mapping(_) if members.len() == run.clone().count() => {
                return self.replace(parent, &Value::Object(Map::new()));
            }
            _ if members.len() == run.count() => return self.replace(parent, &Value::Array(Vec::new())),
            _ => {}
        }
        let text = &self.doc.text;
        let end = self.doc.last_line_end(end);
        let first_line = line_start(text, start);
        if text[first_line..start].bytes().any(|b| b != b' ') {
            // The line begins with the dash of a list around it, which stays.
            let Some(next) = next else { return };
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
        let heads_document = before.is_none() && Some(parent) == self.doc.root();
        let from =
            if heads_document { first_line } else { self.head_comment(first_line, start - first_line) };
        let stop = next_line(text, end);
        let after_block_scalar = before == Some(from);
        if stop > end || from == 0 || after_block_scalar {
            self.splice(from..stop, "");
        } else {
            // The last line of a text without a line break at its end: the one before takes its place.
            self.splice(self.doc.last_line_end(from)..end, "");
        }
    }

    /// Where each member of a collection begins, dash or question mark included, and ends.
    fn members(&self, parent: NodeId) -> Vec<(usize, usize)> {
        let tree = self.doc.tree();
        match tree.kind(parent) {
            Kind::Mapping(_) => tree
                .pairs(parent)
                .map(|(key, value)| {
                    let start = self.doc.start_of_key(tree.outer_start(key));
                    (start, tree.span(value).end.max(tree.span(key).end))
                })
                .collect(),
            kind => {
                let mut behind = tree.span(parent).start;
                tree.children(parent)
                    .map(|child| {
                        let block = kind == Kind::Sequence(Layout::Block);
                        let start =
                            if block { find_dash(&self.doc.text, behind) } else { tree.outer_start(child) };
                        behind = tree.span(child).end;
                        (start, behind)
                    })
                    .collect()
            }
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

    fn remove_in_flow(&mut self, members: Range<usize>, before: Option<usize>, next: Option<usize>) {
        let range = match (before, next) {
            (_, Some(next)) => members.start..next,
            (Some(before), None) => before..members.end,
            (None, None) => {
                let rest = &self.doc.text[members.end..];
                let blanks = rest.len() - rest.trim_start().len();
                let comma = rest[blanks..].starts_with(',');
                members.start..if comma { members.end + blanks + 1 } else { members.end }
            }
        };
        self.splice(range, "");
    }
}
