//! What is asked for: machines of one kind.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formats::pci::PciId;
use crate::formats::{dns, label};
use crate::krm::quoted;
use crate::platform::instance::{self, Accelerator};
use crate::platform::machine::{LONGEST_NAME, Provider};

/// The largest number of machines, GPUs or CPUs that the API can hold.
pub const LARGEST: u64 = i32::MAX as u64;

/// More GPUs than a machine can have, shared ones included.
const MOST_GPUS: u64 = 1024;

/// The most memory that can be told in bytes too.
const LARGEST_MIB: u64 = i64::MAX as u64 >> 20;

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

impl Machine {
    /// What is wrong with it, if anything: the field and why.
    pub fn check(&self) -> Result<(), (String, String)> {
        let bad = |field: &str, message: String| Err((field.to_owned(), message));
        if self.instance_type.is_empty() {
            return bad("instanceType", "must not be empty".to_owned());
        }
        if let Some(Capacity { gpu, .. }) = &self.capacity
            && (!label::is_value(gpu) || Accelerator::parse(gpu).is_none())
        {
            let message = format!(
                "must be maker and model of a GPU, such as \"nvidia-l40s\" (makers: nvidia, amd, intel, habana), got {}",
                quoted(gpu)
            );
            return bad("capacity.gpu", message);
        }
        if let Err(message) = self.figures(None) {
            return bad("instanceType", message);
        }
        self.numbers_fit()?;
        if self.replicas.is_some() && self.autoscale.is_some() {
            return bad("replicas", "must not stand beside `autoscale`, which sets it".to_owned());
        }
        if let Some(Autoscale { min, max }) = self.autoscale.as_ref().filter(|auto| auto.min > auto.max) {
            let message = format!("must not be more than `max`, which is {max}, got {min}");
            return bad("autoscale.min", message);
        }
        if let Some(name) = self.name.as_ref().filter(|name| !dns::is_label(name)) {
            let message = format!("must be lower case letters, digits and hyphens, got {}", quoted(name));
            return bad("name", message);
        }
        for (i, zone) in self.zones.iter().enumerate() {
            if zone.is_empty() || zone.contains(char::is_whitespace) {
                let message = format!("must be the name of a zone, got {}", quoted(zone));
                return bad(&format!("zones[{i}]"), message);
            }
            if let Some(first) = self.zones[..i].iter().position(|other| other == zone) {
                let message = format!("the zone {} is given twice, first in `zones[{first}]`", quoted(zone));
                return bad(&format!("zones[{i}]"), message);
            }
        }
        Ok(())
    }

    fn numbers_fit(&self) -> Result<(), (String, String)> {
        let (autoscale, capacity) = (self.autoscale.as_ref(), self.capacity.as_ref());
        let wide = |number: Option<u32>| number.map(u64::from);
        for (field, number, least, most) in [
            ("replicas", wide(self.replicas), 0, LARGEST),
            ("autoscale.min", wide(autoscale.map(|autoscale| autoscale.min)), 0, LARGEST),
            ("autoscale.max", wide(autoscale.map(|autoscale| autoscale.max)), 1, LARGEST),
            ("capacity.count", wide(capacity.map(|capacity| capacity.count)), 1, MOST_GPUS),
            ("capacity.cpus", wide(capacity.and_then(|capacity| capacity.cpus)), 1, LARGEST),
            ("capacity.memoryMiB", capacity.and_then(|capacity| capacity.memory_mib), 1, LARGEST_MIB),
        ] {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                return Err((field.to_owned(), out_of_range(least, most, number)));
            }
        }
        Ok(())
    }

    /// What a provider does not have of such machines: the field and why.
    pub fn fits(&self, provider: Provider) -> Result<(), (&'static str, String)> {
        // A flavor may have the name of a cloud's instance type.
        let is_stated = self.capacity.is_some() && !provider.is_cloud();
        let known = instance::by_name(&self.instance_type).filter(|_| !is_stated);
        if let Some(known) = known.filter(|known| known.cloud != provider) {
            let way_out = match provider.is_cloud() {
                true => "`rhoso-fn explain instance` lists its types",
                false => "state in `capacity` what its machines have",
            };
            let message = format!(
                "{} is an instance type of {}, but the template is of {}; {way_out}",
                quoted(&self.instance_type),
                known.cloud.name(),
                provider.name()
            );
            return Err(("instanceType", message));
        }
        let only = |field: &'static str, is_set: bool, owner: Provider| match is_set && provider != owner {
            true => Err((
                field,
                format!(
                    "is only for {}, and the template is of {}; remove it",
                    owner.name(),
                    provider.name()
                ),
            )),
            false => Ok(()),
        };
        let device_id = self.capacity.as_ref().is_some_and(|capacity| capacity.device_id.is_some());
        only("capacity.deviceId", device_id, Provider::Nutanix)?;
        only("hostSelector", !self.host_selector.is_empty(), Provider::BareMetal)?;
        if self.autoscale.as_ref().is_some_and(|a| a.min == 0) && !provider.scales_from_zero() {
            let message =
                format!("must be at least 1: on {} the autoscaler cannot start from 0", provider.name());
            return Err(("autoscale.min", message));
        }
        Ok(())
    }

    /// `<infrastructure>-gpu-<type>-<zone>`.
    pub fn set_name(&self, cluster: &str, zone: &str) -> String {
        let mut name = format!("{cluster}-{}", self.pool());
        if !zone.is_empty() {
            name.push('-');
            name.push_str(&as_name(zone));
        }
        name
    }

    fn pool(&self) -> String {
        self.name.clone().unwrap_or_else(|| {
            let name = as_name(&self.instance_type);
            let name = name.strip_prefix("standard-").unwrap_or(&name);
            if name.starts_with("gpu-") { name.to_owned() } else { format!("gpu-{name}") }
        })
    }

    /// What is wrong with the name of a MachineSet, if anything: the field below the entry and why.
    pub fn objection_to_name(&self, name: &str) -> Option<(&'static str, String)> {
        let (length, pool) = (name.len(), self.pool());
        if length > LONGEST_NAME {
            let message = format!(
                "the name {} would have {length} characters, and a MachineSet's may have {LONGEST_NAME}: set something \
                 shorter than {}",
                quoted(name),
                quoted(pool)
            );
            return Some((".name", message));
        }
        (!dns::is_label(name)).then(|| {
            let message = format!(
                "{} cannot be a MachineSet's name, which has lower case letters, digits and hyphens; it consists of the \
                 infrastructure name, {}, and the zone",
                quoted(name),
                quoted(pool)
            );
            ("", message)
        })
    }
}

pub fn out_of_range(least: u64, most: u64, got: u64) -> String {
    format!("must be from {least} to {most}, got {got}")
}

/// A word as part of a name: `Standard_NC4as_T4_v3` is `standard-nc4as-t4-v3`.
fn as_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_become_names() {
        assert_eq!(as_name("g6.4xlarge"), "g6-4xlarge");
        assert_eq!(as_name("Standard_NC4as_T4_v3"), "standard-nc4as-t4-v3");
    }
}
