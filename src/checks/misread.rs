//! What the model could not read.

use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::{Cause, Misread};

/// Reports fields of the wrong type. Callers that know the language of a field report its texts themselves.
pub fn misreads(misreads: Vec<Misread>, items: &[Resource], results: &mut Results) {
    for Misread { site, cause } in misreads {
        match cause {
            Cause::Type(fault) => results.add(fault.into_finding()),
            Cause::Text { text, why } => results
                .error(&rules::WRONG_TYPE, format!("{why}, got {}", quoted(text)))
                .field(site.item.get(items), &site.path),
        };
    }
}
