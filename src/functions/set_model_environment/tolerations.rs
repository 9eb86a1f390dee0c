//! Tolerations of the spec.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use crate::model::machines::Taint;
use crate::platform::instance::NVIDIA_GPU;

const FROM_MACHINE_SETS: &str = "fromMachineSets";
const KEYS: [&str; 5] = ["key", "operator", "value", "effect", "tolerationSeconds"];

#[derive(Debug)]
pub enum Tolerations {
    /// For the taints of the GPU MachineSets in the package.
    FromMachineSets,
    /// These only.
    List(Vec<Value>),
}

impl<'de> Deserialize<'de> for Tolerations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = match Value::deserialize(deserializer)? {
            Value::String(text) if text == FROM_MACHINE_SETS => return Ok(Tolerations::FromMachineSets),
            Value::Array(list) => list,
            _ => return Err(Error::custom("must be `fromMachineSets` or a list of tolerations")),
        };
        let is_wrong = |toleration: &&Value| toleration.as_object().is_none_or(|map| !is_toleration(map));
        match list.iter().find(is_wrong) {
            Some(wrong) => Err(Error::custom(format!(
                "must have tolerations such as {{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}}, got {wrong}"
            ))),
            None => Ok(Tolerations::List(list)),
        }
    }
}

fn is_toleration(map: &Map<String, Value>) -> bool {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let is_one_of = |key: &str, values: &[&str]| {
        map.get(key).is_none() || text(key).is_some_and(|text| values.contains(&text))
    };
    let exists = text("operator") == Some("Exists");
    map.keys().all(|key| KEYS.contains(&key.as_str()))
        && ["key", "value"].into_iter().all(|key| map.get(key).is_none() || text(key).is_some())
        && is_one_of("operator", &["Exists", "Equal"])
        && is_one_of("effect", &["NoSchedule", "PreferNoSchedule", "NoExecute"])
        && (text("key").is_some() || exists)
        && !(exists && map.contains_key("value"))
}

impl JsonSchema for Tolerations {
    fn schema_name() -> Cow<'static, str> {
        "Tolerations".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = json_schema!({"type": "string"});
        json_schema!({"anyOf": [
            {"const": FROM_MACHINE_SETS},
            {"type": "array", "items": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "key": text,
                    "operator": {"enum": ["Exists", "Equal"]},
                    "value": text,
                    "effect": {"enum": ["NoSchedule", "PreferNoSchedule", "NoExecute"]},
                    "tolerationSeconds": {"type": "integer"}
                }
            }}
        ]})
    }
}

/// The taint of NVIDIA's GPUs, for packages without MachineSets.
pub fn usual_taint() -> Taint {
    Taint { key: NVIDIA_GPU.to_owned(), value: String::new(), effect: "NoSchedule".to_owned() }
}
