//! From what the user calls a GPU to what Nova needs to know of it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::formats::pci::{PciAddress, PciId};
use crate::krm::{Hint, quoted};
use crate::platform::gpu::{self, Gpu};
use crate::platform::nova::{DeviceType, NumaPolicy, PciAlias};

/// One alias: a name for `gpu`, or for a vendor and a product id.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GpuAlias {
    /// The name that flavors ask for: without `,`, `:` and `$`.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The GPU by its name: `L4`, `A100 PCIe 80GB`, `MI300X`. The catalogue gives its ids.
    gpu: Option<String>,
    /// The PCI vendor id, four hex digits in quotes: `"10de"` is NVIDIA.
    vendor_id: Option<PciId>,
    /// The PCI product id, four hex digits in quotes: `"27b8"` is the L4. With `gpu`, it chooses one of the
    /// ids that share that name.
    pub product_id: Option<PciId>,
    /// What the device is. The compute nodes must use the same type, or no host will match. Without it, the
    /// catalogue decides: type-PF for cards that show SR-IOV, type-PCI for others and for `nested`. With
    /// type-VF, `gpu` means the card's virtual functions, with their own product id if they have one.
    pub device_type: Option<DeviceType>,
    /// Whether the compute nodes are virtual machines themselves, so that SR-IOV is hidden from them.
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
    pub numa_policy: Option<NumaPolicy>,
    /// What the catalogue has for these ids.
    pub gpu: Option<&'static Gpu>,
}

impl GpuAlias {
    /// The device, or a field below the alias and what is wrong with it.
    pub fn device(&self) -> Result<Device, (&'static str, String)> {
        if let Some(message) = objection(&self.name) {
            return Err((".name", message.to_owned()));
        }
        let (vendor, product) = self.ids()?;
        let gpu = gpu::by_ids(&vendor, &product);
        let decided = match gpu {
            Some(_) if self.nested => Some(DeviceType::Pci),
            Some(gpu) => gpu.device_type(),
            None => None,
        };
        let Some(device_type) = self.device_type.or(decided) else {
            let why = match gpu {
                Some(gpu) => format!("whether the {} shows SR-IOV is not known", gpu.name),
                None => format!("{vendor}:{product} is not in the catalogue"),
            };
            let message = format!(
                "is needed, as {why}: `type-PF` if `lspci -v` on the host says SR-IOV, else `type-PCI`"
            );
            return Err((".deviceType", message));
        };
        let (name, numa_policy) = (self.name.clone(), self.numa_policy);
        Ok(Device { name, vendor, product, device_type, numa_policy, gpu })
    }

    fn ids(&self) -> Result<(String, String), (&'static str, String)> {
        let (vendor, product) =
            (self.vendor_id.as_ref().map(PciId::to_string), self.product_id.as_ref().map(PciId::to_string));
        let Some(name) = &self.gpu else {
            return match (vendor, product) {
                (Some(vendor), Some(product)) => Ok((vendor, product)),
                (None, None) => Err(("", "needs a `gpu`, or a `vendorId` and a `productId`".to_owned())),
                (None, _) => Err((".vendorId", "is needed beside `productId`".to_owned())),
                (_, None) => Err((".productId", "is needed beside `vendorId`".to_owned())),
            };
        };
        let named = gpu::by_name(name);
        if named.is_empty() {
            return Err((".gpu", unknown(name)));
        }
        let left: Vec<&Gpu> = self
            .meant(&named)
            .into_iter()
            .filter(|gpu| vendor.as_ref().is_none_or(|id| id == gpu.vendor))
            .filter(|gpu| product.as_ref().is_none_or(|id| id == gpu.product))
            .collect();
        match left.as_slice() {
            [gpu] => Ok((gpu.vendor.to_owned(), gpu.product.to_owned())),
            [] => Err((
                ".gpu",
                format!("the {} has other ids than those given: it is {}", name, listed(&named)),
            )),
            several => Err((".gpu", ambiguous(name, several))),
        }
    }

