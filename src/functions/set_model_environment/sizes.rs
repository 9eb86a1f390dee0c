//! Replicas, CPUs and memory of the spec.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::ByName;
use crate::formats::quantity;
use crate::krm::{CollectOrdered, FieldPath, Mistakes, quoted};
use crate::platform::serving;

/// The number of replicas.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replicas {
    /// The minimum. 0 means that a model without requests has no replica.
    pub min: Option<u32>,
    /// The maximum.
    pub max: Option<u32>,
}

impl Replicas {
    pub fn check(&self, mistakes: &mut Mistakes) {
        if let (Some(min), Some(max)) = (self.min, self.max)
            && min > max
        {
            let message = format!("must not be above `max`, which is {max}, got {min}");
            mistakes.add(FieldPath::new("spec.replicas.min"), message);
        } else if self.max == Some(0) {
            mistakes.add(FieldPath::new("spec.replicas.max"), "must be at least 1, got 0");
        }
    }
}

/// Resources of each replica, by name.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sizes {
    /// The most that a replica can use: `{cpu: "4", memory: 12Gi}`.
    #[serde(default)]
    limits: ByName,
    /// What is reserved for a replica.
    #[serde(default)]
    requests: ByName,
}

impl Sizes {
    pub fn check(&self, has_gpus: bool, mistakes: &mut Mistakes) {
        for (kind, resource, value) in self.all() {
            let path = FieldPath::new("spec.resources").key(kind).key(resource.to_owned());
            if has_gpus && serving::is_whole_gpu(resource) {
                mistakes.add(path, "is also in `gpus`; remove one of them");
            } else if text(value).is_none_or(|text| quantity::amount(&text).is_none()) {
                let message = format!("must be a quantity such as 600m, 2 or 8Gi, got {value}");
                mistakes.add(path, message);
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (&'static str, &String, &Value)> {
        let limits = self.limits.iter().map(|(name, value)| ("limits", name, value));
        limits.chain(self.requests.iter().map(|(name, value)| ("requests", name, value)))
    }

    /// The resources, each once.
    pub fn names(&self) -> BTreeSet<&String> {
        self.limits.keys().chain(self.requests.keys()).collect_ordered()
    }

    /// The values to write: `limits` or `requests`, the resource and the amount.
    pub fn amounts(&self) -> impl Iterator<Item = (&'static str, &String, String)> {
        self.all().filter_map(|(kind, resource, value)| Some((kind, resource, text(value)?)))
    }
}

/// A whole number may be written without quotes.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A message about an unknown value, which is quoted.
pub fn got(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}
