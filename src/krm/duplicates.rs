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
///
/// Two files that have several objects in common, such as a copy, are reported once.
pub fn report_duplicates<'i>(items: impl IntoIterator<Item = &'i Resource>, results: &mut Results) -> bool {
    report(&twins(&mut items.into_iter()), results)
}

fn report(twins: &[Twins<'_>], results: &mut Results) -> bool {
    let files = |(first, second): &Twins<'_>| Some((first.place().file?, second.place().file?));
    let mut others: HashMap<(String, String), usize> = HashMap::new();
    for (from, to) in twins.iter().filter_map(files).filter(|(from, to)| from != to) {
        *others.entry((from, to)).or_default() += 1;
    }
    for twin @ (first, second) in twins {
        let others = match files(twin).filter(|(from, to)| from != to) {
            Some(pair) => match others.remove(&pair) {
                Some(count) => count - 1,
                None => continue,
            },
            None => 0,
        };
        let name = FieldPath::new("metadata.name");
        let other = Location::of_field(first, &name);
        let message = match other.place.line {
            Some(line) if files(twin).is_some_and(|(from, to)| from == to) => {
                format!("this object is also on line {line}; keep one of them")
            }
            _ => message(&other.place, others),
        };
        let finding = results.error(&rules::DUPLICATE_OBJECT, message).field(second, &name);
        finding.related(other, "the other one");
    }
    !twins.is_empty()
}

/// An object and its repetition.
type Twins<'i> = (&'i Resource, &'i Resource);

fn twins<'i>(items: &mut dyn Iterator<Item = &'i Resource>) -> Vec<Twins<'i>> {
    let mut first_of_key: HashMap<ObjectKey, &Resource> = HashMap::new();
    let mut twins = Vec::new();
    for item in items.filter(|item| !item.id().name.is_empty() && !item.is_local()) {
        match first_of_key.entry(item.id().object_key()) {
            Slot::Vacant(slot) => {
                slot.insert(item);
            }
            Slot::Occupied(slot) => twins.push((*slot.get(), item)),
        }
    }
    twins
}

/// Orchestrators do not tell the lines of a file, and not always the file.
fn message(other: &Place, others: usize) -> String {
    let objects = match others {
        0 => "this object is".to_owned(),
        1 => "this object and one other are".to_owned(),
        _ => format!("this object and {others} others are"),
    };
    match (&other.file, other.line) {
        (Some(file), Some(line)) => format!(
            "{objects} also in {file}:{line}; keep one of them, pass only one of the files, or list the other in \
             `.krmignore`"
        ),
        (Some(file), None) => format!("{objects} also in {file}; keep one of them"),
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
        assert!(in_file[0].starts_with("this object is also on line 5;"), "{in_file:?}");
    }

    #[test]
    fn objects_without_a_name_and_local_ones_may_repeat() {
        for metadata in ["{}", "{name: a, annotations: {config.kubernetes.io/local-config: \"true\"}}"] {
            let text = format!("kind: A\nmetadata: {metadata}\n");
            let item = || Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap();
            assert!(!report_duplicates(&[item(), item()], &mut Results::default()));
        }
    }

    #[test]
    fn files_with_several_objects_in_common_are_reported_once() {
        let item = |name: &str, file: &str| {
            let text = format!("kind: A\nmetadata: {{name: {name}}}\n");
            Resource::from_file(text.as_str().into(), 0..text.len(), Place::in_file(file, Some(1))).unwrap()
        };
        let items: Vec<Resource> =
            ["x", "y", "z"].iter().flat_map(|file| ["a", "b", "c"].map(|name| item(name, file))).collect();
        let mut results = Results::default();
        assert!(report_duplicates(&items, &mut results));
        let messages: Vec<String> = results.into_sorted().into_iter().map(|found| found.message).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[0].starts_with("this object and 2 others are also in x:2"), "{messages:?}");
    }
}
