//! From what the user calls a GPU to what Nova needs to know of it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::formats::pci::{PciAddress, PciId};
use crate::krm::{Results, did_you_mean, quoted};
use crate::platform::gpu::{self, Gpu};
use crate::platform::nova::{DeviceType, NumaPolicy, PciAlias};

/// One alias: a name for `gpu`, or for a vendor and a product id.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GpuAlias {
    /// The name that flavors ask for: without `,`, `:` and `$`.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The GPU by its name: `L4`, `A100 PCIe 80GB`, `MI300X`. It stands for the ids.
    gpu: Option<String>,
    /// The PCI vendor id, four hex digits in quotes: `"10de"` is NVIDIA.
    vendor_id: Option<PciId>,
    /// The PCI product id, four hex digits in quotes: `"27b8"` is the L4. Beside `gpu`, it picks one of
    /// several ids of that name.
    product_id: Option<PciId>,
    /// What the device is. The compute nodes must say the same, or no host will match. Without it, the
    /// catalogue decides: type-PF for cards that show SR-IOV, type-PCI for others and for `nested`.
    device_type: Option<DeviceType>,
    /// Whether the compute nodes are virtual machines themselves, so that SR-IOV is hidden from them.
    #[serde(default)]
    nested: bool,
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
    gpu: Option<&'static Gpu>,
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
            let hint =
                did_you_mean(name, gpu::names()).map(|close| format!("did you mean {}? ", quoted(close)));
            let message = format!(
                "there is no GPU {} in the catalogue; {}`rhoso-fn explain gpu` lists it, and `vendorId` and `productId` do without it",
                quoted(name),
                hint.unwrap_or_default()
            );
            return Err((".gpu", message));
        }
        let left: Vec<&&Gpu> = named
            .iter()
            .filter(|gpu| vendor.as_ref().is_none_or(|id| id == gpu.vendor))
            .filter(|gpu| product.as_ref().is_none_or(|id| id == gpu.product))
            .collect();
        match left.as_slice() {
            [gpu] => Ok((gpu.vendor.to_owned(), gpu.product.to_owned())),
            [] => Err((
                ".gpu",
                format!("the {} has other ids than those given: it is {}", name, listed(&named)),
            )),
            _ => {
                let message = format!(
                    "{} is several: {}; say more of the name, or give a `productId` beside it",
                    quoted(name),
                    listed(&named)
                );
                Err((".gpu", message))
            }
        }
    }

    /// What is worth saying about an alias that is right as such.
    pub fn remark(&self, device: &Device, field: &str, results: &mut Results) {
        if let Some(other) = device.said_by_name() {
            let message = format!(
                "the name says {other}, but {} is {}",
                device.ids(),
                device.gpu.map_or("no GPU of that vendor".to_owned(), |gpu| format!("the {}", gpu.name))
            );
            results.warning("alias-name", message).in_config(format!("{field}.name"));
        }
        let Some(gpu) = device.gpu else { return };
        let Some(expected) = (if self.nested { Some(DeviceType::Pci) } else { gpu.device_type() }) else {
            return;
        };
        let why = match (self.nested, expected) {
            (true, _) => "as a nested host does not show SR-IOV",
            (_, DeviceType::PhysicalFunction) => "as the card shows SR-IOV",
            (_, DeviceType::VirtualFunction) => "as the id is that of virtual functions",
            (_, DeviceType::Pci) => "as the card has no SR-IOV",
        };
        let field = format!("{field}.deviceType");
        match self.device_type {
            None => {
                let message = format!("{expected} for the {}, {why}", gpu.name);
                results.info("device-type", message).in_config(field);
            }
            Some(given) if given != expected => {
                let hint = match (given, expected) {
                    (DeviceType::Pci, DeviceType::PhysicalFunction) => {
                        "; set `nested: true` if the compute nodes are virtual machines"
                    }
                    _ => "",
                };
                let message = format!(
                    "Nova takes the {} for {expected}, {why}, and would find no {given}{hint}",
                    gpu.name
                );
                results.warning("device-type", message).in_config(field);
            }
            Some(_) => {}
        }
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

    /// Another GPU or vendor that the name of the alias names, word by word.
    fn said_by_name(&self) -> Option<&'static str> {
        let words: Vec<String> = self
            .name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let vendor = gpu::VENDORS.iter().find(|(_, name)| words.contains(&name.to_ascii_lowercase()));
        if let Some((_, name)) = vendor.filter(|(id, _)| *id != self.vendor) {
            return Some(name);
        }
        let this = self.gpu?;
        let runs =
            (1..=words.len()).rev().flat_map(|n| words.windows(n)).map(|run| gpu::normal(&run.concat()));
        let said: Vec<&str> = runs
            .flat_map(|run| {
                gpu::catalogue().iter().flat_map(Gpu::models).filter(move |model| gpu::normal(model) == run)
            })
            .collect();
        let is_this = |model: &str| this.models().any(|own| gpu::normal(own) == gpu::normal(model));
        if said.iter().any(|model| is_this(model)) { None } else { said.first().copied() }
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

    #[test]
    fn names_that_say_another_gpu_are_noticed() {
        let said = |name: &str, vendor: &str, product: &str| {
            let (vendor, product) = (vendor.to_owned(), product.to_owned());
            let gpu = gpu::by_ids(&vendor, &product);
            let device_type = DeviceType::Pci;
            Device { name: name.to_owned(), vendor, product, device_type, numa_policy: None, gpu }
                .said_by_name()
        };
        for name in ["nvidia", "nvidia-l4", "l4", "gpu", "nvidia_L4_big", "l4-for-a100-users"] {
            assert_eq!(said(name, "10de", "27b8"), None, "{name}");
        }
        assert_eq!(said("nvidia-a100", "10de", "27b8"), Some("A100"));
        assert_eq!(said("rtx-a6000", "10de", "27b8"), Some("RTX A6000"));
        assert_eq!(said("amd", "10de", "27b8"), Some("AMD"));
        assert_eq!(said("a16", "10de", "25b6"), None);
        assert_eq!(said("nvidia-a100", "10de", "ffff"), None);
    }
}
