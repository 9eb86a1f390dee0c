//! The ResourceList: what orchestrators send on stdin and read from stdout.

use super::rules;
use std::ops::Range;

use serde_json::{Value, json};

use super::fault::Fault;
use super::finding::Finding;
use super::id::Id;
use super::message::quoted;
use super::resource::{Resource, id_of};
use crate::yaml::scalar::Scalar;
use crate::yaml::{Document, Kind, Layout, NodeId, Step, Text, YamlError, stream, write};

const API_VERSIONS: [&str; 3] =
    ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"];

#[derive(Debug)]
pub struct ResourceList {
    /// All of stdin; the list is the part of it at `range`.
    source: Text,
    range: Range<usize>,
    /// The list as it came, without its items looked into.
    parts: Parts,
    pub function_config: Option<Resource>,
    /// In the order of the list; new items stand behind the given ones.
    pub items: Vec<Resource>,
    given: usize,
}

/// Where the parts of the list stand in the source.
#[derive(Debug)]
struct Parts {
    /// Whether lines can be put in place: a list in block style, with items or without the key.
    block: bool,
    /// Behind the last item.
    items_end: Option<usize>,
    results: Option<Range<usize>>,
    /// The column of the items' dashes.
    dash: usize,
    /// Behind the last line of the list.
    end: usize,
    crlf: bool,
}

impl ResourceList {
    /// Reads a list. The items are not kept in memory, but in the text: each is read again when a function
    /// looks into it.
    pub fn parse(text: impl Into<Text>) -> Result<Self, Fault> {
        let source = text.into();
        let range = stream::first_document(&source)..source.len();
        let mut ids = Vec::new();
        match Document::outline(&source.part(range.clone()), "items", |doc, item| ids.push(id_of(doc, item)))
        {
            Some(doc) => Self::read(source, range, &doc, Some(ids)),
            None => Self::parse_whole(source),
        }
    }

    /// Reads a list in any style, all of it at once.
    pub fn parse_whole(text: impl Into<Text>) -> Result<Self, Fault> {
        let source = text.into();
        let documents = stream::documents(&source);
        let range = match documents.as_slice() {
            [] => return Err(not_a_list("stdin is empty")),
            [range] => range.clone(),
            _ => return Err(not_a_list("stdin holds several documents")),
        };
        let first_line = 1 + source[..range.start].matches('\n').count();
        let doc = Document::parse(source.part(range.clone()))
            .map_err(|e| not_a_list(&format!("stdin is not YAML: {}", e.below(first_line))))?;
        Self::read(source, range, &doc, None)
    }

    /// Finds the parts of the list. An outline has no ids in it; they come with it.
    fn read(source: Text, range: Range<usize>, doc: &Document, ids: Option<Vec<Id>>) -> Result<Self, Fault> {
        let root = doc.root().ok_or_else(|| not_a_list("stdin is empty"))?;
        expect_list(doc, root)?;
        let reader = Reader { source: source.clone(), offset: range.start, doc };
        let items = match doc.entry(root, "items").filter(|node| doc.scalar(*node) != Some(Scalar::Null)) {
            None => Vec::new(),
            Some(node) => reader.items(node, ids)?,
        };
        let function_config = doc
            .entry(root, "functionConfig")
            .filter(|node| doc.scalar(*node) != Some(Scalar::Null))
            .map(|node| reader.value(node));
        let parts = reader.parts(root, &items);
        Ok(ResourceList { source, range, parts, function_config, given: items.len(), items })
    }

    /// The whole output, in pieces: the source with the changed items, the new ones and the results in place.
    pub fn print(&self, findings: &[Finding]) -> Result<Vec<Text>, Fault> {
        self.print_items(&self.items, findings).map_err(|e| {
            Fault::new(&rules::RESOURCE_LIST, format!("the ResourceList cannot be written: {}", e.message()))
        })
    }

    /// The items as they came, with the findings: what is handed back when there is an error.
    pub fn print_given(&self, findings: &[Finding]) -> Vec<Text> {
        // Handing back what came beats any report about it.
        self.print_items(&[], findings).unwrap_or_else(|_| vec![self.source.clone()])
    }

