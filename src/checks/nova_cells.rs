//! The cells of Nova, and the cells that services of type nova and compute nodes belong to.

mod cell_zero;
mod metadata_twice;
mod missing_cell;
mod shared_message_bus;

pub use cell_zero::service_in_cell_zero;
pub use metadata_twice::metadata_twice;
pub use missing_cell::missing_cell;
pub use shared_message_bus::shared_message_bus;

use super::rules;
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::Site;
use crate::model::control_plane::ControlPlane;
use crate::model::data_plane::{DataPlane, NodeSet, Service};
use crate::platform::{dataplane, openstack};

/// Reports a service of type nova that reads no Secret of a cell.
pub fn no_cell(service: &Service, items: &[Resource], results: &mut Results) {
    // A source that names nothing may be the one that is missing, and is reported separately.
    let has_defect = service.sources.iter().any(|source| source.defect.is_some());
    if service.cell().is_none() && !has_defect {
        let message = "this service reads no `nova-<cell>-compute-config`, so its hosts would belong to no cell; add it \
                       as a `secretRef`";
        results.error(&rules::NO_CELL, message).at(service.sources_site().location(items));
    }
}

/// Reports a service of type nova for a cell that cannot have compute nodes.
pub fn no_such_cell<'p>(
    service: &Service,
    planes: impl IntoIterator<Item = &'p ControlPlane>,
    items: &[Resource],
    results: &mut Results,
) {
    let Some(cell) = service.cell() else { return };
    if let Some(mut finding) = unknown_cell(cell.value, service.id.namespace.as_deref(), planes, items) {
        finding.at(cell.site.location(items));
        results.add(finding);
    }
}

/// The control plane of a namespace and the names of its cells, if they are known.
pub fn known_cells<'p>(
    namespace: Option<&str>,
    planes: impl IntoIterator<Item = &'p ControlPlane>,
) -> Option<(&'p ControlPlane, Vec<&'p str>)> {
    let plane = planes.into_iter().find(|plane| plane.id.namespace.as_deref() == namespace)?;
    Some((plane, plane.nova.as_ref().and_then(|nova| nova.cells.names())?))
}

/// Why a cell cannot have compute nodes: it is cell0, or the control plane of the namespace does not have it. A namespace
/// has one control plane.
pub fn unknown_cell<'p>(
    cell: &str,
    namespace: Option<&str>,
    planes: impl IntoIterator<Item = &'p ControlPlane>,
    items: &[Resource],
) -> Option<Finding> {
    let finding = |message: String| Finding::new(Severity::Error, &rules::NO_SUCH_CELL, message);
    if cell == dataplane::CELL_WITHOUT_COMPUTES {
        return Some(finding(format!("{cell} cannot have compute nodes; name another cell")));
    }
    let (plane, known) = known_cells(namespace, planes)?;
    if known.contains(&cell) {
        return None;
    }
    let its_cells = if known.is_empty() {
        "it has none".to_owned()
    } else {
        format!("its cells are {}", known.join(", "))
    };
    let (name, cell) = (quoted(&plane.id.name), quoted(cell));
    let mut finding = finding(format!("the control plane {name} has no cell {cell}; {its_cells}"));
    let cells = Site::new(plane.item, openstack::nova_cell_templates());
    finding.related(cells.location(items), "the cells of the control plane");
    Some(finding)
}

/// Reports a node set whose annotation names a cell that its service of type nova is not for. The operator's `nova` is
/// for cell1. A service that is not among the items may be for any cell.
pub fn cell_without_service(
    node_set: &NodeSet,
    plane: &DataPlane,
    items: &[Resource],
    results: &mut Results,
) {
    let Some(cell) = &node_set.cell else { return };
    let namespace = node_set.id.namespace.as_deref();
    let nova = plane.nova_of(node_set);
    let service = nova.and_then(|nova| plane.service(namespace, &nova.value));
    let is_unknown = |name: &str| plane.service_type(namespace, name).is_none();
    let what = match (nova, service) {
        (None, _) if node_set.services.iter().any(|name| is_unknown(&name.value)) => return,
        (None, _) if node_set.services.is_empty() => return,
        (None, _) => "no service of this node set is of type nova".to_owned(),
        (Some(nova), service) => {
            let current = service.map_or(Some(dataplane::NOVA_CELL), |own| own.cell().map(|cell| cell.value));
            let Some(current) = current.filter(|current| *current != cell.value) else { return };
            format!("the service {} of this node set is for {}", quoted(&nova.value), quoted(current))
        }
    };
    let message = format!(
        "the annotation names {}, but {what}; run AssignNovaCells, or correct one of them",
        quoted(&cell.value)
    );
    let finding = results.error(&rules::CELL_WITHOUT_SERVICE, message).at(cell.site.location(items));
    let services = nova.map_or_else(|| node_set.services_site(), |nova| nova.site.clone());
    finding.related(services.location(items), "the services of the node set");
}
