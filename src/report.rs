//! How findings are shown to people.

use crate::functions::PROGRAM;
use crate::krm::Finding;

/// The findings that people must see, a line each: kustomize shows nothing else of a function.
pub fn lines(findings: &[Finding]) -> String {
    findings.iter().filter(|finding| finding.is_for_terminal()).map(|finding| line(finding) + "\n").collect()
}

/// A finding on one line. Without a file, the line begins with the program, because others write to the same
/// terminal.
pub fn line(finding: &Finding) -> String {
    if finding.has_file() { finding.to_string() } else { format!("{PROGRAM}: {finding}") }
}
