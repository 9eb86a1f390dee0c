//! CustomResourceDefinitions, read into a graph of fields.

use crate::platform::crds::{Builder, Flags, NodeId, Schema};
use crate::yaml::scalar::Scalar;
use crate::yaml::{Document, Kind, NodeId as YamlNode};

/// The kind of the objects that this module reads.
pub const KIND: &str = "CustomResourceDefinition";

/// Fields that every resource has. `status` is written by controllers.
const OF_EVERY_RESOURCE: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// A served version of a kind.
#[derive(Debug, PartialEq, Eq)]
pub struct Definition {
    pub api_version: String,
    pub kind: String,
    pub root: NodeId,
}

/// Reads the CRDs of a document: one, or those of a List. Other objects are skipped, and so is a patch of a CRD, which has
/// no group.
pub fn read(doc: &Document, builder: &mut Builder) -> Result<Vec<Definition>, String> {
    let mut found = Vec::new();
    let Some(root) = doc.root().map(|root| doc.resolve(root)) else { return Ok(found) };
    let reader = &mut Reader { doc, builder };
    if reader.text(root, "kind").is_some_and(|kind| kind.ends_with("List"))
        && let Some(items) = reader.child(root, "items")
    {
        for item in doc.tree().children(items) {
            reader.definition(doc.resolve(item), &mut found)?;
        }
    } else {
        reader.definition(root, &mut found)?;
    }
    Ok(found)
}

struct Reader<'d> {
    doc: &'d Document,
    builder: &'d mut Builder,
}

/// The keys of a schema that matter here.
#[derive(Default)]
struct Keys<'d> {
    kind: Option<&'d str>,
    properties: Option<YamlNode>,
    additional: Option<YamlNode>,
    items: Option<YamlNode>,
    flags: Flags,
    is_int_or_string: bool,
    /// Whether part of the schema is written elsewhere. Generators of CRDs do not write aliases.
    has_alias: bool,
}

impl<'d> Reader<'d> {
    fn child(&self, node: YamlNode, key: &str) -> Option<YamlNode> {
        Some(self.doc.resolve(self.doc.entry(node, key)?))
    }

