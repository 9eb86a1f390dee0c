//! Nova's options for PCI devices.

use crate::krm::Order;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::formats::ini::{Ini, IniOption};
use crate::formats::pci::PciAddress;

/// The section and option of PCI aliases. The option may be repeated; each occurrence has one alias.
pub const ALIAS: (&str, &str) = ("pci", "alias");

/// The former name of the option. Nova still reads it, together with the current one.
pub const OLD_ALIAS: (&str, &str) = ("DEFAULT", "pci_alias");

/// The devices of a compute node that guests may use. The option may be repeated.
pub const DEVICE_SPEC: (&str, &str) = ("pci", "device_spec");

/// Whether a compute node reports its PCI devices to Placement.
pub const REPORT_IN_PLACEMENT: (&str, &str) = ("pci", "report_in_placement");

/// Whether the API, the scheduler and the conductors look for PCI devices in Placement.
pub const PCI_IN_PLACEMENT: (&str, &str) = ("filter_scheduler", "pci_in_placement");

/// Whether oslo.config reads a value as true.
pub fn is_true(value: &str) -> bool {
    ["true", "1", "yes", "on"].contains(&value.to_ascii_lowercase().as_str())
}

/// How Nova classifies a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum DeviceType {
    /// A device without SR-IOV, or one whose SR-IOV is hidden, for example in a nested hypervisor.
    #[serde(rename = "type-PCI")]
    Pci,
    /// A whole card with SR-IOV, such as data center GPUs since Ampere.
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
    /// The guest must be on the device's NUMA node.
    Required,
    /// The guest must be on the device's NUMA node if the host knows it. This is Nova's default.
    Legacy,
    /// The guest is on the device's NUMA node if possible.
    Preferred,
    /// The guest must be on the device's socket.
    Socket,
}

/// A value of `alias` or `device_spec`: a JSON object. Two spellings of the same settings are equal.
#[derive(Debug, Clone)]
pub struct PciSpec(Map<String, Value>);

