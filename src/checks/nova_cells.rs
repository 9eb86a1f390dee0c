//! The cells that services of type nova belong to.

use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::control_plane::ControlPlane;
use crate::model::data_plane::Service;
use crate::platform::dataplane;

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
pub fn no_such_cell(service: &Service, planes: &[ControlPlane], items: &[Resource], results: &mut Results) {
    let Some(cell) = service.cell() else { return };
    let site = service.sources_site();
    if cell == dataplane::CELL_WITHOUT_COMPUTES {
        let message = format!("{cell} cannot have compute nodes");
        results.error(&rules::NO_SUCH_CELL, message).at(site.location(items));
    }
    for plane in planes.iter().filter(|plane| plane.id.namespace == service.id.namespace) {
        let known = plane.nova.as_ref().and_then(|nova| nova.cells.names());
        let Some(known) = known.filter(|known| !known.contains(&cell)) else { continue };
        let message = format!(
            "the control plane {} has no {}; its cells are {}",
            quoted(&plane.id.name),
            quoted(cell),
            known.join(", ")
        );
        results.error(&rules::NO_SUCH_CELL, message).at(site.location(items));
    }
}
