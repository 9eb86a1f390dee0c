//! IP addresses as MetalLB writes them: ranges of a pool, and the addresses that a Service asks for.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    V4,
    V6,
}

impl Family {
    pub fn of(ip: IpAddr) -> Self {
        if ip.is_ipv4() { Family::V4 } else { Family::V6 }
    }

    fn bits(self) -> u32 {
        match self {
            Family::V4 => 32,
            Family::V6 => 128,
        }
    }

    /// The bits by which hosts of one network differ, where a text does not say: networks are /24 and /64.
    fn host_bits(self) -> u32 {
        match self {
            Family::V4 => 8,
            Family::V6 => 64,
        }
    }

    /// The address of a number; none beyond the last one.
    fn address(self, number: u128) -> Option<IpAddr> {
        match self {
            Family::V4 => u32::try_from(number).ok().map(|n| IpAddr::V4(Ipv4Addr::from(n))),
            Family::V6 => Some(IpAddr::V6(Ipv6Addr::from(number))),
        }
    }
}

fn number(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => u128::from(u32::from(ip)),
        IpAddr::V6(ip) => u128::from(ip),
    }
}

/// The address that lies to `to` as `ip` lies to `from`; none beyond the last address.
pub fn at_same_distance(ip: IpAddr, from: IpAddr, to: IpAddr) -> Option<IpAddr> {
    if Family::of(ip) != Family::of(from) || Family::of(ip) != Family::of(to) {
        return None;
    }
    let (ip, from, to_number) = (number(ip), number(from), number(to));
    let moved = if ip >= from { to_number.checked_add(ip - from) } else { to_number.checked_sub(from - ip) };
    Family::of(to).address(moved?)
}

/// The address so many behind another; none beyond the last one.
pub fn behind(ip: IpAddr, distance: u32) -> Option<IpAddr> {
    Family::of(ip).address(number(ip).checked_add(u128::from(distance))?)
}

/// `172.17.0.80-172.17.0.90` or `172.17.0.64/26`: addresses of one family, the first not behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IpRange {
    family: Family,
    first: u128,
    last: u128,
    host_bits: u32,
}

impl IpRange {
    /// Reads a range as MetalLB does: blanks around the addresses do not matter.
    pub fn parse(text: &str) -> Result<Self, String> {
        let address = |text: &str| {
            text.trim().parse::<IpAddr>().map_err(|_| format!("\"{}\" is not an IP address", text.trim()))
        };
        if let Some((first, last)) = text.split_once('-') {
            let (first, last) = (address(first)?, address(last)?);
            let family = Family::of(first);
            return match (number(first), number(last)) {
                _ if family != Family::of(last) => Err("its two addresses are of different families".into()),
                (from, to) if from > to => Err(format!("it ends before it begins: {last} is below {first}")),
                (from, to) => Ok(IpRange { family, first: from, last: to, host_bits: family.host_bits() }),
            };
        }
        let Some((base, length)) = text.split_once('/') else {
            return Err(
                "it is neither a range (`172.17.0.80-172.17.0.90`) nor a CIDR (`172.17.0.64/26`)".into()
            );
        };
        let base = address(base)?;
        let family = Family::of(base);
        let length = length.trim().parse::<u32>().ok().filter(|length| *length <= family.bits());
        let length = length.ok_or_else(|| format!("its prefix length must be 0 to {}", family.bits()))?;
        let free = family.bits() - length;
        let hosts = low_bits(free);
        let first = number(base) & !hosts;
        Ok(IpRange { family, first, last: first | hosts, host_bits: free.max(family.host_bits()) })
    }

    pub fn family(&self) -> Family {
        self.family
    }

    pub fn contains(&self, ip: IpAddr) -> bool {
        Family::of(ip) == self.family && (self.first..=self.last).contains(&number(ip))
    }

    /// Whether both contain an address.
    pub fn overlaps(&self, other: &IpRange) -> bool {
        self.family == other.family && self.first <= other.last && other.first <= self.last
    }

    /// How many addresses there are.
    pub fn size(&self) -> u128 {
        (self.last - self.first).saturating_add(1)
    }

    pub fn first(&self) -> Option<IpAddr> {
        self.family.address(self.first)
    }