impl PciSpec {
    /// From keys and values, in the order in which they are written.
    pub fn new<'k>(pairs: impl IntoIterator<Item = (&'k str, Value)>) -> Self {
        PciSpec(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Reads the value of an `alias`. If this returns none, Nova refuses to start.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(PciSpec)
    }

    /// Reads the value of a `device_spec`, which may be a list. Empty if Nova refuses to start with it.
    pub fn parse_list(text: &str) -> Vec<Self> {
        match serde_json::from_str(text) {
            Ok(OneOrMany::One(map)) => vec![PciSpec(map)],
            Ok(OneOrMany::Many(maps)) => maps.into_iter().map(PciSpec).collect(),
            Err(_) => Vec::new(),
        }
    }

    /// The PCI address of a `device_spec`. None for regular expressions and names of interfaces, which only the host
    /// can resolve.
    pub fn address(&self) -> Option<PciAddress> {
        match (self.0.get("address"), self.0.get("devname")) {
            (None | Some(Value::Null), None) => Some(PciAddress::ANY),
            (Some(Value::String(text)), None) => PciAddress::parse_glob(text),
            _ => None,
        }
    }

    /// The name of an alias. Nova ignores spaces around it.
    pub fn name(&self) -> Option<&str> {
        self.0.get("name").and_then(Value::as_str).map(str::trim)
    }

    /// The vendor id in lower case. None if the devices of any vendor match.
    pub fn vendor(&self) -> Option<String> {
        self.id("vendor_id")
    }

    /// The product id in lower case. None if all products match.
    pub fn product(&self) -> Option<String> {
        self.id("product_id")
    }

    fn id(&self, key: &str) -> Option<String> {
        let id = self.0.get(key)?.as_str()?.trim();
        (!id.is_empty() && id != "*").then(|| id.to_ascii_lowercase())
    }

    /// The device type of an alias. None if it has none, or one that Nova does not know.
    pub fn device_type(&self) -> Option<DeviceType> {
        self.0.get("device_type").and_then(|value| DeviceType::deserialize(value).ok())
    }

    /// Whether the devices of a `device_spec` are network cards, which Neutron requests without an alias.
    pub fn is_for_neutron(&self) -> bool {
        ["physical_network", "remote_managed"].iter().any(|tag| self.0.contains_key(*tag))
    }

    /// The vendor id and the product id, in one spelling.
    pub fn ids(&self) -> [Option<String>; 2] {
        ["vendor_id", "product_id"].map(|key| match self.0.get(key)? {
            Value::String(id) => Some(json!(id.to_lowercase()).to_string()),
            other => Some(other.to_string()),
        })
    }

    /// The keys with different values in two aliases, in alphabetical order.
    pub fn differences(&self, other: &PciSpec) -> Vec<String> {
        let (mine, theirs) = (self.normalized(), other.normalized());
        let mut keys: Vec<String> = mine.keys().chain(theirs.keys()).cloned().collect();
        keys.retain(|key| mine.get(key) != theirs.get(key));
        keys.order();
        keys.dedup();
        keys
    }

    /// The settings with Nova's defaults, and ids in lower case. The device type has no default: an alias without it
    /// matches whole devices and virtual functions alike.
    fn normalized(&self) -> Map<String, Value> {
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

/// The aliases of a configuration, under both names of the option. The value is none if it is not a JSON object.
pub fn aliases<'i>(ini: &'i Ini<'_>) -> impl Iterator<Item = (&'i IniOption, Option<PciSpec>)> {
    let options = [ALIAS, OLD_ALIAS].map(|(section, key)| ini.all(section, key));
    options.into_iter().flatten().map(|option| (option, PciSpec::parse(&option.value)))
}

/// The `device_spec` values of a configuration. Those that Nova cannot read are left out.
pub fn device_specs<'i>(ini: &'i Ini<'_>) -> impl Iterator<Item = (&'i IniOption, PciSpec)> {
    let (section, key) = DEVICE_SPEC;
    ini.all(section, key)
        .flat_map(|option| PciSpec::parse_list(&option.value).into_iter().map(move |spec| (option, spec)))
}

/// The `device_spec` options that Nova cannot read.
pub fn unreadable_device_specs<'i>(ini: &'i Ini<'_>) -> impl Iterator<Item = &'i IniOption> {
    let (section, key) = DEVICE_SPEC;
    ini.all(section, key).filter(|option| PciSpec::parse_list(&option.value).is_empty())
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Map<String, Value>),
    Many(Vec<Map<String, Value>>),
}

impl PartialEq for PciSpec {
    fn eq(&self, other: &Self) -> bool {
        self.differences(other).is_empty()
    }
}

/// As Red Hat's documentation writes it: `{ "vendor_id":"10de", "product_id":"27b8" }`.
impl fmt::Display for PciSpec {
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
        let parse = |text: &str| PciSpec::parse(text).unwrap();
        let l4 = parse(r#"{"name":"l4","vendor_id":"10de","product_id":"27b8"}"#);
        let spaced = r#"{ "product_id" : "27B8", "numa_policy":"legacy", "vendor_id":"10DE","capability_type":"pci", "name":" l4 "}"#;
        assert_eq!(l4, parse(spaced));
        assert_ne!(
            l4,
            parse(r#"{"name":"l4","vendor_id":"10de","product_id":"27b8","device_type":"type-PCI"}"#)
        );
        assert_ne!(l4, parse(r#"{"name":"l4","vendor_id":"10de","product_id":"20f1"}"#));
        assert_eq!(PciSpec::parse("[]"), None);
        assert_eq!(PciSpec::parse("nvidia"), None);
    }

    #[test]
    fn device_specs_are_objects_or_lists_with_an_address_or_without() {
        let addresses = |text: &str| {
            let specs = PciSpec::parse_list(text);
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
