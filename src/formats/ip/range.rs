//! Ranges of addresses.

mod ruler;

use std::fmt;
use std::net::IpAddr;

use super::overlaps::in_order;
use super::{Family, number, parse_address};

/// Addresses of one family: `172.17.0.80-172.17.0.90` or `172.17.0.64/26`. The first one is not after the
/// last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IpRange {
    family: Family,
    first: u128,
    last: u128,
    host_bits: u32,
}

impl IpRange {
    /// Reads a range like MetalLB, which ignores spaces around addresses.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some((first, last)) = text.split_once('-') {
            let (first, last) = (parse_address(first)?, parse_address(last)?);
            let family = Family::of(first);
            return match (number(first), number(last)) {
                _ if family != Family::of(last) => Err("its two addresses are of different families".into()),
                (from, to) if from > to => Err(format!("it ends before it begins ({last} is below {first})")),
                (from, to) => Ok(IpRange { family, first: from, last: to, host_bits: family.host_bits() }),
            };
        }
        let Some((base, length)) = text.split_once('/') else {
            return Err(
                "it is neither a range (`172.17.0.80-172.17.0.90`) nor a CIDR (`172.17.0.64/26`)".into()
            );
        };
        let base = parse_address(base)?;
        let family = Family::of(base);
        let length = length.trim().parse::<u32>().ok().filter(|length| *length <= family.bits());
        let length = length.ok_or_else(|| format!("its prefix length must be 0 to {}", family.bits()))?;
        let free = family.bits() - length;
        let hosts = low_bits(free);
        let first = number(base) & !hosts;
        Ok(IpRange { family, first, last: first | hosts, host_bits: free.max(family.host_bits()) })
    }

    /// A range of one address.
    pub fn one(ip: IpAddr) -> Self {
        let family = Family::of(ip);
        IpRange { family, first: number(ip), last: number(ip), host_bits: family.host_bits() }
    }

    pub fn family(&self) -> Family {
        self.family
    }

    pub fn contains(&self, ip: IpAddr) -> bool {
        Family::of(ip) == self.family && (self.first..=self.last).contains(&number(ip))
    }

    /// The first address. IPv4 comes before IPv6.
    pub(super) fn first_of_family(&self) -> (Family, u128) {
        (self.family, self.first)
    }

    /// The last address. IPv4 comes before IPv6.
    pub(super) fn last_of_family(&self) -> (Family, u128) {
        (self.family, self.last)
    }

    /// Whether the ranges have an address in common.
    pub fn overlaps(&self, other: &IpRange) -> bool {
        self.family == other.family && self.first <= other.last && other.first <= self.last
    }

    /// Whether this range ends before another one, which is of the same family.
    pub(super) fn ends_before(&self, other: &IpRange) -> bool {
        self.last < other.last
    }

    /// The range up to the end of another one that overlaps it.
    #[must_use]
    pub fn extended_to(&self, other: &IpRange) -> IpRange {
        IpRange { last: self.last.max(other.last), ..*self }
    }

    /// What remains of the range without others.
    pub fn without(&self, others: &[IpRange]) -> Vec<IpRange> {
        let holes: Vec<IpRange> = others.iter().copied().filter(|other| other.overlaps(self)).collect();
        let mut rest = Vec::new();
        let mut next = Some(self.first);
        for hole in in_order(&holes).into_iter().map(|position| holes[position]) {
            let Some(first) = next else { break };
            if hole.first > first {
                rest.push(IpRange { first, last: hole.first - 1, ..*self });
            }
            next = hole.last.checked_add(1).map(|after| after.max(first));
        }
        rest.extend(next.filter(|first| *first <= self.last).map(|first| IpRange { first, ..*self }));
        rest
    }

    /// The number of addresses.
    pub fn size(&self) -> u128 {
        (self.last - self.first).saturating_add(1)
    }

    /// The first address of this range with the same host number: in 172.27.0.80-172.27.0.90, that of
    /// 172.17.0.80 is 172.27.0.80.
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

    /// The addresses from one to another. None if they are of different families or in the wrong order.
    pub fn between(first: IpAddr, last: IpAddr) -> Option<Self> {
        let family = Family::of(first);
        let range =
            IpRange { family, first: number(first), last: number(last), host_bits: family.host_bits() };
        (family == Family::of(last) && range.first <= range.last).then_some(range)
    }

    /// The first address.
    pub fn first(&self) -> IpAddr {
        self.family.known_address(self.first)
    }

    /// The last address.
    pub fn last(&self) -> IpAddr {
        self.family.known_address(self.last)
    }
}

