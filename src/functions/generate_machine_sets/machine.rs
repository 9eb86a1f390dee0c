//! An entry of `machines`: machines of one kind.

mod check;
mod figures;
mod fit;
mod name;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::check::{LARGEST, out_of_range};
pub use self::figures::Figures;
use crate::formats::pci::PciId;

/// Machines of one kind: a MachineSet for each zone.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Machine {
    /// The instance type of AWS, the VM size of Azure, the machine type of GCP, the flavor of OpenStack, or
    /// the VM template of vSphere. For other providers, only a part of the name.
    #[schemars(length(min = 1))]
    pub instance_type: String,
    /// The number of machines of each MachineSet. Defaults to 1 without `autoscale`.
    #[schemars(range(max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<u32>,
    /// The zones. Each gets its own MachineSet; `["1", "2"]` on Azure. Defaults to one zone: that of the template, or
    /// of the first worker MachineSet by name that has the architecture of the machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    /// Lets the autoscaler set the number of machines of each MachineSet. Requires a ClusterAutoscaler: see
    /// `clusterAutoscaler`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscale: Option<Autoscale>,
    /// Whether the machines are spot machines, which the cloud may take back. Defaults to what the template's are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spot: Option<bool>,
    /// The middle of the name, between infrastructure name and zone. Defaults to `gpu-<type>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What one machine has. Required if the catalogue does not list its type; overrides the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Capacity>,
    /// Bare metal: labels of the BareMetalHosts that have GPUs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub host_selector: BTreeMap<String, String>,
}

/// How many machines a MachineSet may have.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Autoscale {
    /// Minimum replicas. 0 is supported on AWS, Azure, GCP, OpenStack and vSphere.
    #[schemars(range(max = 2147483647))]
    pub min: u32,
    /// Maximum replicas, at least 1.
    #[schemars(range(min = 1, max = 2147483647))]
    pub max: u32,
}

/// What one machine has.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Capacity {
    /// Maker and model of the GPU, the value of the label `cluster-api/accelerator`: `nvidia-l40s`.
    pub gpu: String,
    /// The number of GPUs.
    #[schemars(range(min = 1, max = 1024))]
    pub count: u32,
    /// The number of CPUs. On vSphere and Nutanix this sets the size of the machines; the default is the template's.
    #[schemars(range(min = 1, max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<u32>,
    /// The memory in MiB. On vSphere and Nutanix this sets the size of the machines; the default is the template's.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none", rename = "memoryMiB")]
    pub memory_mib: Option<u64>,
    /// Nutanix: the PCI product id of the GPU, four hex digits in quotes: `"26b9"` is the L40S. Defaults to the GPUs of
    /// the template, or to the id in the catalogue (`rhoso-fn explain gpu`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<PciId>,
}
