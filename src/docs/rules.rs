//! Documentation of rules from their doc comments: the list, the page of one rule, and the index of all pages.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::schema::unwrap_lines;
use super::wrapped;
use crate::checks::{self, PEDANTIC, rules};
use crate::functions::IGNORES;
use crate::krm::{CollectOrdered, Rule};

/// The line of a manual that introduces the example. On the page, it is a heading.
const EXAMPLE: &str = "Example:";

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

/// `explain RULE`: the page of a rule, as wide as the terminal.
pub fn explain_rule(id: &str, width: usize) -> Option<String> {
    rules::all().find(|rule| rule.id.eq_ignore_ascii_case(id)).map(|rule| reflowed(&rule_page(rule), width))
}

/// Wraps the paragraphs of a page again. Code blocks and headings stay as they are.
fn reflowed(page: &str, width: usize) -> String {
    let part = |(at, part): (usize, &str)| {
        let body = part.trim_matches('\n');
        let (start, end) = part.split_at(part.len() - part.trim_start_matches('\n').len());
        let after = &end[body.len()..];
        match at % 2 {
            0 => format!("{start}{}{after}", wrapped(&unwrap_lines(body), 0, width)),
            _ => part.to_owned(),
        }
    };
    // Every other part is in a code block.
    page.split("```").enumerate().map(part).collect::<Vec<_>>().join("```")
}

/// The ids of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    rules::all().map(|rule| rule.id)
}

/// The page of a rule in Markdown: its manual, and how to ignore it, or which function reports it.
pub fn rule_page(rule: &Rule) -> String {
    let manual = rule.text().replace(&format!("\n{EXAMPLE}\n"), "\n## Example\n");
    let mut page = format!("# {}\n\n*{}, group {}*\n\n{manual}\n", rule.id, rule.severity, rule.group);
    if is_checked(rule) {
        page.push_str(&how_to_ignore(rule));
    } else if let [first, others @ ..] = reporters(rule) {
        let _ = write!(page, "\nReported by {first}");
        others.iter().for_each(|other| page.push_str(&format!(" and {other}")));
        page.push_str(".\n");
    }
    page
}

/// Whether `check` runs a rule.
fn is_checked(rule: &Rule) -> bool {
    checks::rules_of_checks().contains(&rule)
}

/// The functions that report a rule that `check` does not run, as far as its group shows them.
fn reporters(rule: &Rule) -> &'static [&'static str] {
    match (rule.id, rule.group) {
        ("name-taken", _) => &["GenerateMachineSets", "PrefixAddressPools"],
        ("cell-conflict", _) => &["AssignNovaCells", "InjectGpuAlias"],
        ("cell-moved" | "node-set-name" | "node-set-split", _) => &["AssignNovaCells"],
        ("cells-unknown", _) => &["InjectGpuAlias", "SetServiceConfig"],
        ("no-nova-service" | "service-shared" | "service-type", _) => {
            &["AssignNovaCells", "InjectGpuAlias", "SetServiceConfig"]
        }
        (_, "argocd") => &["SetSyncWaves"],
        (_, "config") => &["SetServiceConfig"],
        (_, "external-computes") => &["GenerateNovaExternalComputes"],
        (_, "instances") => &["GenerateInstances"],
        (_, "machine-sets") => &["GenerateMachineSets"],
        (_, "metallb") => &["PrefixAddressPools"],
        (_, "nova") => &["InjectGpuAlias"],
        (_, "secrets") => &["ValidateSecrets"],
        (_, "storage") => &["GenerateVolumes"],
        _ => &[],
    }
}

fn how_to_ignore(rule: &Rule) -> String {
    let id = rule.id;
    let mut text = String::from("\n## How to ignore a finding\n\n");
    let is_about_ignores = *rule == rules::UNUSED_IGNORE;
    if !is_about_ignores {
        let _ = write!(
            text,
            "To ignore one finding, give a reason in a comment at the end of its line or on the line above:\n\n\
             ```yaml\n# {}{id}] the reason\n```\n\n\
             To ignore all findings about a resource, which also works where comments are lost, as in kustomize:\n\n\
             ```yaml\nmetadata:\n  annotations:\n    {}: \"{id}: the reason\"\n```\n\n",
            IGNORES.comment, IGNORES.annotation
        );
    }
    let entry = if is_about_ignores { id.to_owned() } else { format!("\"{id}: the reason\"") };
    let _ = write!(
        text,
        "To ignore the rule everywhere, run `rhoso-fn check --ignore {id}`, or list it in the functionConfig of \
         ValidatePlatform:\n\n```yaml\nspec:\n  ignore:\n  - {entry}\n```\n"
    );
    if rule.group == PEDANTIC {
        let _ = write!(text, "\nThis rule runs only if you select it: `rhoso-fn check --select {id}`.\n");
    }
    text
}

/// The files of `docs/rules`, by name: an index, and one page per rule.
pub fn rule_pages() -> BTreeMap<String, String> {
    let marked = |text| {
        format!("<!-- Generated from the doc comments of the rules by `UPDATE=1 cargo test`. -->\n\n{text}")
    };
    let pages = rules::all().map(|rule| (format!("{}.md", rule.id), marked(rule_page(rule))));
    pages.chain([("README.md".to_owned(), marked(index()))]).collect_ordered()
}

/// The list of all pages, by group.
fn index() -> String {
    let mut groups: BTreeMap<&str, Vec<&Rule>> = BTreeMap::new();
    for rule in rules::all() {
        groups.entry(rule.group).or_default().push(rule);
    }
    let mut text = String::from(
        "# Rules\n\nEvery finding refers to a rule. `rhoso-fn rules` lists the rules, and `rhoso-fn explain RULE` \
         prints the page of one. The severity is the default: the page of a rule says when a finding has another one. \
         `rhoso-fn check` and ValidatePlatform run the rules that are marked in the column `check`; the functions \
         report the others. `--select` and `--ignore` take rules and groups.\n",
    );
    for (group, rules) in groups {
        let _ = write!(text, "\n## {group}\n\n| rule | severity | `check` | finds |\n|---|---|---|---|\n");
        for rule in rules {
            let mark = if is_checked(rule) { "✓" } else { "" };
            let summary = rule.summary().replace('|', "\\|");
            let _ = writeln!(text, "| [{0}]({0}.md) | {1} | {mark} | {summary} |", rule.id, rule.severity);
        }
    }
    text
}
