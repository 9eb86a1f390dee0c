//! Renders findings as JSON, for programs.

use serde::Serialize;

use crate::krm::{Finding, Id, Location};

#[derive(Serialize)]
struct Report<'f> {
    findings: Vec<Entry<'f>>,
}

#[derive(Serialize)]
struct Entry<'f> {
    rule: &'f str,
    severity: String,
    message: &'f str,
    #[serde(flatten)]
    location: Place<'f>,
    related: Vec<Related<'f>>,
}

#[derive(Serialize)]
struct Related<'f> {
    #[serde(flatten)]
    location: Place<'f>,
    message: &'f str,
}

/// Unknown values are null, so that every entry has every key.
#[derive(Serialize)]
struct Place<'f> {
    file: Option<&'f str>,
    line: Option<usize>,
    column: Option<usize>,
    resource: Option<Resource<'f>>,
    field: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'f> {
    api_version: &'f str,
    kind: &'f str,
    namespace: Option<&'f str>,
    name: &'f str,
}

impl<'f> From<&'f Location> for Place<'f> {
    fn from(location: &'f Location) -> Self {
        Place {
            file: location.place.file.as_deref(),
            line: location.place.line,
            column: location.place.column,
            resource: location.resource.as_ref().map(Resource::from),
            field: location.field.as_ref().map(ToString::to_string),
        }
    }
}

impl<'f> From<&'f Id> for Resource<'f> {
    fn from(id: &'f Id) -> Self {
        let Id { api_version, kind, namespace, name } = id;
        Resource { api_version, kind, namespace: namespace.as_deref(), name }
    }
}

impl<'f> From<&'f Finding> for Entry<'f> {
    fn from(finding: &'f Finding) -> Self {
        let related = finding.related.iter();
        Entry {
            rule: finding.rule.id,
            severity: finding.severity.to_string(),
            message: &finding.message,
            location: Place::from(&finding.location),
            related: related
                .map(|related| Related {
                    location: Place::from(&related.location),
                    message: &related.message,
                })
                .collect(),
        }
    }
}

/// Renders all findings, including infos.
pub fn json(findings: &[Finding]) -> serde_json::Result<String> {
    let report = Report { findings: findings.iter().map(Entry::from).collect() };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}
