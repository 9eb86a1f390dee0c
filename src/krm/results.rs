//! The findings of a run.

use super::finding::Finding;
use super::location::Located as _;
use super::resource::Resource;
use super::rule::{Rule, Severity};
use crate::yaml::Order as _;

/// The findings of one run.
#[derive(Debug, Default)]
pub struct Results {
    findings: Vec<Finding>,
}

impl Results {
    pub fn error(&mut self, rule: &'static Rule, message: impl Into<String>) -> &mut Finding {
        self.add(Finding::new(Severity::Error, rule, message))
    }

    pub fn warning(&mut self, rule: &'static Rule, message: impl Into<String>) -> &mut Finding {
        self.add(Finding::new(Severity::Warning, rule, message))
    }

    pub fn info(&mut self, rule: &'static Rule, message: impl Into<String>) -> &mut Finding {
        self.add(Finding::new(Severity::Info, rule, message))
    }

    pub fn add(&mut self, finding: Finding) -> &mut Finding {
        let at = self.findings.len();
        self.findings.push(finding);
        &mut self.findings[at]
    }

    pub fn extend(&mut self, other: Results) {
        self.findings.extend(other.findings);
    }

    /// Points findings without a place to the functionConfig. Findings about new resources, which are in no file,
    /// point to the file of the functionConfig that generated them.
    pub(super) fn place_all_on(&mut self, config: &Resource) {
        for finding in self.findings.iter_mut().filter(|finding| !finding.has_file()) {
            match (&finding.location.resource, finding.location.field.clone()) {
                (Some(_), _) => finding.location.place = config.place(),
                (None, Some(path)) => {
                    let part = finding.config_text.take();
                    finding.location = config.location_inside(&path, |_| part);
                }
                (None, None) => {
                    finding.on(config);
                }
            }
        }
    }

    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    pub fn has_warnings(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Warning)
    }

    /// The findings sorted by file, resource and field, without duplicates.
    pub fn into_sorted(mut self) -> Vec<Finding> {
        self.findings.order_by(Finding::order);
        self.findings.dedup();
        self.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::rules;

    #[test]
    fn results_are_sorted_and_without_doubles() {
        let mut results = Results::default();
        results.warning(&rules::YAML, "second").in_file("b.yaml", Some(2));
        results.error(&rules::UNUSABLE_FILE, "first").in_file("a.yaml", None);
        results.error(&rules::UNUSABLE_FILE, "first").in_file("a.yaml", None);
        let lines: Vec<String> = results.into_sorted().iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["a.yaml: error: first [unusable-file]", "b.yaml:2: warning: second [yaml]"]);
    }
}
