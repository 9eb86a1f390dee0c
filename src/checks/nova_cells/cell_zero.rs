//! Services in cell0.

use crate::checks::rules;
use crate::krm::Results;
use crate::model::control_plane::Cell;
use crate::model::{Model, Site};

/// Reports `service-in-cell-zero`.
pub fn service_in_cell_zero(model: &Model<'_>, results: &mut Results) {
    for nova in model.control_planes.iter().filter_map(|plane| plane.deployed_nova()) {
        for cell in nova.cells.listed().iter().filter(|cell| cell.is_cell_zero()) {
            for (what, site) in services(cell) {
                let message = format!(
                    "{} has no guests, so nova-operator rejects {what} in it; remove this",
                    cell.name
                );
                results.error(&rules::SERVICE_IN_CELL_ZERO, message).at(site.location(model.items()));
            }
        }
    }
}

fn services(cell: &Cell) -> impl Iterator<Item = (&'static str, &Site)> {
    let switches = [("a metadata service", &cell.metadata), ("a noVNC proxy", &cell.vnc_proxy)];
    let enabled = switches.into_iter().filter(|(_, switch)| switch.value == Some(true));
    let enabled = enabled.map(|(what, switch)| (what, &switch.site));
    enabled.chain(cell.computes.iter().map(|site| ("compute services", site)))
}
