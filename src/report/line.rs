//! A line for each finding: kustomize shows nothing else of a function.

use super::shown;
use crate::functions::PROGRAM;
use crate::krm::Finding;

pub fn lines(findings: &[Finding], infos: bool) -> String {
    shown(findings, infos).map(|finding| line(finding) + "\n").collect()
}

/// Without a file, the line begins with the program, because others write to the same terminal.
fn line(finding: &Finding) -> String {
    match finding.location.place.file {
        Some(_) => finding.to_string(),
        None => format!("{PROGRAM}: {finding}"),
    }
}
