mod alias;
mod computes;
mod deployments;
mod device;
mod device_spec;
mod kernel;
mod placement;
mod remarks;
mod services;
mod sources;

use crate::checks::rules;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::krm::{
    BadField, Fault, FieldPath, Function, Generator, Mistakes, Resource, Results, Transformer, quoted,
};
use crate::platform::openstack;
use alias::Namesakes;
use computes::Compute;
use device::{Device, GpuAlias};

/// Adds PCI aliases for GPUs to Nova, and sets up the compute nodes that have the GPUs.
///
/// A flavor asks for a GPU by an alias (`pci_passthrough:alias=nvidia:1`), and Nova's API must know the
/// alias. This function writes it into the section `[pci]` of
/// `spec.nova.template.apiServiceTemplate.customServiceConfig` of an OpenStackControlPlane. Every other
/// byte of that text stays: other sections, comments, templates, repeated options. Missing parent fields and a
/// missing `[pci]` section are created. An existing alias, however it is spaced or ordered, is left alone. An
/// existing alias with the same name for a different device is an error that shows both, unless `replace` is
/// set: then it is replaced.
///
/// For `gpu: L4`, a catalogue gives the ids and the device type; `rhoso-fn explain gpu` prints it. For a GPU
/// outside the catalogue, set `vendorId`, `productId` and `deviceType`.
///
/// With `computes`, the function sets up the same devices on OpenStackDataPlaneNodeSets: a ConfigMap with
/// `device_spec` and the same alias; a service of type nova that reads it and replaces `nova`, or a new source
/// for the node set's own service; and the kernel arguments that keep the host's drivers away from the GPUs,
/// which take effect after a reboot (`edpm_reboot_strategy`). A `device_spec` that already offers more or fewer
/// devices with the same ids is kept and reported, unless `replace` is set.
///
/// `servicesOverride` of an OpenStackDataPlaneDeployment replaces the services of its node sets. Where it
/// lists `nova` for the node set, the new service replaces it there too; where the Deployment has other node
/// sets, which must keep `nova`, the function warns instead. The spec of a Deployment is immutable, so one that
/// was applied before needs a new name.
///
/// With `placement`, PCI devices are tracked in Placement, on the computes and in the API, the scheduler and the
/// conductor of every cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InjectGpuAlias {
    /// The aliases, at least one. Names must be unique.
    #[schemars(length(min = 1))]
    aliases: Vec<GpuAlias>,
    /// The control plane to change. Without it, every OpenStackControlPlane is changed. A target that
    /// matches nothing is an error.
    target: Option<Target>,
    /// Whether an alias of the same name for another device is replaced instead of refused, and likewise
    /// other settings that are in the way.
    #[serde(default)]
    replace: bool,
    /// Whether PCI devices are tracked in Placement. Once computes report there, it cannot be undone.
    #[serde(default)]
    placement: bool,
    /// The node sets whose hosts have the GPUs.
    #[serde(default)]
    computes: Vec<Compute>,
}

/// Picks control planes by name, by namespace, or by both; node sets by the namespace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Target {
    /// `metadata.name` of the control plane.
    name: Option<String>,
    /// `metadata.namespace` of the control plane.
    namespace: Option<String>,
}

impl Function for InjectGpuAlias {
    const KIND: &'static str = "InjectGpuAlias";
    const NAME: &'static str = "inject-gpu-alias";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        self.checked()?;
        Ok(self)
    }
}

impl InjectGpuAlias {
    fn checked(&self) -> Result<(), BadField> {
        if self.aliases.is_empty() {
            return Err(BadField::new("aliases", "must name at least one alias"));
        }
        if let Some(Target { name: None, namespace: None }) = self.target {
            let message =
                "must have a `name` or a `namespace`; without `target`, every control plane is changed";
            return Err(BadField::new("target", message));
        }
        let mut first_of_name = HashMap::new();
        for (i, alias) in self.aliases.iter().enumerate() {
            if let Err((field, message)) = alias.device() {
                return Err(BadField::new(format!("aliases[{i}]{field}"), message));
            }
            if let Some(first) = first_of_name.insert(&alias.name, i) {
                let message = format!(
                    "the alias {} is given twice, first in `spec.aliases[{first}]`",
                    quoted(&alias.name)
                );
                return Err(BadField::new(format!("aliases[{i}].name"), message));
            }
        }
        self.check_computes()
    }
}

