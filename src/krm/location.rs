//! The location of a finding: a resource, a field, and a place in a file.

use super::id::{Id, Place};
use super::path::FieldPath;

/// Something that a finding can point to: it has an identity, and its fields have places.
pub trait Located {
    fn id(&self) -> &Id;
    fn place(&self) -> Place;
    /// Where a field's key is in the user's file, or its nearest ancestor that was in that file.
    fn place_of(&self, path: &FieldPath) -> Place;
}

impl<T: Located> Located for &T {
    fn id(&self) -> &Id {
        (**self).id()
    }

    fn place(&self) -> Place {
        (**self).place()
    }

    fn place_of(&self, path: &FieldPath) -> Place {
        (**self).place_of(path)
    }
}

/// Where a finding points, as far as it is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Location {
    pub place: Place,
    pub resource: Option<Id>,
    pub field: Option<FieldPath>,
}

impl Location {
    pub fn of(resource: &impl Located) -> Self {
        Location { place: resource.place(), resource: Some(resource.id().clone()), field: None }
    }

    pub fn of_field(resource: &impl Located, path: &FieldPath) -> Self {
        let field = (*path != FieldPath::default()).then(|| path.clone());
        Location { place: resource.place_of(path), resource: Some(resource.id().clone()), field }
    }
}

/// Another place that a finding involves, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    pub location: Location,
    pub message: String,
}
