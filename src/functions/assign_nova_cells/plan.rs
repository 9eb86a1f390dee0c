//! Which node sets get which cells, and which nodes go to another node set.

use super::CellAssignments;
use super::members::Assignment;
use crate::checks::rules;
use crate::krm::{FieldPath, Hint, Resource, Results, quoted};
use crate::model::Site;
use crate::model::data_plane::{DataPlane, NodeSet};
use crate::platform::dataplane;

#[derive(Debug, Default)]
pub(super) struct Plan<'p> {
    /// In the order of the items; node sets that were split off are at the end.
    pub assigned: Vec<Assigned<'p>>,
    pub splits: Vec<Split<'p>>,
}

/// A node set and its cell.
#[derive(Debug)]
pub(super) struct Assigned<'p> {
    pub node_set: &'p NodeSet,
    pub cell: String,
    pub source: Source,
}

/// Where a cell comes from.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Annotation(Site),
    /// An entry of the functionConfig.
    Entry(FieldPath),
}

/// Nodes that go from one node set to another.
#[derive(Debug)]
pub(super) struct Split<'p> {
    pub from: &'p NodeSet,
    /// The node set that the entry names.
    pub original: &'p NodeSet,
    /// The name of the node set that gets the nodes.
    pub name: String,
    /// That node set, if it exists.
    pub target: Option<&'p NodeSet>,
    pub cell: String,
    pub nodes: Vec<String>,
    /// The entry of the functionConfig.
    pub path: FieldPath,
}

impl Source {
    /// How messages refer to it.
    pub(super) fn describe(&self) -> String {
        match self {
            Source::Annotation(_) => format!("the annotation `{}`", dataplane::CELL_ANNOTATION),
            Source::Entry(path) => format!("`{path}`"),
        }
    }
}

impl CellAssignments {
    /// Reports entries that match nothing, or contradict what a node set says.
    pub(super) fn plan<'p>(
        &self,
        plane: &'p DataPlane,
        items: &[Resource],
        results: &mut Results,
    ) -> Plan<'p> {
        let mut plan = Plan::default();
        let node_sets = || plane.node_sets.iter().filter(|node_set| self.is_in_scope(node_set));
        for node_set in node_sets() {
            if let Some(cell) = &node_set.cell {
                let source = Source::Annotation(cell.site.clone());
                plan.assign(node_set, &cell.value, source, items, results);
            }
        }
        for entry in &self.assignments {
            let mut named = node_sets().filter(|node_set| node_set.id.name == entry.node_set).peekable();
            if named.peek().is_none() {
                let known = node_sets().map(|node_set| node_set.id.name.as_str());
                let hint = Hint::among(&entry.node_set, known).suffix();
                let message = format!(
                    "the resources contain no OpenStackDataPlaneNodeSet {}{hint}",
                    quoted(&entry.node_set)
                );
                results.error(&rules::NO_MATCH, message).in_config(entry.path.clone());
            }
            if entry.nodes.is_none() {
                for node_set in named {
                    let source = Source::Entry(entry.path.clone());
                    plan.assign(node_set, &entry.cell, source, items, results);
                }
            }
        }
        for entry in self.assignments.iter().filter(|entry| entry.nodes.is_some()) {
            for original in node_sets().filter(|node_set| node_set.id.name == entry.node_set) {
                plan.take_nodes(entry, original, plane, items, results);
            }
        }
        plan.refuse_empty_node_sets(results);
        if plan.assigned.is_empty() && plan.splits.is_empty() && !results.has_errors() {
            let message = format!(
                "no node set among the resources has the annotation `{}`, and `spec.cells` names none",
                dataplane::CELL_ANNOTATION
            );
            results.error(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.cells"));
        }
        plan
    }
}

