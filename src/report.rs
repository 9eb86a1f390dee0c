//! Renderers for findings: one line each, with source lines, JSON, SARIF, and GitHub annotations.

mod github;
mod json;
mod line;
mod sarif;
mod snippet;
mod sources;
mod summary;

pub use github::github;
pub use json::json;
pub use line::lines;
pub use sarif::sarif;
pub use snippet::{Color, snippets};
pub use summary::{summary, unrendered};

use crate::krm::{Finding, Severity};

/// The findings to show. Infos are shown only on request.
fn shown(findings: &[Finding], infos: bool) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(move |finding| infos || finding.severity != Severity::Info)
}
