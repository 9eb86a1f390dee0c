//! Hosts of a subnet as people write them: addresses (`172.17.0.80-172.17.0.90`, `172.17.0.64/26`), or host numbers
//! (`80-90`) that mean the same hosts in any subnet.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};

use super::ip::{Family, IpRange, Subnet};

/// A range of hosts. The text is kept for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    text: String,
    written: Written,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Written {
    Addresses(IpRange),
    /// The digits as they appear in an address: decimal in IPv4, hexadecimal in IPv6.
    Numbers {
        first: String,
        last: String,
    },
}

impl Hosts {
    /// Reads a range. A single address or host number is a range of one host.
    pub fn parse(text: &str) -> Result<Self, String> {
        let written = if text.contains(['.', ':']) {
            let is_one = !text.contains(['-', '/']);
            let range = if is_one { format!("{text}-{text}") } else { text.to_owned() };
            Written::Addresses(IpRange::parse(&range)?)
        } else {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let (first, last) = (first.trim().to_owned(), last.trim().to_owned());
            let is_number = |text: &str| !text.is_empty() && u64::from_str_radix(text, 16).is_ok();
            if !is_number(&first) || !is_number(&last) || text.contains('+') {
                return Err("it is neither a range of addresses nor one of host numbers".to_owned());
            }
            Written::Numbers { first, last }
        };
        Ok(Hosts { text: text.to_owned(), written })
    }

    /// The addresses in a subnet.
    pub fn resolve(&self, subnet: Subnet) -> Result<IpRange, String> {
        self.resolve_moved(subnet, subnet)
    }

    /// The addresses in a subnet. Addresses are written for another subnet, and keep their host numbers.
    pub fn resolve_moved(&self, written_for: Subnet, subnet: Subnet) -> Result<IpRange, String> {
        let (first, last) = match &self.written {
            Written::Addresses(_) if written_for.family() != subnet.family() => {
                return Err(format!("{} is of another family than {subnet}", self.text));
            }
            Written::Addresses(range) => {
                let number = |ip| {
                    let outside = || format!("{} is not in {written_for}", self.text);
                    written_for.number_of(ip).ok_or_else(outside)
                };
                (number(range.first())?, number(range.last())?)
            }
            Written::Numbers { first, last } => {
                (host_number(first, subnet.family())?, host_number(last, subnet.family())?)
            }
        };
        if first > last {
            return Err(format!("{} ends before it begins", self.text));
        }
        let shown = |number| match subnet.family() {
            Family::V4 => format!("{number}"),
            Family::V6 => format!("{number:x}"),
        };
        let host = |number| {
            let last = shown(subnet.last_host());
            let message = || format!("host {} is not in {subnet}, whose last host is {last}", shown(number));
            subnet.host(number).ok_or_else(message)
        };
        let range = IpRange::between(host(first)?, host(last)?);
        range.ok_or_else(|| format!("{} ends before it begins", self.text))
    }

    /// Whether these are addresses, which belong to one subnet.
    pub fn are_addresses(&self) -> bool {
        matches!(self.written, Written::Addresses(_))
    }

    /// The addresses, if these are addresses.
    pub fn addresses(&self) -> Option<IpRange> {
        match self.written {
            Written::Addresses(range) => Some(range),
            Written::Numbers { .. } => None,
        }
    }
}

fn host_number(digits: &str, family: Family) -> Result<u128, String> {
    let radix = if family == Family::V4 { 10 } else { 16 };
    u128::from_str_radix(digits, radix).map_err(|_| format!("\"{digits}\" is not a host number of IPv4"))
}

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Hosts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Range;

        impl Visitor<'_> for Range {
            type Value = Hosts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "addresses such as 172.17.0.80-172.17.0.90 or 172.17.0.64/26, or host numbers such as 80-90",
                )
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Hosts, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Hosts, E> {
                Hosts::parse(text).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Range)
    }
}

impl JsonSchema for Hosts {
    fn schema_name() -> Cow<'static, str> {
        "Hosts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [
            {"type": "string", "pattern": "^[0-9a-fA-F.:]+( *- *[0-9a-fA-F.:]+|/[0-9]+)?$"},
            {"type": "integer", "minimum": 0},
        ]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, subnet: &str) -> Result<String, String> {
        let subnet = Subnet::parse(subnet).unwrap();
        Hosts::parse(text).and_then(|hosts| hosts.resolve(subnet)).map(|range| range.to_string())
    }

    #[test]
    fn numbers_mean_the_same_hosts_in_any_subnet() {
        for (text, subnet, range) in [
            ("80-90", "172.17.0.0/24", "172.17.0.80-172.17.0.90"),
            ("80 - 90", "172.17.3.0/24", "172.17.3.80-172.17.3.90"),
            ("80-90", "fd00:bbbb::/64", "fd00:bbbb::80-fd00:bbbb::90"),
            ("a0-af", "fd00:bbbb::/64", "fd00:bbbb::a0-fd00:bbbb::af"),
            ("5", "172.17.0.0/24", "172.17.0.5-172.17.0.5"),
            ("300-310", "10.0.0.0/22", "10.0.1.44-10.0.1.54"),
            ("172.17.0.80-172.17.0.90", "172.17.0.0/24", "172.17.0.80-172.17.0.90"),
            ("172.17.0.64/26", "172.17.0.0/24", "172.17.0.64-172.17.0.127"),
            ("172.17.0.9", "172.17.0.0/24", "172.17.0.9-172.17.0.9"),
        ] {
            assert_eq!(resolve(text, subnet).as_deref(), Ok(range));
        }
        let moved = Hosts::parse("172.17.0.80-172.17.0.90").unwrap();
        let (from, to) = ("172.17.0.0/24", "172.17.2.0/24");
        let moved = moved.resolve_moved(Subnet::parse(from).unwrap(), Subnet::parse(to).unwrap()).unwrap();
        assert_eq!(moved.to_string(), "172.17.2.80-172.17.2.90");
    }

    #[test]
    fn hosts_outside_the_subnet_are_refused() {
        for (text, subnet, why) in [
            ("80-90", "172.17.0.0/26", "host 80 is not in 172.17.0.0/26, whose last host is 63"),
            ("90-80", "172.17.0.0/24", "90-80 ends before it begins"),
            ("172.18.0.80-172.18.0.90", "172.17.0.0/24", "172.18.0.80-172.18.0.90 is not in 172.17.0.0/24"),
            ("a0-af", "172.17.0.0/24", "\"a0\" is not a host number of IPv4"),
            ("x", "172.17.0.0/24", "it is neither a range of addresses nor one of host numbers"),
            ("-5", "172.17.0.0/24", "it is neither a range of addresses nor one of host numbers"),
            ("", "172.17.0.0/24", "it is neither a range of addresses nor one of host numbers"),
        ] {
            assert_eq!(resolve(text, subnet).unwrap_err(), why);
        }
    }
}
