//! One entry of `services`: a service, and the options to set and to remove.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::json;

use super::changes::{self, OptionChange};
use super::selectors::{Selectors, Where};
use crate::krm::{FieldPath, Hint, Mistakes, quoted};
use crate::platform::service_config::{ConfigPlace, PLACES};

/// The service that runs on compute nodes rather than in the control plane.
pub(super) const COMPUTE: &str = "nova-compute";

/// The project whose options nova-compute has.
pub(super) const COMPUTE_PROJECT: &str = "nova";

/// A service, and what to change in its configuration.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ServiceSpec {
    #[schemars(schema_with = "service_names")]
    service: String,
    /// The options to set, as oslo.config text. Comments in it are not copied.
    config: Option<String>,
    /// Options to remove, as `section/option`, such as `DEFAULT/debug`. An option that does not exist is not an error.
    /// If `config` also has the option, its values there replace all others.
    #[serde(default)]
    remove: Vec<String>,
    /// Whether to replace an option that has a different value. With `false`, the function keeps it and reports an info.
    /// Defaults to `spec.replace`. Options with several values only get more of them.
    replace: Option<bool>,
    /// The cells of a service that runs in each cell of Nova. Defaults to all cells of the control plane.
    cells: Option<Vec<String>>,
    /// The names of services that have names, such as Glance's APIs: their keys in the control plane, or `conductorGroup`
    /// for Ironic's conductors. Defaults to all of them.
    names: Option<Vec<String>>,
    /// The OpenStackDataPlaneNodeSets of `nova-compute`. Defaults to all node sets.
    node_sets: Option<Vec<String>>,
    /// The ConfigMap for `nova-compute`. It is created if it does not exist. Defaults to `<nodeSet>-nova`.
    config_map: Option<String>,
    /// The key in the ConfigMap for `nova-compute`, which is a file name. Nova reads only `*nova*.conf`. Defaults to
    /// `25-custom-nova.conf`.
    key: Option<String>,
    /// The reason why options that the service does not seem to know are acceptable, such as `patched image`. With a
    /// reason, findings about the options in `config` have the severity info.
    accept_unknown: Option<String>,
}

/// The names of the services, each with its field.
fn service_names(_: &mut SchemaGenerator) -> Schema {
    let mut names: Vec<(&str, String)> = Vec::new();
    for place in &PLACES {
        let field = format!("`{}`", place.written());
        match names.last_mut().filter(|(name, _)| *name == place.name) {
            Some((_, fields)) => *fields = format!("{fields} or {field}"),
            None => names.push((place.name, field)),
        }
    }
    let at = names.partition_point(|(name, _)| *name < COMPUTE);
    let files = "a ConfigMap that the service of type nova of a node set reads".to_owned();
    names.insert(at, (COMPUTE, files));
    let names: Vec<_> =
        names.iter().map(|(name, field)| json!({"const": name, "description": field})).collect();
    let description = "The service, whose configuration is at this field of the control plane:";
    Schema::try_from(json!({"description": description, "oneOf": names})).unwrap_or_default()
}

/// The same entry, with its names and its text resolved.
#[derive(Debug)]
pub(super) struct ServiceEntry {
    /// Where the entry is in the functionConfig.
    pub path: FieldPath,
    pub service: String,
    /// The project whose options the service has.
    pub project: &'static str,
    pub config: String,
    pub changes: Vec<OptionChange>,
    pub is_replacing: bool,
    pub accept_unknown: Option<String>,
    pub place: Where,
}

/// Resolves the entries, and reports every mistake in them.
pub(super) fn resolve(specs: Vec<ServiceSpec>, replace: bool, mistakes: &mut Mistakes) -> Vec<ServiceEntry> {
    let path = FieldPath::new("spec.services");
    let each = specs.into_iter().enumerate();
    each.filter_map(|(i, spec)| spec.resolve(path.clone().index(i), replace, mistakes)).collect()
}

impl ServiceSpec {
    fn resolve(self, path: FieldPath, replace: bool, mistakes: &mut Mistakes) -> Option<ServiceEntry> {
        let places: Vec<&'static ConfigPlace> =
            PLACES.iter().filter(|place| place.name == self.service).collect();
        let project = match places.first() {
            Some(place) => place.project,
            None if self.service == COMPUTE => COMPUTE_PROJECT,
            None => {
                mistakes.add(path.key("service"), self.unknown_service());
                return None;
            }
        };
        if self.accept_unknown.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            let message = "must be a reason, such as `patched image`";
            mistakes.add(path.clone().key("acceptUnknown"), message);
        }
        let config = self.config.unwrap_or_default();
        let changes = changes::read(&config, &self.remove, project, &path, mistakes);
        let selectors = Selectors {
            cells: self.cells,
            names: self.names,
            node_sets: self.node_sets,
            config_map: self.config_map,
            key: self.key,
        };
        let place = selectors.resolve(&self.service, places, &path, mistakes);
        Some(ServiceEntry {
            path,
            service: self.service,
            project,
            config,
            changes,
            is_replacing: self.replace.unwrap_or(replace),
            accept_unknown: self.accept_unknown,
            place,
        })
    }

    fn unknown_service(&self) -> String {
        let names = PLACES.iter().map(|place| place.name).chain([COMPUTE]);
        let all = "`rhoso-fn explain SetServiceConfig.services.service` lists the services";
        format!(
            "there is no service {}; {}",
            quoted(&self.service),
            Hint::among(&self.service, names).and(all)
        )
    }
}
