//! Reads the fields of one resource: each value with its site, each wrong type and each invalid string as a
//! misread.

use std::cell::RefCell;

use serde_json::Value;

use super::{Cause, ItemId, Misread, Site, Sited};
use crate::formats::cidr::{Address, Cidr};
use crate::formats::json;
use crate::krm::{Fault, FieldPath, Resource, kind_of, quoted, rules};

/// What a reader of YAML accepts besides the types that a field should have.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// Whether `"24"` is a number and `"true"` a boolean.
    pub converts_strings: bool,
    /// Whether a string refers to a value that is known only in the cluster.
    pub is_reference: fn(&str) -> bool,
}

/// The API server, and encoding/json.
pub const STRICT: Dialect = Dialect { converts_strings: false, is_reference: |_| false };

/// The reader of one resource.
#[derive(Debug)]
pub struct Reading<'r> {
    item: ItemId,
    resource: &'r Resource,
    dialect: Dialect,
    misreads: RefCell<Vec<Misread>>,
    references: RefCell<Vec<Site>>,
}

impl<'r> Reading<'r> {
    pub fn new(item: ItemId, resource: &'r Resource, dialect: Dialect) -> Self {
        let (misreads, references) = (RefCell::default(), RefCell::default());
        Reading { item, resource, dialect, misreads, references }
    }

    /// Reads a top-level field of the resource that must be a mapping, such as `spec`.
    pub fn section<T>(&self, key: &'static str, read: impl FnOnce(Map<'_>) -> T) -> T {
        let path = FieldPath::default().key(key);
        let site = Site::new(self.item, path.clone());
        let value = self.resource.value(&path).unwrap_or_else(|fault| {
            self.add(site.clone(), Cause::Type(fault));
            None
        });
        let field = value.as_ref().and_then(|value| Field::new(self, value, site.clone()));
        let empty = || Map { reading: self, entries: None, site };
        read(field.map_or_else(empty, Field::map))
    }

    /// What could not be read, and the fields whose values are known only in the cluster.
    pub fn finish(self) -> (Vec<Misread>, Vec<Site>) {
        (self.misreads.into_inner(), self.references.into_inner())
    }

    /// Records a string that does not parse as its field requires.
    pub fn bad_text(&self, site: Site, text: impl Into<String>, why: impl Into<String>) {
        self.add(site, Cause::Text { text: text.into(), why: why.into() });
    }

    fn bad_type(&self, site: Site, wanted: &str, found: &str) {
        let message = match &site.inside {
            Some(inside) if *inside != FieldPath::default() => {
                format!("`{inside}` must be {wanted}, but is {found}")
            }
            _ => format!("must be {wanted}, but is {found}"),
        };
        self.wrong_type(site, message);
    }

    fn wrong_type(&self, site: Site, message: String) {
        let fault = Fault::new(&rules::WRONG_TYPE, message).field(self.resource, &site.path);
        self.add(site, Cause::Type(fault));
    }

    fn missing(&self, site: Site, key: &str) {
        let message = format!("`{key}` is missing");
        let fault = Fault::new(&rules::MISSING_KEY, message).field(self.resource, &site.path);
        self.add(site, Cause::Type(fault));
    }

    fn add(&self, site: Site, cause: Cause) {
        self.misreads.borrow_mut().push(Misread { site, cause });
    }
}

/// A value and its site.
#[derive(Debug, Clone)]
pub struct Field<'v> {
    reading: &'v Reading<'v>,
    value: &'v Value,
    pub site: Site,
}

impl<'v> Field<'v> {
    /// None for null, which counts as missing, and for a value that is known only in the cluster.
    fn new(reading: &'v Reading<'_>, value: &'v Value, site: Site) -> Option<Self> {
        Some(Self::element(reading, value, site)?).filter(|field| !field.value.is_null())
    }

    /// The same for an element of a list, where null is a value like any other.
    fn element(reading: &'v Reading<'_>, value: &'v Value, site: Site) -> Option<Self> {
        if value.as_str().is_some_and(reading.dialect.is_reference) {
            reading.references.borrow_mut().push(site);
            return None;
        }
        Some(Field { reading, value, site })
    }

    fn bad_type(&self, wanted: &str) {
        self.reading.bad_type(self.site.clone(), wanted, kind_of(self.value));
    }

