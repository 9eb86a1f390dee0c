//! One alias: from the name of a GPU or its PCI ids to what Nova needs to know.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::checks::gpu_alias;
use crate::formats::pci::{PciAddress, PciId};
use crate::krm::{FieldPath, Finding, Hint, Mistakes, quoted};
use crate::platform::gpu::{self, Gpu};
use crate::platform::nova::{DeviceType, NumaPolicy, PciSpec};

/// One alias: a name for `gpu`, or for `vendorId` and `productId`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GpuAlias {
    /// The name that flavors request. It must not contain `,`, `:` or `$`.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The name of the GPU, such as `L4`, `A100 PCIe 80GB` or `MI300X`. Its ids come from the catalogue.
    gpu: Option<String>,
    /// The PCI vendor id, four hex digits in quotes. `"10de"` is NVIDIA.
    vendor_id: Option<PciId>,
    /// The PCI product id, four hex digits in quotes. `"27b8"` is the L4. With `gpu`, it selects one of several GPUs
    /// of that name.
    pub product_id: Option<PciId>,
    /// How Nova classifies the device. It must be the type that the compute nodes detect, or no host matches.
    /// By default, the catalogue decides: type-PF for cards that show SR-IOV, type-PCI for others and for
    /// `nested`. With type-VF, `gpu` refers to the virtual functions of the card, which may have their own
    /// product id.
    pub device_type: Option<DeviceType>,
    /// Whether the compute nodes are virtual machines, which do not show SR-IOV.
    #[serde(default)]
    pub nested: bool,
    /// How strictly a guest must share the device's NUMA node.
    numa_policy: Option<NumaPolicy>,
}

/// A GPU as Nova matches it.
#[derive(Debug)]
pub(super) struct Device {
    pub name: String,
    pub vendor: String,
    pub product: String,
    pub device_type: DeviceType,
    numa_policy: Option<NumaPolicy>,
    /// What the catalogue has for these ids.
    pub gpu: Option<&'static Gpu>,
    /// What to report about the alias.
    pub remarks: Vec<Finding>,
}

/// Resolves aliases, and reports every mistake in them.
pub(super) fn resolve(aliases: &[GpuAlias], mistakes: &mut Mistakes) -> Vec<Device> {
    let mut first_of_name: HashMap<&str, usize> = HashMap::new();
    let mut devices = Vec::new();
    for (i, alias) in aliases.iter().enumerate() {
        let path = FieldPath::new("spec.aliases").index(i);
        let device = alias.resolve(&path, mistakes);
        let first = *first_of_name.entry(&alias.name).or_insert(i);
        if first == i {
            devices.extend(device);
        } else {
            let message =
                format!("the alias {} is already defined in `spec.aliases[{first}]`", quoted(&alias.name));
            mistakes.add(path.key("name"), message);
        }
    }
    devices
}

/// A field of an alias, or none for the whole alias, and what is wrong with it.
type Mistake = (Option<&'static str>, String);

impl GpuAlias {
    fn resolve(&self, path: &FieldPath, mistakes: &mut Mistakes) -> Option<Device> {
        if let Some(message) = wrong_name(&self.name) {
            mistakes.add(path.clone().key("name"), message);
        }
        match self.device() {
            Ok(device) => Some(Device { remarks: self.remarks(&device, path), ..device }),
            Err((field, message)) => {
                let path = field.into_iter().fold(path.clone(), FieldPath::key);
                mistakes.add(path, message);
                None
            }
        }
    }

    fn device(&self) -> Result<Device, Mistake> {
        let (vendor, product) = self.ids()?;
        let gpu = gpu::by_ids(&vendor, &product);
        let expected = gpu.and_then(|gpu| gpu_alias::expected_type(gpu, self.nested));
        let Some(device_type) = self.device_type.or(expected.map(|(device_type, _)| device_type)) else {
            let why = match gpu {
                Some(gpu) => format!("it is not known whether the {} shows SR-IOV", gpu.name),
                None => format!("{vendor}:{product} is not in the catalogue"),
            };
            let message = format!(
                "is required, because {why}: use `type-PF` if `lspci -v` shows SR-IOV on the host, otherwise `type-PCI`"
            );
            return Err((Some("deviceType"), message));
        };
        let (name, numa_policy) = (self.name.clone(), self.numa_policy);
        Ok(Device { name, vendor, product, device_type, numa_policy, gpu, remarks: Vec::new() })
    }

    fn ids(&self) -> Result<(String, String), Mistake> {
        let (vendor, product) =
            (self.vendor_id.as_ref().map(PciId::to_string), self.product_id.as_ref().map(PciId::to_string));
        let Some(name) = &self.gpu else {
            return match (vendor, product) {
                (Some(vendor), Some(product)) => Ok((vendor, product)),
                (None, None) => {
                    Err((None, "must have a `gpu`, or a `vendorId` and a `productId`".to_owned()))
                }
                (None, _) => Err((Some("vendorId"), "is required with `productId`".to_owned())),
                (_, None) => Err((Some("productId"), "is required with `vendorId`".to_owned())),
            };
        };
        let named = gpu::by_name(name);
        if named.is_empty() {
            return Err((Some("gpu"), unknown(name)));
        }
        let matching: Vec<&Gpu> = self
            .candidates(&named)
            .into_iter()
            .filter(|gpu| vendor.as_ref().is_none_or(|id| id == gpu.vendor))
            .filter(|gpu| product.as_ref().is_none_or(|id| id == gpu.product))
            .collect();
        match matching.as_slice() {
            [gpu] => Ok((gpu.vendor.to_owned(), gpu.product.to_owned())),
            [] => {
                let message = format!("the {name} does not have the given ids: it is {}", listed(&named));
                Err((Some("gpu"), message))
            }
            several => Err((Some("gpu"), ambiguous(name, several))),
        }
    }

    /// The GPUs of a name that an alias may be for: cards or, for type-VF, their virtual functions. A `productId`
    /// selects among both.
    fn candidates(&self, named: &[&'static Gpu]) -> Vec<&'static Gpu> {
        let with_functions = |gpu: &&'static Gpu| {
            let functions: Vec<&Gpu> = gpu.functions().collect();
            match (&self.product_id, self.device_type) {
                (Some(_), _) => [vec![*gpu], functions].concat(),
                (None, Some(DeviceType::VirtualFunction)) if !functions.is_empty() => functions,
                (None, _) => vec![*gpu],
            }
        };
        named.iter().flat_map(with_functions).collect()
    }
}

impl Device {
    pub fn alias(&self) -> PciSpec {
        let mut pairs = vec![
            ("vendor_id", json!(self.vendor)),
            ("product_id", json!(self.product)),
            ("device_type", json!(self.device_type)),
            ("name", json!(self.name)),
        ];
        pairs.extend(self.numa_policy.map(|policy| ("numa_policy", json!(policy))));
        PciSpec::new(pairs)
    }

    /// The value of a `device_spec`: which of a host's devices guests may use.
    pub fn spec(&self, address: Option<&PciAddress>) -> PciSpec {
        let mut pairs = vec![("vendor_id", json!(self.vendor)), ("product_id", json!(self.product))];
        pairs.extend(address.map(|address| ("address", json!(address.to_string()))));
        PciSpec::new(pairs)
    }

    pub fn ids(&self) -> String {
        format!("{}:{}", self.vendor, self.product)
    }
}

/// The names of two aliases, one for cards and the other for virtual functions of the same cards.
pub(super) fn card_and_part<'d>(devices: &[&'d Device]) -> Option<(&'d str, &'d str)> {
    devices.iter().find_map(|part| {
        let card = part.gpu?.function_of?;
        let card = devices.iter().find(|device| device.vendor == part.vendor && device.product == card)?;
        Some((card.name.as_str(), part.name.as_str()))
    })
}

