//! The ResourceList: what orchestrators send on stdin and read from stdout.

use std::ops::Range;

use serde_json::Value;

use super::fault::Fault;
use super::finding::Finding;
use super::id::Id;
use super::message::quoted;
use super::resource::{Resource, id_of};
use super::{rules, side_by_side};
use crate::yaml::scalar::Scalar;
use crate::yaml::{
    Document, Kind, ListChanges, ListDocument, ListEntry, ListKeys, NodeId, Outline, Text, VisitedEntry,
    YamlError, stream,
};

const API_VERSIONS: [&str; 3] =
    ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"];

/// `items` is written even if the list is empty: without it, kustomize reads the ResourceList as a resource.
const KEYS: ListKeys = ListKeys { list: "items", sibling: "results" };

#[derive(Debug)]
pub struct ResourceList {
    /// All of stdin.
    source: Text,
    list: ListDocument,
    pub function_config: Option<Resource>,
    /// In list order. New items follow the original ones.
    pub items: Vec<Resource>,
    given: usize,
}

impl ResourceList {
    /// Reads a list. Items stay in the text: each is parsed again when a function reads it, so that memory
    /// holds the input only once.
    pub fn parse(text: impl Into<Text>) -> Result<Self, Fault> {
        let source = text.into();
        let range = stream::first_document(&source)..source.len();
        let text = source.part(range.clone());
        match outline(&text, side_by_side::threads(text.len())) {
            Some((doc, ids)) => Self::read(source, range, &doc, Some(ids)),
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
            _ => return Err(not_a_list("stdin contains several documents")),
        };
        let first_line = 1 + source[..range.start].matches('\n').count();
        let doc = Document::parse(source.part(range.clone())).map_err(|e| not_yaml(e.below(first_line)))?;
        Self::read(source, range, &doc, None)
    }

    /// Finds the parts of the list. The ids are given separately with an outline, because it does not contain
    /// the fields of the items, and with them which items the fast reader has accepted.
    fn read(
        source: Text,
        range: Range<usize>,
        doc: &Document,
        ids: Option<Vec<(Id, bool)>>,
    ) -> Result<Self, Fault> {
        let root = doc.root().ok_or_else(|| not_a_list("stdin is empty"))?;
        expect_list(doc, root)?;
        let (list, entries) = ListDocument::find(&source, range, doc, KEYS)
            .ok_or_else(|| Fault::new(&rules::RESOURCE_LIST, "`items` of the ResourceList must be a list"))?;
        let mut ids = ids.into_iter().flatten();
        let mut items = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            items.push(item(&source, doc, index, entry, ids.next())?);
        }
        let function_config = doc
            .entry(root, "functionConfig")
            .filter(|node| doc.scalar(*node) != Some(Scalar::Null))
            .map(|node| Resource::in_value(source.clone(), list.value_range(doc, node), id_of(doc, node)));
        Ok(ResourceList { source, list, function_config, given: items.len(), items })
    }

    /// The whole output, in pieces: the source with the changed items, the new items and the results.
    pub fn print(&self, findings: &[Finding]) -> Result<Vec<Text>, Fault> {
        self.print_items(&self.items, findings).map_err(|e| {
            Fault::new(&rules::RESOURCE_LIST, format!("the ResourceList cannot be written: {}", e.message()))
        })
    }

    /// The given items, unchanged, with the findings: the output after an error.
    pub fn print_given(&self, findings: &[Finding]) -> Vec<Text> {
        // If even that fails, returning the input matters more than reporting findings in it.
        self.print_items(&[], findings).unwrap_or_else(|_| vec![self.source.clone()])
    }

    fn print_items(&self, items: &[Resource], findings: &[Finding]) -> Result<Vec<Text>, YamlError> {
        let results: Vec<Value> = findings.iter().map(Finding::to_result).collect();
        let (given, new) = items.split_at(self.given.min(items.len()));
        self.list.write(ListChanges {
            replaced: given.iter().filter_map(Resource::change).collect(),
            appended: new.iter().map(Resource::text).collect(),
            sibling: (!results.is_empty()).then_some(Value::Array(results)),
        })
    }
}

/// Reads a list item by item, on several threads. Returns the ids of the items, and whether the fast reader has accepted
/// them. None if the list must be read all at once.
fn outline(text: &Text, threads: usize) -> Option<(Document, Vec<(Id, bool)>)> {
    // With several parts for each thread, none of them waits long for another one.
    let parts_per_thread = if threads > 1 { 4 } else { 0 };
    let outline = Outline::new(text, KEYS.list, threads * parts_per_thread);
    let visit = |entry: VisitedEntry<'_>| (id_of(entry.doc, entry.node), entry.is_simple);
    let parts = side_by_side::map(threads, outline.part_count(), |part| outline.read_part(part, &visit));
    let parts: Option<Vec<_>> = parts.into_iter().collect();
    outline.read(parts.unwrap_or_default(), &visit)
}

fn item(
    source: &Text,
    doc: &Document,
    index: usize,
    entry: ListEntry,
    visited: Option<(Id, bool)>,
) -> Result<Resource, Fault> {
    if !matches!(doc.tree().kind(doc.resolve(entry.node)), Kind::Mapping(_)) {
        let message = format!("item {index} of the ResourceList is not an object");
        return Err(Fault::new(&rules::RESOURCE_LIST, message));
    }
    let (id, is_simple) = visited.unwrap_or_else(|| (id_of(doc, entry.node), false));
    let mut item = if entry.has_dash {
        Resource::in_entry(source.clone(), entry.range, id)
    } else {
        Resource::in_value(source.clone(), entry.range, id)
    };
    if is_simple {
        item.set_simple();
    }
    // Items are read and edited one by one, so an edit would not notice that another item uses an anchor of
    // this one.
    if entry.lends_anchors {
        item.lend_anchors();
    }
    Ok(item)
}

fn not_yaml(error: YamlError) -> Fault {
    if error.is_duplicate_key() {
        return Fault::new(&rules::DUPLICATE_KEY, format!("stdin: {error}"));
    }
    not_a_list(&format!("stdin is not YAML: {error}"))
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
        ("", _) => Err(not_a_list("stdin contains no Kubernetes object")),
        (kind, _) => Err(not_a_list(&format!("stdin contains one {kind}"))),
    }
}
