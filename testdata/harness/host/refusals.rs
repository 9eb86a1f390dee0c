//! The cases in which a functionConfig is rejected: `testdata/<function>/refusals.yaml`.
//!
//! The first document is the common beginning of all these functionConfigs. Each of the others is a case:
//!
//! - `name`: what the case tests, starting with `refuses-`;
//! - `input`: the name of a shared input (`inputs/<name>.yaml`), if the case needs resources;
//! - `spec`: the rest of the functionConfig;
//! - `results`: the findings, which `UPDATE=1 cargo test --test cases` writes.

use std::fs;
use std::path::Path;

use super::case::{Case, Outcome, shared_input};

/// The name of a table.
pub const FILE: &str = "refusals.yaml";

const BETWEEN: &str = "\n---\n";
const RESULTS: &str = "\nresults:\n";

pub fn read(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).unwrap();
    let (head, entries) = split(&text);
    // The comments of the table do not belong to a functionConfig.
    let head: String = head.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
    entries.iter().map(|entry| case(path, &head, entry)).collect()
}

/// The first document and the others. Each ends with a line break.
fn split(text: &str) -> (String, Vec<String>) {
    let mut documents = text.trim_end().split(BETWEEN).map(|document| format!("{document}\n"));
    (documents.next().unwrap_or_default(), documents.collect())
}

fn case(path: &Path, head: &str, entry: &str) -> Case {
    let (given, results) = entry.split_once(RESULTS).unwrap_or((entry.trim_end(), ""));
    let (about, spec) = match given.find("\nspec:") {
        Some(at) => (&given[..at], format!("{}\n", &given[at + 1..])),
        None => (given, String::new()),
    };
    let field = |key: &str| about.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    let function = path.parent().unwrap();
    let name = field("name").unwrap_or_else(|| panic!("{}: no `name` in\n{entry}", path.display()));
    assert!(name.starts_with("refuses-"), "{}: {name} must begin with `refuses-`", path.display());
    let shared = field("input").map(str::to_owned);
    Case {
        function: function.file_name().unwrap().to_string_lossy().into_owned(),
        name: name.to_owned(),
        path: path.to_owned(),
        config: format!("{head}{spec}"),
        input: shared.as_deref().map(|name| shared_input(function, name)).unwrap_or_default(),
        shared_input: shared,
        outcome: Outcome { results: results.to_owned(), ..Outcome::default() },
    }
}

/// The text of a table with new results, one per case, in order. Everything else is unchanged.
pub fn with_results(path: &Path, results: &[String]) -> String {
    let text = fs::read_to_string(path).unwrap();
    let (head, entries) = split(&text);
    let entries = entries.iter().zip(results).map(|(entry, results)| {
        let given = entry.split_once(RESULTS).map_or(entry.trim_end(), |(given, _)| given);
        format!("{given}{RESULTS}{results}")
    });
    std::iter::once(head).chain(entries).collect::<Vec<_>>().join("---\n")
}
