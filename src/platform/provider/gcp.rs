//! Google Cloud Platform.

use serde_json::{Value, json};

use super::{Facts, Mark, MarkValue, Provider, Spot, TypeNames, ZoneNames, ZoneNetwork, Zones};
use crate::platform::instance_name::{TypeName, leading_number};

pub const FACTS: Facts = Facts {
    name: "GCP",
    kind: "GCPMachineProviderSpec",
    size: Some("machineType"),
    hardware: None,
    gpus: Some(GPUS),
    region: Some("region"),
    zones: Some(Zones {
        field: "zone",
        // As `gcloud compute zones list` shows them.
        names: ZoneNames::Letters {
            separator: "-",
            usual: "abc",
            exceptions: &[("us-central1", "abcf"), ("us-east1", "bcd"), ("europe-west1", "bcd")],
            // AI zones: `us-central1-ai1a`.
            other_form: "ai",
        },
        network: ZoneNetwork::Shared,
        copies: &[],
        suffixed: &[],
        bound: &[],
    }),
    spot: Some(Spot {
        mark: Mark { field: "preemptible", value: MarkValue::True },
        newer: Some(Mark { field: "provisioningModel", value: MarkValue::Text("Spot") }),
        allows_both: false,
        // GCP does not restart a machine that it has reclaimed.
        conflict: Some(("restartPolicy", "Always")),
    }),
    reservation: None,
    cluster_ids: &[],
    scales_from_zero: true,
    type_names: Some(TypeNames {
        parse: type_name,
        lacks_gpus: |series| WITHOUT_GPUS.contains(&series),
        takes_gpus: Some("n1"),
        is_arm: |name| ["t2a-", "c4a-", "n4a-", "a4x-"].iter().any(|series| name.starts_with(series)),
    }),
};

/// The GPUs attached to a machine.
pub const GPUS: &str = "gpus";

/// What happens to a machine during maintenance of its host. Machines with GPUs cannot be migrated.
pub const MAINTENANCE: &str = "onHostMaintenance";
pub const TERMINATE: &str = "Terminate";

/// NVIDIA GPUs that can be attached. All others are built in.
pub const ATTACHABLE_MODELS: [&str; 5] = ["t4", "v100", "p100", "p4", "k80"];

/// Whether GPUs can be attached to a machine type: only to the series N1.
pub fn takes_gpus(machine_type: &str) -> bool {
    machine_type.starts_with("n1-")
}

/// Whether a machine type is of a series with built-in GPUs.
pub fn has_gpus_built_in(machine_type: &str) -> bool {
    ["a2-", "a3-", "a4", "g2-", "g4-"].iter().any(|series| machine_type.starts_with(series))
}

/// The value of the field `gpus` for GPUs of NVIDIA.
pub fn attached_gpus(model: &str, count: u32) -> Value {
    json!([{"type": format!("nvidia-tesla-{model}"), "count": count}])
}

/// `a` is for accelerators and `g` for graphics; `g1` predates this scheme.
const WITHOUT_GPUS: [&str; 9] = ["c", "e", "f", "h", "m", "n", "t", "x", "z"];

/// Classes of machines, which follow the family's name.
const CLASSES: [&str; 14] = [
    "standard", "highmem", "highcpu", "custom", "micro", "small", "medium", "highgpu", "megagpu", "ultragpu",
    "edgegpu", "megamem", "ultramem", "hypermem",
];

/// `<family>-<class>[-<processors, or GPUs with a "g">]`: `g2-standard-8`, `a2-highgpu-1g`, `e2-medium`.
fn type_name(name: &str) -> Option<TypeName<'_>> {
    let mut parts = name.split('-');
    let family = parts.next()?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_family = family.starts_with(|c: char| c.is_ascii_lowercase())
        && family.contains(|c: char| c.is_ascii_digit())
        && family.chars().all(is_plain);
    if !is_family || !CLASSES.contains(&parts.next()?) {
        return None;
    }
    let size = parts.next().map_or(Some(0), leading_number)?;
    Some(TypeName { cloud: Provider::Gcp, family, size })
}
