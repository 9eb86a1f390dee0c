//! The builder of new objects.

use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::id::Kind;
use super::resource::Resource;

/// A new object. Its fields are written in the order of the calls, after apiVersion, kind and metadata.
#[derive(Debug, Clone)]
pub struct Object {
    api_version: String,
    kind: &'static str,
    metadata: Map<String, Value>,
    fields: Map<String, Value>,
}

impl Object {
    pub fn new(kind: Kind, name: &str) -> Self {
        Object {
            api_version: kind.api_version.to_owned(),
            kind: kind.kind,
            metadata: Map::from_iter([("name".to_owned(), json!(name))]),
            fields: Map::new(),
        }
    }

    /// Sets another version of the API.
    #[must_use]
    pub fn api_version(mut self, api_version: impl Into<String>) -> Self {
        self.api_version = api_version.into();
        self
    }

    /// None for a cluster-scoped object, or one that gets its namespace when it is applied.
    #[must_use]
    pub fn namespace(mut self, namespace: Option<&str>) -> Self {
        self.metadata.extend(namespace.map(|namespace| ("namespace".to_owned(), json!(namespace))));
        self
    }

    #[must_use]
    pub fn labels(self, labels: Map<String, Value>) -> Self {
        self.metadata_map("labels", labels)
    }

    #[must_use]
    pub fn annotations(self, annotations: Map<String, Value>) -> Self {
        self.metadata_map("annotations", annotations)
    }

    fn metadata_map(mut self, key: &str, map: Map<String, Value>) -> Self {
        if !map.is_empty() {
            self.metadata.insert(key.to_owned(), Value::Object(map));
        }
        self
    }

    #[must_use]
    pub fn field(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    pub fn into_value(self) -> Value {
        let mut object = Map::new();
        object.insert("apiVersion".to_owned(), Value::String(self.api_version));
        object.insert("kind".to_owned(), json!(self.kind));
        object.insert("metadata".to_owned(), Value::Object(self.metadata));
        object.extend(self.fields);
        Value::Object(object)
    }

    pub fn build(self) -> Result<Resource, Fault> {
        Resource::new(&self.into_value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_in_the_order_of_the_calls() {
        let kind = Kind::new("example.com/v1", "Thing");
        let labels = Map::from_iter([("a".to_owned(), json!("b"))]);
        let object = Object::new(kind, "x").namespace(Some("ns")).labels(labels).annotations(Map::new());
        let resource = object.field("z", 1).field("b", json!({"c": []})).build().unwrap();
        assert_eq!(
            resource.text(),
            "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: x\n  namespace: ns\n  labels:\n    a: b\nz: 1\nb:\n  c: []\n"
        );
        let bare = Object::new(kind, "x").namespace(None).api_version("example.com/v2").into_value();
        assert_eq!(bare, json!({"apiVersion": "example.com/v2", "kind": "Thing", "metadata": {"name": "x"}}));
    }
}
