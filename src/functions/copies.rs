//! Copies of objects that are in use, such as those that `oc get -o yaml` prints.

use crate::krm::{Fault, FieldPath, Resource};
use crate::platform::kubernetes::{OF_ONE_OBJECT, SERVER_FIELDS, annotation};

/// A copy without what belongs to the original only.
pub fn copy(original: &Resource) -> Result<Resource, Fault> {
    let mut copy = original.copy()?;
    for field in SERVER_FIELDS {
        copy.remove(&FieldPath::new(field))?;
    }
    for key in OF_ONE_OBJECT {
        copy.remove(&annotation(key))?;
    }
    Ok(copy)
}
