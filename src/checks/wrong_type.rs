//! Fields that have the wrong type.

use crate::krm::Results;
use crate::model::{Cause, Misread};

/// Reports misreads of fields. Strings that do not parse have separate rules. Returns whether there were
/// any.
pub fn wrong_type<'m>(misreads: impl IntoIterator<Item = &'m Misread>, results: &mut Results) -> bool {
    let mut found = false;
    for misread in misreads {
        if let Cause::Type(fault) = &misread.cause {
            results.add(fault.clone().into_finding());
            found = true;
        }
    }
    found
}
