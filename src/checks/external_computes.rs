//! The nodes of the data plane of 2023 that have cells, and their computes.

use super::{nova_cells, rules};
use crate::formats::dns;
use crate::krm::{Hint, Order, Resource, Results, quoted, report_duplicates};
use crate::model::control_plane::ControlPlane;
use crate::model::legacy_data_plane::{self, ComputeNode, ExternalCompute, LegacyDataPlane, Node};
use crate::model::{Model, Site, Sited};
use crate::platform::dataplane;
use crate::platform::legacy_dataplane::{self as facts, Cell};

/// Reports nodes, roles and computes that exist twice: nobody could tell which of them counts. Returns whether there are
/// any.
pub fn object_twice(items: &[Resource], results: &mut Results) -> bool {
    let kinds = [facts::NODE, facts::ROLE, facts::EXTERNAL_COMPUTE];
    report_duplicates(items.iter().filter(|item| kinds.iter().any(|kind| item.is(*kind))), results)
}

/// Reports the cells of all nodes and computes: those that cannot exist, and computes in other cells than their nodes.
pub fn cells_of_nodes(model: &Model<'_>, results: &mut Results) {
    let (plane, _) = legacy_data_plane::read(&model.world);
    let items = model.items();
    for node in &plane.nodes {
        misspelt_cell(node, &plane, items, results);
        let Some(compute) = plane.compute_node(node) else { continue };
        if !cell_name(compute.cell, items, results) {
            continue;
        }
        let cell = compute.cell_in(&plane, facts::NOVA);
        match plane.compute_of(node).filter(|existing| !existing.is_in(&cell)) {
            Some(existing) => cell_changed(existing, &compute, &cell, items, results),
            None => no_such_cell(&compute, &cell, &plane, &model.control_planes, items, results),
        }
    }
    for compute in plane.computes_without_node() {
        let place = (&compute.cell.site, compute.id.namespace.as_deref());
        let cell = Cell::of_nova(&compute.nova, &compute.cell.value);
        missing_cell(place, &cell, &plane, &model.control_planes, items, results);
    }
}

/// Reports a node whose role is not among the items.
pub fn unknown_role(node: &Node, plane: &LegacyDataPlane, items: &[Resource], results: &mut Results) {
    let Some(role) = node.role.as_ref().filter(|_| plane.role_of(node).is_none()) else { return };
    let near = plane.role_names_near(node.id.namespace.as_deref());
    let advice = Hint::among(&role.value, near).or(|| "correct the name, or add the role".to_owned());
    let message = format!(
        "the resources contain no OpenStackDataPlaneRole {} in the namespace of this node; {advice}",
        quoted(&role.value)
    );
    results.error(&rules::UNKNOWN_ROLE, message).at(role.site.location(items));
}

/// Reports annotations of a node and its role that have almost the key of the one that names the cell.
pub fn misspelt_cell(node: &Node, plane: &LegacyDataPlane, items: &[Resource], results: &mut Results) {
    let role = plane.role_of(node).map(|role| &role.settings);
    let settings = [Some(&node.settings), role].into_iter().flatten();
    for site in settings.flat_map(|settings| &settings.misspelt_cells) {
        let message =
            format!("this annotation has no effect; {}", Hint::of(Some(facts::CELL)).or(String::new));
        results.warning(&rules::MISSPELT_CELL, message).at(site.location(items));
    }
}

/// Reports an annotation that cannot be the name of a cell. Returns whether it can.
pub fn cell_name(cell: &Sited<String>, items: &[Resource], results: &mut Results) -> bool {
    let is_name = dns::is_label(&cell.value);
    if !is_name {
        let message = format!(
            "must be the name of a cell, such as \"cell1\", or of a NovaCell, such as \"nova-cell1\": at most 63 lower \
             case letters, digits and hyphens; got {}",
            quoted(&cell.value)
        );
        results.error(&rules::CELL_NAME, message).at(cell.site.location(items));
    }
    is_name
}

/// Reports a cell that cannot have compute nodes, or that is not among those of the node's namespace.
pub fn no_such_cell(
    compute: &ComputeNode<'_>,
    cell: &Cell,
    plane: &LegacyDataPlane,
    control_planes: &[ControlPlane],
    items: &[Resource],
    results: &mut Results,
) {
    let place = (&compute.cell.site, compute.node.id.namespace.as_deref());
    missing_cell(place, cell, plane, control_planes, items, results);
}

/// Reports a cell, by the site that names it and by its namespace.
fn missing_cell(
    (site, namespace): (&Site, Option<&str>),
    cell: &Cell,
    plane: &LegacyDataPlane,
    control_planes: &[ControlPlane],
    items: &[Resource],
    results: &mut Results,
) {
    let (name, location) = (cell.name.as_str(), site.location(items));
    let nova_cell = cell.nova_cell();
    if name != dataplane::CELL_WITHOUT_COMPUTES && plane.nova_cell(namespace, &nova_cell).is_some() {
        return;
    }
    // A control plane deploys one Nova, which always has the same name.
    let is_of_plane = |plane: &&ControlPlane| cell.nova == facts::NOVA && plane.deployed_nova().is_some();
    let deployed: Vec<&ControlPlane> = control_planes.iter().filter(is_of_plane).collect();
    if let Some(mut finding) = nova_cells::unknown_cell(name, namespace, deployed.iter().copied(), items) {
        finding.at(location);
        results.add(finding);
        return;
    }
    if nova_cells::known_cells(namespace, deployed).is_some() {
        return;
    }
    let mut known: Vec<&str> = plane.nova_cell_names_near(namespace).collect();
    known.order();
    if !known.is_empty() {
        let message = format!(
            "the resources contain no NovaCell {}; they contain {}",
            quoted(&nova_cell),
            known.join(", ")
        );
        results.warning(&rules::NO_SUCH_CELL, message).at(location);
    }
}

/// Reports a node for which no Secret with an SSH key is known.
pub fn no_ssh_key(compute: &ComputeNode<'_>, items: &[Resource], results: &mut Results) {
    if compute.ssh_key().is_some() {
        return;
    }
    let message = match compute.role {
        Some(role) => format!(
            "neither this node nor its role {} names a Secret with an SSH key; set this field, or `{}` of the role",
            quoted(&role.id.name),
            facts::role_ssh_key()
        ),
        None => "this node names no Secret with an SSH key; set this field".to_owned(),
    };
    let site = Site::new(compute.node.item, facts::node_ssh_key());
    results.error(&rules::NO_SSH_KEY, message).at(site.location(items));
}

/// Reports a compute that belongs to another cell than its node.
pub fn cell_changed(
    existing: &ExternalCompute,
    compute: &ComputeNode<'_>,
    cell: &Cell,
    items: &[Resource],
    results: &mut Results,
) {
    let owner = if compute.cell.site.item == compute.node.item { "node" } else { "role" };
    let message = format!(
        "this compute belongs to the cell {} of the Nova {}, but the annotation of its {owner} names the cell {} of {}; \
         Nova cannot move a compute to another cell, so restore the annotation",
        quoted(&existing.cell.value),
        quoted(&existing.nova),
        quoted(&cell.name),
        quoted(&cell.nova)
    );
    let finding = results.error(&rules::CELL_CHANGED, message).at(existing.cell.site.location(items));
    finding.current(existing.cell.value.clone()).related(compute.cell.site.location(items), "the annotation");
}
