//! Findings that the user ignores, with a reason.
//!
//! A comment `# rhoso-fn: ignore[rule] reason` ignores findings on its line, or on the next line if it is alone on its
//! own. The annotation `fn.rhoso.dev/ignore` ignores findings about its resource, one `rule: reason` per line. A
//! functionConfig ignores findings about all resources. A finding is ignored if any of its places is: its own or a
//! related one. An ignore that matches no finding is reported.

mod of_resource;

use std::collections::HashMap;

use self::of_resource::Ignores;
use super::{Selection, rules};
use crate::krm::{
    Comment, FieldPath, Finding, Hint, Located, Location, Order, Place, Resource, Results, quoted,
};

/// How ignores are written; the names come from the program.
#[derive(Debug, Clone, Copy)]
pub struct Syntax {
    /// The start of a comment, after `#`: `rhoso-fn: ignore[`.
    pub comment: &'static str,
    /// The key of the annotation.
    pub annotation: &'static str,
}

/// An ignore of one rule in all resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreEverywhere {
    pub rule: String,
    pub reason: String,
    /// The field of the functionConfig.
    pub field: FieldPath,
}

/// An ignore of one rule.
#[derive(Debug)]
struct Ignore {
    rule: String,
    reason: String,
    scope: Scope,
    location: Location,
    is_used: bool,
}

#[derive(Debug, PartialEq)]
enum Scope {
    /// A line of the resource's text.
    Line(usize),
    Resource,
    Everywhere,
}

/// Removes ignored findings, and reports ignores that have no effect. An ignore of a rule that
/// did not run may have an effect in another run, so it is not reported.
pub fn apply(
    items: &[Resource],
    findings: Vec<Finding>,
    syntax: Syntax,
    everywhere: &[IgnoreEverywhere],
    selection: &Selection,
) -> Results {
    let mut everywhere: Vec<Ignore> = everywhere.iter().map(Ignore::everywhere).collect();
    let mut ignores: HashMap<usize, Ignores> = HashMap::new();
    for (position, item) in items.iter().enumerate().filter(|(_, item)| item.text().contains("ignore")) {
        ignores.insert(position, Ignores::new(read(item, syntax)));
    }
    let places = Places::new(items, &ignores);
    let mut results = Results::default();
    for finding in findings {
        let locations = std::iter::once(&finding.location).chain(finding.related.iter().map(|r| &r.location));
        let mut is_ignored = false;
        for ignore in everywhere.iter_mut().filter(|ignore| ignore.rule == finding.rule.id) {
            ignore.is_used = true;
            is_ignored = true;
        }
        for location in locations {
            let Some(position) = places.find(location) else { continue };
            if let Some(ignores) = ignores.get_mut(&position) {
                is_ignored |= ignores.apply(finding.rule.id, location, &items[position]);
            }
        }
        if !is_ignored {
            results.add(finding);
        }
    }
    let mut positions: Vec<_> = ignores.into_iter().collect();
    positions.order_by_key(|(position, _)| *position);
    let ignores = positions.into_iter().flat_map(|(_, ignores)| ignores.all).chain(everywhere);
    for ignore in ignores.filter(|ignore| !ignore.is_used) {
        ignore.report_unused(selection, &mut results);
    }
    results
}

/// The ignores of a resource.
fn read(item: &Resource, syntax: Syntax) -> Vec<Ignore> {
    let mut ignores = Vec::new();
    let comments = item.comments();
    for (comment, target) in comments.iter().zip(target_lines(&comments)) {
        let Some(rest) = directive(comment, syntax) else { continue };
        let (names, reason) = rest.split_once(']').unwrap_or((rest, ""));
        for rule in names.split(',').map(str::trim) {
            let location =
                Location { place: comment.place.clone(), resource: Some(item.id().clone()), field: None };
            ignores.push(Ignore::new(rule, reason, Scope::Line(target), location));
        }
    }
    let path = FieldPath::new("metadata.annotations").key(syntax.annotation);
    if let Ok(Some(text)) = item.annotation(syntax.annotation) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (rule, reason) = line.split_once(':').unwrap_or((line, ""));
            ignores.push(Ignore::new(rule.trim(), reason, Scope::Resource, Location::of_field(item, &path)));
        }
    }
    ignores
}

