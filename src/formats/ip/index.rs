//! Ranges by address.

use std::net::IpAddr;

use super::{Family, IpRange, number};

/// Ranges, each with a value, for looking up the range of an address in logarithmic time.
#[derive(Debug)]
pub struct RangeIndex<T> {
    /// In the order of their first addresses, each with the position of the range that ends last among those of its
    /// family up to it.
    ranges: Vec<(IpRange, usize, T)>,
}

impl<T> RangeIndex<T> {
    pub fn new(ranges: impl IntoIterator<Item = (IpRange, T)>) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().map(|(range, value)| (range, 0, value)).collect();
        ranges.sort_by_key(|(range, ..)| *range);
        for position in 1..ranges.len() {
            let (farthest, range) = (ranges[position - 1].1, ranges[position].0);
            let is_farthest = ranges[farthest].0.last_of_family() >= range.last_of_family();
            ranges[position].1 = if is_farthest { farthest } else { position };
        }
        RangeIndex { ranges }
    }

    /// The value of a range that contains an address.
    pub fn get(&self, ip: IpAddr) -> Option<&T> {
        let at = (Family::of(ip), number(ip));
        let after = self.ranges.partition_point(|(range, ..)| range.first_of_family() <= at);
        let (_, farthest, _) = self.ranges.get(after.checked_sub(1)?)?;
        let (range, _, value) = self.ranges.get(*farthest)?;
        range.contains(ip).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_the_range_that_contains_it() {
        let texts = ["10.0.0.0/24", "10.0.0.10-10.0.0.20", "10.0.2.0/30", "fd00::/64"];
        let index = RangeIndex::new(texts.map(|text| (IpRange::parse(text).unwrap(), text)));
        let get = |ip: &str| index.get(ip.parse().unwrap()).copied();
        assert_eq!(get("10.0.0.30"), Some("10.0.0.0/24"), "the range in it ends before");
        assert_eq!(get("10.0.0.15"), Some("10.0.0.0/24"));
        assert_eq!(get("10.0.2.3"), Some("10.0.2.0/30"));
        assert_eq!(get("fd00::1"), Some("fd00::/64"));
        for outside in ["9.255.255.255", "10.0.1.0", "10.0.2.4", "fd01::", "::"] {
            assert_eq!(get(outside), None, "{outside}");
        }
        assert_eq!(RangeIndex::<()>::new([]).get("10.0.0.1".parse().unwrap()), None);
    }
}
