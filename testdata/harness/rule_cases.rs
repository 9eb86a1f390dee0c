//! Golden cases of rules: `testdata/check/<rule>.yaml` has the cases of one rule.
//!
//! ```text
//! === reports two pools with a common address
//! <manifests>
//! === findings
//! 14:5 error pool-overlap: "10.0.0.9-10.0.0.12" overlaps …
//!   7:5 the other range
//! === accepts pools side by side
//! <manifests>
//! ```
//!
//! The name of a case begins with `reports` if the rule must find something, and with `accepts` if it must not. You write
//! the manifests, and `UPDATE=1 cargo test --test suite rule_cases` writes the findings of all rules: line and column in
//! the case, then severity, rule and message, then each related place. `--select all` is used, so pedantic rules run too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rhoso_fn::checks::{self, rules};
use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm;
use serde_json::Value;

use crate::host::case::wire;
use crate::host::{BINARY, root, run};

const MARK: &str = "=== ";
const FINDINGS: &str = "findings";

pub struct RuleCase {
    pub name: String,
    pub manifests: String,
    findings: String,
}

/// The cases of all rules.
pub fn all() -> Vec<RuleCase> {
    fs::read_dir(directory()).unwrap().flat_map(|entry| read(&entry.unwrap().path()).1).collect()
}

/// The cases of one rule.
pub fn of(rule: &str) -> Vec<RuleCase> {
    read(&directory().join(format!("{rule}.yaml"))).1
}

fn directory() -> PathBuf {
    root().join("testdata/check")
}

fn read(path: &Path) -> (String, Vec<RuleCase>) {
    let text = fs::read_to_string(path).unwrap();
    let mut head = String::new();
    let mut cases: Vec<RuleCase> = Vec::new();
    let mut in_findings = false;
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix(MARK).map(str::trim_end), cases.last_mut()) {
            (Some(FINDINGS), Some(_)) => in_findings = true,
            (Some(name), _) => {
                in_findings = false;
                cases.push(RuleCase {
                    name: name.to_owned(),
                    manifests: String::new(),
                    findings: String::new(),
                });
            }
            (None, Some(case)) if in_findings => case.findings.push_str(line),
            (None, Some(case)) => case.manifests.push_str(line),
            (None, None) => head.push_str(line),
        }
    }
    (head, cases)
}

fn write(head: &str, cases: &[RuleCase]) -> String {
    let mut text = head.to_owned();
    for case in cases {
        text.push_str(&format!("{MARK}{}\n{}", case.name, case.manifests));
        if !case.findings.is_empty() {
            text.push_str(&format!("{MARK}{FINDINGS}\n{}", case.findings));
        }
    }
    text
}

/// The findings about some manifests, as JSON.
pub fn check(manifests: &str) -> Vec<Value> {
    let ended =
        run(BINARY, &["check", "--format", "json", "--select", "all", "-"], manifests.as_bytes(), root());
    let report: Value = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}{}", ended.stdout, ended.stderr));
    report["findings"].as_array().unwrap().clone()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// One line for the finding, and one for each related place.
fn lines(finding: &Value) -> String {
    let place = |value: &Value| format!("{}:{}", value["line"], value["column"]);
    let mut lines = format!(
        "{} {} {}: {}\n",
        place(finding),
        text(finding, "severity"),
        text(finding, "rule"),
        text(finding, "message")
    );
    for related in finding["related"].as_array().into_iter().flatten() {
        lines.push_str(&format!("  {} {}\n", place(related), text(related, "message")));
    }
    lines
}

/// The findings without what differs between styles of the same manifests.
fn essence(findings: &[Value]) -> Vec<(String, String, Value)> {
    let one = |f: &Value| (text(f, "rule").to_owned(), text(f, "message").to_owned(), f["line"].clone());
    findings.iter().map(one).collect()
}

