//! Documentation of rules from their doc comments: the list, the page of one rule, and the generated page of
//! all rules.

use crate::checks::rules;
use crate::krm::Rule;

/// `rules`: one rule per line: id, group, severity and the first sentence of its description.
pub fn list_rules() -> String {
    let all: Vec<&Rule> = rules::all().collect();
    let longest = |of: fn(&Rule) -> &str| all.iter().map(|rule| of(rule).len()).max().unwrap_or_default();
    let (ids, groups) = (longest(|rule| rule.id), longest(|rule| rule.group));
    let line = |rule: &&Rule| {
        let severity = rule.severity.to_string();
        format!("{:ids$}  {:groups$}  {severity:7}  {}\n", rule.id, rule.group, rule.summary())
    };
    all.iter().map(line).collect()
}

/// `explain RULE`: the description of a rule.
pub fn explain_rule(id: &str) -> Option<String> {
    let rule = rules::all().find(|rule| rule.id.eq_ignore_ascii_case(id))?;
    Some(format!("{} ({}, {})\n\n{}", rule.id, rule.severity, rule.group, rule.text()) + "\n")
}

/// The ids of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id)
}

/// The page of all rules in Markdown.
pub fn rules_page() -> String {
    let mut page = String::from(
        "# Rules\n\nEvery finding refers to a rule. `rhoso-fn rules` lists the rules, and `rhoso-fn explain RULE` prints the \
         description of one. Each rule is shown with its default severity and its group.\n",
    );
    for rule in rules::all() {
        page.push_str(&format!(
            "\n## {}\n\n*{}, {}*\n\n{}\n",
            rule.id,
            rule.severity,
            rule.group,
            rule.text()
        ));
    }
    page
}
