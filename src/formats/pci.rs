//! PCI ids and addresses.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::from_text;

/// A vendor or product id: four hex digits, such as `10de`. Stored in lower case, because Nova ignores case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PciId(String);

impl PciId {
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 4 && text.bytes().all(|b| b.is_ascii_hexdigit()))
            .then(|| PciId(text.to_ascii_lowercase()))
    }

    /// The id as a number.
    pub fn number(&self) -> u16 {
        u16::from_str_radix(&self.0, 16).unwrap_or_default() // four hex digits always parse
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
        // YAML reads ids such as 1e30 and 2331 as numbers unless they are in quotes.
        from_text::deserialize(deserializer, "four hex digits in quotes", PciId::parse)
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

/// The address of one or more devices: `0000:65:00.0`. A `*` matches any domain, bus, slot or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PciAddress {
    domain: Option<u16>,
    bus: Option<u16>,
    slot: Option<u16>,
    function: Option<u16>,
}

impl PciAddress {
    /// Matches every device.
    pub const ANY: PciAddress = PciAddress { domain: None, bus: None, slot: None, function: None };

    pub fn parse(text: &str) -> Option<Self> {
        let (bus, function) = text.rsplit_once('.')?;
        let parts: Vec<&str> = bus.split(':').collect();
        let [domain, bus, slot] = parts.as_slice() else { return None };
        let has_width = |part: &str, digits: usize| part == "*" || part.len() == digits;
        let is_padded =
            has_width(domain, 4) && has_width(bus, 2) && has_width(slot, 2) && has_width(function, 1);
        is_padded.then(|| PciAddress::of(domain, bus, slot, function)).flatten()
    }

    /// Reads an address like Nova: a missing or empty part is `*`, and leading zeros are optional.
    pub fn parse_glob(text: &str) -> Option<Self> {
        let (bus, function) = text.split_once('.').unwrap_or((text, ""));
        let mut parts: Vec<&str> = bus.split(':').collect();
        while parts.len() < 3 {
            parts.insert(0, "");
        }
        let [domain, bus, slot] = parts.as_slice() else { return None };
        let or_any =
            |part: &str| if part.trim().is_empty() { "*".to_owned() } else { part.trim().to_owned() };
        PciAddress::of(&or_any(domain), &or_any(bus), &or_any(slot), &or_any(function))
    }

    fn of(domain: &str, bus: &str, slot: &str, function: &str) -> Option<Self> {
        let number = |part: &str, most: u16| match part {
            "*" => Some(None),
            _ if !part.bytes().all(|b| b.is_ascii_hexdigit()) => None,
            _ => u16::from_str_radix(part, 16).ok().filter(|number| *number <= most).map(Some),
        };
        Some(PciAddress {
            domain: number(domain, 0xffff)?,
            bus: number(bus, 0xff)?,
            slot: number(slot, 0x1f)?,
            function: number(function, 7)?,
        })
    }

    /// Whether this address matches every device that `other` matches.
    pub fn covers(&self, other: &PciAddress) -> bool {
        let covers = |mine: Option<u16>, theirs: Option<u16>| mine.is_none() || mine == theirs;
        covers(self.domain, other.domain)
            && covers(self.bus, other.bus)
            && covers(self.slot, other.slot)
            && covers(self.function, other.function)
    }
}

impl fmt::Display for PciAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |part: Option<u16>, width: usize| {
            part.map_or("*".to_owned(), |number| format!("{number:0width$x}"))
        };
        let (domain, bus) = (part(self.domain, 4), part(self.bus, 2));
        write!(f, "{domain}:{bus}:{}.{}", part(self.slot, 2), part(self.function, 1))
    }
}

impl<'de> Deserialize<'de> for PciAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a PCI address such as 0000:65:00.0 or 0000:*:00.0";
        from_text::deserialize(deserializer, expected, PciAddress::parse)
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
            assert_eq!(PciAddress::parse(text).unwrap().to_string(), text);
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
            "0000:+5:00.0",
        ] {
            assert_eq!(PciAddress::parse(text), None, "{text}");
        }
    }

    #[test]
    fn short_forms_of_nova_are_read() {
        let read = |text: &str| PciAddress::parse_glob(text).map(|address| address.to_string());
        for (text, whole) in [
            ("", "*:*:*.*"),
            ("*:0a:00.*", "*:0a:00.*"),
            ("0a:00", "*:0a:00.*"),
            (":00.", "*:*:00.*"),
            (".2", "*:*:*.2"),
            ("0:A:0.0", "0000:0a:00.0"),
        ] {
            assert_eq!(read(text).as_deref(), Some(whole), "{text}");
        }
        for text in ["0:0:0:0.0", "x:00.0", "0000:00:20.0"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_address_covers_narrower_ones() {
        let address = |text: &str| PciAddress::parse(text).unwrap();
        assert!(PciAddress::ANY.covers(&address("0000:65:00.0")));
        assert!(address("0000:*:00.0").covers(&address("0000:65:00.0")));
        assert!(address("0000:65:00.0").covers(&address("0000:65:00.0")));
        assert!(!address("0000:65:00.0").covers(&address("0000:*:00.0")));
        assert!(!address("0000:65:00.*").covers(&address("0000:66:00.0")));
    }
}
