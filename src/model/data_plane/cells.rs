//! Nova's cells: which one a node set is for, and which services all node sets of a cell share.

use super::{DataPlane, NodeSet, Service};
use crate::model::item_reader::ItemReader;
use crate::model::world::Sited;
use crate::platform::{dataplane, kubernetes};

/// The cell in the annotation of an object. Its value may also be the name of a NovaCell, such as `nova-cell1`.
pub(super) fn annotated(fields: &mut ItemReader<'_, '_>) -> Option<Sited<String>> {
    let path = kubernetes::annotation(dataplane::CELL_ANNOTATION);
    let name: String = fields.get(&path)?;
    let cell = name.strip_prefix("nova-").unwrap_or(&name).to_owned();
    Some(Sited { value: cell, site: fields.site(path) })
}

impl Service {
    pub fn is_nova(&self) -> bool {
        self.service_type.as_deref() == Some(dataplane::NOVA_TYPE)
    }
}

impl DataPlane {
    /// The cell of `nova-<cell>`, the service for all node sets of a cell without configuration of their own. A service
    /// that is not among the items counts if a function will create it: for the cell of the node set, or for one with
    /// the usual name.
    pub fn cell_of_service<'n>(&self, node_set: &NodeSet, name: &'n str) -> Option<&'n str> {
        let cell = dataplane::cell_of_service(name)?;
        let is_for_cell = match self.service(node_set.id.namespace.as_deref(), name) {
            Some(service) => service.is_nova() && service.cell().is_some_and(|own| own.value == cell),
            None => {
                let annotated = node_set.cell.as_ref().map(|cell| cell.value.as_str());
                annotated == Some(cell) || dataplane::is_usual_cell(cell)
            }
        };
        is_for_cell.then_some(cell)
    }

    /// Whether a service of type nova is not one node set's own: the operator's, or that of a cell.
    pub fn is_shared_nova(&self, node_set: &NodeSet, name: &str) -> bool {
        name == dataplane::NOVA || self.cell_of_service(node_set, name).is_some()
    }
}
