//! Nova's PCI options.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The section and option of PCI aliases; the option may stand many times, one alias each.
pub const ALIAS: (&str, &str) = ("pci", "alias");

/// Aliases under the name they had before; Nova still reads both together.
pub const OLD_ALIAS: (&str, &str) = ("DEFAULT", "pci_alias");

/// How Nova sees a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DeviceType {
    /// A device without SR-IOV, or one whose SR-IOV is hidden, as from a nested hypervisor.
    #[serde(rename = "type-PCI")]
    Pci,
    /// A whole card that has SR-IOV, as data-centre GPUs since Ampere do.
    #[serde(rename = "type-PF")]
    PhysicalFunction,
    /// One virtual function of such a card.
    #[serde(rename = "type-VF")]
    VirtualFunction,
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceType::Pci => "type-PCI",
            DeviceType::PhysicalFunction => "type-PF",
            DeviceType::VirtualFunction => "type-VF",
        })
    }
}

/// How strictly a guest must share the device's NUMA node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NumaPolicy {
    /// Only on the device's node.
    Required,
    /// On the device's node if the host knows it; Nova's default.
    Legacy,
    /// On the device's node if possible.
    Preferred,
    /// On the device's socket.
    Socket,
}

impl fmt::Display for NumaPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumaPolicy::Required => "required",
            NumaPolicy::Legacy => "legacy",
            NumaPolicy::Preferred => "preferred",
            NumaPolicy::Socket => "socket",
        })
    }
}
