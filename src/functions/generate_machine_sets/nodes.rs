//! Labels and taints that nodes with GPUs get, and whether those of the config are valid.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GpuMachineSets;
use super::machine::Gpus;
use crate::formats::label;
use crate::krm::{FieldPath, Mistakes, quoted};
use crate::platform::instance::NVIDIA_GPU;
use crate::platform::machine::{ACCELERATOR, GPU_PRESENT, GPU_ROLE};

/// A taint.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Taint {
    /// The key: `nvidia.com/gpu`.
    pub key: String,
    /// The value.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// What happens to pods that do not tolerate it.
    pub effect: Effect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Effect {
    /// They are not scheduled to the node.
    NoSchedule,
    /// They are scheduled to other nodes if possible.
    PreferNoSchedule,
    /// They are not scheduled to the node, and running ones are evicted.
    NoExecute,
}

impl Taint {
    fn is_valid(&self) -> bool {
        label::is_key(&self.key) && self.value.as_deref().is_none_or(label::is_value)
    }
}

/// As kubectl writes it: `nvidia.com/gpu=true:NoSchedule`.
impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
        write!(f, "{}{value}:{:?}", self.key, self.effect)
    }
}

pub fn check_labels(labels: &BTreeMap<String, String>, mistakes: &mut Mistakes) {
    for (key, value) in labels.iter().filter(|(key, value)| !label::is_key(key) || !label::is_value(value)) {
        let message = format!("{} is not a valid Kubernetes label", quoted(format!("{key}={value}")));
        mistakes.add(FieldPath::new("spec.labels"), message);
    }
}

pub fn check_taints(taints: &[Taint], mistakes: &mut Mistakes) {
    for (i, taint) in taints.iter().enumerate() {
        let is_twin = |other: &Taint| other.key == taint.key && other.effect == taint.effect;
        let path = FieldPath::new("spec.taints").index(i);
        if !taint.is_valid() {
            mistakes.add(path, format!("{} is not a valid Kubernetes taint", quoted(taint)));
        } else if taints[..i].iter().any(is_twin) {
            let message = format!(
                "{} has the same key and effect as an earlier taint; remove one of them",
                quoted(taint)
            );
            mistakes.add(path, message);
        }
    }
}

impl GpuMachineSets {
    /// The labels that nodes get in addition to those of the template.
    pub fn node_labels(&self, gpus: &Gpus) -> BTreeMap<String, String> {
        let mut labels = BTreeMap::from([
            (ACCELERATOR.to_owned(), gpus.accelerator.to_string()),
            (GPU_ROLE.to_owned(), String::new()),
        ]);
        if gpus.resource == NVIDIA_GPU {
            labels.insert(GPU_PRESENT.to_owned(), "true".to_owned());
        }
        labels.extend(self.labels.clone());
        labels
    }

    /// The value of the label `cluster-api/accelerator`. Limits for GPUs must use the same value.
    pub fn accelerator_label(&self, gpus: &Gpus) -> String {
        self.labels.get(ACCELERATOR).cloned().unwrap_or_else(|| gpus.accelerator.to_string())
    }

    pub fn node_taints(&self, gpus: &Gpus) -> Vec<Taint> {
        self.taints.clone().unwrap_or_else(|| {
            let (key, value) = (gpus.resource.to_owned(), Some("true".to_owned()));
            vec![Taint { key, value, effect: Effect::NoSchedule }]
        })
    }
}
