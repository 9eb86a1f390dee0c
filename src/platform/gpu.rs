//! The catalogue of data-centre GPUs: which PCI ids they have, and whether Nova sees them as type-PF.

use std::sync::LazyLock;

use super::nova::DeviceType;

/// One PCI id. Facts that are not known, or that differ between cards of one id, are none.
#[derive(Debug)]
pub struct Gpu {
    pub vendor: &'static str,
    pub product: &'static str,
    /// What people call it: `A100`. Several names of one id stand behind each other: `A2 / A16`.
    pub model: &'static str,
    /// With everything that tells it from its sisters: `A100 PCIe 80GB`.
    pub name: &'static str,
    pub family: &'static str,
    pub memory_gb: Option<u16>,
    /// Whether the whole card shows SR-IOV.
    pub sr_iov: Option<bool>,
    /// For virtual functions with an id of their own: the product id of the card.
    pub function_of: Option<&'static str>,
}

static TABLE: LazyLock<Vec<Gpu>> =
    LazyLock::new(|| include_str!("gpus.tsv").lines().filter_map(Gpu::parse).collect());

/// Every GPU, by vendor and product id.
pub fn catalogue() -> &'static [Gpu] {
    &TABLE
}

/// The GPU with these ids.
pub fn by_ids(vendor: &str, product: &str) -> Option<&'static Gpu> {
    catalogue().iter().find(|gpu| gpu.vendor == vendor && gpu.product == product)
}

/// The GPUs that a name may mean: all of a model; or those with exactly this name; or those of a model that
/// have all the other words too.
pub fn by_name(text: &str) -> Vec<&'static Gpu> {
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

/// Every name by which a GPU is known.
pub fn names() -> impl Iterator<Item = &'static str> {
    catalogue().iter().flat_map(|gpu| gpu.models().chain([gpu.name]))
}

/// The name of the vendor.
pub fn vendor_name(vendor: &str) -> Option<&'static str> {
    VENDORS.iter().find(|(id, _)| *id == vendor).map(|(_, name)| *name)
}

pub const VENDORS: [(&str, &str); 4] =
    [("1002", "AMD"), ("10de", "NVIDIA"), ("1da3", "Habana"), ("8086", "Intel")];

/// Words that people put before a model.
const BRANDS: [&str; 9] =
    ["nvidia", "tesla", "amd", "radeon", "instinct", "intel", "habana", "datacentergpu", "gpu"];

/// A name without blanks, hyphens, case and brand: `Tesla T4` and `nvidia-t4` are one.
pub fn normal(text: &str) -> String {
    let mut name: String =
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    while let Some(rest) =
        BRANDS.iter().find_map(|brand| name.strip_prefix(brand)).filter(|rest| !rest.is_empty())
    {
        name = rest.to_owned();
    }
    name
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

    /// How Nova sees the device on bare metal.
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
    fn every_row_is_whole() {
        let rows = include_str!("gpus.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
        for row in rows.clone() {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(cells.len(), 8, "{row}");
            assert!(cells[..2].iter().all(|id| crate::formats::pci::PciId::parse(id).is_some()), "{row}");
            assert!(cells[5] == "-" || cells[5].parse::<u16>().is_ok(), "{row}");
            assert!(["yes", "no", "-"].contains(&cells[6]), "{row}");
            assert!(cells[7] == "-" || by_ids(cells[0], cells[7]).is_some(), "{row}");
            assert!(vendor_name(cells[0]).is_some(), "{row}");
        }
        assert_eq!(catalogue().len(), rows.count());
        assert!(catalogue().is_sorted_by_key(|gpu| (gpu.vendor, gpu.product)));
    }

    #[test]
    fn names_are_found_as_people_write_them() {
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
}
