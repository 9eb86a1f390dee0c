//! Reads single fields of an item. What cannot be read becomes a [`Misread`], and reading continues.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::world::{Cause, ItemId, Misread, Site, Sited};
use crate::krm::{CollectOrdered, Fault, FieldPath, FieldPattern, Id, Resource, rules};
use crate::platform::kubernetes;

pub(super) struct ItemReader<'r, 'm> {
    pub item: ItemId,
    pub resource: &'r Resource,
    misreads: &'m mut Vec<Misread>,
}

/// A field that cannot be read. It is among the misreads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unreadable;

impl<'r, 'm> ItemReader<'r, 'm> {
    pub fn new(item: ItemId, resource: &'r Resource, misreads: &'m mut Vec<Misread>) -> Self {
        ItemReader { item, resource, misreads }
    }

    pub fn id(&self) -> Id {
        self.resource.id().clone()
    }

    pub fn namespace(&self) -> Option<String> {
        self.resource.id().namespace.clone()
    }

    pub fn site(&self, path: FieldPath) -> Site {
        Site::new(self.item, path)
    }

    /// The value of a field. None if it or a parent is missing or null.
    pub fn try_get<T: DeserializeOwned>(&mut self, path: &FieldPath) -> Result<Option<T>, Unreadable> {
        let value = self.resource.get(path);
        self.read(path, value).ok_or(Unreadable)
    }

    /// Like [`Self::try_get`], but a field that cannot be read counts as missing.
    pub fn get<T: DeserializeOwned>(&mut self, path: &FieldPath) -> Option<T> {
        self.try_get(path).ok().flatten()
    }

    /// Whether a field exists and is not null.
    pub fn has(&mut self, path: &FieldPath) -> bool {
        let has = self.resource.has(path);
        self.read(path, has).unwrap_or_default()
    }

    /// The value with its site, which is known even if the field is missing.
    pub fn sited<T: DeserializeOwned>(&mut self, path: FieldPath) -> Sited<Option<T>> {
        Sited { value: self.get(&path), site: self.site(path) }
    }

    /// The same for a field whose type another rule checks: what cannot be read is no misread.
    pub fn quiet<T: DeserializeOwned>(&self, path: FieldPath) -> Sited<Option<T>> {
        Sited { value: self.resource.get(&path).ok().flatten(), site: self.site(path) }
    }

    /// The text of a field, empty if it is missing or null. None if it is not a string.
    pub fn text(&mut self, path: &FieldPath) -> Option<String> {
        self.try_get(path).ok().map(Option::unwrap_or_default)
    }

    /// The value of a field, whatever its type, even null. None if it is missing.
    pub fn value(&mut self, path: &FieldPath) -> Option<Value> {
        let value = self.resource.value(path);
        self.read(path, value).flatten()
    }

    /// The value of a field, whatever its type. None if it is missing or null.
    pub fn non_null(&mut self, path: &FieldPath) -> Option<Value> {
        self.value(path).filter(|value| !value.is_null())
    }

    /// The labels of the object. Kubernetes refuses a label whose value is not a string, so it matches no selector.
    pub fn labels(&mut self) -> BTreeMap<String, String> {
        let labels = self.value(&kubernetes::labels());
        let entries = labels.as_ref().and_then(Value::as_object).into_iter().flatten();
        entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect_ordered()
    }

    /// The value of an element of a list, which must not be null.
    pub fn element<T: DeserializeOwned>(&mut self, path: &FieldPath, kind: &str) -> Result<T, Unreadable> {
        self.try_get(path)?.ok_or_else(|| {
            let message = format!("must be {kind}, but is null");
            let fault = Fault::new(&rules::WRONG_TYPE, message).field(self.resource, path);
            self.add(path, Cause::Type(fault));
            Unreadable
        })
    }

    /// A list of names.
    pub fn names(&mut self, list: &FieldPath) -> Result<Option<Vec<Sited<String>>>, Unreadable> {
        let Some(elements) = self.try_get::<Vec<Value>>(list)? else { return Ok(None) };
        let paths = (0..elements.len()).map(|index| list.clone().index(index));
        // Read all of them before returning, so that every misread is recorded.
        let names: Vec<Result<Sited<String>, Unreadable>> = paths
            .map(|path| Ok(Sited { value: self.element(&path, "a string")?, site: self.site(path) }))
            .collect();
        names.into_iter().collect::<Result<_, _>>().map(Some)
    }

    /// The fields that match a pattern, in document order.
    pub fn fields(&mut self, pattern: &FieldPattern) -> Vec<FieldPath> {
        let fields = self.resource.fields(pattern);
        self.read(&FieldPath::default(), fields).unwrap_or_default()
    }

    /// The result of reading a field by other means.
    pub fn read<T>(&mut self, path: &FieldPath, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.add(path, Cause::Type(fault))).ok()
    }

    /// The result of parsing the text of a field.
    pub fn parsed<T>(&mut self, path: &FieldPath, text: &str, parsed: Result<T, String>) -> Option<T> {
        parsed.map_err(|why| self.add(path, Cause::Text { text: text.to_owned(), why })).ok()
    }

    fn add(&mut self, path: &FieldPath, cause: Cause) {
        self.misreads.push(Misread { site: self.site(path.clone()), cause });
    }
}
