//! Where parts of a field's text are in the user's file.

use std::ops::Range;

use super::Resource;
use crate::krm::location::Location;
use crate::krm::path::FieldPath;

impl Resource {
    /// Where part of a field's text is, or the field itself if its text is written differently. `find` gets
    /// the text and returns the bytes of the part.
    pub fn location_inside(
        &self,
        path: &FieldPath,
        find: impl FnOnce(&str) -> Option<Range<usize>>,
    ) -> Location {
        let part = self.original_document().and_then(|document| {
            let node = document.find(&path.steps())?;
            document.locate_inside(node, find)
        });
        let field = Location::of_field(self, path);
        match part {
            Some(part) => Location { place: self.place_at(part), ..field },
            None => field,
        }
    }
}
