//! Parses resources for tests of readers, and prints each misread on one line.

use super::{Cause, Misread, World};
use crate::krm::{Place, Resource};
use crate::yaml::{Text, stream};

/// The documents of a YAML stream.
pub fn resources(text: &str) -> Vec<Resource> {
    let source: Text = text.into();
    let read = |range| Resource::from_file(source.clone(), range, Place::default()).unwrap();
    stream::documents(text).into_iter().map(read).collect()
}

/// What a reader finds in the documents of a YAML stream, and what it cannot read: field, path in its text,
/// and why.
pub fn read<T>(
    text: &str,
    reader: impl FnOnce(&World<'_>, &mut Vec<Misread>) -> Vec<T>,
) -> (Vec<T>, Vec<String>) {
    let resources = resources(text);
    let mut misreads = Vec::new();
    let found = reader(&World::new(&resources), &mut misreads);
    (found, misreads.iter().map(describe).collect())
}

fn describe(misread: &Misread) -> String {
    let inside = misread.site.inside.as_ref().map(|path| format!(" > {path}")).unwrap_or_default();
    let cause = match &misread.cause {
        Cause::Type(fault) => fault.clone().into_finding().message,
        Cause::Text { text, why } => format!("{text}: {why}"),
    };
    format!("{}{inside}: {cause}", misread.site.path)
}
