//! Field paths: `spec.nova.template`, `spec.items[0].name`, `metadata.annotations[metallb.io/pool]`.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::yaml::{Document, Kind, NodeId, Step};

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    Key(Cow<'static, str>),
    Index(usize),
    /// Every value of a mapping or every element of a list: `*` and `[*]`.
    Each,
}

/// The way from a resource's root to a field, or with wildcards to many fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FieldPath(Vec<Segment>);

impl FieldPath {
    /// Reads the written form. Keys with dots stand in brackets; any text is a path.
    pub fn new(text: &str) -> Self {
        let mut segments = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            rest = rest.strip_prefix('.').unwrap_or(rest);
            if let Some((inside, behind)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
                segments.push(match (inside, inside.parse()) {
                    ("*", _) => Segment::Each,
                    (_, Ok(index)) => Segment::Index(index),
                    (key, Err(_)) => Segment::Key(Cow::Owned(key.to_owned())),
                });
                rest = behind;
            } else {
                // A first character of any kind, so that every step of this loop takes something.
                let first = rest.chars().next().map_or(0, char::len_utf8);
                let end = rest[first..].find(['.', '[']).map_or(rest.len(), |i| i + first);
                segments.push(match &rest[..end] {
                    "*" => Segment::Each,
                    key => Segment::Key(Cow::Owned(key.to_owned())),
                });
                rest = &rest[end..];
            }
        }
        FieldPath(segments)
    }

    #[must_use]
    pub fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Segment::Key(key.into()));
        self
    }

    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    /// The path without its last step.
    #[must_use]
    pub fn parent(mut self) -> Self {
        self.0.pop();
        self
    }

    /// The key at the end, if it is one.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last()? {
            Segment::Key(key) => Some(key),
            _ => None,
        }
    }

    #[must_use]
    pub fn each(mut self) -> Self {
        self.0.push(Segment::Each);
        self
    }

    /// This path, and below it another.
    #[must_use]
    pub fn join(mut self, below: &FieldPath) -> Self {
        self.0.extend_from_slice(&below.0);
        self
    }

    pub fn starts_with(&self, head: &FieldPath) -> bool {
        self.0.starts_with(&head.0)
    }

    /// The path to everything on the way, from the root to the field itself.
    pub fn ancestors(&self) -> impl Iterator<Item = FieldPath> + '_ {
        (0..=self.0.len()).map(|length| FieldPath(self.0[..length].to_vec()))
    }

    /// The path with another first key.
    #[must_use]
    pub(super) fn with_root(mut self, old: &str, new: &'static str) -> Self {
        if let Some(Segment::Key(first)) =
            self.0.first_mut().filter(|s| **s == Segment::Key(old.to_owned().into()))
        {
            *first = new.into();
        }
        self
    }

    /// The part of a value that this path names.
    pub(super) fn lookup<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(value, |value, segment| match segment {
            Segment::Key(key) => value.get(key.as_ref()),
            Segment::Index(index) => value.get(index),
            Segment::Each => None,
        })
    }

    /// The path as steps of one document; wildcards have none, so they must be resolved first.
    pub fn steps(&self) -> Vec<Step> {
        self.0
            .iter()
            .map(|segment| match segment {
                Segment::Key(key) => Step::Key(key.to_string()),
                Segment::Index(index) => Step::Index(*index),
                Segment::Each => Step::Key("*".to_owned()),
            })
            .collect()
    }

    /// The fields of a document that this path names, in document order, wildcards resolved.
    pub fn resolve(&self, doc: &Document) -> Vec<FieldPath> {
        let mut found: Vec<(FieldPath, NodeId)> =
            doc.root().map(|root| (FieldPath::default(), doc.resolve(root))).into_iter().collect();
        for segment in &self.0 {
            found = found.into_iter().flat_map(|(path, node)| step(doc, path, node, segment)).collect();
        }
        found.into_iter().map(|(path, _)| path).collect()
    }
}

fn step(doc: &Document, path: FieldPath, node: NodeId, segment: &Segment) -> Vec<(FieldPath, NodeId)> {
    match segment {
        Segment::Key(key) => doc
            .entry(node, key)
            .map(|child| (path.key(key.clone()), doc.resolve(child)))
            .into_iter()
            .collect(),
        Segment::Index(index) => doc
            .element(node, *index)
            .map(|child| (path.index(*index), doc.resolve(child)))
            .into_iter()
            .collect(),
        Segment::Each => match doc.tree().kind(node) {
            Kind::Mapping(_) => doc
                .entries(node)
                .into_iter()
                .map(|(key, child)| (path.clone().key(key.to_owned()), doc.resolve(child)))
                .collect(),
            Kind::Sequence(_) => doc
                .tree()
                .children(node)
                .enumerate()
                .map(|(index, child)| (path.clone().index(index), doc.resolve(child)))
                .collect(),
            _ => Vec::new(),
        },
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            let dot = if i == 0 { "" } else { "." };
            match segment {
                Segment::Key(key) if key.contains(['.', '[', '/']) || key == "*" => write!(f, "[{key}]")?,
                Segment::Key(key) => write!(f, "{dot}{key}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Each => write!(f, "{dot}*")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_printed() {
        for text in [
            "spec.a[0].b",
            "metadata.annotations[metallb.io/address-pool].x",
            "spec.*.c",
            "ü.é",
            "",
            "a",
            "[0]",
        ] {
            assert_eq!(FieldPath::new(text).to_string(), text);
        }
        assert_eq!(FieldPath::new("a[*].b"), FieldPath::new("a.*.b"));
        assert_eq!(FieldPath::new("a").each().join(&FieldPath::new("b[0]")).to_string(), "a.*.b[0]");
        let ancestors: Vec<String> = FieldPath::new("a.b[0]").ancestors().map(|p| p.to_string()).collect();
        assert_eq!(ancestors, ["", "a", "a.b", "a.b[0]"]);
        assert!(FieldPath::new("a.b").starts_with(&FieldPath::new("a")));
        assert!(!FieldPath::new("ab").starts_with(&FieldPath::new("a")));
    }

    #[test]
    fn wildcards_find_every_field_that_is_there() {
        let doc =
            Document::parse("s:\n  x: {k: 1}\n  y: {l: 1}\n  z: {k: 2}\nl: [{k: 3}, {k: 4}]\n").unwrap();
        let found = |text: &str| {
            FieldPath::new(text).resolve(&doc).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(found("s.*.k"), ["s.x.k", "s.z.k"]);
        assert_eq!(found("l[*].k"), ["l[0].k", "l[1].k"]);
        assert!(found("s.w").is_empty());
    }
}