impl Generator for InjectGpuAlias {
    /// The ConfigMap and the service of each node set, where they are not there yet.
    fn generate(&self, given: &[Resource], _: &mut Results) -> Result<Vec<Resource>, Fault> {
        let mut made = Vec::new();
        for (compute, node_set) in self.node_sets(given)? {
            made.extend(self.missing(compute, &given[node_set], given)?);
        }
        Ok(made)
    }
}

impl Transformer for InjectGpuAlias {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let devices = self.devices();
        for (i, (alias, device)) in self.aliases.iter().zip(&devices).enumerate() {
            alias.remark(device, &FieldPath::new("spec.aliases").index(i), results);
        }
        let mut matched = false;
        for item in items.iter_mut().filter(|item| item.is(openstack::CONTROL_PLANE)) {
            if self.target.as_ref().is_none_or(|target| target.matches(item)) {
                matched = true;
                self.inject(&devices, item, results)?;
            }
        }
        match (&self.target, matched) {
            (_, true) => {}
            (None, false) if !self.computes.is_empty() => {
                let message = "there is no OpenStackControlPlane among the resources, so Nova's API must get the aliases elsewhere";
                results.warning(&rules::NO_MATCH, message);
            }
            _ => return Err(self.nothing_matched(items)),
        }
        for (compute, node_set) in self.node_sets(items)? {
            self.set_up(compute, &devices, items, node_set, results)?;
        }
        Ok(())
    }
}

impl InjectGpuAlias {
    fn devices(&self) -> Vec<Device> {
        // `check` has seen that each of them is one.
        self.aliases.iter().filter_map(|alias| alias.device().ok()).collect()
    }

    fn namesakes(&self) -> Namesakes {
        match (self.replace, self.placement) {
            (true, _) => Namesakes::Replace,
            (false, true) => Namesakes::RefuseAll,
            (false, false) => Namesakes::Refuse,
        }
    }

    fn inject(&self, devices: &[Device], plane: &mut Resource, results: &mut Results) -> Result<(), Fault> {
        let path = openstack::nova_api_config();
        if plane.get(&openstack::nova_enabled())? == Some(false) {
            let message = "Nova is disabled in this control plane, so nothing will read the alias";
            results.warning(&rules::NOVA_DISABLED, message).field(plane, &openstack::nova_enabled());
        }
        let mut text: String = plane.get(&path)?.unwrap_or_default();
        for device in devices {
            text = self.with_alias(device, text, plane, &path, results);
        }
        plane.set(&path, text)?;
        if self.placement { placement::turn_on(plane, self.replace, results) } else { Ok(()) }
    }

    /// The text of a configuration with the alias of a device, or as it is, with a finding on its field.
    fn with_alias(
        &self,
        device: &Device,
        text: String,
        item: &Resource,
        path: &FieldPath,
        results: &mut Results,
    ) -> String {
        let wanted = device.alias();
        match alias::add(&wanted, &text, self.namesakes()) {
            Ok(new) => new,
            Err(refusal) => {
                let finding = results.error(refusal.rule, refusal.message).field(item, path);
                if let Some(current) = refusal.current {
                    finding.current(current).proposed(wanted.to_string());
                }
                text
            }
        }
    }

    fn nothing_matched(&self, items: &[Resource]) -> Fault {
        let planes: Vec<String> = items
            .iter()
            .filter(|item| item.is(openstack::CONTROL_PLANE))
            .map(|item| quoted(item.id().qualified_name()))
            .collect();
        match (&self.target, planes.as_slice()) {
            (Some(target), [_, ..]) => {
                let message =
                    format!("no OpenStackControlPlane matches {target}; there is {}", planes.join(", "));
                Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.target"))
            }
            _ => Fault::new(&rules::NO_MATCH, "there is no OpenStackControlPlane among the resources"),
        }
    }
}

impl Target {
    fn matches(&self, item: &Resource) -> bool {
        self.name.as_ref().is_none_or(|name| *name == item.id().name) && self.is_of_namespace(item)
    }

    fn is_of_namespace(&self, item: &Resource) -> bool {
        self.namespace.as_ref().is_none_or(|namespace| Some(namespace) == item.id().namespace.as_ref())
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |key: &str, value: &Option<String>| value.as_ref().map(|v| format!("{key} {}", quoted(v)));
        let parts = [part("name", &self.name), part("namespace", &self.namespace)];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
