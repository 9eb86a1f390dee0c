//! PCI ids.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};

/// Four hex digits, as in `10de`. Kept in lower case; Nova compares without case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PciId(String);

impl PciId {
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 4 && text.bytes().all(|b| b.is_ascii_hexdigit()))
            .then(|| PciId(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for PciId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PciId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FourHexDigits;

        impl Visitor<'_> for FourHexDigits {
            type Value = PciId;

            // Without quotes, ids such as 1e30 and 2331 are numbers.
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("four hex digits in quotes")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PciId, E> {
                PciId::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(FourHexDigits)
    }
}

impl JsonSchema for PciId {
    fn schema_name() -> Cow<'static, str> {
        "PciId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9a-fA-F]{4}$"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_four_hex_digits() {
        assert_eq!(PciId::parse("10DE").unwrap().to_string(), "10de");
        for text in ["", "10d", "10deg", "0x10", "10de ", "ü12"] {
            assert_eq!(PciId::parse(text), None, "{text}");
        }
    }
}
