//! A Kubernetes object as its source text, read when a function looks into it.

mod inside;

use super::rules;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::finding::{Fault, Located};
use super::id::{Id, Kind, Place};
use super::path::FieldPath;
use super::pattern::FieldPattern;
use super::typed::{kind_of, typed, wanted};
use crate::yaml::scalar::Scalar;
use crate::yaml::{self, Document, NodeId, Text, YamlError, write};

#[derive(Debug, Clone)]
enum Form {
    Document,
    Entry,
}

#[derive(Debug)]
pub struct Resource {
    source: Text,
    range: Range<usize>,
    form: Form,
    id: Id,
    /// Where the resource's text begins, if that is a place in a file of the user's.
    origin: Place,
    read: OnceCell<Box<Document>>,
    changed: bool,
    /// The document as it was read, once it has been edited, if lines of it are worth naming.
    original: Option<Box<Document>>,
    /// Another item of the same list uses an anchor of this one, so this one must stay as it is.
    lends_anchors: bool,
    /// What a function has made of it in this run.
    made_as: Option<Box<Value>>,
}

impl Resource {
    /// A whole document, or the value of a key, in a larger text.
    pub(super) fn in_document(source: Text, range: Range<usize>, id: Id) -> Self {
        Self::slice(source, range, Form::Document, id)
    }

    /// An entry of a block list: whole lines, from the one with the dash.
    pub(super) fn in_entry(source: Text, range: Range<usize>, id: Id) -> Self {
        Self::slice(source, range, Form::Entry, id)
    }

    fn slice(source: Text, range: Range<usize>, form: Form, id: Id) -> Self {
        Resource {
            source,
            range,
            form,
            id,
            origin: Place::default(),
            read: OnceCell::new(),
            changed: false,
            original: None,
            lends_anchors: false,
            made_as: None,
        }
    }

    /// Reads a document of a file. The text is parsed at once: files come straight from people.
    pub fn from_file(source: Text, range: Range<usize>, origin: Place) -> Result<Self, YamlError> {
        let first_line = origin.line.unwrap_or(1);
        let doc = Document::parse(source.part(range.clone())).map_err(|e| e.below(first_line))?;
        let id = doc.root().map(|root| id_of(&doc, root)).unwrap_or_default();
        let resource = Self::slice(source, range, Form::Document, id);
        let read = OnceCell::from(Box::new(doc));
        Ok(Resource { origin, read, ..resource })
    }

    /// A new resource. Its fields are written in the order of the value.
    pub fn new(value: &Value) -> Result<Self, Fault> {
        let text = write::document(value, &write::Habits::default());
        let range = 0..text.len();
        let made = Self::from_file(text.into(), range, Place::default());
        made.map_err(|e| Fault::new(&rules::YAML, format!("a generated resource cannot be read: {e}")))
    }

    pub fn id(&self) -> &Id {
        &self.id
    }

    pub fn is(&self, kind: Kind) -> bool {
        self.id.kind == kind.kind && self.id.group() == kind.group()
    }

    pub fn is_changed(&self) -> bool {
        self.changed
    }

    pub(super) fn lend_anchors(&mut self) {
        self.lends_anchors = true;
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        match self.read.get() {
            Some(doc) if self.is_changed() => doc.text(),
            _ => &self.source[self.range.clone()],
        }
    }

    /// The same, to keep.
    pub(super) fn to_text(&self) -> Text {
        match self.read.get() {
            Some(doc) if self.is_changed() => doc.shared_text(),
            _ => self.source.part(self.range.clone()),
        }
    }