    fn print_items(&self, items: &[Resource], findings: &[Finding]) -> Result<Vec<Text>, YamlError> {
        let results: Vec<Value> = findings.iter().map(Finding::to_result).collect();
        let (given, new) = items.split_at(self.given.min(items.len()));
        let changed: Vec<&Resource> = given.iter().filter(|item| item.is_changed()).collect();
        if self.parts.block {
            Ok(self.print_block(&changed, new, &results))
        } else {
            Ok(vec![self.print_flow(&changed, new, results)?.into()])
        }
    }

    /// Block style, the style of every orchestrator: lines are replaced, nothing is read again.
    fn print_block(&self, changed: &[&Resource], new: &[Resource], results: &[Value]) -> Vec<Text> {
        let habits =
            write::Habits { crlf: self.parts.crlf, dash_indent: self.parts.dash, ..Default::default() };
        let text = |lines: Vec<String>| -> Text {
            lines.into_iter().map(|line| line + habits.newline()).collect::<String>().into()
        };
        let at_end = self.parts.end..self.parts.end;
        let mut places: Vec<(Range<usize>, Text)> =
            changed.iter().map(|item| (item.range(), item.to_text())).collect();
        let new: Vec<String> =
            new.iter().flat_map(|item| entry_lines(item.text(), self.parts.dash)).collect();
        match self.parts.items_end {
            Some(end) => places.push((end..end, text(new))),
            // Without the key, kustomize takes the list itself for a resource.
            None => {
                let head = if new.is_empty() { "items: []" } else { "items:" };
                let lines = std::iter::once(head.to_owned()).chain(new).collect();
                places.push((at_end.clone(), text(lines)));
            }
        }
        let lines =
            if results.is_empty() { Vec::new() } else { write::pair("results", &json!(results), 0, &habits) };
        places.push((self.parts.results.clone().unwrap_or(at_end), text(lines)));

        places.sort_by_key(|(range, _)| (range.start, range.end)); // stable: items before results
        let mut pieces: Vec<Text> = Vec::with_capacity(2 * places.len() + 1);
        let mut push = |piece: Text| {
            if !piece.is_empty() {
                pieces.push(piece);
            }
        };
        let mut ends_openly = false;
        let mut at = 0;
        for (range, text) in places {
            let before = self.source.part(at..range.start);
            at = range.end;
            if !before.is_empty() {
                ends_openly = !before.ends_with('\n');
            }
            push(before);
            if !text.is_empty() {
                if ends_openly {
                    push(habits.newline().into());
                }
                ends_openly = !text.ends_with('\n');
            }
            push(text);
        }
        push(self.source.part(at..self.source.len()));
        pieces
    }

    /// Flow style and JSON.
    fn print_flow(
        &self,
        changed: &[&Resource],
        new: &[Resource],
        results: Vec<Value>,
    ) -> Result<String, YamlError> {
        let mut text = String::with_capacity(self.source.len());
        let mut at = self.range.start;
        for item in changed {
            text.push_str(&self.source[at..item.range().start]);
            text.push_str(item.text());
            at = item.range().end;
        }
        text.push_str(&self.source[at..self.range.end]);
        let mut doc = Document::parse(text)?;
        let key = |name: &str| [Step::Key(name.to_owned())];
        if self.given > 0 && new.is_empty() && results.is_empty() && self.parts.results.is_none() {
            return Ok(self.around(doc.text()));
        }
        let new = new.iter().map(|item| Document::parse(item.text())?.root_value());
        doc = extended(doc, self.given, new.collect::<Result<_, _>>()?)?;
        let edited = match results.is_empty() {
            true => doc.remove(&key("results"))?,
            false => doc.set(&key("results"), &Value::Array(results))?,
        };
        let doc = edited.unwrap_or(doc);
        Ok(self.around(doc.text()))
    }

    /// The list in what stood around it.
    fn around(&self, list: &str) -> String {
        format!("{}{list}{}", &self.source[..self.range.start], &self.source[self.range.end..])
    }
}

/// Adds items to the end of the list. Without any, the key is still written: kustomize needs it.
fn extended(mut doc: Document, given: usize, new: Vec<Value>) -> Result<Document, YamlError> {
    let items = Step::Key("items".to_owned());
    if given == 0 {
        let path = [items];
        return Ok(doc.set(&path, &Value::Array(new))?.unwrap_or(doc));
    }
    let value = doc.find([&items]).map(|node| doc.value(node));
    if let Some(Ok(Value::Array(mut all))) = value {
        all.extend(new);
        return Ok(doc.set(&[items], &Value::Array(all))?.unwrap_or(doc));
    }
    // An item has a value that JSON does not have: one by one, the given ones are not looked into.
    for (index, value) in new.into_iter().enumerate() {
        let path = [items.clone(), Step::Index(given + index)];
        doc = doc.set(&path, &value)?.unwrap_or(doc);
    }
    Ok(doc)
}

