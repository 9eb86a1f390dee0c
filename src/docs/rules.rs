//! Rules, from their doc comments: the list, one page each, and the generated page of all.

use crate::checks::rules;
use crate::krm::Rule;

/// One rule per line, its id first.
pub fn list_rules() -> String {
    let all: Vec<&Rule> = rules::all().collect();
    let width = all.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    all.iter()
        .map(|rule| format!("{:width$}  {:7}  {}\n", rule.id, rule.severity.to_string(), summary(rule)))
        .collect()
}

/// The manual of a rule.
pub fn explain_rule(id: &str) -> Option<String> {
    let rule = rules::all().find(|rule| rule.id.eq_ignore_ascii_case(id))?;
    Some(format!("{} ({})\n\n{}", rule.id, rule.severity, lines(rule).join("\n")) + "\n")
}

/// The ids of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id)
}

/// The page of all rules, in Markdown.
pub fn rules_page() -> String {
    let mut page = String::from(
        "# Rules\n\nEvery finding names a rule. `rhoso-fn rules` lists them and `rhoso-fn explain RULE` prints one. The severity \
         is the usual one.\n",
    );
    for rule in rules::all() {
        page.push_str(&format!("\n## {}\n\n*{}*\n\n{}\n", rule.id, rule.severity, lines(rule).join("\n")));
    }
    page
}

/// The first sentence, on one line.
fn summary(rule: &Rule) -> String {
    let lines = lines(rule);
    lines.iter().take_while(|line| !line.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// The manual without the blank that rustdoc puts before each line.
fn lines(rule: &Rule) -> Vec<&'static str> {
    rule.manual.trim_end().lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}
