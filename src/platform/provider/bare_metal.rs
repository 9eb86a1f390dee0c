//! Bare metal: machines are BareMetalHosts, which the providerSpec selects by their labels.

use serde_json::Value;

use super::Facts;

pub const FACTS: Facts = Facts {
    name: "bare metal",
    kind: "BareMetalMachineProviderSpec",
    size: None,
    hardware: None,
    gpus: None,
    region: None,
    zones: None,
    spot: None,
    reservation: None,
    cluster_ids: &[],
    scales_from_zero: false,
    type_names: None,
};

pub const HOST_SELECTOR: &str = "hostSelector";
pub const HOST_LABELS: &str = "hostSelector.matchLabels";

/// Whether a host selector matches every host.
pub fn selects_all(selector: &Value) -> bool {
    let is_empty = |part: &Value| match part {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    selector.as_object().is_none_or(|parts| parts.values().all(is_empty))
}
