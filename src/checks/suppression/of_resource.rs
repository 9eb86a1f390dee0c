//! The ignores of one resource.

use std::collections::HashMap;

use super::{Ignore, Scope};
use crate::krm::{Located, Location, Resource};

/// A resource can have thousands of ignores, so they are found by their rule and line.
pub(super) struct Ignores {
    pub(super) all: Vec<Ignore>,
    /// The line is none for those of the whole resource.
    by_rule: HashMap<String, HashMap<Option<usize>, Vec<usize>>>,
}

impl Ignores {
    pub(super) fn new(all: Vec<Ignore>) -> Self {
        let mut by_rule: HashMap<String, HashMap<Option<usize>, Vec<usize>>> = HashMap::new();
        for (position, ignore) in all.iter().enumerate().filter(|(_, ignore)| !ignore.reason.is_empty()) {
            let line = match ignore.scope {
                Scope::Line(line) => Some(line),
                Scope::Resource | Scope::Everywhere => None,
            };
            by_rule.entry(ignore.rule.clone()).or_default().entry(line).or_default().push(position);
        }
        Ignores { all, by_rule }
    }

    /// Marks those that match a location as used, and returns whether there are any.
    pub(super) fn apply(&mut self, rule: &str, location: &Location, item: &Resource) -> bool {
        let Some(by_line) = self.by_rule.get(rule) else { return false };
        let on_line = line_of(location, item).and_then(|line| by_line.get(&Some(line)));
        let matching: Vec<usize> = by_line.get(&None).into_iter().chain(on_line).flatten().copied().collect();
        for position in &matching {
            self.all[*position].is_used = true;
        }
        !matching.is_empty()
    }
}

/// The line of a location in the text of its resource.
fn line_of(location: &Location, item: &Resource) -> Option<usize> {
    let first = item.place().line;
    match (location.place.line, first) {
        (Some(line), Some(first)) => Some(line + 1 - first),
        _ => item.line_of(location.field.as_ref()?),
    }
}
