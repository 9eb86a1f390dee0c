//! Ranges on a ruler: the block of addresses that it shows, and where a range is on it.

use std::net::IpAddr;

use super::{IpRange, low_bits};
use crate::formats::cidr::Cidr;

impl IpRange {
    /// `172.17.0.80-172.17.0.90`, or one address.
    pub fn short(&self) -> String {
        if self.first == self.last { self.first().to_string() } else { self.to_string() }
    }

    /// Both ranges as one, if no address is between them.
    #[must_use]
    pub fn joined(&self, other: &IpRange) -> Option<IpRange> {
        let (low, high) = if self.first <= other.first { (self, other) } else { (other, self) };
        let is_near = low.family == high.family && high.first <= low.last.saturating_add(1);
        is_near.then(|| low.extended_to(high))
    }

    /// The smallest network that contains the range and has at least so many host bits.
    pub fn network(&self, least_host_bits: u32) -> Option<Cidr> {
        let differing = u128::BITS - (self.first ^ self.last).leading_zeros();
        let host_bits = differing.max(least_host_bits).min(self.family.bits());
        let first = self.family.address(self.first & !low_bits(host_bits))?;
        Cidr::from_parts(first, u8::try_from(self.family.bits() - host_bits).ok()?).ok()
    }

    /// The network of the usual size that contains the range, /24 or /64, or a larger one.
    pub fn usual_network(&self) -> Option<Cidr> {
        self.network(self.family.host_bits())
    }

    /// The first address of each quarter.
    pub fn quarters(&self) -> Vec<IpAddr> {
        let quarter = self.size() / 4;
        (0..4).map(|number| self.family.known_address(self.first + number * quarter)).collect()
    }

    /// Where a part of this range begins, and how long it is, in millionths of this range.
    pub fn share(&self, part: &IpRange) -> (u32, u32) {
        const WHOLE: u128 = 1_000_000;
        let (first, last) = (part.first.max(self.first), part.last.min(self.last));
        if first > last {
            return (0, 0);
        }
        // Larger ranges are measured in larger units, so that the products below fit into 128 bits.
        let length = self.last - self.first;
        let unit = (u128::BITS - length.leading_zeros()).saturating_sub(64);
        let scaled = |units: u128| {
            let share = units * WHOLE / ((length >> unit) + 1);
            u32::try_from(share.min(WHOLE)).unwrap_or_default()
        };
        let start = scaled((first - self.first) >> unit);
        (start, scaled(((last - self.first) >> unit) + 1) - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> IpRange {
        IpRange::parse(text).unwrap()
    }

    #[test]
    fn a_range_has_a_place_on_its_network() {
        let subnet = range("172.17.0.0/24");
        assert_eq!(subnet.share(&range("172.17.0.64/26")), (250_000, 250_000));
        assert_eq!(subnet.share(&subnet), (0, 1_000_000));
        assert_eq!(subnet.share(&range("172.17.1.0/24")), (0, 0));
        assert_eq!(range("fd00::/64").share(&range("fd00::8000:0:0:0/65")), (500_000, 500_000));
        assert_eq!(range("::/0").share(&range("8000::/1")), (500_000, 500_000));
    }

    #[test]
    fn ranges_without_a_gap_are_one() {
        let joined = |a: &str, b: &str| range(a).joined(&range(b)).map(|range| range.short());
        assert_eq!(joined("10.0.0.6/32", "10.0.0.5/32").as_deref(), Some("10.0.0.5-10.0.0.6"));
        assert_eq!(joined("10.0.0.5/32", "10.0.0.7/32"), None);
        assert_eq!(joined("0.0.0.5/32", "::6/128"), None);
        assert_eq!(range("10.0.0.5/32").short(), "10.0.0.5");
    }

    #[test]
    fn the_network_around_a_range() {
        let network = |text: &str, bits| range(text).network(bits).unwrap().to_string();
        assert_eq!(network("172.17.0.80-172.17.0.90", 0), "172.17.0.80/28");
        assert_eq!(network("172.17.0.80-172.17.1.90", 8), "172.17.0.0/23");
        assert_eq!(network("::/0", 8), "::/0");
        assert_eq!(
            range("fd00:bbbb::80-fd00:bbbb::90").usual_network().unwrap().to_string(),
            "fd00:bbbb::/64"
        );
    }
}
