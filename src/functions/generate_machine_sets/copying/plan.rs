//! Which MachineSets are generated, each from which template: one for each zone of each entry of `machines`.

mod names;

use crate::checks::rules;
use std::collections::HashMap;

use super::super::GenerateMachineSets;
use super::super::machine::{Figures, Machine};
use super::template::Template;
use crate::krm::{FieldPath, Results, quoted};

/// One MachineSet to generate.
pub struct PlannedSet<'p> {
    /// The number of the entry of `machines`.
    pub entry: usize,
    pub machine: &'p Machine,
    pub figures: Figures,
    pub template: &'p Template<'p>,
    /// Whether the config names the template. Then all zones use it.
    pub template_is_named: bool,
    /// A worker MachineSet of the zone that is no template for these machines, but proves that the zone exists.
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

/// An entry of `machines` in the config.
pub fn entry_path(entry: usize) -> FieldPath {
    FieldPath::new("spec.machines").index(entry)
}

/// The MachineSets to generate, in the order of the config.
pub fn sets<'p>(
    spec: &'p GenerateMachineSets,
    templates: &'p [Template<'p>],
    results: &mut Results,
) -> Vec<PlannedSet<'p>> {
    let mut planned = Vec::new();
    let mut entry_of_name = HashMap::new();
    for (entry, machine) in spec.machines.iter().enumerate() {
        for set in sets_of_entry(spec, entry, machine, templates, results) {
            let other = entry_of_name.insert(set.name.clone(), entry);
            if names::check(&set, other, results) {
                planned.push(set);
            }
        }
    }
    planned
}

/// The MachineSets of one entry of `machines`. None if the entry does not fit the provider.
fn sets_of_entry<'p>(
    spec: &'p GenerateMachineSets,
    entry: usize,
    machine: &'p Machine,
    templates: &'p [Template<'p>],
    results: &mut Results,
) -> Vec<PlannedSet<'p>> {
    let Some(provider) = templates.first().map(|first| first.provider) else { return Vec::new() };
    if let Err((field, message)) = machine.fits(provider) {
        results
            .error(&rules::WRONG_PLATFORM, message)
            .in_config(entry_path(entry).join(&FieldPath::new(field)));
        return Vec::new();
    }
    let Ok(figures) = machine.figures(Some(provider)) else { return Vec::new() }; // refused by `check`
    let fitting = fitting(templates, &figures);
    let Some(first) = fitting.first() else { return Vec::new() };
    let planned = |zone_number: Option<usize>, zone: Option<String>| {
        let template = fitting.iter().find(|t| t.zone == zone).unwrap_or(first);
        let cluster = spec.infrastructure_name.as_deref().unwrap_or(&template.cluster);
        PlannedSet {
            entry,
            machine,
            figures: figures.clone(),
            template,
            template_is_named: spec.template.is_some(),
            neighbour: templates.iter().find(|t| t.zone == zone && template.zone != zone),
            cluster,
            name: machine.set_name(cluster, &template.zone_in_names(zone.as_deref())),
            zone,
            zone_number,
        }
    };
    if machine.zones.is_empty() {
        report_unserved_zones(entry, first, templates, results);
        return vec![planned(None, first.zone.clone())];
    }
    let zones = machine.zones.iter().cloned().enumerate();
    zones.map(|(number, zone)| planned(Some(number), Some(zone))).collect()
}

/// The templates whose image runs on the machines: those of the same architecture, or if there are none, those whose
/// architecture is not known. If none is left, all of them, for an error that names one.
fn fitting<'p>(templates: &'p [Template<'p>], figures: &Figures) -> Vec<&'p Template<'p>> {
    let Some(needed) = figures.likely_architecture else { return templates.iter().collect() };
    let are_likely = |t: &&Template<'_>| t.likely_architecture() == Some(needed);
    let are_possible = |t: &&Template<'_>| t.architecture.as_deref().is_none_or(|found| found == needed);
    let likely: Vec<&Template<'_>> = templates.iter().filter(are_likely).collect();
    let possible: Vec<&Template<'_>> = templates.iter().filter(are_possible).collect();
    [likely, possible, templates.iter().collect()]
        .into_iter()
        .find(|some| !some.is_empty())
        .unwrap_or_default()
}

/// Without `zones`, an entry has one MachineSet, though the cluster may have workers in more zones.
fn report_unserved_zones(
    entry: usize,
    first: &Template<'_>,
    templates: &[Template<'_>],
    results: &mut Results,
) {
    let Some(served) = &first.zone else { return };
    let mut others: Vec<&String> = templates.iter().filter_map(|template| template.zone.as_ref()).collect();
    others.retain(|zone| *zone != served && !zone.is_empty());
    others.sort();
    others.dedup();
    if others.is_empty() {
        return;
    }
    let message = format!(
        "only the zone {} gets a MachineSet: {} is the first matching worker MachineSet by name; list the zones here to \
         add {}",
        quoted(served),
        quoted(&first.resource.id().name),
        others.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
    );
    results
        .info(&rules::UNSERVED_ZONES, message)
        .in_config(FieldPath::new("spec.machines").index(entry).key("zones"));
}
