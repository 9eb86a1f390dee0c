//! The objects that do not exist yet: services of cells, node sets that are split off, and the Deployment.

use serde_json::json;

use super::CellAssignments;
use super::nova::{self, Nova};
use super::plan::{Plan, Split};
use crate::formats::hash;
use crate::functions::compute_files::{cells, services};
use crate::functions::copies;
use crate::krm::{Fault, FieldPath, Object, Order, Resource, Results, position};
use crate::model::data_plane::{DataPlane, NodeSet, Service};
use crate::platform::{dataplane, kubernetes};

/// The namespace and name of a new object.
type Name<'n> = (Option<&'n str>, String);

impl CellAssignments {
    pub(super) fn new_objects(
        &self,
        plan: &Plan<'_>,
        plane: &DataPlane,
        given: &[Resource],
        results: &mut Results,
    ) -> Result<Vec<Resource>, Fault> {
        let mut new = Vec::new();
        for (namespace, cell) in plan.cells() {
            if plane.service(namespace, &dataplane::cell_service(&cell)).is_none() {
                new.push(cells::service(&cell, namespace, plane, given)?);
            }
        }
        let mut named: Vec<Name<'_>> = Vec::new();
        for split in plan.splits.iter().filter(|split| split.target.is_none()) {
            let namespace = split.from.id.namespace.as_deref();
            if named.contains(&(namespace, split.name.clone())) {
                continue; // nodes of several node sets go to one, which is a copy of the first
            }
            named.push((namespace, split.name.clone()));
            let Some(nova) = Nova::find_to_split(split.from, plane, given, results) else { continue };
            let service = match nova.own {
                Some(own) => nova::counterpart(own, split),
                None => dataplane::cell_service(&split.cell),
            };
            new.push(copied_node_set(split, &nova, &service, given)?);
            if let Some(own) = nova.own.filter(|_| plane.service(namespace, &service).is_none()) {
                new.push(copied_service(own, &service, split, given)?);
            }
        }
        if let Some(name) = &self.deployment {
            new.extend(plan.deployments(name, given)?);
        }
        Ok(new)
    }

    /// Whether this function created a Deployment. Its name belongs to its node sets, so it never changes.
    pub(super) fn is_own_deployment(&self, name: &str) -> bool {
        let own = self.deployment.as_ref().and_then(|own| name.strip_prefix(own)?.strip_prefix('-'));
        own.is_some_and(|hash| hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
    }
}

/// A copy of a node set with some of its nodes.
fn copied_node_set(
    split: &Split<'_>,
    nova: &Nova<'_>,
    service: &str,
    given: &[Resource],
) -> Result<Resource, Fault> {
    let from = split.from;
    let mut copy = copies::copy(from.item.get(given))?;
    copy.set(&FieldPath::new("metadata.name"), split.name.as_str())?;
    if from.cell.is_some() {
        copy.set(&kubernetes::annotation(dataplane::CELL_ANNOTATION), split.cell.as_str())?;
    }
    copy.set(&kubernetes::annotation(dataplane::SPLIT_FROM), split.original.id.name.as_str())?;
    services::replace(nova.listed, service, from, &mut copy)?;
    for node in from.nodes.iter().filter(|node| !split.nodes.contains(node)) {
        copy.remove(&dataplane::node_list().key(node.clone()))?;
    }
    Ok(copy)
}

/// A copy of a node set's own service for the nodes that leave it.
fn copied_service(
    own: &Service,
    name: &str,
    split: &Split<'_>,
    given: &[Resource],
) -> Result<Resource, Fault> {
    let mut copy = copies::copy(own.item.get(given))?;
    copy.set(&FieldPath::new("metadata.name"), name)?;
    nova::set_cell(own, &split.cell, &split.name, &mut copy)?;
    Ok(copy)
}

impl Plan<'_> {
    /// The cells that are used, by namespace.
    fn cells(&self) -> Vec<Name<'_>> {
        let of_sets = self.assigned.iter().map(|it| (it.node_set, &it.cell));
        let of_splits = self.splits.iter().map(|split| (split.from, &split.cell));
        let of_all = of_sets.chain(of_splits);
        sorted(of_all.map(|(node_set, cell)| (node_set.id.namespace.as_deref(), cell.clone())))
    }

    /// One Deployment for each namespace. Its name ends in a hash of its node sets, their nodes and their cells.
    fn deployments(&self, name: &str, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        let namespaces = sorted(self.node_sets().map(|(node_set, ..)| node_set.id.namespace.as_deref()));
        let mut new = Vec::new();
        for namespace in namespaces {
            let own = self.node_sets().filter(|(it, ..)| it.id.namespace.as_deref() == namespace);
            let names = sorted(own.clone().map(|(_, name, _)| name.to_owned()));
            let contents = sorted(own.flat_map(|(node_set, name, cell)| {
                let nodes = self.nodes_of(node_set, name);
                nodes.into_iter().map(move |node| format!("{name}/{node}={cell}"))
            }));
            let name = format!("{name}-{:08x}", hash::fnv1a(&contents.join("\n")));
            if position(given, dataplane::DEPLOYMENT, namespace, &name).is_none() {
                let deployment = Object::new(dataplane::DEPLOYMENT, &name).namespace(namespace);
                new.push(deployment.field("spec", json!({"nodeSets": names})).build()?);
            }
        }
        Ok(new)
    }

    /// All node sets with a cell: the node set that has or had the nodes, its name, and its cell.
    fn node_sets(&self) -> impl Iterator<Item = (&NodeSet, &str, &str)> + Clone {
        let of_sets = self.assigned.iter().map(|it| (it.node_set, it.node_set.id.name.as_str(), &*it.cell));
        let new = self.splits.iter().filter(|split| split.target.is_none());
        of_sets.chain(new.map(|split| (split.from, split.name.as_str(), &*split.cell)))
    }

    /// The nodes that a node set will have.
    fn nodes_of(&self, node_set: &NodeSet, name: &str) -> Vec<String> {
        let in_namespace = |split: &&Split<'_>| split.from.id.namespace == node_set.id.namespace;
        let splits = || self.splits.iter().filter(in_namespace);
        let new = splits().filter(|split| split.name == name).flat_map(|split| &split.nodes);
        let leaving: Vec<&String> =
            splits().filter(|split| split.from.id.name == name).flat_map(|split| &split.nodes).collect();
        let old = node_set.nodes.iter().filter(|node| node_set.id.name == name && !leaving.contains(node));
        sorted(old.chain(new).cloned())
    }
}

/// The values in order, each once.
fn sorted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.order();
    values.dedup();
    values
}
