//! Nova's PCI options.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::formats::pci::PciAddress;

/// The section and option of PCI aliases; the option may stand many times, one alias each.
pub const ALIAS: (&str, &str) = ("pci", "alias");

/// Aliases under the name they had before; Nova still reads both together.
pub const OLD_ALIAS: (&str, &str) = ("DEFAULT", "pci_alias");

/// The devices of a compute that are for guests; the option may stand many times.
pub const DEVICE_SPEC: (&str, &str) = ("pci", "device_spec");

/// Whether a compute reports its PCI devices to Placement.
pub const REPORT_IN_PLACEMENT: (&str, &str) = ("pci", "report_in_placement");

/// Whether API, scheduler and conductors look for PCI devices in Placement.
pub const PCI_IN_PLACEMENT: (&str, &str) = ("filter_scheduler", "pci_in_placement");

/// What oslo.config takes for true.
pub fn is_true(value: &str) -> bool {
    ["true", "1", "yes", "on"].contains(&value.to_ascii_lowercase().as_str())
}

/// How Nova sees a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DeviceType {
    /// A device without SR-IOV, or one whose SR-IOV is hidden, as from a nested hypervisor.
    #[serde(rename = "type-PCI")]
    Pci,
    /// A whole card that has SR-IOV, as data-centre GPUs since Ampere do.
    #[serde(rename = "type-PF")]
    PhysicalFunction,
    /// One virtual function of such a card.
    #[serde(rename = "type-VF")]
    VirtualFunction,
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceType::Pci => "type-PCI",
            DeviceType::PhysicalFunction => "type-PF",
            DeviceType::VirtualFunction => "type-VF",
        })
    }
}

/// How strictly a guest must share the device's NUMA node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NumaPolicy {
    /// Only on the device's node.
    Required,
    /// On the device's node if the host knows it; Nova's default.
    Legacy,
    /// On the device's node if possible.
    Preferred,
    /// On the device's socket.
    Socket,
}

/// One value of the option: a JSON object. Two spellings of one alias are equal.
#[derive(Debug, Clone)]
pub struct PciAlias(Map<String, Value>);

impl PciAlias {
    /// From keys and values, in the order in which they are written.
    pub fn new<'k>(pairs: impl IntoIterator<Item = (&'k str, Value)>) -> Self {
        PciAlias(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Reads an option's value; none for what Nova would refuse to start with.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(PciAlias)
    }

    /// Reads the value of a `device_spec`, which may be a list; empty for what Nova would refuse to start with.
    pub fn parse_list(text: &str) -> Vec<Self> {
        match serde_json::from_str(text) {
            Ok(OneOrMany::One(map)) => vec![PciAlias(map)],
            Ok(OneOrMany::Many(maps)) => maps.into_iter().map(PciAlias).collect(),
            Err(_) => Vec::new(),
        }
    }

    /// Where the devices of a `device_spec` sit; none for regular expressions and names of interfaces, which
    /// only the host can resolve.
    pub fn address(&self) -> Option<PciAddress> {
        match (self.0.get("address"), self.0.get("devname")) {
            (None | Some(Value::Null), None) => Some(PciAddress::ANY),
            (Some(Value::String(text)), None) => PciAddress::parse_glob(text),
            _ => None,
        }
    }

    /// Nova takes blanks around a name for none.
    pub fn name(&self) -> Option<&str> {
        self.0.get("name").and_then(Value::as_str).map(str::trim)
    }

    /// Whether two values name the same vendor and product.
    pub fn is_for_same_device(&self, other: &PciAlias) -> bool {
        let (mine, theirs) = (self.meaning(), other.meaning());
        ["vendor_id", "product_id"].iter().all(|key| mine.get(*key) == theirs.get(*key))
    }

    /// The keys in which two aliases say different things.
    pub fn differences(&self, other: &PciAlias) -> Vec<String> {
        let (mine, theirs) = (self.meaning(), other.meaning());
        let mut keys: Vec<String> = mine.keys().chain(theirs.keys()).cloned().collect();
        keys.retain(|key| mine.get(key) != theirs.get(key));
        keys.sort();
        keys.dedup();
        keys
    }

    /// What the alias says: Nova's defaults filled in, ids in one case. An alias without a device type
    /// matches devices and virtual functions alike, so that has no default.
    fn meaning(&self) -> Map<String, Value> {
        let mut full = Map::from_iter([
            ("numa_policy".to_owned(), json!(NumaPolicy::Legacy)),
            ("capability_type".to_owned(), json!("pci")),
        ]);
        for (key, value) in &self.0 {
            let value = match (key.as_str(), value) {
                ("vendor_id" | "product_id", Value::String(id)) => json!(id.to_lowercase()),
                ("name", Value::String(name)) => json!(name.trim()),
                _ => value.clone(),
            };
            full.insert(key.clone(), value);
        }
        full
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Map<String, Value>),
    Many(Vec<Map<String, Value>>),
}

impl PartialEq for PciAlias {
    fn eq(&self, other: &Self) -> bool {
        self.differences(other).is_empty()
    }
}

/// As Red Hat's documentation spells it: `{ "vendor_id":"10de", "product_id":"27b8" }`.
impl fmt::Display for PciAlias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> =
            self.0.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        write!(f, "{{ {} }}", pairs.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_alias_are_equal() {
        let parse = |text: &str| PciAlias::parse(text).unwrap();
        let l4 = parse(r#"{"name":"l4","vendor_id":"10de","product_id":"27b8"}"#);
        let spaced = r#"{ "product_id" : "27B8", "numa_policy":"legacy", "vendor_id":"10DE","capability_type":"pci", "name":" l4 "}"#;
        assert_eq!(l4, parse(spaced));
        assert_ne!(
            l4,
            parse(r#"{"name":"l4","vendor_id":"10de","product_id":"27b8","device_type":"type-PCI"}"#)
        );
        assert_ne!(l4, parse(r#"{"name":"l4","vendor_id":"10de","product_id":"20f1"}"#));
        assert_eq!(PciAlias::parse("[]"), None);
        assert_eq!(PciAlias::parse("nvidia"), None);
    }

    #[test]
    fn device_specs_are_objects_or_lists_with_an_address_or_without() {
        let addresses = |text: &str| {
            let specs = PciAlias::parse_list(text);
            specs.iter().map(|spec| spec.address().map(|at| at.to_string())).collect::<Vec<_>>()
        };
        let at = |text: &str| Some(text.to_owned());
        assert_eq!(addresses(r#"{"vendor_id":"10de"}"#), [at("*:*:*.*")]);
        assert_eq!(addresses(r#"[{"address":"65:00.0"}, {"address":""}]"#), [at("*:65:00.0"), at("*:*:*.*")]);
        assert_eq!(addresses(r#"{"address":{"bus":"0[1-3]"}}"#), [None]);
        assert_eq!(addresses(r#"{"devname":"eth0"}"#), [None]);
        assert!(addresses("nvidia").is_empty() && addresses("[1]").is_empty());
    }
}
