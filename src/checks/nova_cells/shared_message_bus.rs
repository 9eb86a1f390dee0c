//! RabbitMQ clusters that several cells use.

use indexmap::IndexMap;

use crate::checks::rules;
use crate::formats::placeholder;
use crate::krm::{Finding, Results, Severity, quoted};
use crate::model::control_plane::Cell;
use crate::model::{Model, Site};
use crate::platform::message_buses;

/// Reports `shared-message-bus`, once for each RabbitMQ cluster. cell0 may share that of the API.
pub fn shared_message_bus(model: &Model<'_>, results: &mut Results) {
    for nova in model.control_planes.iter().filter_map(|plane| plane.deployed_nova()) {
        let cells = nova.cells.listed().iter().filter(|cell| !cell.is_cell_zero());
        let is_new_release = nova.cells.listed().iter().any(|cell| cell.bus.is_some());
        let mut cells_of: IndexMap<String, Vec<&Cell>> = IndexMap::new();
        for cell in cells {
            cells_of.entry(current(cell)).or_default().push(cell);
        }
        for (cluster, cells) in cells_of {
            if cells.len() > 1 && !placeholder::is_in(&cluster) {
                report(&cluster, &cells, is_new_release, model, results);
            }
        }
    }
}

fn report(cluster: &str, cells: &[&Cell], is_new_release: bool, model: &Model<'_>, results: &mut Results) {
    let is_shared_before = |cell: &&Cell| former(cell) == former(cells[0]);
    let is_certain = is_new_release || cells[1..].iter().any(is_shared_before);
    let severity = if is_certain { Severity::Error } else { Severity::Warning };
    let message = format!(
        "the RabbitMQ cluster {} is also that of {}, and each cell needs its own; name another cluster",
        quoted(cluster),
        cells[0].name
    );
    let finding = results.add(Finding::new(severity, &rules::SHARED_MESSAGE_BUS, message));
    finding.at(site(cells[1]).location(model.items()));
    for cell in [cells[0]].into_iter().chain(cells[2..].iter().copied()) {
        finding.related(site(cell).location(model.items()), format!("the cluster of {}", cell.name));
    }
}

/// The cluster of a cell, as current releases determine it.
fn current(cell: &Cell) -> String {
    let given = cell.bus.as_ref().or(cell.former_bus.as_ref());
    given.map_or_else(|| message_buses::default_of_cell(&cell.name), |given| given.value.clone())
}

/// The cluster of a cell, as releases without `messagingBus` determine it.
fn former(cell: &Cell) -> &str {
    cell.former_bus.as_ref().map_or(message_buses::FORMER_DEFAULT_OF_CELL, |given| &given.value)
}

/// Where a cell names its cluster, or the cell itself if that has the default.
fn site(cell: &Cell) -> &Site {
    cell.bus.as_ref().or(cell.former_bus.as_ref()).map_or(&cell.site, |given| &given.site)
}
