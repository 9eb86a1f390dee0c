//! The fields of one item. What cannot be read is noted as a [`Misread`], and reading goes on.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::world::{Cause, ItemId, Misread, Site};
use crate::krm::{Fault, FieldPath, FieldPattern, Resource};

pub struct ItemFields<'w, 'm> {
    id: ItemId,
    item: &'w Resource,
    misreads: &'m mut Vec<Misread>,
}

impl<'w, 'm> ItemFields<'w, 'm> {
    pub fn new(id: ItemId, item: &'w Resource, misreads: &'m mut Vec<Misread>) -> Self {
        ItemFields { id, item, misreads }
    }

    /// The value of a field. None if it is missing, null or of another type.
    pub fn get<T: DeserializeOwned>(&mut self, path: &FieldPath) -> Option<T> {
        let read = self.item.get(path);
        self.note(read, path).flatten()
    }

    /// The value of a field, whatever its type. None if it is missing.
    pub fn value(&mut self, path: &FieldPath) -> Option<Value> {
        let read = self.item.value(path);
        self.note(read, path).flatten()
    }

    /// The fields that match a pattern, in the order of the text.
    pub fn matching(&mut self, pattern: &FieldPattern) -> Vec<FieldPath> {
        self.read(&FieldPath::default(), |item| item.fields(pattern)).unwrap_or_default()
    }

    /// What another reader finds at a path.
    pub fn read<T>(
        &mut self,
        path: &FieldPath,
        read: impl FnOnce(&Resource) -> Result<T, Fault>,
    ) -> Option<T> {
        let read = read(self.item);
        self.note(read, path)
    }

    fn note<T>(&mut self, read: Result<T, Fault>, path: &FieldPath) -> Option<T> {
        let misread = |fault| Misread { site: Site::new(self.id, path.clone()), cause: Cause::Type(fault) };
        read.map_err(|fault| self.misreads.push(misread(fault))).ok()
    }
}
