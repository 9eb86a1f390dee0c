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

/// A note about packages that were checked before kustomize or functions change them.
pub fn unrendered(packages: usize) -> String {
    match packages {
        0 => String::new(),
        1 => {
            "One package is not rendered yet, so rules about missing and repeated objects did not run on it. \
              Check its output too: `kustomize build DIR | rhoso-fn check -`\n"
                .to_owned()
        }
        _ => format!(
            "{packages} packages are not rendered yet, so rules about missing and repeated objects did not run on them. \
             Check their output too: `kustomize build DIR | rhoso-fn check -`\n"
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
        assert_eq!(unrendered(0), "");
        assert!(unrendered(1).starts_with("One package is ") && unrendered(2).starts_with("2 packages are "));
    }
}
