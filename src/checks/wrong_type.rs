//! Fields that have the wrong type.

use crate::formats::placeholder;
use crate::krm::{Resource, Results};
use crate::model::{Cause, Misread, Site};

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

/// Whether a field that cannot be read is a placeholder, which has a rule of its own, or has a variable, whose value is
/// not known here.
pub fn is_placeholder(misread: &Misread, items: &[Resource]) -> bool {
    let Site { item, path, .. } = &misread.site;
    let is_in = |text: &str| placeholder::is_in(text) || placeholder::has_variable(text);
    item.get(items).source_of(path).is_some_and(is_in)
}
