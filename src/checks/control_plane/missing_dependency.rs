//! Parts of OpenStack that are disabled although others require them.

use indexmap::IndexMap;

use crate::checks::rules;
use crate::krm::{Resource, Results};
use crate::model::control_plane::{State, state};
use crate::model::{ItemId, Model, Site};
use crate::platform::dependencies::{Part, REQUIREMENTS};

/// A part that is disabled, and those that require it.
struct Dependency {
    part: Part,
    is_default: bool,
    dependents: Vec<Part>,
}

/// Reports `missing-dependency`, once for each part that is disabled.
pub fn missing_dependency(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        for (site, dependency) in disabled(plane.item, model.world.get(plane.item)) {
            let dependents = &dependency.dependents;
            let names = listed(dependents);
            let verb = if dependents.len() == 1 { "requires" } else { "require" };
            let how = if dependency.is_default { "disabled by default" } else { "disabled" };
            let message = format!(
                "{} is {how}, but {names} {verb} it, and openstack-operator rejects the control plane; enable it, or \
                 disable {names}",
                dependency.part.name
            );
            let finding = results.error(&rules::MISSING_DEPENDENCY, message).at(site.location(model.items()));
            for dependent in dependents {
                let section = Site::new(plane.item, dependent.section());
                finding.related(section.location(model.items()), format!("{} is enabled", dependent.name));
            }
        }
    }
}

/// By the site where a part is disabled: one switch can disable several parts.
fn disabled(item: ItemId, plane: &Resource) -> IndexMap<Site, Dependency> {
    let mut found: IndexMap<Site, Dependency> = IndexMap::new();
    for (dependent, required) in REQUIREMENTS {
        if state(item, plane, &dependent.section()) != State::Enabled {
            continue;
        }
        for part in *required {
            if let State::Disabled { site, is_default } = state(item, plane, &part.section()) {
                let new = || Dependency { part: *part, is_default, dependents: Vec::new() };
                let dependents = &mut found.entry(site).or_insert_with(new).dependents;
                if dependents.last() != Some(dependent) {
                    dependents.push(*dependent);
                }
            }
        }
    }
    found
}

/// The names as part of a sentence.
fn listed(parts: &[Part]) -> String {
    let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}
