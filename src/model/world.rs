//! Resources by position, kind and name, and the sites of what they say.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::formats::json;
use crate::krm::{Fault, FieldPath, Id, Kind, Location, Resource};
use crate::yaml::Step;

/// The position of a resource among the items. It stays valid while functions edit the items, because they cannot
/// remove any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(usize);

impl ItemId {
    pub fn get(self, items: &[Resource]) -> &Resource {
        &items[self.0]
    }

    pub fn get_mut(self, items: &mut [Resource]) -> &mut Resource {
        &mut items[self.0]
    }
}

/// A field of one of the items.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub item: ItemId,
    pub path: FieldPath,
    /// The path in the field's text, if that text is itself a document, such as the JSON of a network
    /// attachment.
    pub inside: Option<FieldPath>,
}

impl Site {
    pub fn new(item: ItemId, path: FieldPath) -> Self {
        Site { item, path, inside: None }
    }

    /// The document in this field's text.
    #[must_use]
    pub fn into_text(mut self) -> Self {
        self.inside = Some(FieldPath::default());
        self
    }

    /// A field below this one.
    #[must_use]
    pub fn key(self, key: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        self.below(|path| path.key(key))
    }

    /// An element of this list.
    #[must_use]
    pub fn index(self, index: usize) -> Self {
        self.below(|path| path.index(index))
    }

    fn below(self, step: impl FnOnce(FieldPath) -> FieldPath) -> Self {
        match self.inside {
            Some(inside) => Site { inside: Some(step(inside)), ..self },
            None => Site { path: step(self.path), ..self },
        }
    }

    /// Where the field is, for findings. For a value inside a string, its position in that string.
    pub fn location(&self, items: &[Resource]) -> Location {
        let item = self.item.get(items);
        let Some(inside) = &self.inside else { return Location::of_field(item, &self.path) };
        let steps = inside.steps();
        item.location_inside(&self.path, |text| {
            let steps: Vec<json::Step<'_>> = steps.iter().map(json_step).collect();
            json::locate(text, &steps)
        })
    }
}

fn json_step(step: &Step) -> json::Step<'_> {
    match step {
        Step::Key(key) => json::Step::Key(key),
        Step::Index(index) => json::Step::Index(*index),
    }
}

/// A value, and where a resource says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sited<T> {
    pub value: T,
    pub site: Site,
}

impl<T> Sited<T> {
    pub fn new(value: T, item: ItemId, path: FieldPath) -> Self {
        Sited { value, site: Site::new(item, path) }
    }

    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Sited<U> {
        Sited { value: change(self.value), site: self.site }
    }

    pub fn as_ref(&self) -> Sited<&T> {
        Sited { value: &self.value, site: self.site.clone() }
    }
}

/// A value that cannot be read: a field of the wrong type, or a string that does not parse.
#[derive(Debug, Clone, PartialEq)]
pub struct Misread {
    pub site: Site,
    pub cause: Cause,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// The field has the wrong type or lacks a required field, or the resource is not valid YAML by itself.
    Type(Fault),
    /// The string does not parse as the field requires, such as a range of addresses.
    Text { text: String, why: String },
}

/// Resources, by position, kind and name.
#[derive(Debug)]
pub struct World<'r> {
    items: &'r [Resource],
    /// The first item of each object, built when it is first needed.
    objects: OnceLock<HashMap<Object<'r>, ItemId>>,
}

/// What identifies an object: group, kind, namespace and name.
type Object<'r> = (&'r str, &'r str, Option<&'r str>, &'r str);

impl<'r> World<'r> {
    pub fn new(items: &'r [Resource]) -> Self {
        World { items, objects: OnceLock::new() }
    }

    pub fn resources(&self) -> &'r [Resource] {
        self.items
    }

    pub fn get(&self, item: ItemId) -> &'r Resource {
        item.get(self.items)
    }

    /// Every item, in the order of the list.
    pub fn items(&self) -> impl Iterator<Item = (ItemId, &'r Resource)> + use<'r> {
        self.items.iter().enumerate().map(|(position, item)| (ItemId(position), item))
    }

    /// The items of a kind, in the order of the list.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (ItemId, &'r Resource)> + use<'r> {
        self.items().filter(move |(_, item)| item.is(kind))
    }

    /// The object with this kind, namespace and name.
    pub fn find(&self, kind: Kind, namespace: Option<&str>, name: &str) -> Option<ItemId> {
        let objects = self.objects.get_or_init(|| {
            let mut objects = HashMap::with_capacity(self.items.len());
            for (item, resource) in self.items() {
                let Id { kind, namespace, name, .. } = resource.id();
                let object = (resource.id().group(), kind.as_str(), namespace.as_deref(), name.as_str());
                objects.entry(object).or_insert(item);
            }
            objects
        });
        objects.get(&(kind.group(), kind.kind, namespace, name)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{Object, Place};

    const POOL: Kind = Kind::new("metallb.io/v1beta1", "IPAddressPool");

    fn items() -> Vec<Resource> {
        let object = |api_version: &str, namespace, name| {
            Object::new(POOL, name).api_version(api_version).namespace(namespace).build().unwrap()
        };
        vec![
            object("metallb.io/v1beta1", Some("a"), "x"),
            object("example.com/v1", Some("a"), "x"),
            object("metallb.io/v2", None, "x"),
        ]
    }

    #[test]
    fn objects_are_found_by_kind_and_name() {
        let items = items();
        let world = World::new(&items);
        let positions: Vec<usize> = world.of_kind(POOL).map(|(id, _)| id.0).collect();
        assert_eq!(positions, [0, 2], "versions of one kind are one kind, other groups are not");
        assert_eq!(world.find(POOL, None, "x"), Some(ItemId(2)));
        assert_eq!(world.find(POOL, Some("b"), "x"), None);
        assert_eq!(world.items().count(), 3);
    }

    #[test]
    fn a_site_knows_its_resource_and_field() {
        let items = items();
        let name = Sited::new("x", ItemId(2), FieldPath::new("metadata")).map(str::len);
        let location = name.site.key("name").location(&items);
        assert_eq!(location.resource.as_ref(), Some(items[2].id()));
        assert_eq!(location.field, Some(FieldPath::new("metadata.name")));
    }

    #[test]
    fn a_site_in_a_text_knows_the_field_and_the_path_in_the_text() {
        let text = Site::new(ItemId(0), FieldPath::new("spec.config")).into_text();
        let range = text.key("ipam").key("ranges").index(1);
        assert_eq!(range.path, FieldPath::new("spec.config"));
        assert_eq!(range.inside, Some(FieldPath::new("ipam.ranges[1]")));
    }

    #[test]
    fn a_site_in_a_text_has_the_line_of_its_value() {
        let text = "kind: A\nspec:\n  config: |\n    {\n      \"ipam\": {\"ranges\": [1, 22]}\n    }\n";
        let origin = Place::in_file("a.yaml", Some(11));
        let items = [Resource::from_file(text.into(), 0..text.len(), origin).unwrap()];
        let config = Site::new(ItemId(0), FieldPath::new("spec.config"));
        let place = |site: Site| site.location(&items).place;
        let range = config.clone().into_text().key("ipam").key("ranges").index(1);
        let found = place(range.clone());
        assert_eq!((found.line, found.column, &text[found.span.unwrap()]), (Some(15), Some(30), "22"));
        assert_eq!(range.location(&items).field, Some(config.path.clone()));
        assert_eq!(place(config.clone().into_text().key("other")), place(config), "the field itself");
    }
}
