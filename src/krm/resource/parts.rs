//! Reading and editing one field of an item without reading the rest of it: the lists on stdin have been read once
//! already, and functions look at few fields of large objects.

use std::sync::OnceLock;

use serde_json::Value;

use super::edited::Edited;
use super::{Form, Resource};
use crate::krm::path::FieldPath;
use crate::yaml::{Part, Step, Text};

/// A part of an item that was read by itself, and the next one.
#[derive(Debug, Default)]
pub(super) struct Parts {
    first: OnceLock<Box<Read>>,
}

#[derive(Debug)]
struct Read {
    outer: String,
    inner: String,
    /// None if the part must be read with everything else.
    part: Option<Part>,
    others: Parts,
}

/// After this many parts, reading the whole item takes less work.
const MOST: usize = 4;

impl Resource {
    /// The part of the document that contains this field, and the rest of the path. None if everything must be read.
    pub(super) fn part<'p>(&self, path: &'p [Step]) -> Option<(&Part, &'p [Step])> {
        let [Step::Key(outer), Step::Key(inner), ..] = path else { return None };
        if !self.is_simple || self.read.get().is_some() {
            return None;
        }
        let mut parts = &self.parts;
        for _ in 0..MOST {
            let read = parts.first.get_or_init(|| {
                let part = match self.form {
                    Form::Entry => Part::of_block(&self.to_text(), outer, inner),
                    Form::Document | Form::Value => Part::of_braces(&self.to_text(), outer, inner),
                };
                Box::new(Read { outer: outer.clone(), inner: inner.clone(), part, others: Parts::default() })
            });
            if read.outer == *outer && read.inner == *inner {
                return read.part.as_ref().map(|part| (part, &path[1..]));
            }
            parts = &read.others;
        }
        None
    }

    /// The text with another value of a field, if its part can be edited by itself, or no text if it has that value
    /// already. None if everything must be read, for an edit or for the reason why there is none.
    pub(super) fn set_in_part(&self, path: &FieldPath, value: &Value) -> Option<Option<Edited>> {
        let steps = path.steps();
        let (part, rest) = self.part(&steps)?;
        // A change of the id must be noticed.
        if matches!(&steps[1], Step::Key(key) if key == "name" || key == "namespace") {
            return None;
        }
        let Some(edited) = part.set(rest, value)? else { return Some(None) };
        let made = if self.is_changed() {
            let whole = self.to_text();
            let (before, after) = (&whole[..part.range.start], &whole[part.range.end..]);
            Edited::new(&self.form, &self.source_text(), &[before, edited.text(), after].concat())
        } else {
            let after = self.range.len() - part.range.end;
            Edited::new(&self.form, part.text(), edited.text()).inside(part.range.start, after)
        };
        debug_assert!(self.means(&made.concatenated(&self.source_text()), &steps, value));
        Some(Some(made))
    }

    /// Whether the text means the same as before, but for this field.
    fn means(&self, text: &Text, steps: &[Step], value: &Value) -> bool {
        let Ok(before) = self.parse(self.to_text()) else { return false };
        let expected = before.set(steps, value).ok().flatten().unwrap_or(before);
        let edited = self.parse(text.clone());
        edited.is_ok_and(|edited| edited.root_value().ok() == expected.root_value().ok())
    }
}
