//! Patterns for many fields: `spec.glanceAPIs.*.override`, `spec.items[*].name`.

use crate::yaml::{Document, Kind, NodeId};

use super::path::{FieldPath, Segment, Written, segments};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PatternStep {
    One(Segment),
    /// Every value of a mapping or every element of a list: `*` and `[*]`.
    Each,
}

/// The path from the root of a resource to many fields.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPattern(Vec<PatternStep>);

impl FieldPattern {
    /// Parses the written form: a path with wildcards.
    pub fn new(text: &str) -> Self {
        let step = |written: Written<'_>| match written {
            Written::Star => PatternStep::Each,
            other => PatternStep::One(other.into_segment()),
        };
        FieldPattern(segments(text).map(step).collect())
    }

    /// Every entry of the mapping or list at a path.
    pub fn each_of(path: &FieldPath) -> Self {
        FieldPattern::from(path).each()
    }

    #[must_use]
    pub fn each(mut self) -> Self {
        self.0.push(PatternStep::Each);
        self
    }

    /// This pattern followed by a path.
    #[must_use]
    pub fn join(mut self, below: &FieldPath) -> Self {
        self.0.extend(below.segments().iter().cloned().map(PatternStep::One));
        self
    }

    /// This pattern followed by another.
    #[must_use]
    pub fn join_pattern(mut self, below: &FieldPattern) -> Self {
        self.0.extend_from_slice(&below.0);
        self
    }

    /// The fields of a document that match, in document order.
    pub fn resolve(&self, doc: &Document) -> Vec<FieldPath> {
        let mut found: Vec<(FieldPath, NodeId)> =
            doc.root().map(|root| (FieldPath::default(), doc.resolve(root))).into_iter().collect();
        for step in &self.0 {
            found = found.into_iter().flat_map(|(path, node)| children(doc, path, node, step)).collect();
        }
        found.into_iter().map(|(path, _)| path).collect()
    }
}

impl From<&FieldPath> for FieldPattern {
    fn from(path: &FieldPath) -> Self {
        FieldPattern(path.segments().iter().cloned().map(PatternStep::One).collect())
    }
}

fn children(doc: &Document, path: FieldPath, node: NodeId, step: &PatternStep) -> Vec<(FieldPath, NodeId)> {
    let found: Vec<(FieldPath, NodeId)> = match step {
        PatternStep::One(Segment::Key(key)) => {
            doc.entry(node, key).map(|child| (path.key(key.clone()), child)).into_iter().collect()
        }
        PatternStep::One(Segment::Index(index)) => {
            doc.element(node, *index).map(|child| (path.index(*index), child)).into_iter().collect()
        }
        PatternStep::Each => match doc.tree().kind(node) {
            Kind::Mapping(_) => {
                let entries = doc.entries(node).into_iter();
                entries.map(|(key, child)| (path.clone().key(key.to_owned()), child)).collect()
            }
            Kind::Sequence(_) => {
                let elements = doc.tree().children(node).enumerate();
                elements.map(|(index, child)| (path.clone().index(index), child)).collect()
            }
            _ => Vec::new(),
        },
    };
    found.into_iter().map(|(path, child)| (path, doc.resolve(child))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_find_every_field_that_exists() {
        let doc =
            Document::parse("s:\n  x: {k: 1}\n  y: {l: 1}\n  \"*\": {k: 2}\nl: [{k: 3}, {k: 4}]\n").unwrap();
        let found = |text: &str| {
            FieldPattern::new(text).resolve(&doc).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(found("s.*.k"), ["s.x.k", "s[\"*\"].k"]);
        assert_eq!(found("s[\"*\"].k"), ["s[\"*\"].k"]);
        assert_eq!(found("l[*].k"), ["l[0].k", "l[1].k"]);
        assert!(found("s.w").is_empty());
        let below = FieldPattern::each_of(&FieldPath::new("l")).join(&FieldPath::new("k"));
        assert_eq!(below, FieldPattern::new("l.*.k"));
    }
}