/// The message for a name that is not in the catalogue.
fn unknown(name: &str) -> String {
    let what = if name.len() > gpu::LONGEST_NAME {
        format!("no GPU has a name of {} characters; ", name.chars().count())
    } else {
        format!("the catalogue has no GPU {}; ", quoted(name))
    };
    let hint = Hint::of(gpu::closest(name)).and("");
    format!(
        "{what}{hint}`rhoso-fn explain gpu` prints the catalogue; for a GPU outside it, remove `gpu` and set `vendorId` and \
         `productId` (`lspci -nn` on the host shows both, as in `[10de:27b8]`) and `deviceType` (`type-PF` if \
         `lspci -v` shows SR-IOV, otherwise `type-PCI`)"
    )
}

/// The message for a name that several GPUs have. Some GPUs even have the same full name.
fn ambiguous(name: &str, gpus: &[&Gpu]) -> String {
    let is_full = gpus.iter().all(|gpu| gpu.name == gpus[0].name);
    format!(
        "{} matches several GPUs: {}; {}add your `productId`, such as `productId: \"{}\"` (`lspci -nn` on \
         the host shows it)",
        quoted(name),
        listed(gpus),
        if is_full { "" } else { "use the full name, or " },
        gpus[0].product
    )
}

fn listed(gpus: &[&Gpu]) -> String {
    let each = gpus.iter().map(|gpu| format!("{} ({}:{})", gpu.name, gpu.vendor, gpu.product));
    each.collect::<Vec<_>>().join(", ")
}

/// What is wrong with the name of an alias. Flavors separate aliases by commas and counts by colons, oslo.config
/// substitutes names after a dollar sign, and Nova's limit is 255 characters.
fn wrong_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("must not be empty")
    } else if name.len() > 255 {
        Some("must not be longer than 255 characters")
    } else if name.trim() != name || name.chars().any(|c| c.is_control() || matches!(c, ',' | ':' | '$')) {
        Some(
            "must not begin or end with spaces or contain control characters, `,`, `:` or `$`, because flavors could not \
             request it",
        )
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alias(gpu: &str, product_id: Option<&str>, device_type: Option<DeviceType>) -> GpuAlias {
        GpuAlias {
            name: "gpu".to_owned(),
            gpu: Some(gpu.to_owned()),
            vendor_id: None,
            product_id: product_id.and_then(PciId::parse),
            device_type,
            nested: false,
            numa_policy: None,
        }
    }

    #[test]
    fn every_gpu_can_be_selected_by_its_name_and_its_id() {
        for gpu in gpu::catalogue() {
            let device_type = gpu.device_type().or(Some(DeviceType::Pci));
            let device = alias(gpu.name, Some(gpu.product), device_type).device();
            assert!(device.is_ok_and(|device| device.product == gpu.product), "{gpu:?}");
        }
    }

    #[test]
    fn a_long_name_is_refused_quickly_with_a_short_message() {
        for piece in ["L4 ", "gpu", "a-", "RTX 4090", "ü"] {
            let (field, message) =
                alias(&piece.repeat(4_000_000 / piece.len()), None, None).device().unwrap_err();
            assert_eq!(field, Some("gpu"));
            assert!(message.len() < 1000, "{piece}: {}", message.len());
        }
    }
}
