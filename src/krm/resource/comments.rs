//! The comments of a resource.

use super::Resource;
use crate::krm::id::Place;
use crate::krm::location::Located;
use crate::krm::path::FieldPath;
use crate::yaml::Document;

/// A comment in the text of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment<'r> {
    /// From the `#` to the end of the line.
    pub text: &'r str,
    /// The line in the resource's text, from 1.
    pub line: usize,
    /// Whether the line has nothing else.
    pub is_whole_line: bool,
    /// Where the comment is in the user's file.
    pub place: Place,
}

impl Resource {
    /// The comments, in order.
    pub fn comments(&self) -> Vec<Comment<'_>> {
        let Some(doc) = self.as_read() else { return Vec::new() };
        let (text, mut line, mut counted) = (doc.text(), 1, 0);
        let mut comments = Vec::new();
        for span in doc.comments() {
            line += text[counted..span.start].matches('\n').count();
            counted = span.start;
            let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
            let before = &text[line_start..span.start];
            let place = match self.place() {
                Place { line: Some(first), file, index, .. } => Place {
                    file,
                    index,
                    line: Some(first + line - 1),
                    column: Some(before.chars().count() + 1),
                    span: Some(self.range.start + span.start..self.range.start + span.end),
                },
                place => place,
            };
            comments.push(Comment {
                text: &text[span],
                line,
                is_whole_line: before.trim().is_empty(),
                place,
            });
        }
        comments
    }

    /// The line of a field in the resource's text, from 1; for a missing field, that of its nearest existing ancestor.
    pub fn line_of(&self, path: &FieldPath) -> Option<usize> {
        let doc = self.as_read()?;
        Some(doc.position(doc.locate(&path.steps())?.start).line)
    }

    /// The document as the user wrote it.
    fn as_read(&self) -> Option<&Document> {
        if self.has_lines() { self.original_document() } else { self.parsed().ok() }
    }
}

#[cfg(test)]
mod tests {
    use crate::krm::{FieldPath, Place, Resource};

    #[test]
    fn comments_have_lines_and_places() {
        let text = "kind: A\n# above\nspec: # here\n  x: 1\n";
        let origin = Place::in_file("a.yaml", Some(10));
        let resource = Resource::from_file(text.into(), 0..text.len(), origin).unwrap();
        let comments: Vec<_> = resource
            .comments()
            .into_iter()
            .map(|c| (c.text, c.line, c.is_whole_line, c.place.line))
            .collect();
        assert_eq!(comments, [("# above", 2, true, Some(11)), ("# here", 3, false, Some(12))]);
        assert_eq!(resource.line_of(&FieldPath::new("spec.x")), Some(4));
        assert_eq!(resource.line_of(&FieldPath::new("spec.missing")), Some(3));
    }
}
