//! Renderers for findings: one line each, with source lines, JSON, SARIF, and GitHub annotations; the map of an
//! address plan; and diffs of files and objects.

pub mod differences;
mod github;
mod json;
mod line;
pub mod map;
mod sarif;
mod snippet;
mod sources;
mod summary;
mod unified;

pub use github::github;
pub use json::json;
pub use line::lines;
pub use sarif::sarif;
pub use snippet::{Color, snippets};
pub use summary::{summary, unrendered, unrendered_map};
pub use unified::{FileChange, Part, unified};

use crate::krm::{Finding, Severity};

/// The findings to show. Infos are shown only on request.
fn shown(findings: &[Finding], infos: bool) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(move |finding| infos || finding.severity != Severity::Info)
}
