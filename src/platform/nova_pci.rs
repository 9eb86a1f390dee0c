//! The JSON of Nova's options for PCI devices: the keys that it may have, and their values (nova 27, which RHOSO 18 has,
//! and later ones).

use super::nova::{ALIAS, DEVICE_SPEC};

/// The key that every alias needs.
pub const ALIAS_NAME: &str = "name";

/// A key of the JSON object.
#[derive(Debug)]
pub struct PciKey {
    pub name: &'static str,
    pub value: PciValue,
    /// Whether only later releases than that of RHOSO 18 know it.
    pub is_newer: bool,
}

/// What the value of a key may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PciValue {
    /// An address, or an object with regular expressions for its parts.
    Address,
    /// Four hexadecimal digits.
    Id,
    /// A hexadecimal number of at most four digits, or `*`.
    AnyId,
    OneOf(&'static [&'static str]),
    /// Text that is not empty.
    Name,
    Text,
    /// Text, or null for a network without a name.
    TextOrNull,
    /// true or false, as JSON or as text.
    Switch,
}

/// What is known about the keys of an option.
#[derive(Debug)]
pub struct PciSchema {
    pub keys: &'static [PciKey],
    /// Whether Nova refuses to start with any other key.
    pub is_complete: bool,
    /// Whether a list of objects is allowed.
    pub may_be_list: bool,
}

/// The schema of an option with its current section and name.
pub fn schema(option: (&str, &str)) -> Option<&'static PciSchema> {
    match option {
        ALIAS => Some(&ALIAS_SCHEMA),
        DEVICE_SPEC => Some(&DEVICE_SPEC_SCHEMA),
        _ => None,
    }
}

const fn key(name: &'static str, value: PciValue) -> PciKey {
    PciKey { name, value, is_newer: false }
}

const fn newer(name: &'static str, value: PciValue) -> PciKey {
    PciKey { name, value, is_newer: true }
}

const YES_OR_NO: PciValue = PciValue::OneOf(&["yes", "no"]);

static ALIAS_SCHEMA: PciSchema = PciSchema {
    keys: &[
        key("capability_type", PciValue::OneOf(&["pci"])),
        key("device_type", PciValue::OneOf(&["type-PCI", "type-PF", "type-VF"])),
        newer("live_migratable", YES_OR_NO),
        key(ALIAS_NAME, PciValue::Name),
        key("numa_policy", PciValue::OneOf(&["legacy", "preferred", "required", "socket"])),
        key("product_id", PciValue::Id),
        key("resource_class", PciValue::Text),
        key("traits", PciValue::Text),
        key("vendor_id", PciValue::Id),
    ],
    is_complete: true,
    may_be_list: false,
};

/// Keys that Nova does not know are tags of the device, which other components may read.
static DEVICE_SPEC_SCHEMA: PciSchema = PciSchema {
    keys: &[
        key("address", PciValue::Address),
        key("devname", PciValue::Text),
        newer("live_migratable", PciValue::Switch),
        newer("managed", PciValue::Switch),
        newer("one_time_use", PciValue::Switch),
        key("physical_network", PciValue::TextOrNull),
        key("product_id", PciValue::AnyId),
        key("remote_managed", PciValue::Switch),
        key("resource_class", PciValue::Text),
        key("traits", PciValue::Text),
        key("trusted", PciValue::Switch),
        key("vendor_id", PciValue::AnyId),
    ],
    is_complete: false,
    may_be_list: true,
};
