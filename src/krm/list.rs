//! The ResourceList: what orchestrators send on stdin and read from stdout.

use std::ops::Range;
use std::rc::Rc;

use serde_json::{Value, json};

use super::finding::{Fault, Finding, quoted};
use super::path::FieldPath;
use super::resource::{Resource, id_of};
use crate::yaml::scalar::Scalar;
use crate::yaml::{Document, Kind, Layout, NodeId, Step, stream, write};

const API_VERSIONS: [&str; 3] =
    ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"];

#[derive(Debug)]
pub struct ResourceList {
    /// All of stdin; the list is the part of it at `range`.
    source: Rc<str>,
    range: Range<usize>,
    /// The list as it came, without its items looked into.
    frame: Frame,
    pub function_config: Option<Resource>,
    /// In the order of the list; new items stand behind the given ones.
    pub items: Vec<Resource>,
    given: usize,
}

/// Where the parts of the list stand in the source.
#[derive(Debug)]
struct Frame {
    block: bool,
    items: Option<Range<usize>>,
    results: Option<Range<usize>>,
    /// The column of the items' dashes.
    dash: usize,
    /// Behind the last line of the list.
    end: usize,
    crlf: bool,
}

impl ResourceList {
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let source: Rc<str> = text.into();
        let documents = stream::documents(text);
        let range = match documents.as_slice() {
            [] => return Err(not_a_list("stdin is empty")),
            [range] => range.clone(),
            _ => return Err(not_a_list("stdin holds several documents")),
        };
        let first_line = 1 + text[..range.start].matches('\n').count();
        let doc = Document::parse(&text[range.clone()])
            .map_err(|e| not_a_list(&format!("stdin is not YAML: {}", e.below(first_line))))?;
        let root = doc.root().ok_or_else(|| not_a_list("stdin is empty"))?;
        expect_list(&doc, root)?;

        let reader = Reader { source: source.clone(), offset: range.start, doc: &doc };
        let items = match doc.entry(root, "items").filter(|node| doc.scalar(*node) != Some(Scalar::Null)) {
            None => Vec::new(),
            Some(node) => reader.items(node)?,
        };
        let function_config = doc
            .entry(root, "functionConfig")
            .filter(|node| doc.scalar(*node) != Some(Scalar::Null))
            .map(|node| reader.value(node));
        let frame = reader.frame(root);
        Ok(ResourceList { source, range, frame, function_config, given: items.len(), items })
    }

    /// The list as it came, with the findings: what is handed back when there is an error.
    pub fn unchanged(text: &str, findings: &[Finding]) -> String {
        Self::parse(text).and_then(|list| list.print(findings)).unwrap_or_default()
    }

    /// The whole output: the source with the changed items, the new ones and the results in place.
    pub fn print(&self, findings: &[Finding]) -> Result<String, Fault> {
        let results: Vec<Value> = findings.iter().map(Finding::to_result).collect();
        if self.frame.block { Ok(self.print_block(&results)) } else { self.print_flow(results) }
    }

    /// Block style, the style of every orchestrator: lines are replaced, nothing is read again.
    fn print_block(&self, results: &[Value]) -> String {
        let habits =
            write::Habits { crlf: self.frame.crlf, dash_indent: self.frame.dash, ..Default::default() };
        let text =
            |lines: Vec<String>| lines.into_iter().map(|line| line + habits.newline()).collect::<String>();
        let at_end = self.frame.end..self.frame.end;
        let mut pieces: Vec<(Range<usize>, String)> = Vec::new();
        for item in self.items[..self.given].iter().filter(|item| item.is_changed()) {
            pieces.push((item.range(), item.text().to_owned()));
        }
        let new: Vec<String> = self.items[self.given..]
            .iter()
            .flat_map(|item| entry_lines(item.text(), self.frame.dash))
            .collect();
        match &self.frame.items {
            Some(range) if self.given > 0 => pieces.push((range.end..range.end, text(new))),
            // Without the key, kustomize takes the list itself for a resource.
            range => {
                let head = if new.is_empty() { "items: []" } else { "items:" };
                let lines = std::iter::once(head.to_owned()).chain(new).collect();
                pieces.push((range.clone().unwrap_or(at_end.clone()), text(lines)));
            }
        }
        let lines =
            if results.is_empty() { Vec::new() } else { write::pair("results", &json!(results), 0, &habits) };
        pieces.push((self.frame.results.clone().unwrap_or(at_end), text(lines)));

        pieces.sort_by_key(|(range, _)| (range.start, range.end)); // stable: items before results
        let mut out = String::with_capacity(self.source.len() + 1024);
        let mut at = 0;
        for (range, text) in pieces {
            out.push_str(&self.source[at..range.start]);
            if !text.is_empty() && !out.is_empty() && !out.ends_with('\n') {
                out.push_str(habits.newline());
            }
            out.push_str(&text);
            at = range.end;
        }
        out.push_str(&self.source[at..]);
        out
    }

    /// Flow style and JSON.
    fn print_flow(&self, results: Vec<Value>) -> Result<String, Fault> {
        let mut text = String::with_capacity(self.source.len());
        let mut at = self.range.start;
        for item in self.items[..self.given].iter().filter(|item| item.is_changed()) {
            text.push_str(&self.source[at..item.range().start]);
            text.push_str(item.text());
            at = item.range().end;
        }
        text.push_str(&self.source[at..self.range.end]);
        let mut doc = Document::parse(text)?;
        let key = |name: &str| [Step::Key(name.to_owned())];
        let mut items = match doc.find(&key("items")) {
            Some(node) => doc.value(node)?.as_array().cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        for new in &self.items[self.given..] {
            items.extend(new.value(&FieldPath::default())?);
        }
        doc = doc.set(&key("items"), &Value::Array(items))?.unwrap_or(doc);
        let edited = if results.is_empty() {
            doc.remove(&key("results"))?
        } else {
            doc.set(&key("results"), &Value::Array(results))?
        };
        let doc = edited.unwrap_or(doc);
        Ok(format!("{}{}{}", &self.source[..self.range.start], doc.text(), &self.source[self.range.end..]))
    }

    /// Adds a generated resource, or makes the one of that name like it.
    pub fn upsert(items: &mut Vec<Resource>, generated: Resource) -> Result<(), Fault> {
        match items.iter_mut().find(|item| item.id().is_same_object(generated.id())) {
            Some(item) => item.become_like(&generated),
            None => {
                items.push(generated);
                Ok(())
            }
        }
    }
}