impl<'p> Plan<'p> {
    /// The cell that a node set gets.
    pub(super) fn cell_of(&self, node_set: &NodeSet) -> Option<&Assigned<'p>> {
        self.assigned.iter().find(|assigned| assigned.node_set.item == node_set.item)
    }

    fn assign(
        &mut self,
        node_set: &'p NodeSet,
        cell: &str,
        source: Source,
        items: &[Resource],
        results: &mut Results,
    ) {
        let Some(first) = self.cell_of(node_set) else {
            self.assigned.push(Assigned { node_set, cell: cell.to_owned(), source });
            return;
        };
        if first.cell == cell {
            return;
        }
        let message = format!(
            "{} assigns {} to this node set, but {} assigns {}; correct one of them",
            first.source.describe(),
            quoted(&first.cell),
            source.describe(),
            quoted(cell)
        );
        let finding = results.error(&rules::CELL_CONFLICT, message);
        match &first.source {
            Source::Annotation(site) => finding.at(site.location(items)),
            Source::Entry(_) => finding.on(node_set.item.get(items)),
        };
    }

    /// Plans where the nodes of an entry go. They are in the node set that it names, or in one that was split off.
    fn take_nodes(
        &mut self,
        entry: &Assignment,
        original: &'p NodeSet,
        plane: &'p DataPlane,
        items: &[Resource],
        results: &mut Results,
    ) {
        let namespace = original.id.namespace.as_deref();
        let name = format!("{}-{}", original.id.name, entry.cell);
        let is_split_off = |other: &NodeSet| other.split_from.as_ref() == Some(&original.id.name);
        let target = plane.node_set(namespace, &name);
        if let Some(other) = target.filter(|target| !is_split_off(target)) {
            let message = format!(
                "the nodes of `{}` need a node set with this name, which was not split off from {}; rename one of them",
                entry.path,
                quoted(&original.id.name)
            );
            results.error(&rules::NODE_SET_NAME, message).on(other.item.get(items));
            return;
        }
        let is_of_family = |other: &&NodeSet| {
            other.id.namespace == original.id.namespace
                && (other.item == original.item || is_split_off(other))
        };
        let family: Vec<&'p NodeSet> = plane.node_sets.iter().filter(is_of_family).collect();
        for (index, node) in entry.nodes.iter().flatten().enumerate() {
            let mut holders = family.iter().filter(|holder| holder.nodes.contains(node)).peekable();
            if holders.peek().is_none() {
                let known = family.iter().flat_map(|holder| &holder.nodes).map(String::as_str);
                let message = format!(
                    "the node set {} has no node {}{}",
                    quoted(&original.id.name),
                    quoted(node),
                    Hint::among(node, known).suffix()
                );
                results.error(&rules::NO_MATCH, message).in_config(entry.nodes_path().index(index));
            }
            for holder in holders {
                let is_in_cell = self.cell_of(holder).is_some_and(|own| own.cell == entry.cell);
                if holder.id.name != name && !is_in_cell {
                    self.split(holder, node, &name, target, (entry, original));
                }
            }
        }
        let has_nodes = |target: &&NodeSet| {
            entry.nodes.iter().flatten().any(|node| target.nodes.contains(node))
                || self
                    .splits
                    .iter()
                    .any(|split| split.name == name && split.from.id.namespace == target.id.namespace)
        };
        if let Some(target) = target.filter(has_nodes) {
            self.assign(target, &entry.cell, Source::Entry(entry.path.clone()), items, results);
        }
    }

    fn split(
        &mut self,
        from: &'p NodeSet,
        node: &str,
        name: &str,
        target: Option<&'p NodeSet>,
        (entry, original): (&Assignment, &'p NodeSet),
    ) {
        let planned = self.splits.iter_mut().find(|split| split.from.item == from.item && split.name == name);
        match planned {
            Some(split) => split.nodes.push(node.to_owned()),
            None => self.splits.push(Split {
                from,
                original,
                name: name.to_owned(),
                target,
                cell: entry.cell.clone(),
                nodes: vec![node.to_owned()],
                path: entry.path.clone(),
            }),
        }
    }

    /// A node set without nodes has no purpose, and this function cannot delete it.
    fn refuse_empty_node_sets(&self, results: &mut Results) {
        for split in &self.splits {
            let of_same = self.splits.iter().filter(|other| other.from.item == split.from.item);
            let leaving: usize = of_same.map(|other| other.nodes.len()).sum();
            if leaving < split.from.nodes.len() {
                continue;
            }
            let message = format!(
                "no node would be left in the node set {}; list the node set itself in one of the cells",
                quoted(&split.from.id.name)
            );
            results.error(&rules::WRONG_VALUE, message).in_config(split.path.clone().key("nodes"));
        }
    }
}
