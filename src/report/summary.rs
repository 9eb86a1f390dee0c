//! The last lines of a report.

use crate::checks::rules;
use crate::functions::PROGRAM;
use crate::krm::{Finding, Severity};

/// How many findings there are, how much was checked, and where to read more. A skipped document is not a problem, so
/// it is counted on its own.
pub fn summary(findings: &[Finding], resources: usize, files: usize) -> String {
    let (skipped, problems): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|finding| *finding.rule == rules::NOT_KRM);
    let count = |severity| problems.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut checked = format!("checked {} in {}", counted(resources, "resource"), counted(files, "file"));
    if !skipped.is_empty() {
        checked.push_str(&format!(", skipped {}", counted(skipped.len(), "document")));
    }
    if (errors, warnings) == (0, 0) {
        return format!("No problems found: {checked}.\n");
    }
    let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
    let worst = problems.iter().min_by_key(|finding| finding.severity);
    let rule = worst.map_or("RULE", |finding| finding.rule.id);
    format!(
        "Found {errors} and {warnings}: {checked}.\nFor more information about a rule, try `{PROGRAM} explain {rule}`.\n"
    )
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

    #[test]
    fn numbers_agree_with_nouns() {
        assert_eq!(summary(&[], 1, 2), "No problems found: checked 1 resource in 2 files.\n");
        let finding = |rule| Finding::new(Severity::Warning, rule, "x");
        let findings = [finding(&rules::NOT_KRM), finding(&rules::LINK)];
        assert_eq!(
            summary(&findings[..1], 0, 1),
            "No problems found: checked 0 resources in 1 file, skipped 1 document.\n"
        );
        assert_eq!(
            summary(&findings[1..], 0, 1),
            "Found 0 errors and 1 warning: checked 0 resources in 1 file.\n\
             For more information about a rule, try `rhoso-fn explain link`.\n"
        );
        assert_eq!(unrendered(0), "");
        assert!(unrendered(1).starts_with("One package is ") && unrendered(2).starts_with("2 packages are "));
    }
}
