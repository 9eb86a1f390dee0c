//! The catalogue of data center GPUs: their PCI ids, and whether they show SR-IOV.

use crate::krm::Order;
use std::sync::LazyLock;

use super::nova::DeviceType;

/// One PCI id. A fact is none if it is not known, or if it differs between cards with this id.
#[derive(Debug)]
pub struct Gpu {
    pub vendor: &'static str,
    pub product: &'static str,
    /// The short name: `A100`. An id with several names has all of them: `A2 / A16`.
    pub model: &'static str,
    /// The full name, which distinguishes the variants of a model: `A100 PCIe 80GB`.
    pub name: &'static str,
    pub family: &'static str,
    pub memory_gb: Option<u16>,
    /// Whether the whole card shows SR-IOV.
    pub sr_iov: Option<bool>,
    /// The product id of the card, for virtual functions with their own id.
    pub function_of: Option<&'static str>,
}

static TABLE: LazyLock<Vec<Gpu>> =
    LazyLock::new(|| include_str!("gpus.tsv").lines().filter_map(Gpu::parse).collect());

/// Every GPU, ordered by vendor and product id.
pub fn catalogue() -> &'static [Gpu] {
    &TABLE
}

/// The GPU with these ids.
pub fn by_ids(vendor: &str, product: &str) -> Option<&'static Gpu> {
    catalogue().iter().find(|gpu| gpu.vendor == vendor && gpu.product == product)
}

/// The longest string, in bytes, that is looked up as the name of a GPU. All names are shorter, even with the
/// brand.
pub const LONGEST_NAME: usize = 64;

/// The most words in a model, as in `RTX PRO 6000 Blackwell`.
pub const MOST_WORDS: usize = 4;

/// The GPUs that a name may refer to: all of a model. If there are none, those with exactly this name. If
/// there are none either, those of a model whose full name has all the other words.
pub fn by_name(text: &str) -> Vec<&'static Gpu> {
    if text.len() > LONGEST_NAME {
        return Vec::new();
    }
    let wanted = normal(text);
    let by_model: Vec<&Gpu> = catalogue()
        .iter()
        .filter(|gpu| gpu.function_of.is_none() && gpu.models().any(|model| normal(model) == wanted))
        .collect();
    if !by_model.is_empty() {
        return by_model;
    }
    let by_name: Vec<&Gpu> = catalogue().iter().filter(|gpu| normal(gpu.name) == wanted).collect();
    if !by_name.is_empty() {
        return by_name;
    }
    let words: Vec<String> =
        text.split([' ', '-', '_']).map(normal).filter(|word| !word.is_empty()).collect();
    catalogue()
        .iter()
        .filter(|gpu| words.iter().any(|word| gpu.models().any(|model| normal(model) == *word)))
        .filter(|gpu| {
            let own: Vec<String> = gpu.name.split([' ', '-']).map(normal).collect();
            words.iter().all(|word| BRANDS.contains(&word.as_str()) || own.contains(word))
        })
        .collect()
}

/// Every short and full name.
fn names() -> impl Iterator<Item = &'static str> {
    catalogue().iter().flat_map(|gpu| gpu.models().chain([gpu.name]))
}

/// The probable correction of a misspelt name. One digit may distinguish two cards (RTX A4000, RTX A5000), so
/// the numbers must be equal, or the letters must be equal and one digit other than the first is mistyped.
pub fn closest(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST_NAME {
        return None;
    }
    let given = normal(text);
    let [letters, digits] = letters_and_digits(&given);
    let is_plausible = |name: &str| {
        let [own_letters, own_digits] = letters_and_digits(name);
        let is_part = given.len() > 2 && (name.starts_with(&given) || name.ends_with(&given));
        if digits == own_digits {
            let typos = strsim::damerau_levenshtein(&letters, &own_letters);
            is_part || typos <= letters.len().max(own_letters.len()) / 3
        } else {
            letters == own_letters && is_one_typo(&digits, &own_digits)
        }
    };
    names()
        .map(|name| (normal(name), name))
        .filter(|(normal, _)| is_plausible(normal))
        .min_by_key(|(normal, _)| (!normal.starts_with(&given), strsim::damerau_levenshtein(&given, normal)))
        .map(|(_, name)| name)
}

fn letters_and_digits(name: &str) -> [String; 2] {
    let (digits, letters): (String, String) = name.chars().partition(char::is_ascii_digit);
    [letters, digits]
}

/// Whether two numbers differ by one digit that is added, missing or swapped, or mistyped after the first.
fn is_one_typo(given: &str, meant: &str) -> bool {
    let sorted = |digits: &str| {
        let mut digits = digits.as_bytes().to_vec();
        digits.order();
        digits
    };
    let may_begin_differently = given.len() != meant.len() || sorted(given) == sorted(meant);
    !given.is_empty()
        && !meant.is_empty()
        && strsim::damerau_levenshtein(given, meant) == 1
        && (may_begin_differently || given.as_bytes()[0] == meant.as_bytes()[0])
}

/// The name of the vendor.
pub fn vendor_name(vendor: &str) -> Option<&'static str> {
    VENDORS.iter().find(|(id, _)| *id == vendor).map(|(_, name)| *name)
}

const AMD: &str = "1002";

pub const VENDORS: [(&str, &str); 4] =
    [(AMD, "AMD"), ("10de", "NVIDIA"), ("1da3", "Habana"), ("8086", "Intel")];

/// Words that people write before a model.
const BRANDS: [&str; 9] =
    ["nvidia", "tesla", "amd", "radeon", "instinct", "intel", "habana", "datacentergpu", "gpu"];

