//! Renders each finding as one line on stderr. kustomize shows only a function's stderr.

use super::shown;
use crate::functions::PROGRAM;
use crate::krm::Finding;

pub fn lines(findings: &[Finding], infos: bool) -> String {
    shown(findings, infos).map(|finding| line(finding) + "\n").collect()
}

/// A finding without a file starts with the name of the program, because other programs write to the same
/// terminal.
fn line(finding: &Finding) -> String {
    match finding.location.place.file {
        Some(_) => finding.to_string(),
        None => format!("{PROGRAM}: {finding}"),
    }
}
