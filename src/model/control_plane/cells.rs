//! The cells of Nova.

use serde_json::{Map, Value};

use super::{ServiceConfig, Switch};
use crate::krm::{FieldPath, Order};
use crate::model::item_reader::ItemReader;
use crate::model::{Site, Sited};
use crate::platform::{dataplane, message_buses, openstack};

/// The cells of a control plane.
#[derive(Debug, Clone)]
pub enum Cells {
    /// The control plane lists none, so the operator creates its default cells.
    Default,
    Listed(Vec<Cell>),
    /// The field has the wrong type.
    Unreadable,
}

#[derive(Debug, Clone)]
pub struct Cell {
    pub name: String,
    pub site: Site,
    pub conductor: ServiceConfig,
    /// The RabbitMQ cluster in `messagingBus`.
    pub bus: Option<Sited<String>>,
    /// The RabbitMQ cluster in the field that `messagingBus` replaces.
    pub former_bus: Option<Sited<String>>,
    /// Its own metadata service. Defaults to false.
    pub metadata: Switch,
    /// The noVNC proxy. Defaults to true, except in cell0.
    pub vnc_proxy: Switch,
    /// The field with the compute services, if there are any.
    pub computes: Option<Site>,
}

impl Cells {
    pub(super) fn read(fields: &mut ItemReader<'_, '_>) -> Self {
        let path = openstack::nova_cell_templates();
        let templates: Map<String, Value> = match fields.try_get(&path) {
            Ok(Some(templates)) => templates,
            Ok(None) => return Cells::Default,
            Err(_) => return Cells::Unreadable,
        };
        let cell = |name: String| Cell::read(path.clone().key(name.clone()), name, fields);
        Cells::Listed(templates.into_iter().map(|(name, _)| name).map(cell).collect())
    }

    /// The names of the cells in alphabetical order; none if they cannot be read.
    pub fn names(&self) -> Option<Vec<&str>> {
        match self {
            Cells::Default => Some(openstack::DEFAULT_CELLS.to_vec()),
            Cells::Listed(cells) => {
                let mut names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
                names.order();
                Some(names)
            }
            Cells::Unreadable => None,
        }
    }

    /// The cells that the control plane lists.
    pub fn listed(&self) -> &[Cell] {
        match self {
            Cells::Listed(cells) => cells,
            Cells::Default | Cells::Unreadable => &[],
        }
    }
}

impl Cell {
    fn read(path: FieldPath, name: String, fields: &mut ItemReader<'_, '_>) -> Self {
        let enabled = |part: FieldPath| fields.quiet(openstack::enabled(part));
        let computes: Sited<Option<Map<String, Value>>> =
            fields.quiet(openstack::cell_computes(path.clone()));
        Cell {
            bus: named(fields, message_buses::cluster(message_buses::of_cell(path.clone()))),
            former_bus: named(fields, message_buses::former_of_cell(path.clone())),
            metadata: enabled(openstack::cell_metadata(path.clone())),
            vnc_proxy: enabled(openstack::cell_vnc_proxy(path.clone())),
            computes: computes.value.is_some_and(|computes| !computes.is_empty()).then_some(computes.site),
            conductor: fields.sited(openstack::conductor_config(path.clone())),
            site: fields.site(path),
            name,
        }
    }

    /// Whether this is the cell for guests that were never scheduled.
    pub fn is_cell_zero(&self) -> bool {
        self.name == dataplane::CELL_WITHOUT_COMPUTES
    }
}

/// A name. An empty one counts as missing.
fn named(fields: &ItemReader<'_, '_>, path: FieldPath) -> Option<Sited<String>> {
    let Sited { value, site } = fields.quiet::<String>(path);
    value.filter(|value| !value.is_empty()).map(|value| Sited { value, site })
}
