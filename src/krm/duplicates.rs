//! Objects that exist twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use super::id::{ObjectKey, Place};
use super::location::{Located, Location};
use super::path::FieldPath;
use super::resource::Resource;
use super::results::Results;
use super::rules;

/// Reports objects that exist twice. Returns whether there are any. A cluster would keep one of them, and a function
/// would change or count both. Objects without a name, and local ones, may repeat.
pub fn report_duplicates(items: &[Resource], results: &mut Results) -> bool {
    let mut first_of_key: HashMap<ObjectKey, &Resource> = HashMap::new();
    let mut has_duplicates = false;
    for item in items.iter().filter(|item| !item.id().name.is_empty() && !item.is_local()) {
        match first_of_key.entry(item.id().object_key()) {
            Slot::Vacant(slot) => {
                slot.insert(item);
            }
            Slot::Occupied(slot) => {
                let name = FieldPath::new("metadata.name");
                let other = Location::of_field(slot.get(), &name);
                let message = message(&other.place);
                let finding = results.error(&rules::DUPLICATE_OBJECT, message).field(item, &name);
                finding.related(other, "the other one");
                has_duplicates = true;
            }
        }
    }
    has_duplicates
}

/// Orchestrators do not tell the lines of a file, and not always the file.
fn message(other: &Place) -> String {
    match (&other.file, other.line) {
        (Some(file), Some(line)) => format!(
            "this object is also in {file}:{line}; keep one of them, pass only one of the files, or list the other in \
             `.krmignore`"
        ),
        (Some(file), None) => format!("this object is also in {file}; keep one of them"),
        (None, _) => "this object exists twice; keep one of them".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_shows_what_is_known_of_the_other_place() {
        let messages = |place: fn() -> Place| {
            let text = "kind: A\nmetadata: {name: a}\n";
            let item = || Resource::from_file(text.into(), 0..text.len(), place()).unwrap();
            let mut results = Results::default();
            assert!(report_duplicates(&[item(), item()], &mut results));
            results.into_sorted().into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        assert_eq!(messages(Place::default), ["this object exists twice; keep one of them"]);
        let in_file = messages(|| Place::in_file("a.yaml", Some(4)));
        assert!(in_file[0].starts_with("this object is also in a.yaml:5;"), "{in_file:?}");
    }

    #[test]
    fn objects_without_a_name_and_local_ones_may_repeat() {
        for metadata in ["{}", "{name: a, annotations: {config.kubernetes.io/local-config: \"true\"}}"] {
            let text = format!("kind: A\nmetadata: {metadata}\n");
            let item = || Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap();
            assert!(!report_duplicates(&[item(), item()], &mut Results::default()));
        }
    }
}
