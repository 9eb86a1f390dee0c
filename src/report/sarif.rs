//! Renders findings as SARIF 2.1.0, for code scanning.

use serde_json::{Map, Value, json};

use super::shown;
use super::sources::Sources;
use crate::docs::rule_page;
use crate::functions::PROGRAM;
use crate::krm::{File, Finding, Location, Place, Rule, Severity};

/// The log of one run. `rules` are the rules that ran, with their manuals as help.
pub fn sarif(
    findings: &[Finding],
    files: &[File],
    rules: &[&Rule],
    infos: bool,
) -> serde_json::Result<String> {
    let mut rules: Vec<&Rule> = rules.to_vec();
    for finding in findings {
        if !rules.contains(&finding.rule) {
            rules.push(finding.rule);
        }
    }
    rules.sort_by_key(|rule| rule.id);
    let sources = Sources::new(files);
    let results: Vec<Value> =
        shown(findings, infos).map(|finding| result(finding, &sources, &rules)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": PROGRAM,
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": {"text": rule.summary()},
        "help": {"text": rule.text(), "markdown": rule_page(rule)},
        "defaultConfiguration": {"level": level(rule.severity)},
        "properties": {"tags": [rule.group]},
    })
}

fn result(finding: &Finding, sources: &Sources<'_>, rules: &[&Rule]) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.id,
        "ruleIndex": rules.iter().position(|rule| *rule == finding.rule),
        "level": level(finding.severity),
        "message": {"text": finding.message},
        "locations": [location(&finding.location, sources)],
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(index, related)| {
            let mut location = location(&related.location, sources);
            location["id"] = json!(index);
            location["message"] = json!({"text": related.message});
            location
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

/// The file and the region if they are known, and the resource with the field.
fn location(location: &Location, sources: &Sources<'_>) -> Value {
    let mut value = Map::new();
    if let Some(path) = &location.place.file {
        let mut physical = json!({"artifactLocation": {"uri": uri(path)}});
        if let Some(region) = region(&location.place, sources) {
            physical["region"] = region;
        }
        value.insert("physicalLocation".to_owned(), physical);
    }
    if let Some(id) = &location.resource {
        let field = location.field.as_ref().map(|field| format!(" {field}")).unwrap_or_default();
        let name = format!("{id}{field}");
        value.insert("logicalLocations".to_owned(), json!([{"fullyQualifiedName": name, "kind": "object"}]));
    }
    Value::Object(value)
}

fn region(place: &Place, sources: &Sources<'_>) -> Option<Value> {
    let mut region = json!({"startLine": place.line?});
    if let Some(column) = place.column {
        region["startColumn"] = json!(column);
    }
    if let (Some(marked), Some(column)) = (sources.marked(place), place.column) {
        let breaks = marked.matches('\n').count();
        let last = marked.rsplit('\n').next().unwrap_or_default();
        let first = if breaks == 0 { column } else { 1 };
        region["endLine"] = json!(place.line? + breaks);
        region["endColumn"] = json!(first + last.chars().count());
    }
    Some(region)
}

/// A path as a relative URI: `/` stays, everything that is not unreserved is percent-encoded.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    path.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                (byte as char).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
