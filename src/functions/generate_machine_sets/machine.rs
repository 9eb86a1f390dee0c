//! An entry of `machines`: machines of one kind.

mod check;
mod figures;
mod fit;
mod name;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::check::{LARGEST, out_of_range};
pub use self::figures::{Figures, Gpus};
use crate::formats::pci::PciId;
use crate::platform::instance::InstanceType;

/// Machines of one kind: a MachineSet for each zone.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MachineSpec {
    /// The instance type on AWS, the VM size on Azure, the machine type on GCP, the flavor on OpenStack, or
    /// the VM template on vSphere. For other providers, this is only part of the name.
    #[schemars(length(min = 1))]
    instance_type: String,
    /// The number of machines in each MachineSet. Defaults to 1 without `autoscale`.
    #[schemars(range(max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    replicas: Option<u32>,
    /// The zones, such as `["1", "2"]` on Azure. Each zone gets its own MachineSet. Defaults to one zone: that of the
    /// template, or of the first worker MachineSet by name that has the architecture of the machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    zones: Vec<String>,
    /// Lets the autoscaler set the number of machines in each MachineSet. Requires a ClusterAutoscaler: see
    /// `clusterAutoscaler`.
    #[serde(skip_serializing_if = "Option::is_none")]
    autoscale: Option<Autoscale>,
    /// Whether the machines are spot machines, which the cloud may reclaim. Defaults to the setting of the
    /// template.
    #[serde(skip_serializing_if = "Option::is_none")]
    spot: Option<bool>,
    /// The middle part of the name, between the infrastructure name and the zone. Defaults to `gpu-<type>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The GPUs and the size of one machine. Required if the catalogue does not list the type. Overrides the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<Capacity>,
    /// Bare metal: labels of the BareMetalHosts that have GPUs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    host_selector: BTreeMap<String, String>,
}

impl MachineSpec {
    pub fn is_scaled(&self) -> bool {
        self.autoscale.is_some()
    }
}

/// How many machines a MachineSet may have.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Autoscale {
    /// Minimum replicas. 0 is supported on AWS, Azure, GCP, OpenStack and vSphere.
    #[schemars(range(max = 2147483647))]
    pub min: u32,
    /// Maximum replicas, at least 1.
    #[schemars(range(min = 1, max = 2147483647))]
    pub max: u32,
}

/// The GPUs and the size of one machine.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Capacity {
    /// Vendor and model of the GPU, such as `nvidia-l40s`: the value of the node label
    /// `cluster-api/accelerator`.
    gpu: String,
    /// The number of GPUs.
    #[schemars(range(min = 1, max = 1024))]
    count: u32,
    /// The number of CPUs. On vSphere and Nutanix, this sets the size of the machines. Defaults to that of
    /// the template.
    #[schemars(range(min = 1, max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    cpus: Option<u32>,
    /// The memory in MiB. On vSphere and Nutanix, this sets the size of the machines. Defaults to that of the
    /// template.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none", rename = "memoryMiB")]
    memory_mib: Option<u64>,
    /// Nutanix: the PCI product id of the GPU, four hex digits in quotes: `"26b9"` is the L40S. Defaults to the GPUs of
    /// the template, or to the id in the catalogue (`rhoso-fn explain gpu`).
    #[serde(skip_serializing_if = "Option::is_none")]
    device_id: Option<PciId>,
}

/// An entry without mistakes.
#[derive(Debug)]
pub struct Machine {
    pub instance_type: String,
    /// The part of a MachineSet's name between the infrastructure name and the zone.
    pub middle_name: String,
    pub replicas: Replicas,
    pub zones: Vec<String>,
    pub spot: Option<bool>,
    pub gpus: Gpus,
    /// The type in the catalogue. It may be a type of another provider.
    known: Option<&'static InstanceType>,
    /// CPUs and memory of `capacity`, if the entry has one.
    stated: Option<StatedSize>,
    /// Nutanix: the PCI product id of the GPU.
    pub device_id: Option<PciId>,
    pub host_selector: BTreeMap<String, String>,
}

/// How many machines a MachineSet has.
#[derive(Debug, Clone, Copy)]
pub enum Replicas {
    Fixed(u32),
    Scaled(Autoscale),
}

impl Replicas {
    pub fn is_scaled(self) -> bool {
        matches!(self, Replicas::Scaled(_))
    }

    /// The smallest and the largest number.
    pub fn range(self) -> (u32, u32) {
        match self {
            Replicas::Fixed(number) => (number, number),
            Replicas::Scaled(Autoscale { min, max }) => (min, max),
        }
    }
}

/// CPUs and memory as `capacity` states them.
#[derive(Debug, Clone, Copy)]
struct StatedSize {
    cpus: Option<u32>,
    memory_mib: Option<u64>,
}