    /// The text with a line break at its end, so that another document can follow.
    pub(super) fn closed_text(&self) -> Result<Text, Fault> {
        let text = self.to_text();
        if text.ends_with('\n') {
            return Ok(text);
        }
        let closed = self.doc()?.closed_text();
        closed.map_err(|e| Fault::new(&rules::YAML, e.message()).on(self))
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Reads the text on first use.
    fn parsed(&self) -> Result<&Document, YamlError> {
        if let Some(doc) = self.read.get() {
            return Ok(doc);
        }
        let text = self.source.part(self.range.clone());
        let doc = match self.form {
            Form::Document => Document::parse(text),
            Form::Entry => Document::parse_entry(text),
        }?;
        Ok(self.read.get_or_init(|| Box::new(doc)))
    }

    fn doc(&self) -> Result<&Document, Fault> {
        // The whole list was read before, so what fails here is an alias whose anchor is elsewhere.
        self.parsed().map_err(|e| {
            Fault::new(&rules::YAML, format!("this item cannot be read by itself: {}", e.message())).on(self)
        })
    }

    /// A label; none if it is missing, or no string, which Kubernetes would refuse.
    pub fn label(&self, key: &str) -> Result<Option<String>, Fault> {
        let value = self.value(&FieldPath::new("metadata.labels").key(key.to_owned()))?;
        Ok(value.and_then(|value| value.as_str().map(str::to_owned)))
    }

    /// Whether the resource has all of these labels.
    pub fn has_labels(&self, labels: &BTreeMap<String, String>) -> Result<bool, Fault> {
        for (key, value) in labels {
            if self.label(key)?.as_ref() != Some(value) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the resource is for tools on this side only, and never applied to a cluster.
    pub fn is_local(&self) -> bool {
        let path = FieldPath::new("metadata.annotations[config.kubernetes.io/local-config]");
        match self.value(&path) {
            Ok(Some(Value::String(text))) => text == "true",
            Ok(Some(Value::Bool(yes))) => yes, // not valid there, but what is meant is clear
            _ => false,
        }
    }

    pub fn annotation(&self, key: &str) -> Result<Option<String>, Fault> {
        self.get(&FieldPath::new("metadata.annotations").key(key.to_owned()))
    }

    /// The value of a field; none when it or a parent is missing or null.
    pub fn get<T: DeserializeOwned>(&self, path: &FieldPath) -> Result<Option<T>, Fault> {
        let Some(value) = self.value(path)?.filter(|value| !value.is_null()) else { return Ok(None) };
        let found = kind_of(&value);
        typed(&value).map(Some).map_err(|e| {
            let wanted = wanted(&e.to_string()).unwrap_or_else(|| "of another type".to_owned());
            Fault::new(&rules::WRONG_TYPE, format!("must be {wanted}, but is {found}")).field(self, path)
        })
    }

    pub fn value(&self, path: &FieldPath) -> Result<Option<Value>, Fault> {
        let doc = self.doc()?;
        let value = doc.find(&path.steps()).map(|node| doc.value(node)).transpose();
        value.map_err(|e| Fault::new(&rules::YAML, e.message()).field(self, path))
    }

    /// The field as it is written, for messages.
    pub fn source_of(&self, path: &FieldPath) -> Option<&str> {
        let doc = self.doc().ok()?;
        let node = doc.find(&path.steps())?;
        matches!(doc.tree().kind(node), yaml::Kind::Scalar(_)).then(|| doc.source(node))
    }

    /// The fields that match a pattern, in the order of the text.
    pub fn fields(&self, pattern: &FieldPattern) -> Result<Vec<FieldPath>, Fault> {
        Ok(pattern.resolve(self.doc()?))
    }

    /// Sets a field and makes its missing parents. Setting what is there already is no change.
    pub fn set(&mut self, path: &FieldPath, value: impl Into<Value>) -> Result<(), Fault> {
        let edited = self.doc()?.set(&path.steps(), &value.into());
        self.accept(edited, path)
    }

    pub fn remove(&mut self, path: &FieldPath) -> Result<(), Fault> {
        let edited = self.doc()?.remove(&path.steps());
        self.accept(edited, path)
    }

    /// Gives the key at the end of a path another name, in its place.
    pub fn rename(&mut self, path: &FieldPath, key: &str) -> Result<(), Fault> {
        let edited = self.doc()?.rename(&path.steps(), key);
        self.accept(edited, path)
    }

    fn accept(&mut self, edited: Result<Option<Document>, YamlError>, path: &FieldPath) -> Result<(), Fault> {
        let edited = edited.map_err(|e| Fault::new(&rules::EDIT, e.message()).field(self, path))?;
        if edited.is_some() && self.lends_anchors {
            let message = "another item of the list uses an anchor of this one: a change here could change that too; please write the value out there";
            return Err(Fault::new(&rules::EDIT, message).field(self, path));
        }
        if let Some(doc) = edited {
            if let Some(root) = doc.root() {
                self.id = id_of(&doc, root);
            }
            let before = std::mem::replace(&mut self.read, OnceCell::from(Box::new(doc)));
            if self.origin.line.is_some() && !self.changed {
                self.original = before.into_inner();
            }
            self.changed = true;
        }
        Ok(())
    }

    /// A new resource in the words of this one. It has no file, and nothing of what orchestrators wrote
    /// on this one.
    pub fn copy(&self) -> Result<Resource, Fault> {
        let root = FieldPath::default();
        let doc = self.doc()?;
        let text = doc.without_anchors().map_or_else(|| doc.standing_alone(), |doc| doc.standing_alone());
        let mut copy = match Self::from_file(text.as_str().into(), 0..text.len(), Place::default()) {
            Ok(copy) if copy.value(&root)? == self.value(&root)? && !copy.has_anchors() => copy,
            // What cannot stand alone, or not beside its original, is written anew.
            _ => Self::new(&self.value(&root)?.unwrap_or(Value::Null))?,
        };
        let annotations = FieldPath::new("metadata.annotations");
        let there: Map<String, Value> = self.get(&annotations)?.unwrap_or_default();
        let (dropped, kept): (Vec<&String>, Vec<&String>) = there.keys().partition(|key| is_bookkeeping(key));
        match (kept.is_empty(), dropped.is_empty()) {
            (_, true) => {}
            (true, false) => copy.remove(&annotations)?,
            (false, false) => {
                for key in dropped {
                    copy.remove(&annotations.clone().key(key.clone()))?;
                }
            }
        }
        Ok(copy)
    }

    fn has_anchors(&self) -> bool {
        self.doc().is_ok_and(|doc| doc.tree().has_anchors(doc.text()))
    }

    /// Notes that a function has made this resource in this run.
    pub(super) fn note_as_made(&mut self) -> Result<(), Fault> {
        self.made_as = self.value(&FieldPath::default())?.map(Box::new);
        Ok(())
    }

    /// Makes this resource equal to a generated one. Labels and annotations that the generated one does not
    /// have stay: tools find their way by them, and people put them there. False, with nothing done, if
    /// another function has made something else of it.
    pub(super) fn become_like(&mut self, generated: &Resource) -> Result<bool, Fault> {
        let root = FieldPath::default();
        let mut value = generated.value(&root)?.unwrap_or(Value::Null);
        if self.made_as.as_ref().is_some_and(|made| **made != value) {
            return Ok(false);
        }
        self.made_as = Some(Box::new(value.clone()));
        for field in ["labels", "annotations"] {
            let there: Option<Map<String, Value>> = self.get(&FieldPath::new("metadata").key(field))?;
            let Some(there) = there.filter(|map| !map.is_empty()) else { continue };
            let mut map = value
                .as_object_mut()
                .and_then(|object| object.entry("metadata").or_insert_with(empty).as_object_mut())
                .and_then(|metadata| metadata.entry(field).or_insert_with(empty).as_object_mut());
            for (key, value) in there {
                map.as_deref_mut().map(|map| map.entry(key).or_insert(value));
            }
        }
        self.set(&root, value)?;
        Ok(true)
    }
}

impl Located for Resource {
    fn id(&self) -> &Id {
        &self.id
    }

    /// File, document and line; for what an orchestrator sent, file and document by its annotations.
    fn place(&self) -> Place {
        if self.origin.file.is_some() {
            return self.origin.clone();
        }
        let annotation = |name: &str| {
            let doc = self.parsed().ok()?;
            ["internal.config.kubernetes.io", "config.kubernetes.io"].iter().find_map(|group| {
                let path = FieldPath::new("metadata.annotations").key(format!("{group}/{name}"));
                match doc.scalar(doc.find(&path.steps())?)? {
                    Scalar::Str(text) => Some(text.to_owned()),
                    _ => None,
                }
            })
        };
        Place {
            file: annotation("path"),
            index: annotation("index").and_then(|index| index.parse().ok()).unwrap_or(0),
            ..Place::default()
        }
    }

    fn place_of(&self, path: &FieldPath) -> Place {
        let place = self.place();
        let (Some(first), Some(doc)) = (place.line, self.original.as_ref().or_else(|| self.read.get()))
        else {
            return place;
        };
        let Some(span) = doc.locate(&path.steps()) else { return place };
        let at = doc.position(span.start);
        Place {
            line: Some(first + at.line - 1),
            column: Some(at.column),
            span: Some(self.range.start + span.start..self.range.start + span.end),
            ..place
        }
    }
}

/// Annotations by which kustomize and kpt find their way with one resource.
fn is_bookkeeping(annotation: &str) -> bool {
    let group = annotation.split('/').next().unwrap_or_default();
    matches!(
        group,
        "config.kubernetes.io"
            | "internal.config.kubernetes.io"
            | "alpha.config.kubernetes.io"
            | "config.k8s.io"
            | "internal.config.k8s.io"
            | "kustomize.config.k8s.io"
    )
}

/// Where an object is among the items.
pub fn position(items: &[Resource], kind: Kind, namespace: Option<&str>, name: &str) -> Option<usize> {
    items.iter().position(|item| {
        item.is(kind) && item.id().name == name && item.id().namespace.as_deref() == namespace
    })
}

fn empty() -> Value {
    Value::Object(Map::new())
}

pub(super) fn id_of(doc: &Document, root: NodeId) -> Id {
    Id::read(doc, doc.resolve(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_the_words_and_not_the_place() {
        let entry = "- # head\n  kind: A\n  metadata:\n    name: a # here\n    annotations:\n      config.kubernetes.io/path: a.yaml\n  mode: 0644\n";
        let resource = Resource::in_entry(entry.into(), 0..entry.len(), Id::default());
        let copy = resource.copy().unwrap();
        assert_eq!(copy.text(), "kind: A\nmetadata:\n  name: a # here\nmode: 0644\n");
        assert_eq!((copy.id().name.as_str(), copy.place()), ("a", Place::default()));
    }
}
