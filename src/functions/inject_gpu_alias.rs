mod alias;
mod compute;
mod computes;
mod control_planes;
mod device;
mod device_spec;
mod kernel;
mod placement;
mod remarks;

use schemars::JsonSchema;
use serde::Deserialize;

use super::target::Target;
use crate::krm::{Fault, FieldPath, Finding, Function, Generator, Mistakes, Resource, Results, Transformer};
use crate::platform::nova::PciSpec;
use alias::OnConflict;
use compute::{Compute, ComputeSpec};
use device::{Device, GpuAlias};

/// Adds PCI aliases for GPUs to Nova, and configures the compute nodes that have the GPUs.
///
/// A flavor requests a GPU by an alias (`pci_passthrough:alias=nvidia:1`) that must be configured in Nova's
/// API. This function adds the alias to the `[pci]` section of
/// `spec.nova.template.apiServiceTemplate.customServiceConfig` of an OpenStackControlPlane. Every other byte
/// of that text is preserved: other sections, comments, templates, repeated options. Missing fields below
/// `spec.nova` and a missing `[pci]` section are created. An alias that already exists is not changed, even if
/// its spacing or the order of its keys differs. If an existing alias has the same name but a different device,
/// the function fails and reports both. Set `replace` to replace the existing alias instead.
///
/// A control plane without `spec.nova` is not changed, because the operator would deploy Nova as soon as the
/// section exists. The function reports a warning instead.
///
/// With `gpu: L4`, the PCI ids and the device type come from a catalogue, which `rhoso-fn explain gpu` prints.
/// For a GPU that is not in the catalogue, set `vendorId`, `productId` and `deviceType`.
///
/// With `computes`, the function configures the same devices on OpenStackDataPlaneNodeSets. It creates a
/// ConfigMap with the `device_spec` and the alias for nova-compute, and a service of type nova that reads it and
/// replaces `nova`, or the service `nova-<cell>` of a cell, in the node set. If the node set has its own service of
/// type nova, that service reads the ConfigMap instead. Node sets that AssignNovaCells splits off are configured too. Kernel arguments keep the host's drivers away from the GPUs; they take effect after a
/// reboot (`edpm_reboot_strategy`). The node sets are configured even if the resources contain no control plane
/// with `spec.nova`; the aliases must then be added to Nova's API elsewhere.
///
/// A `device_spec` that already offers more or fewer devices with the same ids is kept and reported, unless
/// `replace` is set.
///
/// `servicesOverride` of an OpenStackDataPlaneDeployment replaces the services of its node sets. If it lists
/// `nova` for the node set, the function lists the new service there instead. If the Deployment also has other
/// node sets, which must keep `nova`, the function reports a warning. The spec of a Deployment is immutable, so
/// a Deployment that was already applied needs a new name.
///
/// With `placement`, PCI devices are tracked in Placement: on the compute nodes, and in the API, the scheduler
/// and the conductor of every cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InjectGpuAlias {
    /// The aliases, at least one. Names must be unique.
    #[schemars(length(min = 1))]
    aliases: Vec<GpuAlias>,
    /// The control plane to change. By default, every OpenStackControlPlane with `spec.nova` is changed. A target
    /// that matches nothing is an error.
    target: Option<Target>,
    /// Whether to replace conflicting settings, such as an alias with the same name for a different device.
    /// By default, they are kept and reported.
    #[serde(default)]
    replace: bool,
    /// Whether to track PCI devices in Placement. You cannot undo this after compute nodes have reported
    /// their devices to Placement.
    #[serde(default)]
    placement: bool,
    /// The node sets whose hosts have the GPUs.
    #[serde(default)]
    computes: Vec<ComputeSpec>,
}

/// The function with its aliases resolved to devices.
#[derive(Debug)]
pub struct Injection {
    /// The aliases as Nova's API reads them.
    aliases: Vec<PciSpec>,
    /// What to report about the aliases of the functionConfig.
    remarks: Vec<Finding>,
    target: Option<Target>,
    replace: bool,
    placement: bool,
    computes: Vec<Compute>,
}

impl Function for InjectGpuAlias {
    const KIND: &'static str = "InjectGpuAlias";
    const NAME: &'static str = "inject-gpu-alias";

    type Ready = Injection;

    fn check(self) -> Result<Injection, Mistakes> {
        let mut mistakes = Mistakes::default();
        if self.aliases.is_empty() {
            mistakes.add(FieldPath::new("spec.aliases"), "must have at least one alias");
        }
        Target::check(self.target.as_ref(), &mut mistakes);
        let devices = device::resolve(&self.aliases, &mut mistakes);
        let names: Vec<&str> = self.aliases.iter().map(|alias| alias.name.as_str()).collect();
        let computes = compute::resolve(self.computes, &names, &devices, &mut mistakes);
        mistakes.unless_any(|| Injection {
            aliases: devices.iter().map(Device::alias).collect(),
            remarks: devices.into_iter().flat_map(|device| device.remarks).collect(),
            target: self.target,
            replace: self.replace,
            placement: self.placement,
            computes,
        })
    }
}

impl Generator for Injection {
    /// Creates the ConfigMap and the service of each node set, unless they exist.
    fn generate(&self, given: &[Resource], _: &mut Results) -> Result<Vec<Resource>, Fault> {
        if self.computes.is_empty() {
            return Ok(Vec::new());
        }
        self.compute_files().missing_objects(given)
    }
}

impl Transformer for Injection {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        for remark in &self.remarks {
            results.add(remark.clone());
        }
        self.configure_control_planes(items, results)?;
        self.configure_computes(items, results)
    }
}

impl Injection {
    fn on_conflict(&self) -> OnConflict {
        match (self.replace, self.placement) {
            (true, _) => OnConflict::Replace,
            (false, true) => OnConflict::RefuseDuplicates,
            (false, false) => OnConflict::Refuse,
        }
    }
}
