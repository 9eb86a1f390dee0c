//! Whether the imported instances collide: what GenerateInstances and the checks report about them.

use std::collections::BTreeMap;

use super::fleet::Fleet;
use super::notes::{Line, Notes, Place};
use super::text;
use crate::checks::{self, Selection, Stage, rules};
use crate::functions::{IGNORES, REGISTRY};
use crate::krm::{FieldPath, File, Finding, Package, Results, Severity};

/// The node to check with if no file names any.
const SOME_NODE: &str = "worker-0";

/// Runs the functionConfig, and adds its findings as warnings, each with the line of the variable.
pub fn report(fleet: &Fleet, files: &[String], notes: &mut Notes) {
    let nodes = if fleet.nodes.is_empty() { vec![SOME_NODE.to_owned()] } else { fleet.nodes.clone() };
    let file = File { path: String::new(), text: text::write(fleet, &nodes, files).into() };
    let mut results = Results::default();
    let mut package = Package::read(vec![file], REGISTRY, &mut results);
    package.run(REGISTRY, &mut results);
    let failed = results.has_errors();
    let mut findings = results.into_sorted();
    // Without objects, nothing can be said about them.
    if !failed && let Ok(selection) = Selection::new(&checks::rules_of_checks(), &[], &[]) {
        let checked =
            checks::check(package.items(), Results::default(), Stage::Rendered, &selection, IGNORES.into());
        findings.extend(checked.into_sorted());
    }
    let lines = lines(fleet);
    // The node sets and control planes are not among the files.
    let is_relevant =
        |finding: &Finding| finding.severity != Severity::Info && *finding.rule != rules::NO_MATCH;
    for finding in findings.into_iter().filter(is_relevant) {
        let field = finding.location.field.as_ref();
        let is_config = finding.location.resource.as_ref().is_some_and(|id| id.group() == REGISTRY.group);
        let place = field.filter(|_| is_config).map_or(Place::All, |field| place(field, &lines));
        notes.warn(place, describe(&finding));
    }
}

fn describe(finding: &Finding) -> String {
    let mut finding = finding.clone();
    finding.location.place = Default::default();
    if finding.location.resource.as_ref().is_some_and(|id| id.group() == REGISTRY.group) {
        finding.location.resource = None;
    }
    let text = finding.to_string();
    let severity = format!("{}: ", finding.severity);
    text.strip_prefix(&severity).unwrap_or(&text).to_owned()
}

/// The place of a field, or else of the field that contains it.
fn place(field: &FieldPath, lines: &BTreeMap<FieldPath, Place>) -> Place {
    let known = field.ancestors().filter_map(|path| lines.get(&path).copied());
    known.last().unwrap_or(Place::All)
}

/// Where the values of the functionConfig come from.
fn lines(fleet: &Fleet) -> BTreeMap<FieldPath, Place> {
    let mut found = BTreeMap::new();
    for (position, instance) in fleet.instances.iter().enumerate() {
        let path = FieldPath::new("spec.instances").index(position);
        let mut add = |path: FieldPath, line: Option<Line>| {
            if let Some(line) = line {
                found.insert(path, Place::Line(line));
            }
        };
        add(path.clone().key("namespace"), instance.namespace_line);
        for (name, network) in &instance.networks {
            let path = path.clone().key("networks").key(name.as_str());
            add(path.clone(), network.subnet_line);
            for (field, setting) in &network.settings {
                add(path.clone().key(field.as_str()), setting.line);
            }
        }
        for (name, address) in &instance.computes {
            add(path.clone().key("computes").key(name.clone()), Some(address.line));
        }
        found.insert(path, Place::File(instance.file));
    }
    found
}
