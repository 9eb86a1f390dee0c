//! Where parts of a field's text are in the user's file.

use std::ops::Range;

use super::Resource;
use crate::krm::id::Place;
use crate::krm::location::Located;
use crate::krm::path::FieldPath;

impl Resource {
    /// Where part of a field's text is, or the field itself if its text is written differently. `find` gets
    /// the text and returns the bytes of the part.
    pub fn place_inside(&self, path: &FieldPath, find: impl FnOnce(&str) -> Option<Range<usize>>) -> Place {
        let place = self.place_of(path);
        let document = self.original.as_ref().or_else(|| self.read.get());
        let (Some(first), Some(document)) = (self.place().line, document) else { return place };
        let part = document.find(&path.steps()).and_then(|node| document.locate_inside(node, find));
        let Some(part) = part else { return place };
        let at = document.position(part.start);
        Place {
            line: Some(first + at.line - 1),
            column: Some(at.column),
            span: Some(self.range.start + part.start..self.range.start + part.end),
            ..place
        }
    }
}
