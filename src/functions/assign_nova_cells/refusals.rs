//! What prevents an assignment.

use super::CellAssignments;
use super::nova::{self, Nova};
use super::plan::{Assigned, Plan, Source};
use crate::checks::{self, nova_cells, rules, wrong_type};
use crate::formats::dns;
use crate::krm::{FieldPath, Finding, Resource, Results, Severity, quoted};
use crate::model::control_plane::{self, ControlPlane};
use crate::model::data_plane::{DataPlane, NodeSet, Service};
use crate::model::network::hosts;
use crate::model::{Misread, Sited, World};
use crate::platform::{dataplane, openstack};

impl CellAssignments {
    /// Reports fields of the wrong type that decide about services and nodes. Returns whether there are any.
    pub(super) fn refuse_types(
        &self,
        plane: &DataPlane,
        misreads: &[Misread],
        world: &World<'_>,
        results: &mut Results,
    ) -> bool {
        let mut of_hosts = Vec::new();
        hosts::read(world, &mut of_hosts);
        let (_, of_control_planes) = control_plane::read(world);
        let node_sets: Vec<&NodeSet> =
            plane.node_sets.iter().filter(|node_set| self.is_in_scope(node_set)).collect();
        let matters = |misread: &&Misread| {
            let (item, path) = (world.get(misread.site.item), &misread.site.path);
            let mut near = node_sets.iter().filter(|node_set| node_set.id.namespace == item.id().namespace);
            let lists =
                |node_set: &&NodeSet| node_set.services.iter().any(|name| name.value == item.id().name);
            if item.is(openstack::NODE_SET) {
                let nodes = dataplane::node_list();
                let is_node = *path == nodes || path.clone().parent() == nodes;
                return near.next().is_some() && (!path.starts_with(&nodes) || is_node);
            }
            if item.is(openstack::DATA_PLANE_SERVICE) {
                return near.any(lists);
            }
            let is_cells = [openstack::nova(), openstack::nova_cell_templates()].contains(path);
            (item.is(dataplane::DEPLOYMENT) || is_cells) && near.next().is_some()
        };
        wrong_type(misreads.iter().chain(&of_hosts).chain(&of_control_planes).filter(matters), results)
    }

    /// Reports everything else.
    pub(super) fn refuse(
        &self,
        plan: &Plan<'_>,
        (plane, misreads): (&DataPlane, &[Misread]),
        world: &World<'_>,
        results: &mut Results,
    ) {
        let items = world.resources();
        let changed: Vec<&NodeSet> = plan
            .assigned
            .iter()
            .map(|it| it.node_set)
            .chain(plan.splits.iter().map(|split| split.from))
            .collect();
        let mut hosts = hosts::read(world, &mut Vec::new());
        hosts.retain(|host| changed.iter().any(|node_set| node_set.id.namespace == host.namespace));
        checks::node_twice(&hosts, items, results);
        plan.refuse_names(items, results);
        plan.refuse_cells(&control_plane::read(world).0, (plane, misreads), items, results);
        for assigned in &plan.assigned {
            let Some(nova) = Nova::find(assigned.node_set, plane, items, results) else { continue };
            let current = nova.explicit_cell(assigned.node_set, plane, items);
            let new = (&*assigned.cell, &assigned.source);
            self.refuse_move(assigned.node_set, new, current, items, results);
            if let Some(own) = nova.own {
                plan.refuse_shared(assigned, own, plane, items, results);
            }
        }
        for split in &plan.splits {
            let Some(nova) = Nova::find_to_split(split.from, plane, items, results) else { continue };
            let source = Source::Entry(split.path.clone());
            let current = nova.explicit_cell(split.from, plane, items);
            self.refuse_move(split.from, (&split.cell, &source), current, items, results);
            if let Some(own) = nova.own {
                let name = nova::counterpart(own, split);
                refuse_service(&name, &split.cell, split.from, (plane, misreads), items, results);
                if name == dataplane::cell_service(&split.cell) {
                    nova_cells::no_cell(own, items, results); // it has the name of a service of a cell
                }
            }
        }
    }

    /// Reports nodes that are in another cell.
    fn refuse_move(
        &self,
        node_set: &NodeSet,
        (cell, source): (&str, &Source),
        current: Option<Sited<String>>,
        items: &[Resource],
        results: &mut Results,
    ) {
        let Some(current) = current.filter(|current| !self.moved && current.value != cell) else { return };
        let message = format!(
            "the node set {} is in {}, but {} assigns {}, and Nova cannot move compute nodes to another cell; correct the \
             cell, or set `moved: true` if they are deployed again",
            quoted(&node_set.id.name),
            quoted(&current.value),
            source.describe(),
            quoted(cell)
        );
        let finding = results.error(&rules::CELL_MOVED, message).at(current.site.location(items));
        if let Source::Annotation(site) = source {
            finding.related(site.location(items), "the new cell");
        }
    }
}

