//! Documentation of rules from their doc comments: the list, the page of one rule, and the generated page of
//! all rules.

use crate::checks::rules;
use crate::krm::Rule;

/// `rules`: one rule per line, starting with its id.
pub fn list_rules() -> String {
    let all: Vec<&Rule> = rules::all().collect();
    let width = all.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    all.iter()
        .map(|rule| format!("{:width$}  {:7}  {}\n", rule.id, rule.severity.to_string(), rule.summary()))
        .collect()
}

/// `explain RULE`: the description of a rule.
pub fn explain_rule(id: &str) -> Option<String> {
    let rule = rules::all().find(|rule| rule.id.eq_ignore_ascii_case(id))?;
    Some(format!("{} ({})\n\n{}", rule.id, rule.severity, rule.text()) + "\n")
}

/// The ids of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id)
}

/// The page of all rules in Markdown.
pub fn rules_page() -> String {
    let mut page = String::from(
        "# Rules\n\nEvery finding refers to a rule. `rhoso-fn rules` lists the rules, and `rhoso-fn explain RULE` prints the \
         description of one. Each rule is shown with its default severity.\n",
    );
    for rule in rules::all() {
        page.push_str(&format!("\n## {}\n\n*{}*\n\n{}\n", rule.id, rule.severity, rule.text()));
    }
    page
}