impl fmt::Display for IpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.family.address(self.first), self.family.address(self.last)) {
            (Some(first), Some(last)) => write!(f, "{first}-{last}"),
            _ => Ok(()),
        }
    }
}

fn low_bits(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[track_caller]
    fn same_host(range: &str, of: &str, expected: Option<&str>) {
        assert_eq!(IpRange::parse(range).unwrap().same_host(ip(of)), expected.map(ip), "{of} in {range}");
    }

    #[test]
    fn ranges_are_read_like_in_metallb() {
        let range = |text: &str| IpRange::parse(text).unwrap();
        assert_eq!(range("172.17.0.80-172.17.0.90").size(), 11);
        assert_eq!(range(" 172.17.0.80 - 172.17.0.90 ").to_string(), "172.17.0.80-172.17.0.90");
        assert_eq!(range("172.17.0.77/26").to_string(), "172.17.0.64-172.17.0.127");
        assert_eq!(range("10.0.0.1/32").size(), 1);
        assert_eq!(range("0.0.0.0/0").size(), 1 << 32);
        assert_eq!(range("::/0").size(), u128::MAX);
        let (first, last) = (ip("172.17.0.80"), ip("172.17.0.90"));
        assert_eq!(IpRange::between(first, last), Some(range("172.17.0.80-172.17.0.90")));
        assert_eq!((IpRange::between(last, first), IpRange::between(first, ip("::1"))), (None, None));
        assert_eq!(
            (range("10.0.0.0/30").first(), range("10.0.0.0/30").last()),
            (ip("10.0.0.0"), ip("10.0.0.3"))
        );
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
    fn a_range_without_others_has_what_remains() {
        let rest = |range: &str, others: &[&str]| -> Vec<String> {
            let others: Vec<IpRange> = others.iter().map(|text| IpRange::parse(text).unwrap()).collect();
            IpRange::parse(range).unwrap().without(&others).iter().map(ToString::to_string).collect()
        };
        assert_eq!(rest("10.0.0.0/29", &["10.1.0.0/16", "::/0"]), ["10.0.0.0-10.0.0.7"]);
        assert_eq!(
            rest("10.0.0.0/29", &["10.0.0.3/32", "10.0.0.2/31"]),
            ["10.0.0.0-10.0.0.1", "10.0.0.4-10.0.0.7"]
        );
        assert_eq!(rest("10.0.0.8-10.0.0.15", &["10.0.0.0/28", "10.0.0.9/32"]), [""; 0]);
        assert_eq!(
            rest("10.0.0.8-10.0.0.15", &["10.0.0.0-10.0.0.8", "10.0.0.15-10.0.0.20"]),
            ["10.0.0.9-10.0.0.14"]
        );
        assert_eq!(rest("::/0", &["::/0"]), [""; 0]);
    }

    #[test]
    fn a_host_keeps_its_number_in_another_range() {
        same_host("172.27.0.80-172.27.0.90", "172.17.0.80", Some("172.27.0.80"));
        same_host("172.27.0.80-172.27.0.90", "172.17.0.91", None);
        same_host("192.168.122.110-192.168.122.120", "192.168.122.80", None);
        same_host("172.27.0.64/26", "172.17.0.85", Some("172.27.0.85"));
        same_host("172.27.0.0/16", "172.17.3.80", Some("172.27.3.80"));
        // Only the second network of the range has such a host.
        same_host("10.0.0.100-10.0.1.90", "172.17.0.80", Some("10.0.1.80"));
        same_host("255.255.255.100-255.255.255.255", "172.17.0.80", None);
        same_host("fd00:bbbb:2::80-fd00:bbbb:2::90", "fd00:bbbb::85", Some("fd00:bbbb:2::85"));
        same_host("fd00:bbbb::/48", "fd00:aaaa:0:7::85", Some("fd00:bbbb:0:7::85"));
        same_host("172.27.0.80-172.27.0.90", "fd00::50", None);
    }
}
