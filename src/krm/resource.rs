//! A Kubernetes object as its source text. The text is parsed when a function first reads a field.

mod comments;
mod copies;
mod duplicate_keys;
mod edited;
mod inside;
mod labels;
mod local;
mod members;
mod metadata;
mod parts;
mod place;
mod set_all;

pub use comments::Comment;
pub use members::LIST;

use std::ops::Range;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

use self::edited::Edited;
use self::parts::Parts;
use super::fault::Fault;
use super::id::{Id, Kind, Place};
use super::path::FieldPath;
use super::pattern::FieldPattern;
use super::rules;
use super::typed::{kind_of, typed, wanted};
use crate::yaml::{self, Document, DuplicateKey, Leaf, NodeId, Text, YamlError, write};

#[derive(Debug, Clone)]
enum Form {
    /// A document of a file.
    Document,
    /// A value in a larger text, such as an item in braces.
    Value,
    /// An entry of a list in block style: whole lines, starting with the dash.
    Entry,
}

#[derive(Debug)]
pub struct Resource {
    source: Text,
    range: Range<usize>,
    form: Form,
    id: Id,
    /// Where the text starts, if it comes from a file of the user.
    origin: Option<Box<Place>>,
    /// Whether the fast reader has accepted the text, as an item of a list.
    is_simple: bool,
    read: OnceLock<Box<Document>>,
    /// What was read before everything was.
    parts: Parts,
    /// The text after the last edit. A tree takes several times as much memory, so it is read again when it is needed.
    edited: Option<Box<Edited>>,
    /// The document before the first edit, if it was read again to report its lines.
    original: OnceLock<Box<Document>>,
    /// Whether the resource is only for local tools, once that is known.
    is_local: OnceLock<bool>,
    /// Whether the metadata has only strings where it must, once that is known.
    has_plain_metadata: OnceLock<bool>,
    /// Another item of the list uses an anchor of this one, so this one must not change.
    lends_anchors: bool,
    /// What a function generated for this object in this run.
    generated_as: Option<Box<Text>>,
    /// Keys that occur twice in a mapping. A resource with such keys is only for reports.
    duplicate_keys: Vec<DuplicateKey>,
}

impl Resource {
    pub(super) fn in_value(source: Text, range: Range<usize>, id: Id) -> Self {
        Self::slice(source, range, Form::Value, id)
    }

    pub(super) fn in_entry(source: Text, range: Range<usize>, id: Id) -> Self {
        Self::slice(source, range, Form::Entry, id)
    }

    fn slice(source: Text, range: Range<usize>, form: Form, id: Id) -> Self {
        Resource {
            source,
            range,
            form,
            id,
            origin: None,
            is_simple: false,
            read: OnceLock::new(),
            parts: Parts::default(),
            edited: None,
            original: OnceLock::new(),
            is_local: OnceLock::new(),
            has_plain_metadata: OnceLock::new(),
            lends_anchors: false,
            generated_as: None,
            duplicate_keys: Vec::new(),
        }
    }

    /// Reads a document of a file. The text is parsed at once, because people write files and make mistakes.
    pub fn from_file(source: Text, range: Range<usize>, origin: Place) -> Result<Self, YamlError> {
        let first_line = origin.line.unwrap_or(1);
        let doc = Document::parse(source.part(range.clone())).map_err(|e| e.below(first_line))?;
        let id = doc.root().map(|root| id_of(&doc, root)).unwrap_or_default();
        let resource = Self::slice(source, range, Form::Document, id);
        let has_plain_metadata = OnceLock::from(metadata::is_plain(&doc));
        let read = OnceLock::from(Box::new(doc));
        Ok(Resource { origin: Some(Box::new(origin)), read, has_plain_metadata, ..resource })
    }

    /// A new resource. Its fields are written in the order of the value.
    pub fn new(value: &Value) -> Result<Self, Fault> {
        let text = write::document(value, &write::Formatting::default());
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
        self.edited.is_some()
    }

    /// Notes that the fast reader has accepted the text.
    pub(super) fn set_simple(&mut self) {
        self.is_simple = true;
    }

