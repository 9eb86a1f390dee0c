//! SARIF reports, validated with the schema of SARIF 2.1.0.

use std::fs;

use rhoso_fn::checks::{self, rules};
use rhoso_fn::krm::{FieldPath, File, Finding, Location, Place, Resource, Severity};
use rhoso_fn::report;
use serde_json::{Value, json};

use crate::host::{BINARY, root, run, tool};

/// What is wrong with a report, or an empty string. None without the program that validates it.
fn objections(log: &str) -> Option<String> {
    let judge = tool("judge-sarif")?;
    Some(run(judge, &[], log.as_bytes(), root()).stdout)
}

/// Findings of every severity, with and without a file, a line, a column, a resource and related places.
fn findings(files: &[File]) -> Vec<Finding> {
    let text = files[0].text.clone();
    let range = 0..text.len();
    let place = Place::in_file(&files[0].path, Some(1));
    let resource = Resource::from_file(text, range, place).unwrap();
    let field = FieldPath::new("metadata.name");
    let mut error = Finding::new(Severity::Error, &rules::POOL_OVERLAP, "\u{1b}[1m \"ü\"\n100%");
    error.field(&resource, &field);
    error.related(Location::of(&resource), "the other one");
    error.related(Location::default(), "one without a place");
    let mut warning = Finding::new(Severity::Warning, &rules::NOT_KRM, "skipped");
    warning.in_file("/tmp/a b/#ü?%20:c\\d.yaml", None);
    let mut info = Finding::new(Severity::Info, &rules::GPU_LABEL, "not copied");
    info.in_file("stdin", Some(3));
    vec![error, warning, info, Finding::new(Severity::Error, &rules::YAML, "")]
}

#[test]
fn every_kind_of_finding_is_valid() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"ü\n    b\"\n".into();
    let files = [File { path: "./über all/[a].yaml".to_owned(), text }];
    let log = report::sarif(&findings(&files), &files, &checks::rules_of_checks(), true).unwrap();
    let Some(objections) = objections(&log) else { return };
    assert_eq!(objections, "", "{log}");
    let log: Value = serde_json::from_str(&log).unwrap();
    let levels: Vec<&Value> =
        log["runs"][0]["results"].as_array().unwrap().iter().map(|result| &result["level"]).collect();
    assert_eq!(levels, ["error", "warning", "note", "error"]);
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "%C3%BCber%20all/%5Ba%5D.yaml");
    let key = json!({"startLine": 4, "startColumn": 3, "endLine": 4, "endColumn": 7});
    assert_eq!(place["region"], key, "of a value on several lines, the key is marked");
}

#[test]
fn the_reports_of_the_binary_are_valid() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("ü b")).unwrap();
    fs::write(dir.path().join("values.yaml"), "replicas: 1\n").unwrap();
    fs::write(dir.path().join("template.yaml"), "kind: {{ .Values.kind }}\n").unwrap();
    fs::write(dir.path().join("ü b/latin1.yaml"), b"kind: \xfc\n").unwrap();
    let pages = checks::rules_of_checks().into_iter().filter_map(crate::rule_pages::example);
    fs::write(dir.path().join("ü b/all.yaml"), pages.collect::<Vec<_>>().join("---\n")).unwrap();
    let log = run(BINARY, &["check", "-v", "--select", "all", "--format", "sarif"], b"", dir.path()).stdout;
    let Some(objections) = objections(&log) else { return };
    assert_eq!(objections, "", "{log}");
    let log: Value = serde_json::from_str(&log).unwrap();
    assert!(log["runs"][0]["results"].as_array().unwrap().len() > 5, "{log}");
}

#[test]
fn the_schema_rejects_what_sarif_does_not_have() {
    let log = report::sarif(&[Finding::new(Severity::Info, &rules::YAML, "x")], &[], &[], true).unwrap();
    let wrong = log.replace("\"note\"", "\"info\"");
    let Some(objections) = objections(&wrong) else { return };
    assert!(wrong != log && objections.contains("/level"), "{objections}");
}
