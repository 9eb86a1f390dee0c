//! Which rules run.

use std::collections::BTreeSet;

use super::rules;
use crate::krm::{Hint, Rule, quoted};

/// The group of rules that report matters of taste. They run only if they are selected.
pub const PEDANTIC: &str = "pedantic";

/// The name of all rules.
const ALL: &str = "all";

/// The rules that run, by id.
#[derive(Debug, Clone)]
pub struct Selection(BTreeSet<&'static str>);

impl Selection {
    /// The rules that `select` names, by id or group, without those that `ignore` names. If `select` is empty, all
    /// rules except pedantic ones. An unknown name is an error.
    pub fn new(rules: &[&'static Rule], select: &[String], ignore: &[String]) -> Result<Self, UnknownName> {
        let mut selected: BTreeSet<&'static str> = BTreeSet::new();
        if select.is_empty() {
            selected.extend(rules.iter().filter(|rule| rule.group != PEDANTIC).map(|rule| rule.id));
        }
        for name in select {
            selected.extend(named(rules, name)?);
        }
        for name in ignore {
            for id in named(rules, name)? {
                selected.remove(id);
            }
        }
        Ok(Selection(selected))
    }

    /// Whether a name is a rule, a group, or `all`.
    pub fn check_name(rules: &[&'static Rule], name: &str) -> Result<(), UnknownName> {
        named(rules, name).map(|_| ())
    }

    /// One rule, if it is selected.
    #[must_use]
    pub fn only(&self, rule: &'static Rule) -> Self {
        Selection(self.0.iter().copied().filter(|id| *id == rule.id).collect())
    }

    /// The selected rules except some.
    #[must_use]
    pub(super) fn without(&self, rules: &[&Rule]) -> Self {
        let is_kept = |id: &&'static str| !rules.iter().any(|rule| rule.id == *id);
        Selection(self.0.iter().copied().filter(is_kept).collect())
    }

    pub fn includes(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

/// Expands a name to rule ids. The name is a rule, a group, or `all`.
fn named(rules: &[&'static Rule], name: &str) -> Result<Vec<&'static str>, UnknownName> {
    let is_named = |rule: &&&'static Rule| name == ALL || rule.id == name || rule.group == name;
    let ids: Vec<&str> = rules.iter().filter(is_named).map(|rule| rule.id).collect();
    if !ids.is_empty() {
        return Ok(ids);
    }
    if rules::all().any(|rule| rule.id == name) {
        return Err(UnknownName(format!(
            "only functions report {}; remove it, or change their functionConfig",
            quoted(name)
        )));
    }
    let known = rules.iter().flat_map(|rule| [rule.id, rule.group]).chain([ALL]);
    let hint = Hint::among(name, known).and("`rhoso-fn rules` lists the rules and their groups");
    Err(UnknownName(format!("there is no rule or group {}; {hint}", quoted(name))))
}

/// A name that is neither a rule nor a group.
#[derive(Debug)]
pub struct UnknownName(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules_of_checks;

    fn includes(select: &[&str], ignore: &[&str], id: &str) -> bool {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let all: Vec<&Rule> = rules::all().collect();
        Selection::new(&all, &owned(select), &owned(ignore)).unwrap().includes(id)
    }

    #[test]
    fn rules_are_selected_by_id_and_by_group() {
        assert!(includes(&[], &[], "pool-overlap"));
        assert!(!includes(&[], &["pool-overlap"], "pool-overlap"));
        assert!(includes(&["metallb"], &[], "pool-overlap"));
        assert!(!includes(&["metallb"], &[], "known-default"));
        assert!(includes(&["all"], &["secrets"], "pool-overlap"));
        assert!(!includes(&["all"], &["secrets"], "known-default"));
    }

    #[test]
    fn unknown_names_are_errors_with_a_hint() {
        let all: Vec<&Rule> = rules::all().collect();
        let error = Selection::new(&all, &["pool-overlaps".to_owned()], &[]).unwrap_err();
        assert!(error.0.contains("did you mean \"pool-overlap\"?"), "{}", error.0);
        let error = Selection::check_name(&rules_of_checks(), "foreign-pool").unwrap_err();
        assert!(error.0.starts_with("only functions report \"foreign-pool\""), "{}", error.0);
    }
}
