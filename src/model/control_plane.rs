//! OpenStackControlPlanes: how Nova is configured, and what else the webhooks of the operators look at.

mod cells;
mod endpoints;
mod message_buses;
mod routes;
mod state;
mod topologies;

pub use cells::{Cell, Cells};
pub use endpoints::{EndpointOverrides, endpoint_overrides};
pub use message_buses::{FormerField, former_fields, knows_buses, top_level_users};
pub use routes::{IncompleteRoute, incomplete_routes};
pub use state::{State, state};
pub use topologies::topology_namespaces;

use super::item_reader::ItemReader;
use super::world::{ItemId, Misread, Sited, World};
use crate::krm::Id;
use crate::platform::openstack;

#[derive(Debug, Clone)]
pub struct ControlPlane {
    pub item: ItemId,
    pub id: Id,
    /// None if `spec.nova` is missing or null: Nova is not deployed then.
    pub nova: Option<Nova>,
}

#[derive(Debug, Clone)]
pub struct Nova {
    /// Whether Nova is deployed. Defaults to true.
    pub enabled: Sited<Option<bool>>,
    pub api: ServiceConfig,
    pub scheduler: ServiceConfig,
    /// Whether one metadata service serves all cells. Defaults to true.
    pub metadata: Switch,
    pub cells: Cells,
}

/// `customServiceConfig` of a service: oslo.config text that the operator adds to its own.
pub type ServiceConfig = Sited<Option<String>>;

/// `enabled` of a part. None if it is missing, or has the wrong type.
pub type Switch = Sited<Option<bool>>;

/// Reads all control planes, in the order of the items.
pub fn read(world: &World<'_>) -> (Vec<ControlPlane>, Vec<Misread>) {
    let mut misreads = Vec::new();
    let planes = world
        .of_kind(openstack::CONTROL_PLANE)
        .map(|(item, _)| {
            let mut fields = ItemReader::new(item, world.get(item), &mut misreads);
            let has_nova = fields.has(&openstack::nova());
            ControlPlane { item, id: fields.id(), nova: has_nova.then(|| Nova::read(&mut fields)) }
        })
        .collect();
    (planes, misreads)
}

impl ControlPlane {
    /// Nova, if the control plane certainly deploys it.
    pub fn deployed_nova(&self) -> Option<&Nova> {
        self.nova.as_ref().filter(|nova| nova.is_deployed())
    }
}

impl Nova {
    pub fn is_deployed(&self) -> bool {
        self.enabled.value != Some(false)
    }

    fn read(fields: &mut ItemReader<'_, '_>) -> Self {
        Nova {
            enabled: fields.sited(openstack::nova_enabled()),
            api: fields.sited(openstack::nova_api_config()),
            scheduler: fields.sited(openstack::nova_scheduler_config()),
            metadata: fields.quiet(openstack::enabled(openstack::nova_metadata())),
            cells: Cells::read(fields),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::krm::Object;

    fn read_spec(spec: Value) -> (Option<Nova>, Vec<String>) {
        let plane = Object::new(openstack::CONTROL_PLANE, "openstack").field("spec", spec);
        let items = [plane.build().unwrap()];
        let (mut planes, misreads) = read(&World::new(&items));
        (planes.remove(0).nova, misreads.iter().map(|misread| misread.site.path.to_string()).collect())
    }

    fn nova(nova: Value) -> (Nova, Vec<String>) {
        let (nova, misreads) = read_spec(json!({"nova": nova}));
        (nova.unwrap(), misreads)
    }

    #[test]
    fn nova_is_optional() {
        for spec in [json!({}), json!({"nova": null}), json!(null)] {
            let (nova, misreads) = read_spec(spec);
            assert!(nova.is_none() && misreads.is_empty());
        }
    }

    #[test]
    fn configuration_has_a_site_even_if_it_is_missing() {
        let template = json!({"cellTemplates": {"cell1": {}, "cell0": {"conductorServiceTemplate": {"customServiceConfig": "a"}}}});
        let (nova, misreads) = nova(json!({"template": template}));
        assert_eq!((nova.enabled.value, nova.api.value, misreads), (None, None, Vec::new()));
        assert_eq!(nova.api.site.path, openstack::nova_api_config());
        assert_eq!(nova.cells.names(), Some(vec!["cell0", "cell1"]));
        let Cells::Listed(cells) = nova.cells else { panic!("the cells are listed") };
        let conductors: Vec<Option<&str>> =
            cells.iter().map(|cell| cell.conductor.value.as_deref()).collect();
        assert_eq!(conductors, [None, Some("a")]);
    }

    #[test]
    fn fields_of_the_wrong_type_are_misreads() {
        let (nova, misreads) = nova(json!({"enabled": "no", "template": {"cellTemplates": ["cell1"]}}));
        assert_eq!(misreads, ["spec.nova.enabled", "spec.nova.template.cellTemplates"]);
        assert!(nova.enabled.value.is_none() && nova.cells.names().is_none());
    }

    #[test]
    fn a_control_plane_without_cells_has_the_default_ones() {
        assert_eq!(nova(json!({})).0.cells.names(), Some(openstack::DEFAULT_CELLS.to_vec()));
    }
}
