//! Taints of nodes, and tolerations of pods.

use std::fmt;

use serde_json::{Map, Value};

/// A taint of a node. An empty value is no value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taint {
    pub key: String,
    pub value: String,
    pub effect: String,
}

/// A toleration of a pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toleration {
    /// None tolerates every key.
    pub key: Option<String>,
    /// `Exists` or `Equal`, which is the default.
    pub operator: Option<String>,
    pub value: String,
    /// None tolerates every effect.
    pub effect: Option<String>,
}

fn text(map: &Map<String, Value>, key: &str) -> Option<String> {
    map.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Taint {
    /// None if it has no key.
    pub fn read(map: &Map<String, Value>) -> Option<Self> {
        let value = text(map, "value").unwrap_or_default();
        Some(Taint { key: text(map, "key")?, value, effect: text(map, "effect").unwrap_or_default() })
    }

    /// Whether it keeps pods that do not tolerate it from the node.
    pub fn repels(&self) -> bool {
        self.effect != "PreferNoSchedule"
    }
}

/// As kubectl writes it: `nvidia.com/gpu=true:NoSchedule`.
impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equals = if self.value.is_empty() { "" } else { "=" };
        write!(f, "{}{equals}{}:{}", self.key, self.value, self.effect)
    }
}

impl Toleration {
    pub fn read(map: &Map<String, Value>) -> Self {
        Toleration {
            key: text(map, "key"),
            operator: text(map, "operator"),
            value: text(map, "value").unwrap_or_default(),
            effect: text(map, "effect"),
        }
    }

    /// Whether a pod with this toleration may run on a node with the taint, as the scheduler decides.
    pub fn tolerates(&self, taint: &Taint) -> bool {
        let exists = self.operator.as_deref() == Some("Exists");
        self.effect.as_ref().is_none_or(|effect| *effect == taint.effect)
            && match &self.key {
                Some(key) => *key == taint.key && (exists || self.value == taint.value),
                None => exists,
            }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tolerations_match_as_in_the_scheduler() {
        let taint = |value: Value| Taint::read(value.as_object().unwrap()).unwrap();
        let none = taint(json!({"key": "nvidia.com/gpu", "effect": "NoSchedule"}));
        let with = taint(json!({"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}));
        let tolerates = |value: Value| {
            let toleration = Toleration::read(value.as_object().unwrap());
            (toleration.tolerates(&none), toleration.tolerates(&with))
        };
        assert_eq!(tolerates(json!({"key": "nvidia.com/gpu", "operator": "Exists"})), (true, true));
        assert_eq!(tolerates(json!({"key": "nvidia.com/gpu", "value": "true"})), (false, true));
        assert_eq!(tolerates(json!({"key": "nvidia.com/gpu", "value": "True"})), (false, false));
        assert_eq!(tolerates(json!({"key": "nvidia.com/gpu"})), (true, false));
        assert_eq!(tolerates(json!({"operator": "Exists", "effect": "NoExecute"})), (false, false));
        assert_eq!(tolerates(json!({"operator": "Exists"})), (true, true));
        assert_eq!(tolerates(json!({})), (false, false));
        assert_eq!(
            (none.to_string().as_str(), with.to_string().as_str()),
            ("nvidia.com/gpu:NoSchedule", "nvidia.com/gpu=true:NoSchedule")
        );
    }
}
