//! Reads the fields of one item, and collects what it cannot read.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::world::{Cause, ItemId, Misread, Site, World};
use crate::krm::{Fault, FieldPath, FieldPattern, Resource};

/// A field that cannot be read counts as missing, and is among the misreads.
pub(super) struct ItemReader<'r, 'm> {
    pub item: ItemId,
    pub resource: &'r Resource,
    misreads: &'m mut Vec<Misread>,
}

impl<'r, 'm> ItemReader<'r, 'm> {
    pub fn new(world: &World<'r>, item: ItemId, misreads: &'m mut Vec<Misread>) -> Self {
        ItemReader { item, resource: world.get(item), misreads }
    }

    pub fn site(&self, path: FieldPath) -> Site {
        Site::new(self.item, path)
    }

    /// The namespace of the item.
    pub fn namespace(&self) -> Option<String> {
        self.resource.id().namespace.clone()
    }

    pub fn get<T: DeserializeOwned>(&mut self, path: &FieldPath) -> Option<T> {
        let read = self.resource.get(path);
        self.read(path, read).flatten()
    }

    /// The text of a field, empty if it is null; none if it is not a text.
    pub fn text(&mut self, path: &FieldPath) -> Option<String> {
        let read = self.resource.get(path);
        self.read(path, read).map(Option::unwrap_or_default)
    }

    pub fn value(&mut self, path: &FieldPath) -> Option<Value> {
        let read = self.resource.value(path);
        self.read(path, read).flatten().filter(|value| !value.is_null())
    }

    /// Whether a field has a value.
    pub fn has(&mut self, path: &FieldPath) -> bool {
        self.value(path).is_some()
    }

    /// The fields that match a pattern, in the order of the text.
    pub fn fields(&mut self, pattern: &FieldPattern) -> Vec<FieldPath> {
        let read = self.resource.fields(pattern);
        self.read(&FieldPath::default(), read).unwrap_or_default()
    }

    /// The result of reading a field in another way.
    pub fn read<T>(&mut self, path: &FieldPath, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.add(path, Cause::Type(fault))).ok()
    }

    /// The value of a text that has been parsed.
    pub fn parsed<T>(&mut self, path: &FieldPath, text: &str, parsed: Result<T, String>) -> Option<T> {
        parsed.map_err(|why| self.add(path, Cause::Text { text: text.to_owned(), why })).ok()
    }

    fn add(&mut self, path: &FieldPath, cause: Cause) {
        self.misreads.push(Misread { site: self.site(path.clone()), cause });
    }
}
