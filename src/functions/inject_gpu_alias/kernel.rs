//! The kernel arguments of the hosts that have the GPUs.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::device::Device;
use crate::checks::{rules, wrong_type};
use crate::formats::kernel_args::{self, Requirement};
use crate::krm::{CollectOrdered, Fault, Resource, Results};
use crate::model::data_plane::{self, Variable};
use crate::model::{ItemId, World};
use crate::platform::dataplane;
use crate::platform::nova::DeviceType;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Iommu {
    #[default]
    Intel,
    Amd,
    None,
}

/// The arguments that turn on the IOMMU and keep the host's drivers away from GPUs.
#[derive(Debug)]
pub(super) struct KernelArgs {
    iommu: &'static str,
    /// The devices for vfio-pci, as vendor and product id.
    vfio_ids: Vec<String>,
}

impl Iommu {
    pub fn kernel_args(self, devices: &[&Device]) -> Option<KernelArgs> {
        let iommu = match self {
            Iommu::Intel => "intel_iommu",
            Iommu::Amd => "amd_iommu",
            Iommu::None => return None,
        };
        // The driver of a card creates its virtual functions, so it keeps the card.
        let whole = devices.iter().filter(|device| device.device_type != DeviceType::VirtualFunction);
        let vfio_ids: BTreeSet<String> = whole.map(|device| device.ids()).collect_ordered();
        Some(KernelArgs { iommu, vfio_ids: Vec::from_iter(vfio_ids) })
    }
}

impl KernelArgs {
    /// Adds the arguments to those of all nodes, and to those of each node with its own.
    pub fn set(&self, node_set: ItemId, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let (variables, misreads) =
            data_plane::variable(dataplane::KERNEL_ARGS, node_set, &World::new(items));
        if wrong_type(&misreads, results) {
            return Ok(());
        }
        let driver = ["vfio-pci".to_owned()];
        let mut wanted = vec![Requirement::On(self.iommu), Requirement::Default("iommu", "pt")];
        if !self.vfio_ids.is_empty() {
            wanted.push(Requirement::Members("vfio-pci.ids", &self.vfio_ids));
            wanted.push(Requirement::Members("rd.driver.pre", &driver));
        }
        for Variable { site, value } in variables {
            let text = value.unwrap_or_default();
            match kernel_args::merge(&text, &wanted) {
                Ok(text) => site.item.get_mut(items).set(&site.path, text)?,
                Err(conflict) => {
                    let message = format!(
                        "`{}` conflicts with `{}`, which GPU passthrough requires; remove it",
                        conflict.existing, conflict.required
                    );
                    let finding = results.error(&rules::KERNEL_ARGS, message).at(site.location(items));
                    finding.current(text);
                }
            }
        }
        Ok(())
    }
}
