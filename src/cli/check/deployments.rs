//! Checks each deployment by itself.

use std::collections::HashSet;

use crate::checks::{self, Selection, Stage, rules};
use crate::cli::deployments::Deployment;
use crate::functions::IGNORES;
use crate::krm::{Finding, Order, Package, Registry, Results};
use crate::platform::crds::Schemas;

/// The findings about all deployments.
pub struct Checked {
    pub findings: Vec<Finding>,
    /// The number of deployments that kustomize or functions will change.
    pub unrendered: usize,
}

impl Checked {
    /// A file can be in several deployments, so a finding is reported once, and an ignore counts as unused only if it is
    /// unused in all deployments of its file.
    pub fn new(
        deployments: &[Deployment],
        all: &Package,
        registry: &Registry,
        selection: &Selection,
        crds: Option<&Schemas>,
    ) -> Self {
        let mut found: Vec<Finding> = Vec::new();
        let mut unused: Vec<(Finding, usize)> = Vec::new();
        let mut unrendered = 0;
        for deployment in deployments {
            let (stage, results) = check(deployment, all, registry, selection, crds);
            let is_unrendered = match stage {
                Stage::Rendered | Stage::Partial => false,
                Stage::BeforeNames | Stage::BeforePatches | Stage::BeforeFunctions => true,
            };
            unrendered += usize::from(is_unrendered);
            for mut finding in results.into_sorted() {
                // The user may apply either of two files.
                if let Some(severity) = deployment.alternatives.filter(|_| finding.is_between_files()) {
                    finding.severity = severity;
                }
                if *finding.rule != rules::UNUSED_IGNORE {
                    found.push(finding);
                } else if let Some((_, count)) = unused.iter_mut().find(|(other, _)| *other == finding) {
                    *count += 1;
                } else {
                    unused.push((finding, 1));
                }
            }
        }
        for (finding, count) in unused {
            if count == deployments_of(&finding, deployments, all) {
                found.push(finding);
            }
        }
        Checked { findings: distinct(found), unrendered }
    }
}

/// Each finding once, with its highest severity: deployments differ in how much is known.
fn distinct(mut found: Vec<Finding>) -> Vec<Finding> {
    found.order_by_key(|finding| finding.severity);
    let mut seen = HashSet::new();
    let mut results = Results::default();
    for finding in found {
        let place = finding.location.place.clone();
        if seen.insert((finding.rule.id, place.file, place.line, place.column, finding.message.clone())) {
            results.add(finding);
        }
    }
    results.into_sorted()
}

/// The number of deployments that contain the file of a finding.
fn deployments_of(finding: &Finding, deployments: &[Deployment], all: &Package) -> usize {
    let path = finding.location.place.file.as_ref();
    let file = all.files().iter().position(|file| Some(&file.path) == path);
    let has_file = |deployment: &&Deployment| file.is_some_and(|file| deployment.files.contains(&file));
    deployments.iter().filter(|deployment| deployment.alternatives.is_none()).filter(has_file).count()
}

fn check(
    deployment: &Deployment,
    all: &Package,
    registry: &Registry,
    selection: &Selection,
    crds: Option<&Schemas>,
) -> (Stage, Results) {
    let part = deployment.part(all, registry);
    let package = part.as_ref().unwrap_or(all);
    let stage = deployment.stage(package, registry);
    let mut found = Results::default();
    package.report_duplicate_keys(&mut found);
    package.report_duplicates(&mut found);
    let selection = match deployment.alternatives {
        Some(_) => selection.only(&rules::DUPLICATE_OBJECT),
        None => selection.clone(),
    };
    let results = checks::check_with_crds(package.items(), found, stage, &selection, IGNORES.into(), crds);
    (stage, results)
}