impl Plan<'_> {
    fn refuse_names(&self, items: &[Resource], results: &mut Results) {
        for node_set in self.assigned.iter().map(|assigned| assigned.node_set) {
            if !dns::is_label(&node_set.id.name) {
                let message = format!(
                    "the name {} must be a DNS label (at most {} lower case letters, digits and hyphens), because the names \
                     of services are derived from it; rename the node set",
                    quoted(&node_set.id.name),
                    dns::LABEL
                );
                let finding = results.error(&rules::NODE_SET_NAME, message);
                finding.field(node_set.item.get(items), &FieldPath::new("metadata.name"));
            }
        }
        for split in self.splits.iter().filter(|split| !dns::is_label(&split.name)) {
            let message = format!(
                "the nodes need a node set {}, but a name has at most {} characters; rename the node set {}",
                quoted(&split.name),
                dns::LABEL,
                quoted(&split.original.id.name)
            );
            results.error(&rules::NODE_SET_NAME, message).in_config(split.path.clone());
        }
    }

    /// Reports cells that cannot have compute nodes, and services with the names of theirs that are not.
    fn refuse_cells(
        &self,
        planes: &[ControlPlane],
        (plane, misreads): (&DataPlane, &[Misread]),
        items: &[Resource],
        results: &mut Results,
    ) {
        let of_splits = self
            .splits
            .iter()
            .map(|split| (split.from, split.cell.as_str(), Source::Entry(split.path.clone())));
        let of_sets = self.assigned.iter().map(|it| (it.node_set, it.cell.as_str(), it.source.clone()));
        for (node_set, cell, source) in of_sets.chain(of_splits) {
            let namespace = node_set.id.namespace.as_deref();
            let finding = if dns::is_label(cell) {
                let deployed = planes.iter().filter(|plane| plane.deployed_nova().is_some());
                nova_cells::unknown_cell(cell, namespace, deployed, items)
            } else {
                let message = format!("{} is not the name of a cell, such as cell1", quoted(cell));
                Some(Finding::new(Severity::Error, &rules::NO_SUCH_CELL, message))
            };
            match (finding, source) {
                (Some(mut finding), Source::Annotation(site)) => {
                    results.add(finding.at(site.location(items)).clone());
                }
                (Some(mut finding), Source::Entry(path)) => {
                    results.add(finding.in_config(path.parent()).clone());
                }
                (None, _) => {
                    let name = dataplane::cell_service(cell);
                    refuse_service(&name, cell, node_set, (plane, misreads), items, results);
                }
            }
        }
    }

    /// Reports other node sets that use the own service of a node set and are not in its cell. Each is reported once.
    fn refuse_shared(
        &self,
        assigned: &Assigned<'_>,
        own: &Service,
        plane: &DataPlane,
        items: &[Resource],
        results: &mut Results,
    ) {
        let namespace = &assigned.node_set.id.namespace;
        let users = plane.node_sets.iter().filter(|user| user.id.namespace == *namespace);
        let users = users.filter_map(|user| {
            let listed = user.services.iter().find(|name| name.value == own.id.name)?;
            Some((user, &listed.site, self.cell_of(user)))
        });
        let users: Vec<_> = users.collect();
        let first = users.iter().find(|(.., cell)| cell.is_some());
        let Some((_, first_site, _)) = first.filter(|(user, ..)| user.item == assigned.node_set.item) else {
            return;
        };
        let keeps_cell = own.cell().is_some_and(|cell| cell.value == assigned.cell);
        for (_, site, cell) in &users {
            let cell = match cell {
                Some(other) if other.cell == assigned.cell => continue,
                Some(other) => format!("in {}", quoted(&other.cell)),
                None if keeps_cell => continue,
                None => "without a cell".to_owned(),
            };
            let message = format!(
                "this node set {cell} and the node set {} in {} use the service {}, which is for one cell only; give one of \
                 them its own service",
                quoted(&assigned.node_set.id.name),
                quoted(&assigned.cell),
                quoted(&own.id.name)
            );
            let finding = results.error(&rules::SERVICE_SHARED, message).at(site.location(items));
            finding.related(first_site.location(items), "the other node set");
        }
    }
}

/// Reports an existing service that is not for a cell, although it has the name of one that would be created for it.
fn refuse_service(
    name: &str,
    cell: &str,
    node_set: &NodeSet,
    (plane, misreads): (&DataPlane, &[Misread]),
    items: &[Resource],
    results: &mut Results,
) {
    let Some(service) = plane.service(node_set.id.namespace.as_deref(), name) else { return };
    if wrong_type(misreads.iter().filter(|misread| misread.site.item == service.item), results) {
        return;
    }
    let message = |what: &str| {
        format!(
            "the node set {} needs this service for {}, but it {what}",
            quoted(&node_set.id.name),
            quoted(cell)
        )
    };
    if !service.is_nova() {
        let message = message("is not of type nova; rename it");
        results.error(&rules::SERVICE_TYPE, message).on(service.item.get(items));
    } else if let Some(own) = service.cell().filter(|own| own.value != cell) {
        let message = message(&format!("is for {}; correct the Secret, or rename it", quoted(own.value)));
        results.error(&rules::CELL_CONFLICT, message).at(own.site.location(items));
    } else {
        nova_cells::no_cell(service, items, results);
    }
}
