//! The last line of a report.

use crate::krm::{Finding, Severity};

/// How many findings there are, and how much was checked.
pub fn summary(findings: &[Finding], resources: usize, files: usize) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let checked = format!("{} in {}", counted(resources, "resource"), counted(files, "file"));
    match (errors, warnings) {
        (0, 0) => format!("No problems found: checked {checked}.\n"),
        _ => format!(
            "Found {} and {}: checked {checked}.\n",
            counted(errors, "error"),
            counted(warnings, "warning")
        ),
    }
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::rules;

    #[test]
    fn numbers_agree_with_nouns() {
        assert_eq!(summary(&[], 1, 2), "No problems found: checked 1 resource in 2 files.\n");
        let finding = Finding::new(Severity::Warning, &rules::LINK, "x");
        assert_eq!(
            summary(&[finding], 0, 1),
            "Found 0 errors and 1 warning: checked 0 resources in 1 file.\n"
        );
    }
}
