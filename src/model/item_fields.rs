//! The fields of one item, and those of them that cannot be read.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::world::{Cause, ItemId, Misread, Site, Sited, World};
use crate::krm::{Fault, FieldPath, FieldPattern, Id, Resource, rules};

/// Reads fields of one item and collects misreads.
pub(super) struct Fields<'r, 'm> {
    item: ItemId,
    resource: &'r Resource,
    misreads: &'m mut Vec<Misread>,
}

/// A field that cannot be read; it is among the misreads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unreadable;

impl<'r, 'm> Fields<'r, 'm> {
    pub fn of(item: ItemId, world: &World<'r>, misreads: &'m mut Vec<Misread>) -> Self {
        Fields { item, resource: world.get(item), misreads }
    }

    pub fn id(&self) -> Id {
        self.resource.id().clone()
    }

    pub fn site(&self, path: FieldPath) -> Site {
        Site::new(self.item, path)
    }

    /// The value of a field; none if it or a parent is missing or null.
    pub fn get<T: DeserializeOwned>(&mut self, path: &FieldPath) -> Result<Option<T>, Unreadable> {
        let value = self.resource.get(path);
        value.map_err(|fault| self.note(path.clone(), fault))
    }

    /// The value of an element of a list, which must not be null.
    pub fn element<T: DeserializeOwned>(&mut self, path: &FieldPath, kind: &str) -> Result<T, Unreadable> {
        self.get(path)?.ok_or_else(|| {
            let message = format!("must be {kind}, but is null");
            let fault = Fault::new(&rules::WRONG_TYPE, message).field(self.resource, path);
            self.note(path.clone(), fault)
        })
    }

    /// The value with its site, which is known even if the field is missing. A value that cannot be read counts as
    /// missing.
    pub fn sited<T: DeserializeOwned>(&mut self, path: FieldPath) -> Sited<Option<T>> {
        Sited { value: self.get(&path).unwrap_or(None), site: self.site(path) }
    }

    /// A list of names.
    pub fn names(&mut self, list: &FieldPath) -> Result<Option<Vec<Sited<String>>>, Unreadable> {
        let Some(elements) = self.get::<Vec<Value>>(list)? else { return Ok(None) };
        let paths = (0..elements.len()).map(|index| list.clone().index(index));
        let names: Vec<Result<Sited<String>, Unreadable>> = paths
            .map(|path| Ok(Sited { value: self.element(&path, "a string")?, site: self.site(path) }))
            .collect();
        names.into_iter().collect::<Result<_, _>>().map(Some)
    }

    /// The fields that match a pattern, in the order of the text.
    pub fn matching(&mut self, pattern: &FieldPattern) -> Vec<FieldPath> {
        let paths = self.resource.fields(pattern);
        paths.map_err(|fault| self.note(FieldPath::default(), fault)).unwrap_or_default()
    }

    fn note(&mut self, path: FieldPath, fault: Fault) -> Unreadable {
        let site = self.site(path);
        self.misreads.push(Misread { site, cause: Cause::Type(fault) });
        Unreadable
    }
}
