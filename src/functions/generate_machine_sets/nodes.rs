//! Labels and taints of nodes with GPUs.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GenerateMachineSets;
use super::figures::Figures;
use crate::formats::label;
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
    /// What becomes of pods that do not tolerate it.
    pub effect: Effect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Effect {
    /// They are not started there.
    NoSchedule,
    /// They are started elsewhere if possible.
    PreferNoSchedule,
    /// They are not started there, and stopped where they run.
    NoExecute,
}

impl Taint {
    pub fn is_legal(&self) -> bool {
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

impl GenerateMachineSets {
    /// The labels that are new on the nodes.
    pub fn node_labels(&self, figures: &Figures) -> BTreeMap<String, String> {
        let mut labels = BTreeMap::from([
            (ACCELERATOR.to_owned(), figures.accelerator.to_string()),
            (GPU_ROLE.to_owned(), String::new()),
        ]);
        if figures.resource == NVIDIA_GPU {
            labels.insert(GPU_PRESENT.to_owned(), "true".to_owned());
        }
        labels.extend(self.labels.clone());
        labels
    }

    /// What the label `cluster-api/accelerator` says, and so what limits must say too.
    pub fn accelerator_label(&self, figures: &Figures) -> String {
        self.labels.get(ACCELERATOR).cloned().unwrap_or_else(|| figures.accelerator.to_string())
    }

    pub fn node_taints(&self, figures: &Figures) -> Vec<Taint> {
        self.taints.clone().unwrap_or_else(|| {
            let (key, value) = (figures.resource.to_owned(), Some("true".to_owned()));
            vec![Taint { key, value, effect: Effect::NoSchedule }]
        })
    }
}
