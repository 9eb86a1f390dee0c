//! Which MachineSets are made, each from which template.

use std::collections::HashMap;

use super::GenerateMachineSets;
use super::figures::Figures;
use super::machine::Machine;
use super::template::Template;
use crate::krm::{Results, quoted};

/// One MachineSet to be made.
pub struct Planned<'p> {
    /// The number of the entry of `machines`.
    pub entry: usize,
    pub machine: &'p Machine,
    pub figures: Figures,
    pub template: &'p Template<'p>,
    /// Whether the config names the template: then there is no other for another zone.
    pub template_is_named: bool,
    /// A worker MachineSet of the zone that is no template for these machines, but knows the zone.
    pub neighbour: Option<&'p Template<'p>>,
    pub zone: Option<String>,
    /// The number of the zone in `zones`.
    zone_number: Option<usize>,
    pub cluster: &'p str,
    pub name: String,
}

impl Planned<'_> {
    /// A field of the entry of `machines`, as a path below `spec`.
    pub fn field(&self, below: &str) -> String {
        format!("machines[{}].{below}", self.entry)
    }

    /// The zone in the config, as a path below `spec`.
    pub fn zone_field(&self) -> String {
        match self.zone_number {
            Some(number) => self.field(&format!("zones[{number}]")),
            None => self.field("zones"),
        }
    }
}

impl GenerateMachineSets {
    /// The MachineSets to be made, in the order of the config.
    pub(super) fn plan<'p>(
        &'p self,
        templates: &'p [Template<'p>],
        results: &mut Results,
    ) -> Vec<Planned<'p>> {
        let mut planned: Vec<Planned<'p>> = Vec::new();
        let mut first_of_name: HashMap<String, usize> = HashMap::new();
        for (entry, machine) in self.machines.iter().enumerate() {
            let Some(provider) = templates.first().map(|first| first.provider) else { break };
            if let Err((field, message)) = machine.fits(provider) {
                results.error("wrong-platform", message).in_config(format!("machines[{entry}].{field}"));
                continue;
            }
            let Ok(figures) = machine.figures(Some(provider)) else { continue }; // refused by `check`
            let fitting = fitting(templates, &figures);
            let Some(first) = fitting.first() else { break };
            let mut zones: Vec<(Option<usize>, Option<String>)> =
                machine.zones.iter().cloned().enumerate().map(|(i, zone)| (Some(i), Some(zone))).collect();
            if zones.is_empty() {
                report_unserved_zones(entry, first, templates, results);
                zones.push((None, first.zone.clone()));
            }
            for (zone_number, zone) in zones {
                let template = fitting.iter().find(|t| t.zone == zone).unwrap_or(first);
                let neighbour = templates.iter().find(|t| t.zone == zone && template.zone != zone);
                let cluster = self.infrastructure_name.as_deref().unwrap_or(&template.cluster);
                let name = machine.set_name(cluster, &template.zone_in_names(zone.as_deref()));
                let new = Planned {
                    entry,
                    machine,
                    figures: figures.clone(),
                    template,
                    template_is_named: self.template.is_some(),
                    neighbour,
                    zone,
                    zone_number,
                    cluster,
                    name,
                };
                let other = first_of_name.insert(new.name.clone(), entry);
                if has_a_name_of_its_own(&new, other, results) {
                    planned.push(new);
                }
            }
        }
        planned
    }
}

/// The templates whose image runs on the machines: those of the same architecture, or if there are none, those of
/// which nobody knows better. If none is left, all of them, for an error that names one.
fn fitting<'p>(templates: &'p [Template<'p>], figures: &Figures) -> Vec<&'p Template<'p>> {
    let Some(wanted) = figures.likely_architecture else { return templates.iter().collect() };
    let are_likely = |t: &&Template<'_>| t.likely_architecture() == Some(wanted);
    let are_possible = |t: &&Template<'_>| t.architecture.as_deref().is_none_or(|there| there == wanted);
    let likely: Vec<&Template<'_>> = templates.iter().filter(are_likely).collect();
    let possible: Vec<&Template<'_>> = templates.iter().filter(are_possible).collect();
    [likely, possible, templates.iter().collect()]
        .into_iter()
        .find(|some| !some.is_empty())
        .unwrap_or_default()
}

/// Without `zones` there is one MachineSet, though the cluster has workers in more zones.
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
        "only {} gets a MachineSet, the zone of {}, the first worker MachineSet by name that fits; list the zones here to \
         serve {} too",
        quoted(served),
        quoted(&first.resource.id().name),
        others.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
    );
    results.info("unserved-zones", message).in_config(format!("machines[{entry}].zones"));
}

/// Reports a name that cannot be, or that another entry or the template has. False if another entry has it.
fn has_a_name_of_its_own(new: &Planned<'_>, other: Option<usize>, results: &mut Results) -> bool {
    let (entry, name) = (new.entry, &new.name);
    if let Some((field, objection)) = new.machine.objection_to_name(name) {
        results.error("name", objection).in_config(format!("machines[{entry}]{field}"));
    }
    match other {
        Some(other) if other == entry => {
            let message = format!(
                "two zones of this entry make the MachineSet {}; move this one to an entry with a `name`",
                quoted(name)
            );
            results.error("same-name", message).in_config(new.zone_field());
            return false;
        }
        Some(other) => {
            let message = format!(
                "`spec.machines[{other}]` makes the MachineSet {} too; give one of them a `name`",
                quoted(name)
            );
            results.error("same-name", message).in_config(format!("machines[{entry}]"));
            return false;
        }
        None => {}
    }
    if new.template.resource.id().name == *name {
        let message = format!(
            "`spec.machines[{entry}]` makes a MachineSet with the name of this template; name another `template`"
        );
        results.error("same-name", message).on(new.template.resource);
    }
    true
}