fn not_a_list(what: &str) -> Fault {
    Fault::new(
        &rules::RESOURCE_LIST,
        format!(
            "{what}; a ResourceList is expected on stdin, as kustomize and kpt send it (see `--help`, or use `render` for plain files)"
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
    source: Text,
    /// Where the document begins in the source.
    offset: usize,
    doc: &'d Document,
}

impl Reader<'_> {
    fn items(&self, node: NodeId, ids: Option<Vec<Id>>) -> Result<Vec<Resource>, Fault> {
        let tree = self.doc.tree();
        let node = self.doc.resolve(node);
        let Kind::Sequence(layout) = tree.kind(node) else {
            return Err(Fault::new(&rules::RESOURCE_LIST, "`items` of the ResourceList must be a list"));
        };
        let mut ids = ids.into_iter().flatten();
        let (mut items, mut nodes) = (Vec::new(), Vec::new());
        let mut behind = tree.span(node).start;
        for (index, child) in tree.children(node).enumerate() {
            if !matches!(tree.kind(self.doc.resolve(child)), Kind::Mapping(_)) {
                let message = format!("item {index} of the ResourceList is not an object");
                return Err(Fault::new(&rules::RESOURCE_LIST, message));
            }
            let id = ids.next().unwrap_or_else(|| id_of(self.doc, child));
            let end = tree.span(child).end;
            nodes.push(child);
            items.push(if layout == Layout::Block {
                let lines = self.doc.entry_lines(behind, end);
                behind = end;
                Resource::in_entry(self.source.clone(), self.shift(lines), id)
            } else {
                Resource::in_document(self.source.clone(), self.shift(tree.span(child)), id)
            });
        }
        // Items are read and edited one by one; an anchor that another one uses would not be seen then.
        let item_of = |node: NodeId| nodes.partition_point(|item| *item <= node).checked_sub(1);
        for (alias, target) in tree.aliases() {
            if let Some(lender) = item_of(*target).filter(|lender| item_of(*alias) != Some(*lender)) {
                items[lender].lend_anchors();
            }
        }
        Ok(items)
    }

    fn value(&self, node: NodeId) -> Resource {
        let id = id_of(self.doc, node);
        let block = self.doc.tree().kind(node) == Kind::Mapping(Layout::Block);
        let span = self.doc.tree().span(node);
        let range = if block { self.doc.lines_with_comments(span) } else { span };
        Resource::in_document(self.source.clone(), self.shift(range), id)
    }

    fn parts(&self, root: NodeId, items: &[Resource]) -> Parts {
        let (doc, tree) = (self.doc, self.doc.tree());
        let items_node = doc.entry(root, "items");
        let is_block_list = |node: NodeId| tree.kind(node) == Kind::Sequence(Layout::Block);
        let results = tree.pairs(root).find(|(key, _)| doc.key_text(*key) == Some("results"));
        let ends_openly = !doc.text().ends_with('\n') && tree.last_block_scalar().is_some();
        Parts {
            block: tree.kind(root) == Kind::Mapping(Layout::Block)
                && doc.position(tree.span(root).start).column == 1
                && items_node.is_none_or(is_block_list)
                && !results.is_some_and(|(_, value)| tree.is_aliased(value))
                && !ends_openly,
            items_end: items.last().map(|item| item.range().end),
            results: results.map(|(key, value)| {
                self.shift(doc.lines_with_comments(tree.outer_start(key)..tree.span(value).end))
            }),
            dash: items_node
                .filter(|node| is_block_list(*node))
                .map_or(0, |node| doc.position(tree.span(node).start).column - 1),
            end: self.offset + doc.lines_with_comments(tree.span(root)).end,
            crlf: doc.habits().crlf,
        }
    }

    fn shift(&self, range: Range<usize>) -> Range<usize> {
        range.start + self.offset..range.end + self.offset
    }
}
