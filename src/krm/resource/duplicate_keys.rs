//! Keys that a document has twice in one mapping.

use std::ops::Range;
use std::sync::OnceLock;

use super::{Form, Resource, id_of};
use crate::krm::id::Place;
use crate::krm::location::Location;
use crate::krm::results::Results;
use crate::krm::rules;
use crate::yaml::{Document, Text, YamlError};

impl Resource {
    /// Like [`Resource::from_file`], but accepts duplicate keys, which [`Resource::report_duplicate_keys`] reports.
    pub fn from_file_with_duplicate_keys(
        source: Text,
        range: Range<usize>,
        origin: Place,
    ) -> Result<Self, YamlError> {
        let error = match Self::from_file(source.clone(), range.clone(), origin.clone()) {
            Err(error) if error.is_duplicate_key() => error,
            read => return read,
        };
        let text = source.part(range.clone());
        let (doc, duplicate_keys) = Document::parse_with_duplicate_keys(text).map_err(|_| error)?;
        let id = doc.root().map(|root| id_of(&doc, root)).unwrap_or_default();
        let mut resource = Self::slice(source, range, Form::Document, id);
        (resource.origin, resource.read) = (Some(Box::new(origin)), OnceLock::from(Box::new(doc)));
        resource.duplicate_keys = duplicate_keys;
        Ok(resource)
    }

    /// Reports duplicate keys. Returns whether there are any.
    pub fn report_duplicate_keys(&self, results: &mut Results) -> bool {
        for duplicate in &self.duplicate_keys {
            let location =
                |span: &Range<usize>| Location { place: self.place_at(span.clone()), ..Location::of(self) };
            let first = location(&duplicate.first);
            let message = format!(
                "the key {:?} is given twice, first on line {}; remove one of them",
                duplicate.key,
                first.place.line.unwrap_or(1)
            );
            let finding = results.error(&rules::DUPLICATE_KEY, message).at(location(&duplicate.at));
            finding.related(first, "the first one");
        }
        !self.duplicate_keys.is_empty()
    }
}
