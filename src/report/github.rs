//! Renders findings as GitHub workflow commands, which annotate the files of a pull request.

use std::fmt::Write;

use super::shown;
use crate::krm::{Finding, Severity, visible};

/// One command per finding. GitHub shows infos as notices.
pub fn github(findings: &[Finding], infos: bool) -> String {
    shown(findings, infos).map(|finding| command(finding) + "\n").collect()
}

fn command(finding: &Finding) -> String {
    let mut line = String::from(match finding.severity {
        Severity::Error => "::error ",
        Severity::Warning => "::warning ",
        Severity::Info => "::notice ",
    });
    let place = &finding.location.place;
    if let Some(file) = &place.file {
        let _ = write!(line, "file={},", property(file.strip_prefix("./").unwrap_or(file)));
    }
    for (name, number) in [("line", place.line), ("col", place.column)] {
        if let Some(number) = number {
            let _ = write!(line, "{name}={number},");
        }
    }
    let _ = write!(line, "title={}::{}", property(finding.rule.id), data(&message(finding)));
    line
}

/// The message with the resource, the field and the related places, because annotations show nothing else.
fn message(finding: &Finding) -> String {
    let mut text = String::new();
    if let Some(id) = &finding.location.resource {
        let _ = write!(text, "{id}: ");
    }
    if let Some(field) = &finding.location.field {
        let _ = write!(text, "`{field}`: ");
    }
    text.push_str(&finding.message);
    for related in &finding.related {
        let place = &related.location.place;
        let _ = write!(text, "\n{}", related.message);
        if let (Some(file), Some(line)) = (&place.file, place.line) {
            let _ = write!(text, " ({file}:{line})");
        }
    }
    text
}

/// Escapes a message. Line breaks are kept as escapes, and other control characters become visible.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| visible(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    visible(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{Location, Place, rules};

    #[test]
    fn a_finding_is_one_command() {
        let mut finding = Finding::new(Severity::Error, &rules::WRONG_TYPE, "100% wrong");
        finding.location.place =
            Place { line: Some(3), column: Some(5), ..Place::in_file("./a,b:c.yaml", None) };
        let other = Location { place: Place::in_file("d.yaml", Some(7)), ..Location::default() };
        finding.related(other, "the other");
        assert_eq!(
            github(&[finding], false),
            "::error file=a%2Cb%3Ac.yaml,line=3,col=5,title=wrong-type::100%25 wrong%0Athe other (d.yaml:7)\n"
        );
    }
}