fn not_a_list(what: &str) -> Fault {
    Fault::new(
        "resource-list",
        format!(
            "{what}; rhoso-fn reads a ResourceList on stdin, as kustomize and kpt send it (see `rhoso-fn --help`, or `rhoso-fn render` for plain files)"
        ),
    )
}

fn expect_list(doc: &Document, root: NodeId) -> Result<(), Fault> {
    let text = |key: &str| match doc.entry(root, key).and_then(|node| doc.scalar(node)) {
        Some(Scalar::Str(text)) => text,
        _ => "",
    };
    match (text("kind"), text("apiVersion")) {
        ("ResourceList", version) if API_VERSIONS.contains(&version) => Ok(()),
        ("ResourceList", version) => Err(not_a_list(&format!(
            "a ResourceList of apiVersion {} instead of {}",
            quoted(version),
            quoted(API_VERSIONS[0])
        ))),
        ("", _) => Err(not_a_list("stdin holds no Kubernetes object")),
        (kind, _) => Err(not_a_list(&format!("stdin holds one {kind}"))),
    }
}

/// A list entry of a document's lines.
fn entry_lines(text: &str, column: usize) -> Vec<String> {
    let margin = " ".repeat(column);
    text.lines()
        .enumerate()
        .map(|(i, line)| match (i, line) {
            (0, _) => format!("{margin}- {line}"),
            (_, "") => String::new(),
            _ => format!("{margin}  {line}"),
        })
        .collect()
}

struct Reader<'d> {
    source: Rc<str>,
    /// Where the document begins in the source.
    offset: usize,
    doc: &'d Document,
}

impl Reader<'_> {
    fn items(&self, node: NodeId) -> Result<Vec<Resource>, Fault> {
        let tree = self.doc.tree();
        let node = self.doc.resolve(node);
        let Kind::Sequence(layout) = tree.kind(node) else {
            return Err(Fault::new("resource-list", "`items` of the ResourceList must be a list"));
        };
        let mut items = Vec::new();
        let mut behind = tree.span(node).start;
        for (index, child) in tree.children(node).enumerate() {
            if !matches!(tree.kind(self.doc.resolve(child)), Kind::Mapping(_)) {
                let message = format!("item {index} of the ResourceList is not an object");
                return Err(Fault::new("resource-list", message));
            }
            let id = id_of(self.doc, child);
            let end = tree.span(child).end;
            items.push(if layout == Layout::Block {
                let lines = self.doc.entry_lines(behind, end);
                behind = end;
                Resource::in_entry(self.source.clone(), self.shift(lines), id)
            } else {
                Resource::in_document(self.source.clone(), self.shift(tree.span(child)), id)
            });
        }
        Ok(items)
    }

    fn value(&self, node: NodeId) -> Resource {
        let id = id_of(self.doc, node);
        let block = self.doc.tree().kind(node) == Kind::Mapping(Layout::Block);
        let span = self.doc.tree().span(node);
        let range = if block { self.doc.lines_of(span) } else { span };
        Resource::in_document(self.source.clone(), self.shift(range), id)
    }

    fn frame(&self, root: NodeId) -> Frame {
        let tree = self.doc.tree();
        let block = tree.kind(root) == Kind::Mapping(Layout::Block)
            && self.doc.position(root).column == 1
            && self.items_are_block(root);
        let pair = |key: &str| {
            let (key, value) = tree.pairs(root).find(|(k, _)| self.doc.key_text(*k) == Some(key))?;
            Some(self.shift(self.doc.lines_of(tree.outer_start(key)..tree.span(value).end)))
        };
        let dash = self.doc.entry(root, "items").filter(|n| tree.kind(*n) == Kind::Sequence(Layout::Block));
        Frame {
            block,
            items: pair("items"),
            results: pair("results"),
            dash: dash.map_or(0, |n| self.doc.position(n).column - 1),
            end: self.offset + self.doc.lines_of(tree.span(root)).end,
            crlf: self.doc.habits().crlf,
        }
    }

    fn items_are_block(&self, root: NodeId) -> bool {
        match self.doc.entry(root, "items") {
            None => true,
            Some(node) => match self.doc.tree().kind(node) {
                Kind::Sequence(Layout::Block) => true,
                Kind::Sequence(Layout::Flow) => self.doc.tree().children(node).next().is_none(),
                Kind::Scalar(_) => true,
                _ => false,
            },
        }
    }

    fn shift(&self, range: Range<usize>) -> Range<usize> {
        range.start + self.offset..range.end + self.offset
    }
}
