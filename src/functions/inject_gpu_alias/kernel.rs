//! The kernel arguments of the hosts that have the GPUs.

use crate::checks::rules;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::device::Device;
use crate::formats::kernel_args::{self, Requirement};
use crate::krm::{Fault, FieldPath, Resource, Results, position};
use crate::platform::nova::DeviceType;
use crate::platform::{dataplane, kubernetes};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Iommu {
    #[default]
    Intel,
    Amd,
    None,
}

impl Iommu {
    /// Keeps the host's drivers away from the GPUs, in what is set for all nodes and for single ones.
    pub fn set_kernel_args(
        &self,
        devices: &[&Device],
        items: &mut [Resource],
        at: usize,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let mut wanted = match self {
            Iommu::Intel => vec![Requirement::On("intel_iommu")],
            Iommu::Amd => vec![Requirement::On("amd_iommu")],
            Iommu::None => return Ok(()),
        };
        wanted.push(Requirement::Default("iommu", "pt"));
        // The driver of a card makes its virtual functions, so the card is left to it.
        let whole = devices.iter().filter(|device| device.device_type != DeviceType::VirtualFunction);
        let ids: BTreeSet<String> = whole.map(|device| device.ids()).collect();
        let (ids, driver) = (Vec::from_iter(ids), ["vfio-pci".to_owned()]);
        if !ids.is_empty() {
            wanted.push(Requirement::Members("vfio-pci.ids", &ids));
            wanted.push(Requirement::Members("rd.driver.pre", &driver));
        }
        for path in kernel_args_of(items, at)? {
            let there: Option<String> = items[at].get(&path)?;
            let text = match there {
                Some(text) => text,
                None => kernel_args_from_elsewhere(items, at, &path)?.unwrap_or_default(),
            };
            match kernel_args::merge(&text, &wanted) {
                Ok(text) => items[at].set(&path, text)?,
                Err(conflict) => {
                    let message = format!(
                        "`{}` is in the way of `{}`, without which no GPU can be passed through",
                        conflict.existing, conflict.required
                    );
                    results.error(&rules::KERNEL_ARGS, message).field(&items[at], &path).current(text);
                }
            }
        }
        Ok(())
    }
}

/// Where kernel arguments must be set: for all nodes, and for each node that has its own.
fn kernel_args_of(items: &[Resource], at: usize) -> Result<Vec<FieldPath>, Fault> {
    let mut paths = vec![dataplane::kernel_args(dataplane::node_template())];
    for node in items[at].fields(&dataplane::nodes())? {
        let path = dataplane::kernel_args(node);
        let is_own = items[at].get::<String>(&path)?.is_some()
            || kernel_args_from_elsewhere(items, at, &path)?.is_some();
        paths.extend(is_own.then_some(path));
    }
    Ok(paths)
}

/// Kernel arguments that come from a ConfigMap: what is set beside it takes their place.
fn kernel_args_from_elsewhere(
    items: &[Resource],
    at: usize,
    path: &FieldPath,
) -> Result<Option<String>, Fault> {
    let sources = dataplane::vars_from(path.clone());
    let mut found = None;
    for source in items[at].fields(&sources)? {
        let prefix: String = items[at].get(&source.clone().key("prefix"))?.unwrap_or_default();
        let name: Option<String> = items[at].get(&source.key("configMapRef").key("name"))?;
        let map = name.and_then(|name| {
            position(items, kubernetes::CONFIG_MAP, items[at].id().namespace.as_deref(), &name)
        });
        if let (Some(map), Some(key)) = (map, dataplane::KERNEL_ARGS.strip_prefix(prefix.as_str())) {
            found = items[map].get(&FieldPath::new("data").key(key))?.or(found);
        }
    }
    Ok(found)
}
