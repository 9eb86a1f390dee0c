//! The service of type nova of a node set, and the cell that it is for.

use super::plan::Split;
use crate::functions::compute_files::{self, cells, services};
use crate::krm::{Fault, Resource, Results, Severity};
use crate::model::data_plane::{DataPlane, NodeSet, Service};
use crate::model::{Site, Sited};
use crate::platform::dataplane;

#[derive(Debug)]
pub(super) struct Nova<'p> {
    /// The service as the node set lists it.
    pub listed: &'p Sited<String>,
    /// The service, unless it is the operator's or that of a cell.
    pub own: Option<&'p Service>,
}

impl<'p> Nova<'p> {
    /// Reports why there is not exactly one.
    pub fn find(
        node_set: &'p NodeSet,
        plane: &'p DataPlane,
        items: &[Resource],
        results: &mut Results,
    ) -> Option<Self> {
        let listed = services::find_nova(node_set, plane, items, results)?;
        let is_shared = plane.is_shared_nova(node_set, &listed.value);
        let own = plane.service(node_set.id.namespace.as_deref(), &listed.value);
        Some(Nova { listed, own: own.filter(|_| !is_shared) })
    }

    /// The same for a node set that nodes leave, without warnings: in a second run, no nodes leave it, and nothing would
    /// repeat them. A copy of the node set lists the same services, and is reported itself.
    pub fn find_to_split(
        node_set: &'p NodeSet,
        plane: &'p DataPlane,
        items: &[Resource],
        results: &mut Results,
    ) -> Option<Self> {
        let mut own = Results::default();
        let found = Self::find(node_set, plane, items, &mut own);
        for finding in own.into_sorted().into_iter().filter(|finding| finding.severity == Severity::Error) {
            results.add(finding);
        }
        found
    }

    /// The cell that the node set is in for certain. The operator's `nova` does not count, and neither does the default
    /// cell of a service that another function created and whose cell was not assigned.
    pub fn explicit_cell(
        &self,
        node_set: &NodeSet,
        plane: &DataPlane,
        items: &[Resource],
    ) -> Option<Sited<String>> {
        let Some(own) = self.own else {
            let cell = plane.cell_of_service(node_set, &self.listed.value)?;
            return Some(Sited { value: cell.to_owned(), site: self.listed.site.clone() });
        };
        let cell = own.cell()?;
        let is_default = cells::has_default_cell(own, &node_set.id.name, items);
        (!is_default).then(|| cell.map(str::to_owned))
    }
}

/// The service for nodes that leave a node set with a service of its own: the counterpart of that service.
pub(super) fn counterpart(own: &Service, split: &Split<'_>) -> String {
    let suffix = split.from.id.name.strip_prefix(&split.original.id.name).unwrap_or_default();
    let base = own.id.name.strip_suffix(suffix).unwrap_or(&own.id.name);
    format!("{base}-{}", split.cell)
}

/// Makes a node set's own service read the Secret of a cell, and records that the cell was assigned.
pub(super) fn set_cell(
    service: &Service,
    cell: &str,
    node_set: &str,
    item: &mut Resource,
) -> Result<(), Fault> {
    match service.cell() {
        Some(Sited { site: Site { path, .. }, .. }) => item.set(&path, dataplane::cell_secret(cell))?,
        None => {
            let path = dataplane::data_sources().index(service.sources.len());
            item.set(&path, dataplane::cell_source(cell))?;
        }
    }
    if item.id().name == compute_files::default_service(node_set) {
        item.set(&cells::record_path(), cell)?;
    }
    Ok(())
}