    pub(super) fn lend_anchors(&mut self) {
        self.lends_anchors = true;
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Discards trees, which take several times as much memory as their text. The next access reads the text again.
    /// Functions that look into every item call this when they are done with one.
    pub fn release(&mut self) {
        // A document with duplicate keys cannot be read again in the same way.
        if self.duplicate_keys.is_empty() {
            (self.read, self.parts) = (OnceLock::new(), Parts::default());
            self.original = OnceLock::new();
        }
        self.release_text();
    }

    /// Reads the text on first use.
    fn parsed(&self) -> Result<&Document, YamlError> {
        if let Some(doc) = self.read.get() {
            return Ok(doc);
        }
        let doc = self.parse(self.to_text())?;
        Ok(self.read.get_or_init(|| Box::new(doc)))
    }

    fn parse(&self, text: Text) -> Result<Document, YamlError> {
        match self.form {
            Form::Document | Form::Value => Document::parse(text),
            Form::Entry => Document::parse_entry(text),
        }
    }

    fn doc(&self) -> Result<&Document, Fault> {
        // The whole list has been read, so the only possible error is an alias whose anchor is in another item.
        self.parsed().map_err(|e| {
            Fault::new(&rules::YAML, format!("this item cannot be read by itself: {}", e.message())).on(self)
        })
    }

    /// The text as a tree. None if the resource cannot be read by itself.
    pub fn document(&self) -> Option<&Document> {
        self.parsed().ok()
    }

    /// The value of a field. None if it or a parent is missing or null.
    pub fn get<T: DeserializeOwned>(&self, path: &FieldPath) -> Result<Option<T>, Fault> {
        let Some(value) = self.value(path)?.filter(|value| !value.is_null()) else { return Ok(None) };
        let found = kind_of(&value);
        typed(&value).map(Some).map_err(|e| {
            let wanted = wanted(&e.to_string()).unwrap_or_else(|| "of another type".to_owned());
            Fault::new(&rules::WRONG_TYPE, format!("must be {wanted}, but is {found}")).field(self, path)
        })
    }

    pub fn value(&self, path: &FieldPath) -> Result<Option<Value>, Fault> {
        let value = self.find(path, |doc, node| doc.value(node))?.transpose();
        value.map_err(|e| Fault::new(&rules::YAML, e.message()).field(self, path))
    }

    /// Whether a field exists and is not null.
    pub fn has(&self, path: &FieldPath) -> Result<bool, Fault> {
        let is_set = |doc: &Document, node| doc.scalar(node) != Some(yaml::scalar::Scalar::Null);
        Ok(self.find(path, is_set)?.unwrap_or_default())
    }

    /// What `read` returns for the node of a field. None if the field is missing.
    fn find<T>(
        &self,
        path: &FieldPath,
        read: impl FnOnce(&Document, NodeId) -> T,
    ) -> Result<Option<T>, Fault> {
        let steps = path.steps();
        if let Some((part, rest)) = self.part(&steps) {
            return Ok(part.doc.find(rest).map(|node| read(&part.doc, node)));
        }
        let doc = self.doc()?;
        Ok(doc.find(&steps).map(|node| read(doc, node)))
    }

    /// The text of a scalar field as written, for messages.
    pub fn source_of(&self, path: &FieldPath) -> Option<&str> {
        let doc = self.doc().ok()?;
        let node = doc.find(&path.steps())?;
        matches!(doc.tree().kind(node), yaml::Kind::Scalar(_)).then(|| doc.source(node))
    }

    /// The fields that match a pattern, in document order.
    pub fn fields(&self, pattern: &FieldPattern) -> Result<Vec<FieldPath>, Fault> {
        Ok(pattern.resolve(self.doc()?))
    }

    /// Visits every key and every scalar. A resource that cannot be read has none.
    pub fn visit_leaves(&self, visit: &mut dyn FnMut(&Leaf<'_, '_>)) {
        if let Ok(doc) = self.doc() {
            doc.visit_leaves(visit);
        }
    }

    /// Sets a field and creates missing parents. Setting the current value changes nothing.
    pub fn set(&mut self, path: &FieldPath, value: impl Into<Value>) -> Result<(), Fault> {
        let value = value.into();
        if !self.lends_anchors
            && let Some(edited) = self.set_in_part(path, &value)
        {
            if edited.is_some() {
                self.edited = edited.map(Box::new);
                (self.parts, self.is_local) = (Parts::default(), OnceLock::new());
                self.has_plain_metadata = OnceLock::new();
            }
            return Ok(());
        }
        let edited = self.doc()?.set(&path.steps(), &value);
        self.accept(edited, path)
    }

    pub fn remove(&mut self, path: &FieldPath) -> Result<(), Fault> {
        let edited = self.doc()?.remove(&path.steps());
        self.accept(edited, path)
    }

    /// Renames the last key of a path.
    pub fn rename(&mut self, path: &FieldPath, key: &str) -> Result<(), Fault> {
        let edited = self.doc()?.rename(&path.steps(), key);
        self.accept(edited, path)
    }

    fn accept(&mut self, edited: Result<Option<Document>, YamlError>, path: &FieldPath) -> Result<(), Fault> {
        let edited = edited.map_err(|e| Fault::new(&rules::EDIT, e.message()).field(self, path))?;
        if edited.is_some() && self.lends_anchors {
            let message = "another item of the list uses an anchor of this one, so a change here could change that item too; write the value out there";
            return Err(Fault::new(&rules::EDIT, message).field(self, path));
        }
        if let Some(doc) = edited {
            if let Some(root) = doc.root() {
                self.id = id_of(&doc, root);
            }
            // The edit may have been one that the fast reader does not know.
            (self.is_simple, self.parts) = (false, Parts::default());
            self.read = OnceLock::new();
            self.is_local = OnceLock::from(local::is_local(&doc));
            self.has_plain_metadata = OnceLock::new();
            // The text was written between two trees, which are freed first, so that what stays takes their place.
            let written = doc.into_text();
            self.edited = Some(Box::new(Edited::new(&self.form, &self.source[self.range.clone()], &written)));
        }
        Ok(())
    }
}

/// The position of an object among the items.
pub fn position(items: &[Resource], kind: Kind, namespace: Option<&str>, name: &str) -> Option<usize> {
    items.iter().position(|item| {
        item.is(kind) && item.id().name == name && item.id().namespace.as_deref() == namespace
    })
}

pub(super) fn id_of(doc: &Document, root: NodeId) -> Id {
    Id::read(doc, doc.resolve(root))
}
