//! IP addresses as MetalLB uses them: ranges of a pool, and the addresses that a Service requests.

mod index;
mod list;
mod overlaps;
mod range;
mod subnet;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub use self::index::RangeIndex;
pub use self::list::IpList;
pub use self::overlaps::{overlaps, overlaps_between};
pub use self::range::IpRange;
pub use self::subnet::Subnet;

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

    /// The number of host bits in networks of the usual size, /24 and /64. Used if a range does not state its
    /// network.
    fn host_bits(self) -> u32 {
        match self {
            Family::V4 => 8,
            Family::V6 => 64,
        }
    }

    /// The address with this number, which is one of this family.
    fn known_address(self, number: u128) -> IpAddr {
        self.address(number).unwrap_or(IpAddr::V6(Ipv6Addr::from(number)))
    }

    /// The address with this number. None after the last address.
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

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.trim().parse().map_err(|_| format!("\"{}\" is not an IP address", text.trim()))
}

/// The address that is as far from `to` as `ip` is from `from`. None if no such address exists.
pub fn at_same_distance(ip: IpAddr, from: IpAddr, to: IpAddr) -> Option<IpAddr> {
    if Family::of(ip) != Family::of(from) || Family::of(ip) != Family::of(to) {
        return None;
    }
    let (ip, from, to_number) = (number(ip), number(from), number(to));
    let moved = if ip >= from { to_number.checked_add(ip - from) } else { to_number.checked_sub(from - ip) };
    Family::of(to).address(moved?)
}

/// The address `distance` addresses after another one. None after the last address.
pub fn plus(ip: IpAddr, distance: u32) -> Option<IpAddr> {
    Family::of(ip).address(number(ip).checked_add(u128::from(distance))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn distances_are_kept() {
        let moved = |a: &str, from: &str, to: &str| at_same_distance(ip(a), ip(from), ip(to));
        assert_eq!(moved("172.17.0.85", "172.17.0.80", "172.17.0.110"), Some(ip("172.17.0.115")));
        assert_eq!(moved("172.17.0.75", "172.17.0.80", "172.17.0.110"), Some(ip("172.17.0.105")));
        assert_eq!(moved("fd00::85", "fd00::80", "fd00:1::10"), Some(ip("fd00:1::15")));
        assert_eq!(moved("172.17.0.85", "172.17.0.80", "255.255.255.255"), None);
        assert_eq!(moved("172.17.0.75", "172.17.0.80", "0.0.0.1"), None);
        assert_eq!(moved("172.17.0.75", "172.17.0.80", "fd00::1"), None);
    }

    #[test]
    fn no_address_follows_the_last_one() {
        assert_eq!(plus(ip("172.17.0.255"), 2), Some(ip("172.17.1.1")));
        assert_eq!(plus(ip("255.255.255.255"), 1), None);
        assert_eq!(plus(ip("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), 1), None);
    }
}
