//! Subnets as numbers, for arithmetic: the subnet a few blocks further, and the address with a host number.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{Family, number};
use crate::formats::cidr::Cidr;

/// A network by its first address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subnet {
    family: Family,
    first: u128,
    prefix_length: u8,
}

impl Subnet {
    /// An IPv4 subnet. The address must be its first one.
    pub const fn v4([a, b, c, d]: [u8; 4], prefix_length: u8) -> Self {
        let first = Ipv4Addr::new(a, b, c, d).to_bits() as u128;
        Subnet { family: Family::V4, first, prefix_length }
    }

    /// An IPv6 subnet by its first four groups. The others are zero.
    pub const fn v6([a, b, c, d]: [u16; 4], prefix_length: u8) -> Self {
        let first = Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).to_bits();
        Subnet { family: Family::V6, first, prefix_length }
    }

    /// Reads `172.17.0.0/24`. The address must be the first one of the subnet.
    pub fn parse(text: &str) -> Result<Self, String> {
        let cidr = Cidr::parse(text)?;
        let (family, prefix_length) = (cidr.family(), cidr.prefix_length());
        let subnet = Subnet { family, first: number(cidr.first()), prefix_length };
        match cidr.ip() == cidr.first() {
            true => Ok(subnet),
            false => Err(format!("its address is not the first one of the subnet, which is {subnet}")),
        }
    }

    pub fn family(self) -> Family {
        self.family
    }

    pub fn prefix_length(self) -> u8 {
        self.prefix_length
    }

    /// The number of the last host, which in IPv4 is the broadcast address.
    pub fn last_host(self) -> u128 {
        let free = self.family.bits() - u32::from(self.prefix_length);
        u128::MAX.checked_shr(128 - free).unwrap_or(0)
    }

    /// The subnet that is this many blocks of the same size further. None after the last address.
    pub fn moved(self, blocks: u32) -> Option<Self> {
        let distance = self.last_host().checked_add(1)?.checked_mul(blocks.into())?;
        let first = self.first.checked_add(distance)?;
        self.family.address(first).map(|_| Subnet { first, ..self })
    }

    /// The address with a host number. None if the subnet is too small.
    pub fn host(self, number: u128) -> Option<IpAddr> {
        (number <= self.last_host()).then(|| self.family.address(self.first + number))?
    }

    /// The host number of an address in the subnet.
    pub fn number_of(self, ip: IpAddr) -> Option<u128> {
        let host = number(ip).checked_sub(self.first).filter(|_| Family::of(ip) == self.family);
        host.filter(|host| *host <= self.last_host())
    }

    /// Whether the subnets have an address in common.
    pub fn overlaps(self, other: Subnet) -> bool {
        let last = |subnet: Subnet| subnet.first | subnet.last_host();
        self.family == other.family && self.first <= last(other) && other.first <= last(self)
    }

    /// Whether every address is private: RFC 1918, RFC 6598, or a unique local address of IPv6.
    pub fn is_private(self) -> bool {
        const PRIVATE: [Subnet; 5] = [
            Subnet::v4([10, 0, 0, 0], 8),
            Subnet::v4([172, 16, 0, 0], 12),
            Subnet::v4([192, 168, 0, 0], 16),
            Subnet::v4([100, 64, 0, 0], 10),
            Subnet::v6([0xfc00, 0, 0, 0], 7),
        ];
        PRIVATE.iter().any(|block| block.prefix_length <= self.prefix_length && block.overlaps(self))
    }
}

impl fmt::Display for Subnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.family.address(self.first) {
            Some(first) => write!(f, "{first}/{}", self.prefix_length),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subnet(text: &str) -> Subnet {
        Subnet::parse(text).unwrap()
    }

    #[test]
    fn subnets_move_by_their_own_size() {
        for (from, blocks, to) in [
            ("172.17.0.0/24", 1, "172.17.1.0/24"),
            ("192.168.122.0/24", 3, "192.168.125.0/24"),
            ("10.20.0.0/22", 2, "10.20.8.0/22"),
            ("10.0.0.0/32", 5, "10.0.0.5/32"),
            ("fd00:bbbb::/64", 7, "fd00:bbbb:0:7::/64"),
        ] {
            assert_eq!(subnet(from).moved(blocks), Some(subnet(to)));
        }
        assert_eq!(subnet("255.255.255.0/24").moved(1), None);
        assert_eq!(subnet("::/0").moved(1), None);
        assert_eq!(subnet("0.0.0.0/0").moved(0), Some(subnet("0.0.0.0/0")));
    }

    #[test]
    fn hosts_are_counted_from_the_first_address() {
        let network = subnet("10.20.4.0/22");
        assert_eq!(network.host(300), Some("10.20.5.44".parse().unwrap()));
        assert_eq!((network.host(1023).is_some(), network.host(1024)), (true, None));
        assert_eq!(network.number_of("10.20.5.44".parse().unwrap()), Some(300));
        assert_eq!(network.number_of("10.20.3.255".parse().unwrap()), None);
        assert_eq!(network.number_of("::1".parse().unwrap()), None);
        assert_eq!(subnet("fd00:bbbb::/64").host(0x80), Some("fd00:bbbb::80".parse().unwrap()));
        assert_eq!((subnet("::/0").last_host(), subnet("::1/128").last_host()), (u128::MAX, 0));
    }

    #[test]
    fn texts_name_the_first_address() {
        assert_eq!(subnet("172.17.0.0/24").to_string(), "172.17.0.0/24");
        assert_eq!(Subnet::v6([0xfd00, 0xbbbb, 0, 0], 64), subnet("fd00:bbbb::/64"));
        assert_eq!(
            Subnet::parse("172.17.0.5/24").unwrap_err(),
            "its address is not the first one of the subnet, which is 172.17.0.0/24"
        );
        assert!(Subnet::parse("172.17.0.0").is_err());
    }

    #[test]
    fn private_blocks_are_known() {
        for text in ["10.0.0.0/24", "172.31.0.0/16", "192.168.255.0/24", "fd00::/64", "100.65.4.0/30"] {
            assert!(subnet(text).is_private(), "{text}");
        }
        for text in ["172.32.0.0/24", "172.50.0.0/24", "192.169.0.0/24", "0.0.0.0/0", "2001:db8::/64"] {
            assert!(!subnet(text).is_private(), "{text}");
        }
        assert!(subnet("10.0.0.0/8").overlaps(subnet("10.1.0.0/16")));
        assert!(!subnet("10.0.0.0/24").overlaps(subnet("10.0.1.0/24")));
    }
}
