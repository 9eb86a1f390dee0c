//! One entry of `computes`: a node set whose hosts have the GPUs.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::device::{self, Device};
use super::kernel::{Iommu, KernelArgs};
use crate::formats::dns;
use crate::formats::pci::PciAddress;
use crate::functions::compute_files::{self, ComputeFile};
use crate::krm::{FieldPath, Hint, Mistakes, quoted};
use crate::platform::dataplane;
use crate::platform::nova::PciSpec;

/// A node set, and the settings of its hosts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ComputeSpec {
    /// The name of the OpenStackDataPlaneNodeSet.
    node_set: String,
    /// The names of the aliases whose GPUs the hosts have. Defaults to all aliases.
    aliases: Option<Vec<String>>,
    /// The PCI addresses of the GPUs that guests may use, such as `0000:65:00.0`, with `*` for any domain,
    /// bus, slot or function. Defaults to all devices with the aliases' ids. An existing `device_spec` that
    /// offers fewer devices is kept and reported.
    #[serde(default)]
    addresses: Vec<PciAddress>,
    /// Nova's cell for the node set. Defaults to the cell of its service, which is `cell1` for the operator's
    /// `nova`.
    cell: Option<String>,
    /// The vendor of the hosts' IOMMU. `none` leaves the kernel arguments unchanged.
    #[serde(default)]
    iommu: Iommu,
    /// The service that replaces `nova`. Defaults to `nova-custom-<nodeSet>`.
    service: Option<String>,
    /// The ConfigMap that the service reads. It is created if it does not exist. Defaults to
    /// `<nodeSet>-nova`.
    config_map: Option<String>,
    /// The key in the ConfigMap, which is a file name. Nova reads only `*nova*.conf`.
    #[serde(default = "default_key")]
    key: String,
}

fn default_key() -> String {
    "03-gpu-nova.conf".to_owned()
}

/// The same entry, with its names and devices resolved.
#[derive(Debug)]
pub(super) struct Compute {
    pub file: ComputeFile,
    /// The aliases as nova-compute reads them.
    pub aliases: Vec<PciSpec>,
    /// Which of the hosts' devices guests may use.
    pub device_specs: Vec<PciSpec>,
    pub kernel_args: Option<KernelArgs>,
}

/// Resolves the entries and reports every mistake in them. `names` are the names of all aliases, and `devices` are
/// those of the aliases without mistakes.
pub(super) fn resolve(
    specs: Vec<ComputeSpec>,
    names: &[&str],
    devices: &[Device],
    mistakes: &mut Mistakes,
) -> Vec<Compute> {
    check_unique(&specs, mistakes);
    let path = FieldPath::new("spec.computes");
    let each = specs.into_iter().enumerate();
    each.map(|(i, spec)| spec.resolve(path.clone().index(i), names, devices, mistakes)).collect()
}

/// Two entries must not write into the same objects.
fn check_unique(specs: &[ComputeSpec], mistakes: &mut Mistakes) {
    let mut first_use: HashMap<(&str, String), usize> = HashMap::new();
    for (i, spec) in specs.iter().enumerate() {
        let mut check = |field: &'static str, name: String| {
            let message = format!("{} is already used by", quoted(&name));
            let first = *first_use.entry((field, name)).or_insert(i);
            if first < i {
                let path = FieldPath::new("spec.computes").index(i).key(field);
                mistakes.add(path, format!("{message} `spec.computes[{first}]`"));
            }
            first == i
        };
        // The other names are derived from that of the node set.
        if check("nodeSet", spec.node_set.clone()) {
            check("configMap", spec.config_map());
            check("service", spec.service());
        }
    }
}

impl ComputeSpec {
    fn resolve(
        self,
        path: FieldPath,
        names: &[&str],
        devices: &[Device],
        mistakes: &mut Mistakes,
    ) -> Compute {
        let devices = self.devices(&path, names, devices, mistakes);
        compute_files::check_key(&self.key, path.clone().key("key"), mistakes);
        self.check_object_names(&path, mistakes);
        self.check_cell(&path, mistakes);
        Compute {
            aliases: devices.iter().map(|device| device.alias()).collect(),
            device_specs: devices.iter().flat_map(|device| self.device_specs(device)).collect(),
            kernel_args: self.iommu.kernel_args(&devices),
            file: ComputeFile {
                service: self.service(),
                is_service_given: self.service.is_some(),
                config_map: self.config_map(),
                node_set_field: path.clone().key("nodeSet"),
                path,
                node_set: self.node_set,
                key: self.key,
                cell: self.cell,
            },
        }
    }

