//! What shows that the machines of a MachineSet have GPUs.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::krm::{Fault, FieldPath, Resource, quoted};
use crate::platform::gpu_label::describes_gpus;
use crate::platform::machine::{self, ACCELERATOR, GPU_PRESENT, GPU_ROLE, GPUS};
use crate::platform::{instance, provider};

/// An annotation, a label, a taint, GPUs in the providerSpec, or an instance type of the catalogue.
pub fn of_gpus(set: &Resource) -> Result<Option<String>, Fault> {
    let annotated = set.annotation(GPUS)?.filter(|count| count != "0").map(|n| format!("`{GPUS}: {n}`"));
    let labels = [labels(set, &machine::labels())?, labels(set, &machine::node_labels())?];
    let is_sign =
        |key: &&String| [ACCELERATOR, GPU_PRESENT, GPU_ROLE].contains(&key.as_str()) || describes_gpus(key);
    let labelled =
        labels.iter().flat_map(BTreeMap::keys).find(is_sign).map(|key| format!("the label {}", quoted(key)));
    let tainted = taint_keys(set)?
        .into_iter()
        .find(|key| instance::gpu_resources().any(|resource| resource == key))
        .map(|key| format!("the taint {}", quoted(key)));
    let attached = provider::attached_gpus(set)?.map(|field| format!("`{field}` of its providerSpec"));
    let sized = instance::of_set(set)?.map(|known| quoted(known.name));
    Ok(annotated.or(labelled).or(tainted).or(attached).or(sized))
}

pub fn labels(set: &Resource, path: &FieldPath) -> Result<BTreeMap<String, String>, Fault> {
    Ok(set.get(path)?.unwrap_or_default())
}

pub fn taint_keys(set: &Resource) -> Result<Vec<String>, Fault> {
    let taints: Vec<Map<String, Value>> = set.get(&machine::taints())?.unwrap_or_default();
    Ok(taints.iter().filter_map(|taint| taint.get("key")?.as_str().map(str::to_owned)).collect())
}