    /// The mapping; an empty one if the value has another type.
    pub fn map(self) -> Map<'v> {
        let entries = self.value.as_object();
        if entries.is_none() {
            self.bad_type("a mapping");
        }
        Map { reading: self.reading, entries, site: self.site }
    }

    /// The mapping, if the value is one. Another type is not a misread: its shape tells what the value is.
    pub fn into_map(self) -> Option<Map<'v>> {
        self.value.is_object().then(|| self.map())
    }

    pub fn is_string(&self) -> bool {
        self.value.is_string()
    }

    /// Whether the value is an empty string.
    pub fn is_empty(&self) -> bool {
        self.value.as_str() == Some("")
    }

    pub fn list(self) -> Vec<Field<'v>> {
        let Some(list) = self.value.as_array() else {
            self.bad_type("a list");
            return Vec::new();
        };
        let element = |(index, value)| Field::element(self.reading, value, self.site.clone().index(index));
        list.iter().enumerate().filter_map(element).collect()
    }

    pub fn string(self) -> Option<Sited<String>> {
        self.parse(|text| Ok(text.to_owned()))
    }

    /// A string, parsed as the field requires.
    pub fn parse<T>(self, parse: impl FnOnce(&str) -> Result<T, String>) -> Option<Sited<T>> {
        let Some(text) = self.value.as_str() else {
            self.bad_type("a string");
            return None;
        };
        match parse(text) {
            Ok(value) => Some(Sited { value, site: self.site }),
            Err(why) => {
                self.reading.bad_text(self.site, text, why);
                None
            }
        }
    }

    /// A whole number up to a maximum.
    pub fn number<T: TryFrom<u64>>(self, highest: u64) -> Option<Sited<T>> {
        let in_string = self.value.as_str().filter(|_| self.reading.dialect.converts_strings);
        let number = match in_string {
            Some(text) => text.trim().parse().ok(),
            None => self.value.as_u64(),
        };
        let value = number.filter(|number| *number <= highest).and_then(|number| T::try_from(number).ok());
        if let Some(value) = value {
            return Some(Sited { value, site: self.site });
        }
        let wanted = format!("a whole number from 0 to {highest}");
        match (in_string, self.value) {
            (Some(text), _) => self.reading.bad_type(self.site, &wanted, &quoted(text)),
            (None, Value::Number(number)) => self.reading.bad_type(self.site, &wanted, &number.to_string()),
            _ => self.bad_type("a whole number"),
        }
        None
    }

    pub fn boolean(self) -> Option<Sited<bool>> {
        let in_string = self.value.as_str().filter(|_| self.reading.dialect.converts_strings);
        let value = match in_string {
            Some(text) => text.to_ascii_lowercase().parse().ok(),
            None => self.value.as_bool(),
        };
        if value.is_none() {
            self.bad_type("a boolean");
        }
        value.map(|value| Sited { value, site: self.site })
    }

    /// The document in a JSON string, which must be an object.
    pub fn json<T>(self, read: impl FnOnce(Map<'_>) -> T) -> Option<T> {
        let reading = self.reading;
        let text = self.string()?;
        let document = json::parse(&text.value);
        let document = document.map_err(|why| reading.wrong_type(text.site.clone(), why)).ok()?;
        let object = Field { reading, value: &document, site: text.site.into_text() };
        Some(read(object.map()))
    }
}

/// A mapping and its site. One that is missing or of another type is empty.
#[derive(Debug, Clone)]
pub struct Map<'v> {
    pub reading: &'v Reading<'v>,
    entries: Option<&'v serde_json::Map<String, Value>>,
    pub site: Site,
}

impl<'v> Map<'v> {
    /// A field; none if it is missing or null.
    pub fn get(&self, key: &'static str) -> Option<Field<'v>> {
        Field::new(self.reading, self.entries?.get(key)?, self.site.clone().key(key))
    }

    /// Whether a value exists but none of it could be read.
    pub fn is_unread<T>(&self, key: &str, read: &Option<T>) -> bool {
        read.is_none()
            && self.entries.and_then(|entries| entries.get(key)).is_some_and(|value| !value.is_null())
    }

    /// The first of several keys that have the same meaning.
    pub fn first_of(&self, keys: &[&'static str]) -> Option<Field<'v>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// Every entry, in document order.
    pub fn entries(&self) -> impl Iterator<Item = (&'v str, Field<'v>)> {
        let field = |(key, value): (&'v String, &'v Value)| {
            let site = self.site.clone().key(key.clone());
            Field::new(self.reading, value, site).map(|field| (key.as_str(), field))
        };
        self.entries.into_iter().flatten().filter_map(field)
    }

    /// Records each of these keys that is missing or null.
    pub fn require(&self, keys: &[&str]) {
        let Some(entries) = self.entries else { return };
        for key in keys.iter().filter(|key| entries.get(**key).is_none_or(Value::is_null)) {
            self.reading.missing(self.site.clone(), key);
        }
    }

    pub fn map(&self, key: &'static str) -> Map<'v> {
        let missing = || Map { reading: self.reading, entries: None, site: self.site.clone().key(key) };
        self.get(key).map_or_else(missing, Field::map)
    }

    /// Reads each element of a list.
    pub fn each<T>(&self, key: &'static str, read: impl FnMut(Field<'v>) -> Option<T>) -> Vec<T> {
        self.get(key).map(Field::list).unwrap_or_default().into_iter().filter_map(read).collect()
    }

    pub fn string(&self, key: &'static str) -> Option<Sited<String>> {
        self.get(key)?.string()
    }

    pub fn address(&self, key: &'static str) -> Option<Sited<Address>> {
        self.get(key)?.parse(Address::parse)
    }

    pub fn cidr(&self, key: &'static str) -> Option<Sited<Cidr>> {
        self.get(key)?.parse(Cidr::parse)
    }

    pub fn number<T: TryFrom<u64>>(&self, key: &'static str, highest: u64) -> Option<Sited<T>> {
        self.get(key)?.number(highest)
    }

    pub fn boolean(&self, key: &'static str) -> Option<Sited<bool>> {
        self.get(key)?.boolean()
    }
}

#[cfg(test)]
mod tests {
    use crate::krm::ResourceList;
    use crate::model::{Cause, World, network};

    #[test]
    fn a_resource_that_cannot_be_read_by_itself_is_a_misread() {
        let text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}, spec: &s {networks: []}}\n- apiVersion: network.openstack.org/v1beta1\n  kind: NetConfig\n  metadata: {name: b}\n  spec: *s\n";
        let list = ResourceList::parse(text).unwrap();
        let (found, misreads) = network::read(&World::new(&list.items));
        assert_eq!(found.net_configs.len(), 1);
        let [misread] = misreads.as_slice() else { panic!("{misreads:?}") };
        assert_eq!(misread.site.path.to_string(), "spec");
        let Cause::Type(fault) = &misread.cause else { panic!("{misread:?}") };
        assert!(fault.to_string().contains("cannot be read by itself"), "{fault}");
    }
}
