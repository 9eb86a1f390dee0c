//! The page of each rule: `explain RULE` prints it, and `docs/rules` has them all. Its example triggers the rule, and
//! what it says about ignoring the rule works.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rhoso_fn::checks::{self, rules};
use rhoso_fn::docs;
use rhoso_fn::functions::{IGNORES, REGISTRY};
use rhoso_fn::krm::{FieldPath, Place, Resource, Rule};
use rhoso_fn::yaml::stream;

use crate::host::case::Case;
use crate::host::{BINARY, expect, root};
use crate::manuals::current;
use crate::rule_cases;

/// Also removes the pages of rules that no longer exist.
#[test]
fn pages_are_current() {
    let directory = root().join("docs/rules");
    let pages = docs::rule_pages();
    fs::create_dir_all(&directory).unwrap();
    for file in fs::read_dir(&directory).unwrap() {
        let path = file.unwrap().path();
        if !pages.contains_key(&*path.file_name().unwrap().to_string_lossy()) {
            assert!(std::env::var_os("UPDATE").is_some(), "{} is about no rule; remove it", path.display());
            fs::remove_file(path).unwrap();
        }
    }
    for (name, text) in pages {
        current(&directory.join(name), &text);
    }
}

#[test]
fn every_rule_is_listed_and_explained() {
    let listed = expect(BINARY, &["rules"], b"", root()).stdout;
    let ids: Vec<&str> = listed.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(ids, rules::all().map(|rule| rule.id).collect::<Vec<_>>());
    for id in ids {
        let page = expect(BINARY, &["explain", id], b"", root()).stdout;
        assert!(page.starts_with(&format!("# {id}\n")) && page.lines().count() > 5, "{page}");
    }
}

/// The manifests in the example of a rule.
pub fn example(rule: &Rule) -> Option<String> {
    let page = docs::rule_page(rule);
    let (_, rest) = page.split_once("\n## Example\n\n```yaml\n")?;
    rest.split_once("\n```\n").map(|(manifests, _)| format!("{manifests}\n"))
}

/// The rules that `check` reports, with pedantic ones.
fn reported(manifests: &str) -> BTreeSet<String> {
    rule_cases::check(manifests).iter().filter_map(|f| f["rule"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_example_of_every_checked_rule_triggers_it() {
    let mut failures = Vec::new();
    for rule in checks::rules_of_checks() {
        match example(rule).map(|manifests| reported(&manifests)) {
            Some(found) if found.contains(rule.id) => {}
            Some(found) => failures.push(format!("the example of {} triggers {found:?}", rule.id)),
            None => failures.push(format!(
                "{} has no example; add `Example:` and a fenced yaml block at the end of its doc comment",
                rule.id
            )),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The manifests with the annotation that ignores a rule in each of them.
fn annotated(manifests: &str, rule: &Rule) -> String {
    let path = FieldPath::new("metadata.annotations").key(IGNORES.annotation);
    let documents = stream::documents(manifests).into_iter().map(|range| {
        match Resource::from_file(manifests.into(), range.clone(), Place::default()) {
            Ok(mut resource) => {
                resource.set(&path, format!("{}: a test", rule.id)).unwrap();
                resource.text().to_owned()
            }
            // A document with a duplicate key cannot be edited.
            Err(_) => {
                let lines = format!(
                    "metadata:\n  annotations: {{{}: \"{}: a test\"}}\n",
                    IGNORES.annotation, rule.id
                );
                manifests[range].replacen("metadata:\n", &lines, 1)
            }
        }
    });
    documents.collect::<Vec<_>>().join("\n---\n")
}

#[test]
fn the_annotation_on_the_page_ignores_the_rule() {
    for rule in checks::rules_of_checks() {
        let page = docs::rule_page(rule);
        let Some(manifests) = example(rule).filter(|_| page.contains(IGNORES.annotation)) else { continue };
        let manifests = annotated(&manifests, rule);
        assert!(!reported(&manifests).contains(rule.id), "{} is still reported:\n{manifests}", rule.id);
    }
}

/// The functions that a page names are those whose golden cases have the rule.
#[test]
fn pages_name_the_functions_that_report_a_rule() {
    let mut reporters: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for entry in REGISTRY.functions {
        for case in Case::of(entry.name) {
            let ids = case.outcome.results.lines().filter_map(|line| line.trim().strip_prefix("rule: "));
            for id in ids {
                reporters.entry(id.to_owned()).or_default().insert(entry.kind);
            }
        }
    }
    assert!(reporters.len() > 50, "only {reporters:?} were found");
    for (id, functions) in reporters {
        let page = docs::explain_rule(&id, 120).unwrap();
        let Some((_, named)) = page.split_once("\nReported by ") else { continue };
        let named: BTreeSet<&str> = named.trim_end_matches(".\n").split(" and ").collect();
        assert_eq!(named, functions, "{id}");
    }
}
