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
    /// the VM template of vSphere. Elsewhere only a word for the name.
    #[schemars(length(min = 1))]
    pub instance_type: String,
    /// How many machines each MachineSet has; 1 without this and without `autoscale`.
    #[schemars(range(max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<u32>,
    /// The zones, each with a MachineSet of its own; `["1", "2"]` on Azure. Without this, one zone is served: that of
    /// the template, or of the first worker MachineSet by name whose architecture is that of the machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    /// Lets the autoscaler choose how many machines each MachineSet has. It needs a ClusterAutoscaler: see
    /// `clusterAutoscaler`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscale: Option<Autoscale>,
    /// Whether the machines are spot machines, which the cloud may take back. Without this, what the
    /// template's are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spot: Option<bool>,
    /// The middle of the name, between infrastructure name and zone; `gpu-<type>` without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What one machine has, if the catalogue does not list its type, or is wrong about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Capacity>,
    /// Bare metal: labels of the BareMetalHosts that have the GPUs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub host_selector: BTreeMap<String, String>,
}

/// How many machines a MachineSet may have.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Autoscale {
    /// The fewest; 0 is possible on AWS, Azure, GCP, OpenStack and vSphere.
    #[schemars(range(max = 2147483647))]
    pub min: u32,
    /// The most, at least 1.
    #[schemars(range(min = 1, max = 2147483647))]
    pub max: u32,
}

/// What one machine has.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Capacity {
    /// The kind of GPU, maker and model, as the label `cluster-api/accelerator` will say it: `nvidia-l40s`.
    pub gpu: String,
    /// How many GPUs.
    #[schemars(range(min = 1, max = 1024))]
    pub count: u32,
    /// How many CPUs. On vSphere and Nutanix the machines get as many; without this, as many as the
    /// template's.
    #[schemars(range(min = 1, max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<u32>,
    /// How much memory, in MiB. On vSphere and Nutanix the machines get as much; without this, as much as
    /// the template's.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none", rename = "memoryMiB")]
    pub memory_mib: Option<u64>,
    /// Nutanix: the PCI product id of the GPU, four hex digits in quotes: `"26b9"` is the L40S. Without
    /// this, the template has the GPUs, or the catalogue knows the id (`rhoso-fn explain gpu`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<PciId>,
}
