//! Checks: what the program reports about resources. Every finding refers to a documented rule.
//!
//! A check reads the model and reports. `rhoso-fn check` and ValidatePlatform run all of [`CHECKS`]; functions call
//! single checks about the resources that they change.

pub mod rules;
mod selection;
pub mod suppression;

pub use selection::{PEDANTIC, Selection, UnknownName};

use crate::krm::{Resource, Results, Rule};
use crate::model::Model;
use suppression::Syntax;

/// A check and the rules that it reports.
#[derive(Debug)]
pub struct Check {
    pub rules: &'static [&'static Rule],
    pub run: fn(&Model<'_>, &mut Results),
}

/// Every check.
pub static CHECKS: &[Check] = &[];

/// The rules that can be selected.
pub fn rules_of_checks() -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = CHECKS.iter().flat_map(|check| check.rules.iter().copied()).collect();
    rules.push(&rules::UNUSED_IGNORE);
    rules.sort_by_key(|rule| rule.id);
    rules.dedup();
    rules
}

/// Runs the selected checks, and leaves out what the user ignores.
pub fn check(items: &[Resource], selection: &Selection, ignores: Syntax) -> Results {
    let model = Model::read(items);
    let mut results = Results::default();
    for check in CHECKS.iter().filter(|check| check.rules.iter().any(|rule| selection.includes(rule.id))) {
        (check.run)(&model, &mut results);
    }
    let mut findings = results.into_sorted();
    findings.retain(|finding| selection.includes(finding.rule.id));
    suppression::apply(items, findings, ignores, selection)
}
