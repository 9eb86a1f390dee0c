//! The objects inside a List, as `oc get` writes it.

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
        entries.into_iter().map(|entry| self.member(doc, entry)).collect()
    }

    fn member(&self, doc: &Document, entry: ListEntry) -> Option<Resource> {
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
        let at = doc.position(start - self.range.start);
        let mut member = match entry.has_dash {
            true => Self::in_entry(source.clone(), start..entry.range.end, id),
            false => Self::in_value(source.clone(), entry.range, id),
        };
        // The List itself can begin in the middle of a line.
        let above = &source[..self.range.start];
        let before = above.rfind('\n').map_or(above, |newline| &above[newline + 1..]).chars().count();
        let column = at.column + if at.line == 1 { before } else { 0 };
        let origin = self.origin.as_deref().cloned().unwrap_or_default();
        member.origin = Some(Box::new(Place {
            line: origin.line.map(|line| line + at.line - 1),
            column: (!entry.has_dash).then_some(column),
            ..origin
        }));
        // The tree is not kept, because a List can have thousands of objects.
        member.parse(member.to_text()).is_ok().then_some(member)
    }
}