/// The text of an ignore after `ignore[`.
fn directive<'c>(comment: &Comment<'c>, syntax: Syntax) -> Option<&'c str> {
    comment.text.trim_start_matches('#').trim_start().strip_prefix(syntax.comment)
}

/// The line that each comment is about: its own, or the first line after whole-line comments.
fn target_lines(comments: &[Comment<'_>]) -> Vec<usize> {
    let mut below: Option<(usize, usize)> = None; // the line of a whole-line comment, and what it is about
    let mut targets: Vec<usize> = comments
        .iter()
        .rev()
        .map(|comment| {
            let target = match below {
                _ if !comment.is_whole_line => comment.line,
                Some((line, target)) if line == comment.line + 1 => target,
                _ => comment.line + 1,
            };
            below = comment.is_whole_line.then_some((comment.line, target));
            target
        })
        .collect();
    targets.reverse();
    targets
}

impl Ignore {
    fn new(rule: &str, reason: &str, scope: Scope, location: Location) -> Self {
        let (rule, reason) = (rule.to_owned(), reason.trim().to_owned());
        Ignore { rule, reason, scope, location, is_used: false }
    }

    fn everywhere(ignore: &IgnoreEverywhere) -> Self {
        let location = Location { field: Some(ignore.field.clone()), ..Location::default() };
        Ignore::new(&ignore.rule, &ignore.reason, Scope::Everywhere, location)
    }

    fn report_unused(self, selection: &Selection, results: &mut Results) {
        if !selection.includes(rules::UNUSED_IGNORE.id) {
            return;
        }
        let is_known = rules::all().any(|rule| rule.id == self.rule);
        let message = if !is_known {
            let hint = Hint::among(&self.rule, rules::all().map(|rule| rule.id));
            let all = "`rhoso-fn rules` lists the rules";
            format!("there is no rule {}; {}", quoted(&self.rule), hint.and(all))
        } else if self.reason.is_empty() {
            format!(
                "this ignore of {} has no reason, so it has no effect; add the reason",
                quoted(&self.rule)
            )
        } else if selection.includes(&self.rule) {
            let place = if self.scope == Scope::Everywhere { "in the package" } else { "here" };
            format!("nothing {place} violates {}; remove this ignore", quoted(&self.rule))
        } else {
            return;
        };
        results.warning(&rules::UNUSED_IGNORE, message).location = self.location;
    }
}

/// Resources with ignores, by what findings know of them.
struct Places<'i> {
    by_document: HashMap<(String, usize), usize>,
    by_id: HashMap<&'i crate::krm::Id, usize>,
}

impl<'i> Places<'i> {
    fn new(items: &'i [Resource], ignores: &HashMap<usize, Ignores>) -> Self {
        let mut places = Places { by_document: HashMap::new(), by_id: HashMap::new() };
        for position in ignores.keys() {
            let item = &items[*position];
            places.by_id.insert(item.id(), *position);
            if let Place { file: Some(file), index, .. } = item.place() {
                places.by_document.insert((file, index), *position);
            }
        }
        places
    }

