//! The cells that services of type nova and compute nodes belong to.

use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::control_plane::ControlPlane;
use crate::model::data_plane::Service;
use crate::model::{Site, Sited};
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

/// Reports a service of type nova for a cell that cannot have compute nodes. A namespace has one control plane.
pub fn no_such_cell<'p>(
    service: &Service,
    planes: impl IntoIterator<Item = &'p ControlPlane>,
    items: &[Resource],
    results: &mut Results,
) {
    let Some(cell) = service.cell() else { return };
    let namespace = service.id.namespace.as_deref();
    if !cell_without_computes(&cell, "name the Secret of another cell", items, results) {
        not_in_control_plane(&cell, namespace, planes, items, results);
    }
}

/// Reports the cell that has no compute nodes. Returns whether it is that cell.
pub fn cell_without_computes(
    cell: &Sited<&str>,
    advice: &str,
    items: &[Resource],
    results: &mut Results,
) -> bool {
    let is_without = cell.value == dataplane::CELL_WITHOUT_COMPUTES;
    if is_without {
        let message = format!("{} cannot have compute nodes; {advice}", cell.value);
        results.error(&rules::NO_SUCH_CELL, message).at(cell.site.location(items));
    }
    is_without
}

/// Reports a cell that the control plane of the namespace does not have. Returns whether its cells are known.
pub fn not_in_control_plane<'p>(
    cell: &Sited<&str>,
    namespace: Option<&str>,
    planes: impl IntoIterator<Item = &'p ControlPlane>,
    items: &[Resource],
    results: &mut Results,
) -> bool {
    let mut planes = planes.into_iter().filter(|plane| plane.id.namespace.as_deref() == namespace);
    let Some(plane) = planes.next() else { return false };
    let Some(known) = plane.nova.as_ref().and_then(|nova| nova.cells.names()) else { return false };
    if !known.contains(&cell.value) {
        let message = format!(
            "the control plane {} has no cell {}; its cells are {}",
            quoted(&plane.id.name),
            quoted(cell.value),
            known.join(", ")
        );
        let cells = Site::new(plane.item, openstack::nova_cell_templates());
        let finding = results.error(&rules::NO_SUCH_CELL, message).at(cell.site.location(items));
        finding.related(cells.location(items), "the cells of the control plane");
    }
    true
}
