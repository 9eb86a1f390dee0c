//! Builds a graph of fields in which equal parts are one node.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::{Flags, NodeId, Object, Schema, Schemas};
use crate::krm::{CollectOrdered, Order};

#[derive(Debug, Default)]
pub struct Builder {
    schemas: Schemas,
    seen: HashMap<Schema, NodeId>,
}

impl Builder {
    /// The node of a schema.
    pub fn node(&mut self, schema: Schema) -> NodeId {
        if let Some(node) = self.seen.get(&schema) {
            return *node;
        }
        let node = self.push(schema.clone());
        self.seen.insert(schema, node);
        node
    }

    /// The node of an object with these fields.
    pub fn object(&mut self, mut fields: Vec<(Cow<'static, str>, NodeId)>, flags: Flags) -> NodeId {
        fields.order();
        fields.dedup_by(|later, earlier| later.0 == earlier.0);
        self.node(Schema::Object(Object { fields, flags }))
    }

    /// A new node, without comparing it to others.
    pub(super) fn push(&mut self, schema: Schema) -> NodeId {
        let node = NodeId(u32::try_from(self.schemas.nodes.len()).unwrap_or(u32::MAX));
        self.schemas.nodes.push(schema);
        node
    }

    /// Defines a kind, and returns the node of an earlier definition if that is different.
    pub fn define(&mut self, api_version: &str, kind: &str, root: NodeId) -> Option<NodeId> {
        let name: Cow<'static, str> = format!("{api_version}/{kind}").into();
        match self.schemas.kinds.binary_search_by(|(other, _)| other.cmp(&name)) {
            Ok(at) => Some(self.schemas.kinds[at].1).filter(|other| *other != root),
            Err(at) => {
                self.schemas.kinds.insert(at, (name, root));
                None
            }
        }
    }

    pub(super) fn define_all(&mut self, kinds: Vec<(Cow<'static, str>, NodeId)>) {
        self.schemas.kinds = kinds;
    }

    pub fn finish(self) -> Schemas {
        self.schemas
    }

    /// Adds what another release has for the kinds of this one. Of an older release, the fields that this one lacks are
    /// added as removed.
    pub fn merge(&mut self, other: &Schemas, is_older: bool) {
        let mut merge = Merge { builder: self, other, is_older, merged: HashMap::new() };
        for at in 0..merge.builder.schemas.kinds.len() {
            let (name, own) = merge.builder.schemas.kinds[at].clone();
            let found = name.rsplit_once('/').and_then(|(api_version, kind)| other.kind(api_version, kind));
            if let Some(found) = found {
                let merged = merge.nodes(own, found);
                merge.builder.schemas.kinds[at].1 = merged;
            }
        }
    }
}

struct Merge<'b> {
    builder: &'b mut Builder,
    other: &'b Schemas,
    is_older: bool,
    merged: HashMap<(NodeId, NodeId), NodeId>,
}

impl Merge<'_> {
    fn nodes(&mut self, own: NodeId, other: NodeId) -> NodeId {
        if let Some(merged) = self.merged.get(&(own, other)) {
            return *merged;
        }
        let merged = match (self.builder.schemas.get(own).clone(), self.other.get(other)) {
            (Schema::Object(a), Schema::Object(b)) => self.objects(&a, b),
            (Schema::List(a), Schema::List(b)) => {
                let element = self.nodes(a, *b);
                self.builder.node(Schema::List(element))
            }
            (Schema::Map(a), Schema::Map(b)) => {
                let value = self.nodes(a, *b);
                self.builder.node(Schema::Map(value))
            }
            (Schema::Removed, _) if !self.is_older => self.copy(other),
            (a, b) if self.is_older || a == *b => own,
            // Releases disagree, so any value is right for one of them.
            _ => self.builder.node(Schema::Any),
        };
        self.merged.insert((own, other), merged);
        merged
    }

    fn objects(&mut self, own: &Object, other: &Object) -> NodeId {
        let mut fields: BTreeMap<Cow<'static, str>, NodeId> = own.fields.iter().cloned().collect_ordered();
        for (name, theirs) in &other.fields {
            let merged = match (fields.get(name), self.is_older) {
                (Some(ours), _) => self.nodes(*ours, *theirs),
                (None, true) if own.flags.keeps_unknown => continue,
                (None, true) => self.builder.node(Schema::Removed),
                (None, false) => self.copy(*theirs),
            };
            fields.insert(name.clone(), merged);
        }
        let keeps_unknown = own.flags.keeps_unknown || other.flags.keeps_unknown && !self.is_older;
        self.builder.object(fields.into_iter().collect(), Flags { keeps_unknown, ..own.flags })
    }

    /// The node of another graph in this one.
    fn copy(&mut self, other: NodeId) -> NodeId {
        match self.other.get(other) {
            Schema::List(element) => {
                let element = self.copy(*element);
                self.builder.node(Schema::List(element))
            }
            Schema::Map(value) => {
                let value = self.copy(*value);
                self.builder.node(Schema::Map(value))
            }
            Schema::Object(object) => {
                let copy = |(name, node): &(Cow<'static, str>, NodeId)| (name.clone(), self.copy(*node));
                let fields = object.fields.iter().map(copy).collect();
                self.builder.object(fields, object.flags)
            }
            scalar => self.builder.node(scalar.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::crds::table;

    fn merged(own: &str, other: &'static str, is_older: bool) -> String {
        let mut builder = Builder::default();
        // Copies, so that equal parts are one node.
        let own = table::read(Box::leak(own.to_owned().into_boxed_str()));
        for (name, root) in &own.kinds {
            let mut merge = Merge { builder: &mut builder, other: &own, is_older, merged: HashMap::new() };
            let root = merge.copy(*root);
            let (api_version, kind) = name.rsplit_once('/').unwrap();
            assert_eq!(builder.define(api_version, kind, root), None);
        }
        builder.merge(&table::read(other), is_older);
        table::write(&builder.finish())
    }

    const NEW: &str = "a.b/v1/A object\n spec object\n  kept string\n  new integer\n";
    const OLD: &str = "a.b/v1/A object\n spec object\n  gone []object\n   name string\n  kept string\na.b/v1/B object\n spec any\n";

    #[test]
    fn fields_of_an_older_release_are_removed_ones() {
        let expected = "a.b/v1/A object\n spec object\n  gone removed\n  kept string\n  new integer\n";
        assert_eq!(merged(NEW, OLD, true), expected);
    }

    #[test]
    fn releases_side_by_side_have_the_fields_of_both() {
        let expected =
            "a.b/v1/A object\n spec object\n  gone []object\n   name string\n  kept string\n  new integer\n";
        assert_eq!(merged(NEW, OLD, false), expected);
        let other = "a.b/v1/A object\n spec object\n  kept integer\n";
        assert_eq!(merged(NEW, other, false), "a.b/v1/A object\n spec object\n  kept any\n  new integer\n");
    }
}
