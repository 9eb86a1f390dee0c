mod changes;
mod computes;
mod control_planes;
mod entry;
mod merge;
mod owners;
mod selectors;

use schemars::JsonSchema;
use serde::Deserialize;

use super::target::Target;
use crate::krm::{Fault, FieldPath, Function, Generator, Mistakes, Resource, Results, Transformer};
use entry::{ServiceEntry, ServiceSpec};

/// Sets options in the configuration of OpenStack services, on the control plane and on compute nodes.
///
/// The operators add `customServiceConfig` to the configuration of a service. This function merges options into that
/// text. Every other byte of it is preserved: other options, comments, templates. An option that already has the value
/// is not changed, a different value is replaced in its line, and a new option is added at the end of its section.
/// Missing sections and missing fields below the service are created. An option that can have several values, such as
/// `[pci] alias`, gets one more. `rhoso-fn explain SetServiceConfig.services.service` lists the services and their fields.
///
/// Services that a cell or a name tells apart are all changed, unless `cells` or `names` selects some. A service that
/// the control plane does not have is not changed, because the operator would deploy it; the function reports a warning.
///
/// The service `nova-compute` runs on the nodes of OpenStackDataPlaneNodeSets. Its options go into a ConfigMap that a
/// service of type nova reads, in the same way as with `computes` of InjectGpuAlias: the ConfigMap and the service are
/// created if they do not exist, the service replaces `nova` in the node set, and a node set with its own service of
/// type nova keeps it. InjectGpuAlias and AssignNovaCells can run before or after this function; the result is the same.
/// InjectGpuAlias must run before it only if `computes` names a `service`. Nova reads all files in the order of their names. If a later file sets the same option, the
/// function reports it.
///
/// Services ignore options that they do not know. The function therefore compares `config` with the options of the
/// service, and fails on a misspelt option or a value of the wrong type (`rhoso-fn explain unknown-option`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetServiceConfig {
    /// The control plane to change. By default, every OpenStackControlPlane is changed. A target that matches nothing is
    /// an error. Its namespace also selects node sets.
    target: Option<Target>,
    /// The services to configure, at least one. If two entries set the same option of the same service, the later one
    /// takes precedence.
    #[schemars(length(min = 1))]
    services: Vec<ServiceSpec>,
    /// Whether to replace an option that has a different value. Each service can override it.
    #[serde(default = "yes")]
    replace: bool,
}

fn yes() -> bool {
    true
}

/// The function with its configuration parsed.
#[derive(Debug)]
pub struct ServiceConfigs {
    target: Option<Target>,
    entries: Vec<ServiceEntry>,
}

impl Function for SetServiceConfig {
    const KIND: &'static str = "SetServiceConfig";
    const NAME: &'static str = "set-service-config";

    type Ready = ServiceConfigs;

    fn check(self) -> Result<ServiceConfigs, Mistakes> {
        let mut mistakes = Mistakes::default();
        if self.services.is_empty() {
            mistakes.add(FieldPath::new("spec.services"), "must have at least one service");
        }
        Target::check(self.target.as_ref(), &mut mistakes);
        let entries = entry::resolve(self.services, self.replace, &mut mistakes);
        mistakes.unless_any(|| ServiceConfigs { target: self.target, entries })
    }
}

impl Generator for ServiceConfigs {
    /// Creates the ConfigMap and the service of each node set, unless they exist.
    fn generate(&self, given: &[Resource], _: &mut Results) -> Result<Vec<Resource>, Fault> {
        self.missing_objects(given)
    }
}

impl Transformer for ServiceConfigs {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        self.configure_control_planes(items, results)?;
        self.configure_computes(items, results)
    }
}