#[test]
fn rules_find_what_their_cases_say() {
    let is_update = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for entry in fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        let rule = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (head, mut cases) = read(&path);
        for case in &mut cases {
            let findings = check(&case.manifests);
            let found: String = findings.iter().map(lines).collect();
            let is_found = findings.iter().any(|finding| text(finding, "rule") == rule);
            let must_find = match case.name.split(' ').next() {
                Some("reports") => true,
                Some("accepts") => false,
                _ => panic!("{rule}: the case \"{}\" must begin with reports or accepts", case.name),
            };
            if is_found != must_find {
                failures.push(format!("{rule}: \"{}\" finds\n{found}", case.name));
            }
            let places: Vec<String> =
                findings.iter().map(|f| format!("{} {}:{}", f["rule"], f["line"], f["column"])).collect();
            if places.len() != places.iter().collect::<BTreeSet<_>>().len() {
                failures.push(format!("{rule}: \"{}\" reports one place twice:\n{found}", case.name));
            }
            let with_crlf = check(&case.manifests.replace('\n', "\r\n"));
            if essence(&with_crlf) != essence(&findings) {
                failures.push(format!("{rule}: \"{}\" finds something else with CRLF", case.name));
            }
            if found != case.findings && !is_update {
                failures.push(format!(
                    "{rule}: \"{}\" finds\n{found}instead of\n{}`UPDATE=1 cargo test --test suite rule_cases` writes it",
                    case.name, case.findings
                ));
            }
            case.findings = found;
        }
        if is_update {
            fs::write(&path, write(&head, &cases)).unwrap();
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What ValidatePlatform reports about manifests in a ResourceList, as `severity rule: message`. None if they cannot be
/// sent in a list.
fn validate(manifests: &str) -> Option<Vec<String>> {
    let config = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: ValidatePlatform\nmetadata:\n  name: x\nspec:\n  select: [all]\n";
    let list = wire(&[manifests], config);
    let outcome = krm::run(list.as_bytes(), REGISTRY);
    let (items, _) = list.split_once("functionConfig:").unwrap();
    let is_unchanged = outcome.stdout.starts_with(items) || manifests.is_empty();
    assert!(outcome.stdout.is_empty() || is_unchanged, "{}", outcome.stdout);
    let lines = outcome.findings.iter().map(|finding| {
        let (severity, rule) = (finding.severity, finding.rule.id);
        // The message depends on whether the file and the line are known.
        let message = if rule == rules::DUPLICATE_OBJECT.id { "" } else { &finding.message };
        format!("{severity} {rule}: {message}")
    });
    (!outcome.stdout.is_empty()).then(|| lines.collect())
}

#[test]
fn validate_platform_reports_what_check_reports_and_changes_nothing() {
    let mut compared = 0;
    for entry in fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        for case in read(&path).1 {
            let Some(mut found) = validate(&case.manifests) else { continue };
            let places = case.findings.lines().filter(|line| !line.starts_with(' '));
            let mut expected: Vec<String> = places.map(without_place).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{}: {}", path.display(), case.name);
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// A line of the findings without line and column.
fn without_place(line: &str) -> String {
    let (_, finding) = line.split_once(' ').unwrap();
    let duplicate = format!("error {}: ", rules::DUPLICATE_OBJECT.id);
    if finding.starts_with(&duplicate) { duplicate } else { finding.to_owned() }
}

#[test]
fn validate_platform_without_resources_fails() {
    let findings = validate("").unwrap();
    assert!(findings[0].starts_with("error no-match: there are no resources"), "{findings:?}");
}

#[test]
fn every_rule_of_the_linter_has_a_case_that_reports_and_one_that_accepts() {
    for rule in checks::rules_of_checks() {
        let path = directory().join(format!("{}.yaml", rule.id));
        assert!(path.exists(), "{} has no cases: write {}", rule.id, path.display());
        let (_, cases) = read(&path);
        for verb in ["reports", "accepts"] {
            assert!(cases.iter().any(|case| case.name.starts_with(verb)), "{}: no case {verb}", rule.id);
        }
    }
}
