//! Nutanix.

use serde_json::{Value, json};

use super::{Facts, Hardware, Memory, ZoneNames, ZoneNetwork, Zones};
use crate::formats::pci::PciId;
use crate::platform::gpu::{self, Gpu};

pub const FACTS: Facts = Facts {
    name: "Nutanix",
    kind: "NutanixMachineProviderConfig",
    size: None,
    hardware: Some(Hardware {
        cpus: "vcpuSockets",
        counts_sockets: true,
        cpus_per_socket: "vcpusPerSocket",
        memory: "memorySize",
        memory_format: Memory::Quantity,
    }),
    gpus: Some(GPUS),
    region: None,
    zones: Some(Zones {
        field: "failureDomain.name",
        names: ZoneNames::Any,
        network: ZoneNetwork::FailureDomain,
        copies: &[],
        suffixed: &[],
        bound: &[],
    }),
    spot: None,
    reservation: None,
    cluster_ids: &["cluster.uuid", "subnets[*].uuid", "image.uuid"],
    scales_from_zero: false,
    type_names: None,
};

/// The GPUs of a machine, one entry each.
pub const GPUS: &str = "gpus";

/// An entry of `gpus` for a PCI product id.
pub fn gpu_of_id(product: &PciId) -> Value {
    json!({"type": "DeviceID", "deviceID": product.number()})
}

/// Whether an entry of `gpus`, by PCI id or by name, is a GPU of this model.
pub fn is_model(entry: &Value, model: &Gpu) -> bool {
    match (entry.get("deviceID"), entry.get("name").and_then(Value::as_str)) {
        (Some(id), _) => PciId::parse(model.product).is_some_and(|product| *id == json!(product.number())),
        (None, Some(name)) => gpu::by_name(name).iter().any(|named| named.product == model.product),
        (None, None) => false,
    }
}
