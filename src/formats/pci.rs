//! PCI ids and addresses.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// Four hex digits, as in `10de`. Kept in lower case; Nova compares without case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PciId(String);

impl PciId {
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 4 && text.bytes().all(|b| b.is_ascii_hexdigit()))
            .then(|| PciId(text.to_ascii_lowercase()))
    }

    /// The id as the number it is.
    pub fn number(&self) -> u16 {
        u16::from_str_radix(&self.0, 16).unwrap_or_default() // four hex digits always are one
    }
}

impl fmt::Display for PciId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for PciId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
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

/// Where devices sit: `0000:65:00.0`, in which `*` stands for any domain, bus, slot or function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PciAddress(String);

impl PciAddress {
    pub fn parse(text: &str) -> Option<Self> {
        let is_part = |part: &str, digits: usize, most: u32| {
            part == "*"
                || (part.len() == digits
                    && part.bytes().all(|b| b.is_ascii_hexdigit())
                    && u32::from_str_radix(part, 16).is_ok_and(|number| number <= most))
        };
        let (bus, function) = text.rsplit_once('.')?;
        let parts: Vec<&str> = bus.split(':').collect();
        let [domain, bus, slot] = parts.as_slice() else { return None };
        (is_part(domain, 4, 0xffff)
            && is_part(bus, 2, 0xff)
            && is_part(slot, 2, 0x1f)
            && is_part(function, 1, 7))
        .then(|| PciAddress(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for PciAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PciAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wanted = &"a PCI address such as 0000:65:00.0 or 0000:*:00.0";
        PciAddress::parse(&text).ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&text), wanted))
    }
}

impl JsonSchema for PciAddress {
    fn schema_name() -> Cow<'static, str> {
        "PciAddress".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^([0-9a-fA-F]{4}|\\*):([0-9a-fA-F]{2}|\\*):([01][0-9a-fA-F]|\\*)\\.([0-7]|\\*)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_four_hex_digits() {
        assert_eq!(PciId::parse("10DE").unwrap().to_string(), "10de");
        assert_eq!(PciId::parse("26b9").unwrap().number(), 9913);
        for text in ["", "10d", "10deg", "0x10", "10de ", "ü12"] {
            assert_eq!(PciId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_have_four_parts() {
        for text in ["0000:65:00.0", "0000:*:00.0", "*:*:*.*", "ffff:ff:1f.7"] {
            assert!(PciAddress::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "65:00.0",
            "0000:65:00",
            "0000:65:20.0",
            "0000:65:00.8",
            "0000:6g:00.0",
            "00:65:00.0",
            "0000:65:00.0 ",
        ] {
            assert_eq!(PciAddress::parse(text), None, "{text}");
        }
    }
}
