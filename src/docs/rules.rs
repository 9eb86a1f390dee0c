//! Documentation of rules from their doc comments: the list, the page of one rule, and the generated page of
//! all rules.

use crate::checks::rules;
use crate::krm::Rule;

/// `rules`: one rule per line, starting with its id.
pub fn list_rules() -> String {
    let all: Vec<&Rule> = rules::all().collect();
    let width = all.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    all.iter()
        .map(|rule| format!("{:width$}  {:7}  {}\n", rule.id, rule.severity.to_string(), summary(rule)))
        .collect()
}

/// `explain RULE`: the description of a rule.
pub fn explain_rule(id: &str) -> Option<String> {
    let rule = rules::all().find(|rule| rule.id.eq_ignore_ascii_case(id))?;
    Some(format!("{} ({})\n\n{}", rule.id, rule.severity, lines(rule).join("\n")) + "\n")
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
        page.push_str(&format!("\n## {}\n\n*{}*\n\n{}\n", rule.id, rule.severity, lines(rule).join("\n")));
    }
    page
}

/// The first sentence, on one line.
fn summary(rule: &Rule) -> String {
    let lines = lines(rule);
    lines.iter().take_while(|line| !line.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// The lines of the doc comment, without the space that rustdoc adds before each of them.
fn lines(rule: &Rule) -> Vec<&'static str> {
    rule.manual.trim_end().lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}
