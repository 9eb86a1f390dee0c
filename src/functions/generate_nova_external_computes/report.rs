//! What the function reports before it writes anything.

use super::ExternalComputes;
use crate::checks::{self, external_computes};
use crate::krm::{Fault, FieldPath, Order, Results, quoted, rules};
use crate::model::control_plane::{self, ControlPlane};
use crate::model::legacy_data_plane::LegacyDataPlane;
use crate::model::{Misread, World};
use crate::platform::{legacy_dataplane as facts, openstack};

impl ExternalComputes {
    pub(super) fn report(
        &self,
        plane: &LegacyDataPlane,
        misreads: &[Misread],
        world: &World<'_>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        if self.nodes(plane).next().is_none() {
            return Err(self.no_nodes(plane));
        }
        let items = world.resources();
        let is_included = |misread: &&Misread| self.includes(misread.site.item.get(items).id());
        if checks::wrong_type(misreads.iter().filter(is_included), results)
            || external_computes::object_twice(items, results)
        {
            return Ok(());
        }
        for node in self.nodes(plane) {
            checks::missing_name(node.item, items, results);
            external_computes::unknown_role(node, plane, items, results);
            external_computes::misspelt_cell(node, plane, items, results);
        }
        if self.compute_nodes(plane).next().is_none() && !results.has_errors() {
            let message = format!(
                "no OpenStackDataPlaneNode has a cell, so nothing is generated; set the annotation `{}` of nodes or roles",
                facts::CELL
            );
            results.warning(&rules::NO_MATCH, message);
        }
        self.report_computes(plane, &self.control_planes(world, results), world, results);
        Ok(())
    }

    /// Reports nodes that have cells.
    fn report_computes(
        &self,
        plane: &LegacyDataPlane,
        control_planes: &[ControlPlane],
        world: &World<'_>,
        results: &mut Results,
    ) {
        let items = world.resources();
        for compute in self.compute_nodes(plane) {
            // The role may have the key.
            if compute.node.role.is_none() || compute.role.is_some() {
                external_computes::no_ssh_key(&compute, items, results);
            }
            if !external_computes::cell_name(compute.cell, items, results) {
                continue;
            }
            let cell = compute.cell_in(plane, &self.nova);
            let existing = plane.compute_of(compute.node);
            if let Some(existing) = existing.filter(|existing| !existing.is_in(&cell)) {
                external_computes::cell_changed(existing, &compute, &cell, items, results);
            } else {
                external_computes::no_such_cell(&compute, &cell, plane, control_planes, items, results);
            }
        }
    }

    fn no_nodes(&self, plane: &LegacyDataPlane) -> Fault {
        let Some(namespace) = &self.namespace else {
            return Fault::new(&rules::NO_MATCH, "the resources contain no OpenStackDataPlaneNode");
        };
        let mut others: Vec<String> =
            plane.nodes.iter().filter_map(|node| node.id.namespace.as_ref()).map(quoted).collect();
        others.order();
        others.dedup();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!("; there are nodes in {}", others.join(", ")),
        };
        let message = format!(
            "the resources contain no OpenStackDataPlaneNode in the namespace {}{others}",
            quoted(namespace)
        );
        Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.namespace"))
    }

    /// The control planes. Those whose cells cannot be read are reported.
    fn control_planes(&self, world: &World<'_>, results: &mut Results) -> Vec<ControlPlane> {
        let (planes, misreads) = control_plane::read(world);
        let hides_cells = |misread: &&Misread| {
            [openstack::nova(), openstack::nova_cell_templates()].contains(&misread.site.path)
                && self.includes(misread.site.item.get(world.resources()).id())
        };
        checks::wrong_type(misreads.iter().filter(hides_cells), results);
        planes
    }
}