    fn text(&self, node: YamlNode, key: &str) -> Option<&'d str> {
        match self.doc.scalar(self.child(node, key)?) {
            Some(Scalar::Str(text)) => Some(text),
            _ => None,
        }
    }

    fn is_true(&self, node: YamlNode) -> bool {
        self.doc.scalar(node) == Some(Scalar::Bool(true))
    }

    fn definition(&mut self, root: YamlNode, found: &mut Vec<Definition>) -> Result<(), String> {
        if self.text(root, "kind") != Some(KIND) {
            return Ok(());
        }
        let Some(spec) = self.child(root, "spec") else { return Ok(()) };
        let Some(group) = self.text(spec, "group").filter(|group| !group.is_empty()) else { return Ok(()) };
        let name = self.child(root, "metadata").and_then(|metadata| self.text(metadata, "name"));
        let lacks = |field: &str| format!("the {KIND} {} has no `{field}`", name.unwrap_or(group));
        let names = self.child(spec, "names");
        let kind =
            names.and_then(|names| self.text(names, "kind")).ok_or_else(|| lacks("spec.names.kind"))?;
        // In the API version v1beta1, a definition without this field keeps unknown fields.
        let is_old = self.text(root, "apiVersion").is_some_and(|version| version.ends_with("/v1beta1"));
        let keeps_unknown = match self.child(spec, "preserveUnknownFields") {
            Some(node) => self.is_true(node),
            None => is_old,
        };
        let common = self.child(spec, "validation").and_then(|node| self.child(node, "openAPIV3Schema"));
        let versions = self.child(spec, "versions").ok_or_else(|| lacks("spec.versions"))?;
        for version in self.doc.tree().children(versions) {
            let version = self.doc.resolve(version);
            let name = self.text(version, "name").ok_or_else(|| lacks("spec.versions[].name"))?;
            if !self.child(version, "served").is_none_or(|served| self.is_true(served)) {
                continue;
            }
            let schema = self.child(version, "schema").and_then(|node| self.child(node, "openAPIV3Schema"));
            let root = match schema.or(common).filter(|_| !keeps_unknown) {
                Some(schema) => self.root(schema),
                None => self.builder.node(Schema::Any),
            };
            found.push(Definition { api_version: format!("{group}/{name}"), kind: kind.to_owned(), root });
        }
        Ok(())
    }

    /// The fields of a resource, without those of every resource.
    fn root(&mut self, schema: YamlNode) -> NodeId {
        let keys = self.keys(schema);
        let Some(properties) = keys.properties.filter(|_| !keys.has_alias) else {
            return self.builder.node(Schema::Any);
        };
        self.object(properties, &keys, &OF_EVERY_RESOURCE)
    }

    fn keys(&self, schema: YamlNode) -> Keys<'d> {
        let mut keys = Keys::default();
        for (key, value) in self.doc.tree().pairs(schema) {
            keys.has_alias |= self.doc.tree().kind(value) == Kind::Alias;
            match self.doc.key_text(key).unwrap_or_default() {
                "type" => {
                    if let Some(Scalar::Str(text)) = self.doc.scalar(value) {
                        keys.kind = Some(text);
                    }
                }
                "<<" => keys.has_alias = true,
                "properties" => keys.properties = Some(value),
                "additionalProperties" => keys.additional = Some(value),
                "items" => keys.items = Some(value),
                "x-kubernetes-preserve-unknown-fields" => keys.flags.keeps_unknown = self.is_true(value),
                "x-kubernetes-int-or-string" => keys.is_int_or_string = self.is_true(value),
                "x-kubernetes-embedded-resource" => keys.flags.is_resource = self.is_true(value),
                _ => {}
            }
        }
        keys
    }

    fn schema(&mut self, schema: YamlNode) -> NodeId {
        let mut keys = self.keys(schema);
        keys.has_alias |= self.doc.tree().kind(schema) == Kind::Alias;
        if keys.is_int_or_string {
            return self.builder.node(Schema::IntOrString);
        }
        if keys.has_alias {
            return self.builder.node(Schema::Any);
        }
        let scalar = match keys.kind {
            Some("boolean") => Schema::Boolean,
            Some("integer") => Schema::Integer,
            Some("number") => Schema::Number,
            Some("string") => Schema::String,
            Some("array") => match keys.items.filter(|_| !keys.flags.keeps_unknown) {
                Some(items) => Schema::List(self.schema(items)),
                None => Schema::List(self.builder.node(Schema::Any)),
            },
            Some("object") => return self.mapping(&keys),
            None if keys.properties.is_some() && !keys.flags.keeps_unknown => return self.mapping(&keys),
            _ => Schema::Any,
        };
        self.builder.node(scalar)
    }

    fn mapping(&mut self, keys: &Keys<'_>) -> NodeId {
        match (keys.properties, keys.additional) {
            (Some(properties), _) => self.object(properties, keys, &[]),
            (None, Some(values)) if matches!(self.doc.tree().kind(values), Kind::Mapping(_)) => {
                let value = self.schema(values);
                self.builder.node(Schema::Map(value))
            }
            (None, Some(values)) if self.is_true(values) => {
                let value = self.builder.node(Schema::Any);
                self.builder.node(Schema::Map(value))
            }
            (None, _) => self.builder.object(Vec::new(), keys.flags),
        }
    }

    fn object(&mut self, properties: YamlNode, keys: &Keys<'_>, without: &[&str]) -> NodeId {
        let mut fields = Vec::new();
        for (name, field) in self.doc.tree().pairs(properties) {
            let Some(name) = self.doc.key_text(name).filter(|name| !without.contains(name)) else { continue };
            fields.push((name.to_owned().into(), self.schema(field)));
        }
        self.builder.object(fields, keys.flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::crds;

    fn table(versions: &str) -> Result<String, String> {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: as.example.com}}\nspec:\n  group: example.com\n  names: {{kind: A}}\n  versions: {versions}\n"
        );
        let mut builder = Builder::default();
        for found in read(&Document::parse(text).unwrap(), &mut builder)? {
            builder.define(&found.api_version, &found.kind, found.root);
        }
        Ok(crds::write(&builder.finish()))
    }

    fn fields(properties: &str) -> String {
        let schema = format!("{{type: object, properties: {{metadata: {{}}, status: {{}}, {properties}}}}}");
        table(&format!("[{{name: v1, served: true, schema: {{openAPIV3Schema: {schema}}}}}]")).unwrap()
    }

    #[test]
    fn types_of_fields_are_read() {
        for (schema, line) in [
            ("{type: string, enum: [a]}", "string"),
            ("{type: integer, format: int32}", "integer"),
            ("{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", "int-or-string"),
            ("{type: array, items: {type: array, items: {type: number}}}", "[][]number"),
            ("{type: object, additionalProperties: {type: boolean}}", "{}boolean"),
            ("{type: object, additionalProperties: true}", "{}any"),
            ("{type: object}", "object"),
            ("{type: object, x-kubernetes-preserve-unknown-fields: true}", "object+"),
            ("{type: object, x-kubernetes-embedded-resource: true}", "object@"),
            ("{x-kubernetes-preserve-unknown-fields: true}", "any"),
        ] {
            assert_eq!(
                fields(&format!("x: {schema}")),
                format!("example.com/v1/A object\n x {line}\n"),
                "{schema}"
            );
        }
    }

    #[test]
    fn equal_parts_are_one_node() {
        let part = "{type: object, properties: {a: {type: string, description: one}, b: {type: integer}}}";
        let other = part.replace("one", "other");
        assert_eq!(
            fields(&format!("x: {part}, y: {{type: array, items: {other}}}")),
            "example.com/v1/A object\n x object &x\n  a string\n  b integer\n y []*x\n"
        );
    }

    #[test]
    fn only_served_versions_are_read() {
        let any = "schema: {openAPIV3Schema: {x-kubernetes-preserve-unknown-fields: true}}";
        let versions = format!("[{{name: v1, served: true, {any}}}, {{name: v2, served: false, {any}}}]");
        assert_eq!(table(&versions).unwrap(), "example.com/v1/A any\n");
        assert_eq!(
            table("[{served: true}]").unwrap_err(),
            "the CustomResourceDefinition as.example.com has no `spec.versions[].name`"
        );
    }
}
