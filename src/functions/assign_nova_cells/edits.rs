//! Changes of node sets, of their own services, and of Deployments.

use super::CellAssignments;
use super::nova::{self, Nova};
use crate::checks::rules;
use crate::functions::compute_files::{deployments, services};
use crate::krm::{Fault, Resource, Results, quoted};
use crate::model::data_plane::{self, DataPlane};
use crate::model::{Site, World};
use crate::platform::dataplane;

impl CellAssignments {
    /// Removes nodes from the node sets that they leave. The new node sets have them already, unless they existed before.
    pub(super) fn move_nodes(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let (plane, _) = data_plane::read(&World::new(items));
        for split in self.plan(&plane, items, results).splits {
            let Some(target) = split.target else { continue };
            for node in &split.nodes {
                let path = dataplane::node_list().key(node.clone());
                if let Some(value) = split.from.item.get(items).value(&path)?
                    && !target.item.get(items).has(&path)?
                {
                    target.item.get_mut(items).set(&path, value)?;
                }
                split.from.item.get_mut(items).remove(&path)?;
            }
        }
        Ok(())
    }

    /// Lists the services of the cells in the node sets, and sets the cells of their own services.
    pub(super) fn set_services(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let (plane, _) = data_plane::read(&World::new(items));
        for assigned in self.plan(&plane, items, results).assigned {
            let node_set = assigned.node_set;
            let Some(nova) = Nova::find(node_set, &plane, items, results) else { continue };
            if nova.own.is_none() {
                let service = dataplane::cell_service(&assigned.cell);
                services::replace(nova.listed, &service, node_set, node_set.item.get_mut(items))?;
                continue;
            }
            let namespace = node_set.id.namespace.as_deref();
            // Two node sets may share a service, which the first of them has just changed.
            let own = data_plane::find_service(&World::new(items), namespace, &nova.listed.value);
            if let Some(own) = own {
                nova::set_cell(&own, &assigned.cell, &node_set.id.name, own.item.get_mut(items))?;
            }
        }
        Ok(())
    }

    /// Adds node sets that were split off to the Deployments of the original, and the services to the lists that replace
    /// those of the node sets.
    pub(super) fn update_deployments(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let (plane, _) = data_plane::read(&World::new(items));
        self.follow_splits(&plane, items, results)?;
        let (plane, _) = data_plane::read(&World::new(items));
        let assigned = self.plan(&plane, items, results).assigned;
        for node_set in assigned.iter().map(|assigned| assigned.node_set) {
            if let Some(nova) = plane.nova_of(node_set) {
                deployments::replace_nova(&nova.value, node_set, &plane, items, results)?;
            }
        }
        let (plane, _) = data_plane::read(&World::new(items));
        for assigned in self.plan(&plane, items, results).assigned {
            deployments::check(assigned.node_set, &plane, items, results);
        }
        Ok(())
    }

    fn follow_splits(
        &self,
        plane: &DataPlane,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let assigned = self.plan(plane, items, results).assigned;
        let split_off = |deployment: &data_plane::Deployment| {
            let in_namespace = assigned.iter().map(|it| it.node_set);
            let in_namespace = in_namespace.filter(|it| it.id.namespace == deployment.id.namespace);
            let is_of_deployment =
                |original: &String| deployment.node_sets.iter().any(|listed| listed.value == *original);
            let own = in_namespace.filter(|it| it.split_from.as_ref().is_some_and(is_of_deployment));
            own.map(|it| it.id.name.clone()).collect::<Vec<_>>()
        };
        for deployment in &plane.deployments {
            if self.is_own_deployment(&deployment.id.name) {
                continue;
            }
            let names = split_off(deployment);
            let mut count = deployment.node_sets.len();
            for name in &names {
                if deployment.node_sets.iter().all(|listed| listed.value != *name) {
                    let path = dataplane::node_sets().index(count);
                    deployment.item.get_mut(items).set(&path, name.as_str())?;
                    count += 1;
                }
            }
            if !names.is_empty() {
                let message = format!(
                    "this list has {}, split off from another of its node sets; the spec of a Deployment is immutable, so \
                     rename this one if it was applied before",
                    names.iter().map(quoted).collect::<Vec<_>>().join(", ")
                );
                let site = Site::new(deployment.item, dataplane::node_sets());
                results.info(&rules::NODE_SET_SPLIT, message).at(site.location(items));
            }
        }
        Ok(())
    }
}