    /// The first address of this range with the same host number: 172.17.0.80 is 172.27.0.80 in
    /// 172.27.0.80-172.27.0.90.
    pub fn same_host(&self, ip: IpAddr) -> Option<IpAddr> {
        let hosts = low_bits(self.host_bits);
        let host = number(ip) & hosts;
        let in_first_network = (self.first & !hosts) | host;
        let candidate = if in_first_network >= self.first {
            in_first_network
        } else {
            in_first_network.checked_add(hosts)?.checked_add(1)?
        };
        self.family.address(candidate).filter(|found| Family::of(ip) == self.family && self.contains(*found))
    }
}

/// Pairs of ranges, by their positions, that share an address: every range that begins inside others, and
/// the one of these that ends last.
pub fn overlaps(ranges: &[IpRange]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|i| ranges[*i]);
    let mut pairs = Vec::new();
    let mut farthest: Option<usize> = None;
    for i in order {
        let range = &ranges[i];
        let before = farthest.filter(|before| ranges[*before].overlaps(range));
        pairs.extend(before.map(|before| (before, i)));
        if before.is_none_or(|before| ranges[before].last < range.last) {
            farthest = Some(i);
        }
    }
    pairs
}

fn low_bits(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

impl fmt::Display for IpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.family.address(self.first), self.family.address(self.last)) {
            (Some(first), Some(last)) => write!(f, "{first}-{last}"),
            _ => Ok(()),
        }
    }
}

/// One address, or one of each family with a comma between: what a Service may ask MetalLB for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IpList(Vec<IpAddr>);

