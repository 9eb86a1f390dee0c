//! The identity of a resource, and where it comes from.

use std::fmt;
use std::ops::Range;

use super::message::shortened;
use crate::yaml::scalar::Scalar;
use crate::yaml::{Document, NodeId};

/// A kind of object. All versions of an API group are the same kind; new objects use this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub api_version: &'static str,
    pub kind: &'static str,
}

impl Kind {
    pub const fn new(api_version: &'static str, kind: &'static str) -> Self {
        Kind { api_version, kind }
    }

    /// The API group; empty for the core group.
    pub fn group(self) -> &'static str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// The identity of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Id {
    pub api_version: String,
    pub kind: String,
    pub namespace: Option<String>,
    pub name: String,
}

/// Group, kind, namespace and name.
pub type ObjectKey = (String, String, Option<String>, String);

impl Id {
    /// The API group; empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// `namespace/name`, or the name alone.
    pub fn qualified_name(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}/{}", self.name),
            None => self.name.clone(),
        }
    }

    /// What identifies an object in a cluster. The version is not part of it.
    pub fn object_key(&self) -> ObjectKey {
        (self.group().to_owned(), self.kind.clone(), self.namespace.clone(), self.name.clone())
    }

    /// Whether the object may be in this namespace. An object without a namespace gets one when it is applied, so
    /// it may be in any.
    pub fn may_be_in(&self, namespace: Option<&str>) -> bool {
        self.namespace.as_deref().zip(namespace).is_none_or(|(own, other)| own == other)
    }

    pub(super) fn read(doc: &Document, root: NodeId) -> Id {
        let text = |node: Option<NodeId>| match node.and_then(|n| doc.scalar(n)) {
            Some(Scalar::Str(text)) => Some(text.to_owned()),
            _ => None,
        };
        let written = |node| match doc.scalar(node) {
            None | Some(Scalar::Null) => None,
            Some(_) => doc.key_text(node).map(str::to_owned),
        };
        let [metadata, api_version, kind] = doc.entries_of(root, ["metadata", "apiVersion", "kind"]);
        let metadata = metadata.map(|metadata| doc.resolve(metadata));
        let inside = metadata.map(|metadata| doc.entries_of(metadata, ["namespace", "name"]));
        let [namespace, name] = inside.unwrap_or_default();
        Id {
            api_version: text(api_version).unwrap_or_default(),
            kind: text(kind).unwrap_or_default(),
            // The API server refuses `name: 5`, but kustomize reads it as a name, and so must messages and generated objects.
            namespace: namespace.and_then(written).filter(|namespace| !namespace.is_empty()),
            name: name.and_then(written).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shortened(if self.kind.is_empty() { "object" } else { &self.kind }))?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", shortened(&self.qualified_name())) }
    }
}

/// Where a resource comes from, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    pub file: Option<String>,
    /// The position of the document in its file, from 0.
    pub index: usize,
    /// Known, like column and span, only if the program read the file itself: orchestrators send rewritten text.
    pub line: Option<usize>,
    pub column: Option<usize>,
    /// The bytes of the file to underline.
    pub span: Option<Range<usize>>,
}

impl Place {
    /// A line of a file.
    pub fn in_file(path: impl Into<String>, line: Option<usize>) -> Self {
        Place { file: Some(path.into()), line, ..Place::default() }
    }
}
