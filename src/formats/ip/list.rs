//! The addresses that a Service requests from MetalLB.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};

use super::{Family, parse_address};
use crate::formats::from_text;

/// One address, or one of each family, separated by a comma.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IpList(Vec<IpAddr>);

impl IpList {
    pub fn parse(text: &str) -> Result<Self, String> {
        let addresses: Result<Vec<IpAddr>, String> = text.split(',').map(parse_address).collect();
        match addresses?.as_slice() {
            [one] => Ok(IpList(vec![*one])),
            [one, two] if Family::of(*one) != Family::of(*two) => Ok(IpList(vec![*one, *two])),
            _ => Err("a Service can have only one address of each family".into()),
        }
    }

    pub fn one(ip: IpAddr) -> Self {
        IpList(vec![ip])
    }

    pub fn addresses(&self) -> &[IpAddr] {
        &self.0
    }

    pub fn of_family(&self, family: Family) -> Option<IpAddr> {
        self.0.iter().copied().find(|ip| Family::of(*ip) == family)
    }

    #[must_use]
    pub fn map(&self, change: impl Fn(IpAddr) -> IpAddr) -> Self {
        IpList(self.0.iter().map(|ip| change(*ip)).collect())
    }

    /// These addresses in the style of a string with the same number of addresses. Keeps its spaces, and its
    /// spelling of addresses that are equal.
    pub fn written_like(&self, text: &str) -> String {
        let parts: Vec<&str> = text.split(',').collect();
        if parts.len() != self.0.len() {
            return self.to_string();
        }
        let parts = parts.iter().zip(&self.0).map(|(part, ip)| {
            let old = part.trim();
            if old.parse() == Ok(*ip) { (*part).to_owned() } else { part.replacen(old, &ip.to_string(), 1) }
        });
        parts.collect::<Vec<_>>().join(",")
    }
}

impl fmt::Display for IpList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&addresses.join(","))
    }
}

impl<'de> Deserialize<'de> for IpList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "an IP address, or one of each family separated by a comma";
        from_text::deserialize(deserializer, expected, |text| IpList::parse(text).ok())
    }
}

impl JsonSchema for IpList {
    fn schema_name() -> Cow<'static, str> {
        "IpList".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9a-fA-F.:]+( *, *[0-9a-fA-F.:]+)?$"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn lists_keep_their_spelling() {
        let list = IpList::parse(" 172.17.0.80 ,  FD00::80").unwrap();
        assert_eq!(list.of_family(Family::V6), Some(ip("fd00::80")));
        assert_eq!(list.written_like(" 172.17.0.80 ,  FD00::80"), " 172.17.0.80 ,  FD00::80");
        let moved = list.map(|a| if a.is_ipv4() { ip("172.27.0.80") } else { a });
        assert_eq!(moved.written_like(" 172.17.0.80 ,  FD00::80"), " 172.27.0.80 ,  FD00::80");
        assert_eq!(moved.written_like("172.17.0.80"), "172.27.0.80,fd00::80");
        for text in ["", "172.17.0.80,", "172.17.0.80,172.17.0.81", "172.17.0.8O", "1.2.3.4,::1,::2"] {
            assert!(IpList::parse(text).is_err(), "{text}");
        }
    }
}
