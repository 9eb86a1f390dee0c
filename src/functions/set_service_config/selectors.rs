//! Which of several services of one name to configure.

use super::entry::COMPUTE;
use crate::functions::compute_files;
use crate::krm::{FieldPath, Mistakes};
use crate::platform::service_config::ConfigPlace;

/// The selectors of an entry, as the functionConfig has them.
#[derive(Debug)]
pub(super) struct Selectors {
    pub cells: Option<Vec<String>>,
    pub names: Option<Vec<String>>,
    pub node_sets: Option<Vec<String>>,
    pub config_map: Option<String>,
    pub key: Option<String>,
}

/// Where the configuration of a service is.
#[derive(Debug)]
pub(super) enum Where {
    ControlPlane(Owners),
    Computes(Computes),
}

/// Fields of control planes.
#[derive(Debug)]
pub(super) struct Owners {
    pub places: Vec<&'static ConfigPlace>,
    /// None for all cells.
    pub cells: Option<Vec<String>>,
    /// None for all names.
    pub names: Option<Vec<String>>,
}

/// Files of compute nodes.
#[derive(Debug)]
pub(super) struct Computes {
    /// None for all node sets.
    pub node_sets: Option<Vec<String>>,
    pub config_map: Option<String>,
    pub key: String,
}

const DEFAULT_KEY: &str = "25-custom-nova.conf";

impl Selectors {
    /// Reports selectors that the service does not have.
    pub fn resolve(
        self,
        service: &str,
        places: Vec<&'static ConfigPlace>,
        path: &FieldPath,
        mistakes: &mut Mistakes,
    ) -> Where {
        let is_compute = service == COMPUTE;
        let mut check = |field: &'static str, list: Option<&[String]>, is_allowed: bool, what: &str| {
            let Some(list) = list else { return };
            let path = path.clone().key(field);
            if !is_allowed {
                mistakes.add(path, format!("applies only to {what}; remove it"));
            } else if list.is_empty() {
                mistakes.add(path, "must have at least one name; to select all of them, remove the field");
            }
        };
        let is_in_cells = places.iter().any(|place| place.is_in_cells());
        let has_names = places.iter().any(|place| place.collection().is_some());
        check("cells", self.cells.as_deref(), is_in_cells, "services that run in the cells of Nova");
        check("names", self.names.as_deref(), has_names, "services that have names");
        check("nodeSets", self.node_sets.as_deref(), is_compute, "`nova-compute`");
        for (field, value) in [("configMap", &self.config_map), ("key", &self.key)] {
            check(field, value.as_ref().map(std::slice::from_ref), is_compute, "`nova-compute`");
        }
        if !is_compute {
            return Where::ControlPlane(Owners { places, cells: self.cells, names: self.names });
        }
        let key = self.key.unwrap_or_else(|| DEFAULT_KEY.to_owned());
        compute_files::check_key(&key, path.clone().key("key"), mistakes);
        if let Some(name) = &self.config_map {
            compute_files::check_name(name, path.clone().key("configMap"), mistakes);
        }
        for (i, name) in self.node_sets.iter().flatten().enumerate() {
            compute_files::check_name(name, path.clone().key("nodeSets").index(i), mistakes);
        }
        Where::Computes(Computes { node_sets: self.node_sets, config_map: self.config_map, key })
    }
}
