//! The catalogue of instance types: machines of public clouds that have GPUs or other accelerators.

use std::fmt;
use std::sync::LazyLock;

use super::provider::Provider;

/// One instance type of a cloud. Unknown figures are none.
#[derive(Debug)]
pub struct InstanceType {
    pub cloud: Provider,
    pub name: &'static str,
    pub cpus: u32,
    pub memory_mib: Option<u64>,
    pub accelerator: Accelerator,
    /// As the cloud, and therefore OpenShift, counts GPUs: a fraction of a GPU counts as 0.
    pub count: Option<u32>,
    /// The memory of each GPU.
    pub gpu_memory_mib: Option<u64>,
    /// As Kubernetes names it: `amd64`, `arm64`.
    pub architecture: &'static str,
    pub note: &'static str,
}

static TABLE: LazyLock<Vec<InstanceType>> =
    LazyLock::new(|| include_str!("instances.tsv").lines().filter_map(InstanceType::parse).collect());

/// Every instance type, by cloud and name.
pub fn catalogue() -> &'static [InstanceType] {
    &TABLE
}

/// The instance type with this name. No name exists in two clouds.
pub fn by_name(name: &str) -> Option<&'static InstanceType> {
    catalogue().iter().find(|instance| instance.name == name)
}

impl InstanceType {
    fn parse(line: &'static str) -> Option<InstanceType> {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        let cloud = match next() {
            "aws" => Provider::Aws,
            "azure" => Provider::Azure,
            "gcp" => Provider::Gcp,
            _ => return None, // comments and the header
        };
        Some(InstanceType {
            cloud,
            name: next(),
            cpus: next().parse().ok()?,
            memory_mib: next().parse().ok(),
            accelerator: Accelerator::new(next(), next()),
            count: next().parse().ok(),
            gpu_memory_mib: next().parse().ok(),
            architecture: next(),
            note: next(),
        })
    }
}

/// Vendors of GPUs, and the resources by which pods request their GPUs.
const GPU_MAKERS: [(&str, &str); 4] = [
    ("nvidia", NVIDIA_GPU),
    ("amd", "amd.com/gpu"),
    ("intel", "intel.com/gpu"),
    ("habana", "habana.ai/gaudi"),
];

pub const NVIDIA_GPU: &str = "nvidia.com/gpu";

/// Resources by which pods request GPUs.
pub fn gpu_resources() -> impl Iterator<Item = &'static str> {
    GPU_MAKERS.iter().map(|(_, resource)| *resource)
}

/// A kind of accelerator by vendor and model, the value of the label `cluster-api/accelerator`: `nvidia-l4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accelerator(String);

impl Accelerator {
    fn new(maker: &str, model: &str) -> Self {
        Accelerator(format!("{maker}-{model}"))
    }

    /// Reads `nvidia-l4`. None for a vendor without GPUs.
    pub fn parse(text: &str) -> Option<Self> {
        let accelerator = Accelerator(text.to_owned());
        accelerator.resource().is_some().then_some(accelerator)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The resource by which pods request one. None for an accelerator that is not a GPU.
    pub fn resource(&self) -> Option<&'static str> {
        let (maker, model) = self.0.split_once('-')?;
        let known = GPU_MAKERS.iter().find(|(name, _)| *name == maker && !model.is_empty())?;
        Some(known.1)
    }

    pub fn model(&self) -> &str {
        self.0.split_once('-').map_or("", |(_, model)| model)
    }
}

impl fmt::Display for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_complete() {
        let rows = include_str!("instances.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
        assert_eq!(catalogue().len(), rows.clone().count());
        let is_number = |cell: &str| cell.parse::<u64>().is_ok();
        for row in rows {
            let cells: Vec<&str> = row.split('\t').collect();
            assert!((9..=10).contains(&cells.len()), "{row}");
            assert!(is_number(cells[2]) && [3, 6].iter().all(|i| is_number(cells[*i]) || cells[*i] == "?"));
            assert!(is_number(cells[7]) || ["?", "-"].contains(&cells[7]), "{row}");
            assert!(["amd64", "arm64"].contains(&cells[8]), "{row}");
            assert!(catalogue().iter().filter(|instance| instance.name == cells[1]).count() == 1, "{row}");
        }
    }

    #[test]
    fn figures_are_those_of_the_clouds() {
        let g6 = by_name("g6.12xlarge").unwrap();
        assert_eq!((g6.cpus, g6.memory_mib, g6.count), (48, Some(196_608), Some(4)));
        assert_eq!((g6.accelerator.as_str(), g6.accelerator.resource()), ("nvidia-l4", Some(NVIDIA_GPU)));
        let mi300x = by_name("Standard_ND96isr_MI300X_v5").unwrap();
        assert_eq!(mi300x.accelerator.resource(), Some("amd.com/gpu"));
        assert_eq!(by_name("inf2.xlarge").unwrap().accelerator.resource(), None);
        assert_eq!(by_name("Standard_ND128isr_GB300_v6").unwrap().memory_mib, None);
        assert_eq!(Accelerator::parse("nvidia"), None);
        assert_eq!(Accelerator::parse("l4"), None);
    }
}