impl IpList {
    pub fn parse(text: &str) -> Result<Self, String> {
        let addresses: Result<Vec<IpAddr>, String> = text
            .split(',')
            .map(|part| part.trim().parse().map_err(|_| format!("\"{}\" is not an IP address", part.trim())))
            .collect();
        match addresses?.as_slice() {
            [one] => Ok(IpList(vec![*one])),
            [one, two] if Family::of(*one) != Family::of(*two) => Ok(IpList(vec![*one, *two])),
            _ => Err("a Service can have one address of each family, no more".into()),
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

    /// These addresses in the words of a text that has as many: its blanks, and its spelling of those
    /// that are equal, stay.
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
        struct Addresses;

        impl Visitor<'_> for Addresses {
            type Value = IpList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an IP address, or one of each family with a comma between")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<IpList, E> {
                IpList::parse(text).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Addresses)
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

    #[track_caller]
    fn same_host(range: &str, of: &str, wanted: Option<&str>) {
        assert_eq!(IpRange::parse(range).unwrap().same_host(ip(of)), wanted.map(ip), "{of} in {range}");
    }

    #[test]
    fn ranges_are_read_as_metallb_reads_them() {
        let range = |text: &str| IpRange::parse(text).unwrap();
        assert_eq!(range("172.17.0.80-172.17.0.90").size(), 11);
        assert_eq!(range(" 172.17.0.80 - 172.17.0.90 ").to_string(), "172.17.0.80-172.17.0.90");
        assert_eq!(range("172.17.0.77/26").to_string(), "172.17.0.64-172.17.0.127");
        assert_eq!(range("10.0.0.1/32").size(), 1);
        assert_eq!(range("0.0.0.0/0").size(), 1 << 32);
        assert_eq!(range("::/0").size(), u128::MAX);
        assert!(range("fd00:bbbb::80-fd00:bbbb::90").contains(ip("fd00:bbbb::8a")));
        assert!(!range("172.17.0.80-172.17.0.90").contains(ip("::ffff:172.17.0.80")));
        for (text, message) in [
            ("172.17.0.90-172.17.0.80", "ends before it begins"),
            ("172.17.0.80-fd00::1", "different families"),
            ("172.17.0.80", "neither a range"),
            ("172.17.0.8O-172.17.0.90", "\"172.17.0.8O\" is not an IP address"),
            ("172.17.0.0/33", "0 to 32"),
            ("fd00::/x", "0 to 128"),
            ("", "neither"),
        ] {
            let error = IpRange::parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn ranges_overlap_where_they_share_an_address() {
        let overlap = |a, b| {
            let (a, b) = (IpRange::parse(a).unwrap(), IpRange::parse(b).unwrap());
            assert_eq!(a.overlaps(&b), b.overlaps(&a));
            a.overlaps(&b)
        };
        assert!(overlap("172.17.0.80-172.17.0.90", "172.17.0.90-172.17.0.95"));
        assert!(overlap("172.17.0.64/26", "172.17.0.80-172.17.0.90"));
        assert!(overlap("fd00:bbbb::/64", "fd00:bbbb::80-fd00:bbbb::90"));
        assert!(!overlap("172.17.0.80-172.17.0.90", "172.17.0.91-172.17.0.95"));
        assert!(!overlap("172.17.0.0/26", "172.17.0.64/26"));
        assert!(!overlap("fd00:bbbb::/64", "fd00:cccc::/64"));
        assert!(!overlap("0.0.0.0/0", "::/0"));
    }

    #[test]
    fn every_range_that_overlaps_is_in_a_pair() {
        let pairs = |texts: &[&str]| {
            let ranges: Vec<IpRange> = texts.iter().map(|text| IpRange::parse(text).unwrap()).collect();
            overlaps(&ranges)
        };
        assert_eq!(pairs(&["10.0.0.9-10.0.0.9", "::/0", "10.0.0.0/29", "10.0.0.8-10.0.0.8"]), []);
        // The first contains the second and reaches into the third; the fourth is alone.
        let four = ["10.0.0.0/24", "10.0.0.8/29", "10.0.0.255-10.0.1.9", "10.0.1.10-10.0.1.12"];
        assert_eq!(pairs(&four), [(0, 1), (0, 2)]);
        assert_eq!(pairs(&["10.0.0.0/24", "10.0.0.0/24", "10.0.0.0/24"]), [(0, 1), (0, 2)]);
    }

    #[test]
    fn a_host_keeps_its_number_in_another_range() {
        same_host("172.27.0.80-172.27.0.90", "172.17.0.80", Some("172.27.0.80"));
        same_host("172.27.0.80-172.27.0.90", "172.17.0.91", None);
        same_host("192.168.122.110-192.168.122.120", "192.168.122.80", None);
        same_host("172.27.0.64/26", "172.17.0.85", Some("172.27.0.85"));
        same_host("172.27.0.0/16", "172.17.3.80", Some("172.27.3.80"));
        // The first network of the range has no such host, the second has.
        same_host("10.0.0.100-10.0.1.90", "172.17.0.80", Some("10.0.1.80"));
        same_host("255.255.255.100-255.255.255.255", "172.17.0.80", None);
        same_host("fd00:bbbb:2::80-fd00:bbbb:2::90", "fd00:bbbb::85", Some("fd00:bbbb:2::85"));
        same_host("fd00:bbbb::/48", "fd00:aaaa:0:7::85", Some("fd00:bbbb:0:7::85"));
        same_host("172.27.0.80-172.27.0.90", "fd00::50", None);
    }

    #[test]
    fn distances_stay() {
        let moved = |a: &str, from: &str, to: &str| at_same_distance(ip(a), ip(from), ip(to));
        assert_eq!(moved("172.17.0.85", "172.17.0.80", "172.17.0.110"), Some(ip("172.17.0.115")));
        assert_eq!(moved("172.17.0.75", "172.17.0.80", "172.17.0.110"), Some(ip("172.17.0.105")));
        assert_eq!(moved("fd00::85", "fd00::80", "fd00:1::10"), Some(ip("fd00:1::15")));
        assert_eq!(moved("172.17.0.85", "172.17.0.80", "255.255.255.255"), None);
        assert_eq!(moved("172.17.0.75", "172.17.0.80", "0.0.0.1"), None);
        assert_eq!(moved("172.17.0.75", "172.17.0.80", "fd00::1"), None);
    }

    #[test]
    fn the_last_address_has_none_behind_it() {
        assert_eq!(behind(ip("172.17.0.255"), 2), Some(ip("172.17.1.1")));
        assert_eq!(behind(ip("255.255.255.255"), 1), None);
        assert_eq!(behind(ip("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), 1), None);
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
