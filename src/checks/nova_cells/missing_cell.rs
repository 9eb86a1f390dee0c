//! Control planes without cell0.

use crate::checks::rules;
use crate::krm::Results;
use crate::model::control_plane::Cells;
use crate::model::{Model, Site};
use crate::platform::{dataplane, openstack};

/// Reports `missing-cell`.
pub fn missing_cell(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        let Some(Cells::Listed(cells)) = plane.deployed_nova().map(|nova| &nova.cells) else { continue };
        if cells.iter().any(|cell| cell.is_cell_zero()) {
            continue;
        }
        let cell = dataplane::CELL_WITHOUT_COMPUTES;
        let message = format!("{cell} is missing, and Nova needs it in every list of cells; add `{cell}`");
        let site = Site::new(plane.item, openstack::nova_cell_templates());
        results.error(&rules::MISSING_CELL, message).at(site.location(model.items()));
    }
}
