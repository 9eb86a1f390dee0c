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
        let part = self.original_document().and_then(|document| {
            let node = document.find(&path.steps())?;
            document.locate_inside(node, find)
        });
        part.map_or_else(|| self.place_of(path), |part| self.place_at(part))
    }
}
