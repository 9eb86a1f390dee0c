//! What is worth saying about aliases that are right as such.

use super::device::{Device, GpuAlias};
use crate::checks::rules;
use crate::krm::{FieldPath, Results, quoted};
use crate::platform::gpu::{self, Gpu};
use crate::platform::nova::DeviceType;

impl GpuAlias {
    /// Reports a name or a device type that does not fit the ids.
    pub fn remark(&self, device: &Device, field: &FieldPath, results: &mut Results) {
        if let Some(other) = said_by_name(device) {
            let message = format!(
                "the name says {other}, but {} is {}",
                device.ids(),
                device.gpu.map_or("no GPU of that vendor".to_owned(), |gpu| format!("the {}", gpu.name))
            );
            results.warning(&rules::ALIAS_NAME, message).in_config(field.clone().key("name"));
        }
        let Some(gpu) = device.gpu else { return };
        let is_part_of_card = device.device_type == DeviceType::VirtualFunction
            && !self.nested
            && gpu.function_of.is_none()
            && gpu.sr_iov != Some(false);
        if is_part_of_card {
            remark_on_functions(gpu, field, results);
            return;
        }
        let Some(expected) = (if self.nested { Some(DeviceType::Pci) } else { gpu.device_type() }) else {
            return;
        };
        let why = match (self.nested, expected) {
            (true, _) => "as a nested host does not show SR-IOV",
            (_, DeviceType::PhysicalFunction) => "as the card shows SR-IOV",
            (_, DeviceType::VirtualFunction) => "as the id is that of virtual functions",
            (_, DeviceType::Pci) => "as the card has no SR-IOV",
        };
        let field = field.clone().key("deviceType");
        match self.device_type {
            None => {
                let message = format!("{expected} for the {}, {why}", gpu.name);
                results.info(&rules::DEVICE_TYPE, message).in_config(field);
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
                results.warning(&rules::DEVICE_TYPE, message).in_config(field);
            }
            Some(DeviceType::VirtualFunction) if self.product_id.is_none() => {
                let message = format!("the virtual functions have the product id {}", quoted(gpu.product));
                results.info(&rules::DEVICE_TYPE, message).in_config(field);
            }
            Some(_) => {}
        }
    }
}

/// A card given as type-VF, with the id of the card.
fn remark_on_functions(card: &Gpu, field: &FieldPath, results: &mut Results) {
    if !card.has_other_ids_for_functions() {
        return;
    }
    let ids: Vec<String> =
        card.functions().map(|part| format!("`productId: \"{}\"`", part.product)).collect();
    let way_out = if ids.is_empty() {
        "set `productId` to the one that `lspci -nn` shows on the host".to_owned()
    } else {
        format!("set {}", ids.join(" or "))
    };
    let message = format!(
        "{}:{} is the {} as a whole, whose virtual functions have another product id, so Nova would find no \
         type-VF; {way_out}",
        card.vendor, card.product, card.name
    );
    results.warning(&rules::DEVICE_TYPE, message).in_config(field.clone().key("deviceType"));
}

/// Another GPU or vendor that the name of the alias names, word by word.
fn said_by_name(device: &Device) -> Option<&'static str> {
    let words: Vec<String> = device
        .name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let vendor = gpu::VENDORS.iter().find(|(_, name)| words.contains(&name.to_ascii_lowercase()));
    if let Some((_, name)) = vendor.filter(|(id, _)| *id != device.vendor) {
        return Some(name);
    }
    let this = device.gpu?;
    let longest = words.len().min(gpu::MOST_WORDS);
    let runs = (1..=longest).rev().flat_map(|n| words.windows(n)).map(|run| gpu::normal(&run.concat()));
    let said: Vec<&str> = runs
        .flat_map(|run| {
            gpu::catalogue().iter().flat_map(Gpu::models).filter(move |model| gpu::normal(model) == run)
        })
        .collect();
    let is_this = |model: &str| this.models().any(|own| gpu::normal(own) == gpu::normal(model));
    if said.iter().any(|model| is_this(model)) { None } else { said.first().copied() }
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
            said_by_name(&Device {
                name: name.to_owned(),
                vendor,
                product,
                device_type,
                numa_policy: None,
                gpu,
            })
        };
        for name in ["nvidia", "nvidia-l4", "l4", "gpu", "nvidia_L4_big", "l4-for-a100-users"] {
            assert_eq!(said(name, "10de", "27b8"), None, "{name}");
        }
        assert_eq!(said("nvidia-a100", "10de", "27b8"), Some("A100"));
        assert_eq!(said("rtx-a6000", "10de", "27b8"), Some("RTX A6000"));
        assert_eq!(said("amd", "10de", "27b8"), Some("AMD"));
        assert_eq!(said("a16", "10de", "25b6"), None);
        assert_eq!(said("nvidia-a100", "10de", "ffff"), None);
        assert_eq!(said(&"a-".repeat(127), "10de", "27b8"), None);
    }
}
