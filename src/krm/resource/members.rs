//! The objects inside a List, as `oc get` writes it.

use memchr::memchr_iter;

use super::{Resource, id_of};
use crate::krm::id::{Kind, Place};
use crate::yaml::{Document, Kind as NodeKind, ListDocument, ListEntry, ListKeys};

pub const LIST: Kind = Kind::new("v1", "List");

const KEYS: ListKeys = ListKeys { list: "items", sibling: "metadata" };

impl Resource {
    /// The objects of a List, at their places in its file. None if this is not a List, or an entry is not an object that
    /// can be read by itself.
    pub fn members(&self) -> Option<Vec<Resource>> {
        if !self.is(LIST) || !self.duplicate_keys.is_empty() {
            return None;
        }
        let doc = self.original_document()?;
        let (_, entries) = ListDocument::find(&self.source, self.range.clone(), doc, KEYS)?;
        let mut counted = (self.range.start, 0);
        entries.into_iter().map(|entry| self.member(doc, entry, &mut counted)).collect()
    }

    /// An object. `counted` is a byte of the source, and the number of lines before it in this resource.
    fn member(&self, doc: &Document, entry: ListEntry, counted: &mut (usize, usize)) -> Option<Resource> {
        let is_object = matches!(doc.tree().kind(doc.resolve(entry.node)), NodeKind::Mapping(_));
        let id = Some(id_of(doc, entry.node)).filter(|id| is_object && !id.kind.is_empty())?;
        let source = &self.source;
        let mut start = entry.range.start;
        // Comments above the dash belong to the object.
        while entry.has_dash && start > self.range.start {
            let line = source[..start - 1].rfind('\n').map_or(0, |at| at + 1);
            if line < self.range.start || !source[line..start].trim_start().starts_with('#') {
                break;
            }
            start = line;
        }
        let (at, above) = if counted.0 <= start { *counted } else { (self.range.start, 0) };
        let lines = above + memchr_iter(b'\n', &source.as_bytes()[at..start]).count();
        *counted = (start, lines);
        let mut member = match entry.has_dash {
            true => Self::in_entry(source.clone(), start..entry.range.end, id),
            false => Self::in_document(source.clone(), entry.range, id),
        };
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        member.origin = Place {
            line: self.origin.line.map(|line| line + lines),
            column: (!entry.has_dash).then(|| source[line_start..start].chars().count() + 1),
            ..self.origin.clone()
        };
        // The tree is not kept, because a List can have thousands of objects.
        member.parse(member.to_text()).is_ok().then_some(member)
    }
}