/// A name without spaces, hyphens, case and brand, so that `Tesla T4` and `nvidia-t4` are equal.
pub fn normal(text: &str) -> String {
    let whole: String =
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let mut name = whole.as_str();
    while let Some(rest) =
        BRANDS.iter().find_map(|brand| name.strip_prefix(brand)).filter(|rest| !rest.is_empty())
    {
        name = rest;
    }
    name.to_owned()
}

impl Gpu {
    fn parse(line: &'static str) -> Option<Gpu> {
        if line.starts_with('#') || line.starts_with("vendor\t") {
            return None;
        }
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        let known = |cell: &'static str| Some(cell).filter(|cell| *cell != "-");
        Some(Gpu {
            vendor: next(),
            product: next(),
            model: next(),
            name: next(),
            family: next(),
            memory_gb: known(next()).and_then(|cell| cell.parse().ok()),
            sr_iov: known(next()).map(|cell| cell == "yes"),
            function_of: known(next()),
        })
    }

    pub fn models(&self) -> impl Iterator<Item = &'static str> {
        self.model.split(" / ")
    }

    /// The virtual functions of this card that have their own id.
    pub fn functions(&self) -> impl Iterator<Item = &'static Gpu> {
        catalogue().iter().filter(|part| part.vendor == self.vendor && part.function_of == Some(self.product))
    }

    /// Whether virtual functions of this card have a different product id from the card. AMD's do (74a1 and
    /// 74b5 in pci.ids). NVIDIA's and Intel's do not (in Nova's manual on PCI passthrough, 25b6 is the A16
    /// and its VFs).
    pub fn has_other_ids_for_functions(&self) -> bool {
        self.vendor == AMD
    }

    /// How Nova classifies the device on bare metal.
    pub fn device_type(&self) -> Option<DeviceType> {
        match (self.function_of, self.sr_iov) {
            (Some(_), _) => Some(DeviceType::VirtualFunction),
            (None, Some(true)) => Some(DeviceType::PhysicalFunction),
            (None, Some(false)) => Some(DeviceType::Pci),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_complete() {
        let rows = include_str!("gpus.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
        for row in rows.clone() {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(cells.len(), 8, "{row}");
            assert!(cells[..2].iter().all(|id| crate::formats::pci::PciId::parse(id).is_some()), "{row}");
            assert!(cells[5] == "-" || cells[5].parse::<u16>().is_ok(), "{row}");
            assert!(["yes", "no", "-"].contains(&cells[6]), "{row}");
            assert!(cells[7] == "-" || by_ids(cells[0], cells[7]).is_some(), "{row}");
            assert!(vendor_name(cells[0]).is_some(), "{row}");
            // The check of alias names looks for runs of this many words.
            let words = |model: &str| model.split(|c: char| !c.is_ascii_alphanumeric()).count();
            assert!(cells[2].split(" / ").all(|model| words(model) <= MOST_WORDS), "{row}");
        }
        assert_eq!(catalogue().len(), rows.count());
        assert!(catalogue().is_sorted_by_key(|gpu| (gpu.vendor, gpu.product)));
    }

    #[test]
    fn names_are_found_however_people_write_them() {
        let products = |text: &str| by_name(text).iter().map(|gpu| gpu.product).collect::<Vec<_>>();
        for text in ["L4", "l4", "NVIDIA L4", "nvidia-l4"] {
            assert_eq!(products(text), ["27b8"], "{text}");
        }
        assert_eq!(products("Tesla T4"), ["1eb8"]);
        assert_eq!(products("A16"), ["25b6"]);
        assert_eq!(products("a100-pcie-80gb"), ["20b5"]);
        assert_eq!(products("MI300X"), ["74a1"]);
        assert_eq!(products("MI300X VF"), ["74b5"]);
        assert!(products("H100").len() > 5);
        assert_eq!(products("A100 PCIe 40GB"), ["20b1", "20f1"]);
        assert_eq!(products("H100 NVL"), ["2321"]);
        assert_eq!(products("nvidia a100 40GB"), ["20b0", "20b1", "20f1"]);
        assert!(products("L44").is_empty() && products("40GB").is_empty() && products("L4 80GB").is_empty());
    }

    #[test]
    fn every_gpu_is_found_by_its_name() {
        for gpu in catalogue() {
            let name = format!("NVIDIA {}", gpu.name);
            assert!(name.len() <= LONGEST_NAME, "{name}");
            assert!(by_name(&name).iter().any(|found| found.product == gpu.product), "{name}");
        }
    }

    #[test]
    fn typos_are_recognised() {
        for (text, meant) in [
            ("L41", "L40"),
            ("A6000", "RTX A6000"),
            ("TRX A6000", "RTX A6000"),
            ("RTX 6000", "RTX 6000 Ada"),
            ("rtx-pro-6000", "RTX PRO 6000 Blackwell"),
            ("NVIDIA H1000", "H100"),
            ("MI30X", "MI300X"),
            ("Data Center GPU Max 1555", "Max 1550"),
            ("Gaudi 33", "Gaudi3"),
            ("Gudi3", "Gaudi3"),
        ] {
            assert_eq!(closest(text), Some(meant), "{text}");
        }
    }

    #[test]
    fn another_card_is_not_a_typo() {
        for text in [
            "RTX 4090",
            "GeForce RTX 4090",
            "RTX 5090",
            "RTX 3090",
            "RTX A4000",
            "RTX 4000 Ada",
            "GTX 1080 Ti",
            "K40",
            "K20",
            "MI400X",
            "Gaudi4",
            "Titan V",
            "L",
            "4090",
            "",
            "Voodoo 2 Banshee",
        ] {
            assert_eq!(closest(text), None, "{text}");
        }
        assert_eq!(closest(&"L41 ".repeat(20)), None);
    }
}
