//! PCI aliases whose name or device type does not fit their PCI ids.

use crate::krm::quoted;
use crate::platform::gpu::{self, Gpu};
use crate::platform::nova::DeviceType;

/// The message for an alias whose name mentions a different GPU or vendor than its ids do.
pub fn alias_name(name: &str, vendor: &str, product: &str) -> Option<String> {
    let gpu = gpu::by_ids(vendor, product);
    let mentioned = mentioned_in(name, vendor, gpu)?;
    let is = gpu.map_or("not a GPU of that vendor".to_owned(), |gpu| format!("the {}", gpu.name));
    Some(format!(
        "the name mentions {mentioned}, but {vendor}:{product} is {is}; correct the name or the ids"
    ))
}

/// The device type that Nova detects for a GPU, and why. None if it is not known.
pub fn expected_type(gpu: &Gpu, is_nested: bool) -> Option<(DeviceType, &'static str)> {
    if is_nested {
        return Some((DeviceType::Pci, "because nested hosts do not show SR-IOV"));
    }
    let expected = gpu.device_type()?;
    let why = match expected {
        DeviceType::PhysicalFunction => "because the card shows SR-IOV",
        DeviceType::VirtualFunction => "because the product id belongs to virtual functions",
        DeviceType::Pci => "because the card has no SR-IOV",
    };
    Some((expected, why))
}

/// The message for a device type that Nova does not detect for this GPU.
pub fn device_type(gpu: &Gpu, given: DeviceType, is_nested: bool) -> Option<String> {
    let is_part_of_card = given == DeviceType::VirtualFunction
        && !is_nested
        && gpu.function_of.is_none()
        && gpu.sr_iov != Some(false);
    if is_part_of_card {
        return gpu.has_other_ids_for_functions().then(|| id_of_whole_card(gpu));
    }
    let (expected, why) = expected_type(gpu, is_nested).filter(|(expected, _)| *expected != given)?;
    Some(format!("Nova treats the {} as {expected}, {why}, so {given} matches no device", gpu.name))
}

/// A type-VF with the id of the card.
fn id_of_whole_card(card: &Gpu) -> String {
    let ids: Vec<String> = card.functions().map(|part| quoted(part.product)).collect();
    let advice = if ids.is_empty() {
        "use the product id that `lspci -nn` shows for them on the host".to_owned()
    } else {
        format!("use the product id {}", ids.join(" or "))
    };
    format!(
        "{}:{} is the whole {}, whose virtual functions have another product id, so type-VF matches no device; {advice}",
        card.vendor, card.product, card.name
    )
}

/// Another GPU or vendor that a name mentions, word by word.
fn mentioned_in(name: &str, vendor: &str, gpu: Option<&Gpu>) -> Option<&'static str> {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let mentioned = gpu::VENDORS.iter().find(|(_, name)| words.contains(&name.to_ascii_lowercase()));
    if let Some((_, name)) = mentioned.filter(|(id, _)| *id != vendor) {
        return Some(name);
    }
    let gpu = gpu?;
    let longest = words.len().min(gpu::MOST_WORDS);
    // The longest runs of words come first, so that "RTX A6000" is found before "A6000".
    let runs = (1..=longest).rev().flat_map(|n| words.windows(n)).map(|run| gpu::normal(&run.concat()));
    let mentioned: Vec<&str> = runs
        .flat_map(|run| {
            gpu::catalogue().iter().flat_map(Gpu::models).filter(move |model| gpu::normal(model) == run)
        })
        .collect();
    let is_this = |model: &str| gpu.models().any(|own| gpu::normal(own) == gpu::normal(model));
    if mentioned.iter().any(|model| is_this(model)) { None } else { mentioned.first().copied() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mention_another_gpu_are_noticed() {
        let mentioned = |name: &str, vendor: &str, product: &str| {
            mentioned_in(name, vendor, gpu::by_ids(vendor, product))
        };
        for name in ["nvidia", "nvidia-l4", "l4", "gpu", "nvidia_L4_big", "l4-for-a100-users"] {
            assert_eq!(mentioned(name, "10de", "27b8"), None, "{name}");
        }
        assert_eq!(mentioned("nvidia-a100", "10de", "27b8"), Some("A100"));
        assert_eq!(mentioned("rtx-a6000", "10de", "27b8"), Some("RTX A6000"));
        assert_eq!(mentioned("amd", "10de", "27b8"), Some("AMD"));
        assert_eq!(mentioned("a16", "10de", "25b6"), None);
        assert_eq!(mentioned("nvidia-a100", "10de", "ffff"), None);
        assert_eq!(mentioned(&"a-".repeat(127), "10de", "27b8"), None);
    }

    #[test]
    fn device_types_that_nova_does_not_find_are_noticed() {
        let l4 = gpu::by_ids("10de", "27b8").unwrap();
        assert_eq!(device_type(l4, DeviceType::PhysicalFunction, false), None);
        assert_eq!(device_type(l4, DeviceType::VirtualFunction, false), None, "its functions share its id");
        assert_eq!(device_type(l4, DeviceType::Pci, true), None);
        assert!(device_type(l4, DeviceType::Pci, false).is_some());
        assert!(device_type(l4, DeviceType::PhysicalFunction, true).is_some());
        let mi300x = gpu::by_ids("1002", "74a1").unwrap();
        assert!(device_type(mi300x, DeviceType::VirtualFunction, false).unwrap().contains("\"74b5\""));
    }
}
