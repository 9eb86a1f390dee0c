//! The fields of custom resources, as their CRDs define them.
//!
//! Equal parts of CRDs are one node, because CRDs repeat themselves: each copy of a Pod's volumes has hundreds of fields.

mod builder;
mod builtin;
mod table;

pub use builder::Builder;
pub use builtin::{ANY_KIND, builtin, may_be_builtin, metadata};
pub use table::write;

use std::borrow::Cow;

/// The position of a node among the nodes of its [`Schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// What a field may contain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Schema {
    Any,
    Boolean,
    Integer,
    Number,
    String,
    IntOrString,
    List(NodeId),
    /// A mapping with keys that the user chooses.
    Map(NodeId),
    Object(Object),
    /// Anything, in a field that only older releases have.
    Removed,
}

/// A mapping with given fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Object {
    /// Sorted by name.
    fields: Vec<(Cow<'static, str>, NodeId)>,
    pub flags: Flags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags {
    /// Whether the API server keeps fields that are not listed.
    pub keeps_unknown: bool,
    /// Whether it is a resource of its own, which has `apiVersion`, `kind` and `metadata` too.
    pub is_resource: bool,
}

impl Object {
    pub fn field(&self, name: &str) -> Option<NodeId> {
        let at = self.fields.binary_search_by(|(other, _)| (**other).cmp(name)).ok()?;
        Some(self.fields[at].1)
    }

    pub fn fields(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.fields.iter().map(|(name, node)| (&**name, *node))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields().map(|(name, _)| name)
    }
}

/// The fields of several kinds.
#[derive(Debug, Default)]
pub struct Schemas {
    nodes: Vec<Schema>,
    /// The root of each kind, as `apiVersion/kind`, sorted.
    kinds: Vec<(Cow<'static, str>, NodeId)>,
}

impl Schemas {
    pub fn get(&self, node: NodeId) -> &Schema {
        self.nodes.get(node.0 as usize).unwrap_or(&Schema::Any)
    }

    /// The root of a kind.
    pub fn kind(&self, api_version: &str, kind: &str) -> Option<NodeId> {
        let name = format!("{api_version}/{kind}");
        let at = self.kinds.binary_search_by(|(other, _)| (**other).cmp(&name)).ok()?;
        Some(self.kinds[at].1)
    }

    /// All kinds, as apiVersion and kind.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        self.kinds.iter().filter_map(|(name, _)| name.rsplit_once('/'))
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}
