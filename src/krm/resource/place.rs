//! Where a resource and its fields are.

use std::ops::Range;

use super::Resource;
use crate::krm::id::{Id, Place};
use crate::krm::location::Located;
use crate::krm::path::FieldPath;
use crate::yaml::Document;
use crate::yaml::scalar::Scalar;

impl Located for Resource {
    fn id(&self) -> &Id {
        &self.id
    }

    /// File, document and line. For a resource from an orchestrator, file and document, taken from its annotations.
    fn place(&self) -> Place {
        if let Some(origin) = self.origin.as_deref().filter(|origin| origin.file.is_some()) {
            return origin.clone();
        }
        let annotation = |name: &str| {
            ["internal.config.kubernetes.io", "config.kubernetes.io"].iter().find_map(|group| {
                let path = FieldPath::new("metadata.annotations").key(format!("{group}/{name}"));
                let steps = path.steps();
                // Without a fault if it cannot be read, because every fault has a place.
                let (doc, steps) = match self.part(&steps) {
                    Some((part, rest)) => (&part.doc, rest),
                    None => (self.parsed().ok()?, &steps[..]),
                };
                match doc.scalar(doc.find(steps)?)? {
                    Scalar::Str(text) => Some(text.to_owned()),
                    _ => None,
                }
            })
        };
        Place {
            file: annotation("path"),
            index: annotation("index").and_then(|index| index.parse().ok()).unwrap_or(0),
            ..Place::default()
        }
    }

    fn place_of(&self, path: &FieldPath) -> Place {
        match self.original_document().and_then(|doc| doc.locate(&path.steps())) {
            Some(span) => self.place_at(span),
            None => self.place(),
        }
    }
}

impl Resource {
    /// Whether it comes from a file of the user, so that its lines are known.
    pub(super) fn has_lines(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.line.is_some())
    }

    /// The document as the user wrote it. Text that an orchestrator sent has no lines to report, so it is not read for this.
    pub(super) fn original_document(&self) -> Option<&Document> {
        if !self.has_lines() {
            return self.read.get().map(|doc| &**doc);
        }
        if !self.is_changed() {
            return self.parsed().ok();
        }
        if let Some(doc) = self.original.get() {
            return Some(doc);
        }
        let doc = self.parse(self.source.part(self.range.clone())).ok()?;
        Some(self.original.get_or_init(|| Box::new(doc)))
    }

    /// Where some bytes of the text are, if the text comes from a file of the user.
    pub(super) fn place_at(&self, span: Range<usize>) -> Place {
        let place = self.place();
        let (Some(first), Some(doc)) = (place.line, self.original_document()) else { return place };
        let at = doc.position(span.start);
        // An object inside a list can begin in the middle of a line.
        let before = place.column.filter(|_| at.line == 1).map_or(0, |column| column - 1);
        Place {
            line: Some(first + at.line - 1),
            column: Some(before + at.column),
            span: Some(self.range.start + span.start..self.range.start + span.end),
            ..place
        }
    }
}