    /// The GPUs of a name that an alias may be for: cards or, for type-VF, their virtual functions. A
    /// `productId` chooses among both.
    fn meant(&self, named: &[&'static Gpu]) -> Vec<&'static Gpu> {
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
    pub fn alias(&self) -> PciAlias {
        let mut pairs = vec![
            ("vendor_id", json!(self.vendor)),
            ("product_id", json!(self.product)),
            ("device_type", json!(self.device_type)),
            ("name", json!(self.name)),
        ];
        pairs.extend(self.numa_policy.map(|policy| ("numa_policy", json!(policy))));
        PciAlias::new(pairs)
    }

    /// The value of a `device_spec`: which devices of a host are for guests.
    pub fn spec(&self, address: Option<&PciAddress>) -> PciAlias {
        let mut pairs = vec![("vendor_id", json!(self.vendor)), ("product_id", json!(self.product))];
        pairs.extend(address.map(|address| ("address", json!(address.to_string()))));
        PciAlias::new(pairs)
    }

    pub fn ids(&self) -> String {
        format!("{}:{}", self.vendor, self.product)
    }
}

/// The names of two aliases of which one is for cards and the other for virtual functions of the same cards.
pub(super) fn card_and_part<'d>(devices: &[&'d Device]) -> Option<(&'d str, &'d str)> {
    devices.iter().find_map(|part| {
        let card = part.gpu?.function_of?;
        let card = devices.iter().find(|device| device.vendor == part.vendor && device.product == card)?;
        Some((card.name.as_str(), part.name.as_str()))
    })
}

/// A name that is not in the catalogue.
fn unknown(name: &str) -> String {
    let what = if name.len() > gpu::LONGEST_NAME {
        format!("no GPU has a name of {} characters; ", name.chars().count())
    } else {
        format!("there is no GPU {} in the catalogue; ", quoted(name))
    };
    let hint = Hint::of(gpu::closest(name)).and("");
    format!(
        "{what}{hint}`rhoso-fn explain gpu` prints the catalogue; for a GPU outside it, remove `gpu` and set `vendorId` and \
         `productId` (`lspci -nn` on the host shows both, as in `[10de:27b8]`) and `deviceType` (`type-PF` if \
         `lspci -v` shows SR-IOV, else `type-PCI`)"
    )
}

/// A name of several GPUs; some share even the full name.
fn ambiguous(name: &str, gpus: &[&Gpu]) -> String {
    let is_full = gpus.iter().all(|gpu| gpu.name == gpus[0].name);
    format!(
        "{} matches several GPUs: {}; {}add the `productId` of yours, such as `productId: \"{}\"` (`lspci -nn` on \
         the host shows it)",
        quoted(name),
        listed(gpus),
        if is_full { "" } else { "give the full name, or " },
        gpus[0].product
    )
}

fn listed(gpus: &[&Gpu]) -> String {
    let each = gpus.iter().map(|gpu| format!("{} ({}:{})", gpu.name, gpu.vendor, gpu.product));
    each.collect::<Vec<_>>().join(", ")
}

/// What is wrong with a name, if anything. A flavor parts aliases by commas and counts by colons,
/// oslo.config takes a dollar sign for the start of another option's name, and Nova's limit is 255.
fn objection(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("must not be empty")
    } else if name.len() > 255 {
        Some("must not be longer than 255 characters")
    } else if name.trim() != name || name.chars().any(|c| c.is_control() || matches!(c, ',' | ':' | '$')) {
        Some(
            "must not have blanks around it, control characters, `,`, `:` or `$`: a flavor could not ask for it",
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
    fn every_gpu_can_be_chosen_by_its_name_and_its_id() {
        for gpu in gpu::catalogue() {
            let device_type = gpu.device_type().or(Some(DeviceType::Pci));
            let device = alias(gpu.name, Some(gpu.product), device_type).device();
            assert!(device.is_ok_and(|device| device.product == gpu.product), "{gpu:?}");
        }
    }

    #[test]
    fn a_long_name_is_refused_at_once_and_in_short() {
        for piece in ["L4 ", "gpu", "a-", "RTX 4090", "ü"] {
            let (field, message) =
                alias(&piece.repeat(4_000_000 / piece.len()), None, None).device().unwrap_err();
            assert_eq!(field, ".gpu");
            assert!(message.len() < 1000, "{piece}: {}", message.len());
        }
    }
}
