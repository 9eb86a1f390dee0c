//! Metadata services for all cells and for some of them.

use crate::checks::rules;
use crate::krm::Results;
use crate::model::Model;
use crate::model::control_plane::Cell;

/// Reports `metadata-twice`, once for a control plane. cell0 has a rule of its own.
pub fn metadata_twice(model: &Model<'_>, results: &mut Results) {
    let items = model.items();
    for nova in model.control_planes.iter().filter_map(|plane| plane.deployed_nova()) {
        let has_metadata = |cell: &&Cell| cell.metadata.value == Some(true) && !cell.is_cell_zero();
        let cells: Vec<&Cell> = nova.cells.listed().iter().filter(has_metadata).collect();
        let Some((first, others)) = cells.split_first().filter(|_| nova.metadata.value != Some(false)) else {
            continue;
        };
        let how = if nova.metadata.value.is_some() { "enabled" } else { "enabled by default" };
        let message = format!(
            "the metadata service for all cells is also {how}, and nova-operator accepts one or the other; disable this \
             one, or set `{}: false`",
            nova.metadata.site.path
        );
        let finding = results.error(&rules::METADATA_TWICE, message).at(first.metadata.site.location(items));
        for cell in others {
            finding.related(cell.metadata.site.location(items), "also enabled in this cell");
        }
        finding.related(nova.metadata.site.location(items), "the metadata service for all cells");
    }
}