    fn service(&self) -> String {
        self.service.clone().unwrap_or_else(|| compute_files::default_service(&self.node_set))
    }

    fn config_map(&self) -> String {
        self.config_map.clone().unwrap_or_else(|| compute_files::default_config_map(&self.node_set))
    }

    /// The devices of the entry's aliases.
    fn devices<'d>(
        &self,
        path: &FieldPath,
        names: &[&str],
        devices: &'d [Device],
        mistakes: &mut Mistakes,
    ) -> Vec<&'d Device> {
        let path = path.clone().key("aliases");
        if self.aliases.as_ref().is_some_and(Vec::is_empty) {
            mistakes.add(path.clone(), "must have at least one alias; to use all of them, remove the field");
        }
        // Without any alias in the functionConfig, every name here would be unknown.
        let given = self.aliases.iter().flatten().enumerate().filter(|_| !names.is_empty());
        for (j, name) in given.filter(|(_, name)| !names.contains(&name.as_str())) {
            let hint = Hint::among(name, names.iter().copied()).suffix();
            let message = format!("`spec.aliases` has no alias {}{hint}", quoted(name));
            mistakes.add(path.clone().index(j), message);
        }
        let is_used =
            |device: &&Device| self.aliases.as_ref().is_none_or(|names| names.contains(&device.name));
        let used: Vec<&Device> = devices.iter().filter(is_used).collect();
        if let Some((card, part)) = device::card_and_part(&used) {
            let message = format!(
                "the alias {} is for whole cards and {} is for their virtual functions, but Nova refuses to offer both on \
                 one host",
                quoted(card),
                quoted(part)
            );
            mistakes.add(path, message);
        }
        used
    }

    fn check_object_names(&self, path: &FieldPath, mistakes: &mut Mistakes) {
        let mut check = |field, name: &str, is_default: bool| {
            // A default is wrong only because the name of the node set is wrong.
            let is_inherited = is_default && !dns::is_subdomain(name) && !dns::is_subdomain(&self.node_set);
            let (field, name) = if is_inherited { ("nodeSet", &*self.node_set) } else { (field, name) };
            compute_files::check_name(name, path.clone().key(field), mistakes);
            !is_inherited
        };
        let service = self.service();
        if check("service", &service, self.service.is_none()) {
            check("configMap", &self.config_map(), self.config_map.is_none());
        }
        if dataplane::is_stock(&service) {
            let message = format!(
                "{} is a service of the operator, which overwrites it; choose another name",
                quoted(service)
            );
            mistakes.add(path.clone().key("service"), message);
        }
    }

    fn check_cell(&self, path: &FieldPath, mistakes: &mut Mistakes) {
        let message = match self.cell.as_deref() {
            Some(cell @ dataplane::CELL_WITHOUT_COMPUTES) => format!("{cell} cannot have compute nodes"),
            Some(cell) if !dns::is_label(cell) => {
                format!("must be the name of a cell, such as cell1, got {}", quoted(cell))
            }
            _ => return,
        };
        mistakes.add(path.clone().key("cell"), message);
    }

    /// A `device_spec` for each address that no other address covers.
    fn device_specs(&self, device: &Device) -> Vec<PciSpec> {
        if self.addresses.is_empty() {
            return vec![device.spec(None)];
        }
        let is_covered = |index: usize, address: &PciAddress| {
            let mut others = self.addresses.iter().enumerate();
            others.any(|(i, other)| other.covers(address) && (other != address || i < index))
        };
        let addresses = self.addresses.iter().enumerate();
        let widest = addresses.filter(|(index, address)| !is_covered(*index, address));
        widest.map(|(_, address)| device.spec(Some(address))).collect()
    }
}
