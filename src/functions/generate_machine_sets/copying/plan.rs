//! Which MachineSets are generated, and from which template: one for each zone of each entry of `machines`.

mod names;
mod report;

use std::collections::HashSet;

pub use self::report::report;
use super::super::machine::{Figures, Machine};
use super::super::{GpuMachineSets, entry_path};
use super::template::Template;
use crate::krm::FieldPath;

/// One MachineSet to generate.
pub struct PlannedSet<'p> {
    /// The number of the entry of `machines`.
    pub entry: usize,
    pub machine: &'p Machine,
    pub figures: Figures,
    pub template: &'p Template<'p>,
    /// Whether the config names the template. If so, all zones use it.
    pub template_is_named: bool,
    /// A worker MachineSet of the zone that is not a template for these machines, but proves that the zone exists.
    pub neighbour: Option<&'p Template<'p>>,
    pub zone: Option<String>,
    /// The number of the zone in `zones`.
    zone_number: Option<usize>,
    pub cluster: &'p str,
    pub name: String,
}

impl PlannedSet<'_> {
    /// A field of the entry of `machines` in the config.
    pub fn field(&self, below: &str) -> FieldPath {
        entry_path(self.entry).join(&FieldPath::new(below))
    }

    /// The zone in the config.
    pub fn zone_field(&self) -> FieldPath {
        let zones = self.field("zones");
        self.zone_number.map_or(zones.clone(), |number| zones.index(number))
    }
}

/// The MachineSets to generate, in the order of the config. Their names are unique.
pub fn sets<'p>(spec: &'p GpuMachineSets, templates: &'p [Template<'p>]) -> Vec<PlannedSet<'p>> {
    let mut names = HashSet::new();
    candidates(spec, templates).filter(|planned| names.insert(planned.name.clone())).collect()
}

/// A MachineSet for each zone of each entry. Several may have the same name. None for entries that do not fit the
/// provider.
fn candidates<'p>(
    spec: &'p GpuMachineSets,
    templates: &'p [Template<'p>],
) -> impl Iterator<Item = PlannedSet<'p>> {
    let entries = spec.machines.iter().enumerate();
    entries.flat_map(|(entry, machine)| sets_of_entry(spec, entry, machine, templates))
}

fn sets_of_entry<'p>(
    spec: &'p GpuMachineSets,
    entry: usize,
    machine: &'p Machine,
    templates: &'p [Template<'p>],
) -> Vec<PlannedSet<'p>> {
    let provider = templates.first().map(|first| first.provider);
    let Some(provider) = provider.filter(|provider| machine.misfits(*provider).is_empty()) else {
        return Vec::new();
    };
    let figures = machine.figures(provider);
    let fitting = fitting(templates, figures);
    let Some(first) = fitting.first() else { return Vec::new() };
    let planned = |zone_number: Option<usize>, zone: Option<String>| {
        let template = fitting.iter().find(|t| t.set.zone == zone).unwrap_or(first);
        let cluster = spec.infrastructure_name.as_deref().unwrap_or(template.cluster);
        PlannedSet {
            entry,
            machine,
            figures,
            template,
            template_is_named: spec.template.is_some(),
            neighbour: templates.iter().find(|t| t.set.zone == zone && template.set.zone != zone),
            cluster,
            name: machine.set_name(cluster, &template.zone_in_names(zone.as_deref())),
            zone,
            zone_number,
        }
    };
    if machine.zones.is_empty() {
        return vec![planned(None, first.set.zone.clone())];
    }
    let zones = machine.zones.iter().cloned().enumerate();
    zones.map(|(number, zone)| planned(Some(number), Some(zone))).collect()
}

/// The templates whose image runs on the machines: those of the same architecture, or if there are none, those whose
/// architecture is not known. If none are left, all of them, so that an error can name one.
fn fitting<'p>(templates: &'p [Template<'p>], figures: Figures) -> Vec<&'p Template<'p>> {
    let Some(needed) = figures.likely_architecture else { return templates.iter().collect() };
    let are_likely = |t: &&Template<'_>| t.likely_architecture() == Some(needed);
    let are_possible = |t: &&Template<'_>| t.set.architecture.as_deref().is_none_or(|found| found == needed);
    let likely: Vec<&Template<'_>> = templates.iter().filter(are_likely).collect();
    let possible: Vec<&Template<'_>> = templates.iter().filter(are_possible).collect();
    [likely, possible, templates.iter().collect()]
        .into_iter()
        .find(|some| !some.is_empty())
        .unwrap_or_default()
}