    fn find(&self, location: &Location) -> Option<usize> {
        match &location.place.file {
            Some(file) => self.by_document.get(&(file.clone(), location.place.index)).copied(),
            None => self.by_id.get(location.resource.as_ref()?).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules_of_checks;
    use crate::krm::Severity;

    const SYNTAX: Syntax = Syntax { comment: "tool: ignore[", annotation: "example.com/ignore" };

    fn resource(text: &str, place: Place) -> Resource {
        Resource::from_file(text.into(), 0..text.len(), place).unwrap()
    }

    /// The findings that are left of one about a field, in plain files and as an orchestrator sends it.
    fn left(text: &str, rule: &'static crate::krm::Rule, path: &str) -> Vec<String> {
        let selection = Selection::new(&rules_of_checks(), &[], &[]).unwrap();
        let [in_file, sent] = [Place::in_file("a.yaml", Some(7)), Place::default()].map(|place| {
            let items = [resource(text, place)];
            let mut finding = Finding::new(Severity::Error, rule, "found");
            finding.field(&items[0], &FieldPath::new(path));
            let results = apply(&items, vec![finding], SYNTAX, &[], &selection).into_sorted();
            let mut messages: Vec<String> = results.iter().map(|finding| finding.message.clone()).collect();
            messages.sort(); // the lines determine the order, where they are known
            messages
        });
        assert_eq!(in_file, sent);
        in_file
    }

    #[test]
    fn a_comment_ignores_findings_on_its_line_or_the_next() {
        let overlap = &rules::POOL_OVERLAP;
        let text = "kind: A\nspec:\n  x: 1 # tool: ignore[pool-overlap] on purpose\n  y: 2\n";
        assert_eq!(left(text, overlap, "spec.x"), [""; 0]);
        assert_eq!(left(text, overlap, "spec.y").len(), 2, "the finding, and an ignore without effect");
        let text = "kind: A\nspec:\n  # tool: ignore[bad-address, pool-overlap] on purpose\n  # More about it.\n  x: 1\n  y: 2\n";
        let unused = "nothing here violates \"bad-address\"; remove this ignore";
        assert_eq!(left(text, overlap, "spec.x"), [unused]);
    }

    #[test]
    fn an_annotation_ignores_findings_about_its_resource() {
        let text = "kind: A\nmetadata:\n  annotations:\n    example.com/ignore: 'pool-overlap: a lab'\nspec: {x: 1}\n";
        assert_eq!(left(text, &rules::POOL_OVERLAP, "spec.x"), [""; 0]);
        assert_eq!(left(text, &rules::BAD_ADDRESS, "spec.x").len(), 2);
    }

    #[test]
    fn an_ignore_needs_a_reason_and_a_known_rule() {
        let no_reason = "kind: A\nx: 1 # tool: ignore[pool-overlap]\n";
        let message = "this ignore of \"pool-overlap\" has no reason, so it has no effect; add the reason";
        assert_eq!(left(no_reason, &rules::POOL_OVERLAP, "x"), ["found", message]);
        let unknown = "kind: A\nx: 1 # tool: ignore[pool-overlaps] because\n";
        let found = left(unknown, &rules::POOL_OVERLAP, "x");
        assert!(
            found[1].starts_with("there is no rule \"pool-overlaps\"; did you mean \"pool-overlap\"?"),
            "{found:?}"
        );
        let in_a_string = "kind: A\nx: 'no # tool: ignore[pool-overlap] because'\n";
        assert_eq!(left(in_a_string, &rules::POOL_OVERLAP, "x"), ["found"]);
    }

    #[test]
    fn a_related_place_counts_too() {
        let plain = resource("kind: A\nx: 1\n", Place::in_file("a.yaml", Some(1)));
        let other =
            resource("kind: B\ny: 1 # tool: ignore[pool-overlap] known\n", Place::in_file("b.yaml", Some(1)));
        let items = [plain, other];
        let mut finding = Finding::new(Severity::Error, &rules::POOL_OVERLAP, "found");
        finding.field(&items[0], &FieldPath::new("x"));
        finding.related(Location::of_field(&items[1], &FieldPath::new("y")), "the other");
        let selection = Selection::new(&rules_of_checks(), &[], &[]).unwrap();
        assert!(apply(&items, vec![finding], SYNTAX, &[], &selection).into_sorted().is_empty());
    }
}
