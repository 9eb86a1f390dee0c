//! How findings are shown: a line each, with their source lines, or as JSON.

mod json;
mod line;
mod snippet;

pub use json::json;
pub use line::lines;
pub use snippet::snippets;

use crate::krm::{Finding, Severity};

/// The findings that people want to see: infos only if they ask for them.
fn shown(findings: &[Finding], infos: bool) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(move |finding| infos || finding.severity != Severity::Info)
}
