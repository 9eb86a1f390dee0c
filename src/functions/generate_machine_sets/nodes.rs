//! Labels and taints that nodes with GPUs get, and whether those of the config are legal.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GenerateMachineSets;
use super::machine::Figures;
use crate::formats::label;
use crate::krm::{BadField, quoted};
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
    fn is_legal(&self) -> bool {
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
    pub(super) fn check_labels(&self) -> Result<(), BadField> {
        let is_legal = |(key, value): &(&String, &String)| label::is_key(key) && label::is_value(value);
        match self.labels.iter().find(|label| !is_legal(label)) {
            None => Ok(()),
            Some((key, value)) => {
                let message = format!("{} is not a valid Kubernetes label", quoted(format!("{key}={value}")));
                Err(BadField::new("labels", message))
            }
        }
    }

    pub(super) fn check_taints(&self) -> Result<(), BadField> {
        let taints = self.taints.as_deref().unwrap_or_default();
        for (i, taint) in taints.iter().enumerate() {
            let is_twin = |other: &Taint| other.key == taint.key && other.effect == taint.effect;
            let message = if !taint.is_legal() {
                format!("{} is not a valid Kubernetes taint", quoted(taint))
            } else if taints[..i].iter().any(is_twin) {
                format!(
                    "{} has the same key and effect as an earlier taint; remove one of them",
                    quoted(taint)
                )
            } else {
                continue;
            };
            return Err(BadField::new(format!("taints[{i}]"), message));
        }
        Ok(())
    }

    /// The labels that nodes get beside those of the template.
    pub(super) fn node_labels(&self, figures: &Figures) -> BTreeMap<String, String> {
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

    /// The value of the label `cluster-api/accelerator`. Limits for GPUs must use the same value.
    pub(super) fn accelerator_label(&self, figures: &Figures) -> String {
        self.labels.get(ACCELERATOR).cloned().unwrap_or_else(|| figures.accelerator.to_string())
    }

    pub(super) fn node_taints(&self, figures: &Figures) -> Vec<Taint> {
        self.taints.clone().unwrap_or_else(|| {
            let (key, value) = (figures.resource.to_owned(), Some("true".to_owned()));
            vec![Taint { key, value, effect: Effect::NoSchedule }]
        })
    }
}
