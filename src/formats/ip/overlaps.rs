//! Ranges that overlap, found in one pass over the sorted ranges.

use super::IpRange;

/// Pairs of overlapping ranges, by index. A range that starts inside several others is paired only with the one
/// that ends last, so every overlapping range is listed, but not every combination.
pub fn overlaps(ranges: &[IpRange]) -> Vec<(usize, usize)> {
    overlaps_between(ranges, |range| range)
}

/// The same, but only pairs of different classes. The class of a range is a function of its index.
pub fn overlaps_between<C: PartialEq>(ranges: &[IpRange], class: impl Fn(usize) -> C) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    // The range that ends last, and the range of another class that ends last.
    let mut farthest: Option<usize> = None;
    let mut second: Option<usize> = None;
    for range in in_order(ranges) {
        // What ended before this range cannot overlap a later one.
        farthest = farthest.filter(|earlier| ranges[*earlier].overlaps(&ranges[range]));
        second = second.filter(|earlier| ranges[*earlier].overlaps(&ranges[range]));
        let is_other = |earlier: &usize| class(*earlier) != class(range);
        pairs.extend(farthest.filter(is_other).or(second.filter(is_other)).map(|earlier| (earlier, range)));
        let ends_after = |earlier: usize| ranges[earlier].ends_before(&ranges[range]);
        match farthest {
            Some(earlier) if !ends_after(earlier) => {
                if is_other(&earlier) && second.is_none_or(ends_after) {
                    second = Some(range);
                }
            }
            _ => {
                second = farthest.filter(is_other).or(second);
                farthest = Some(range);
            }
        }
    }
    pairs
}

/// The positions of ranges, in the order of the ranges. It is not generic, because the code that sorts is large.
pub(super) fn in_order(ranges: &[IpRange]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..ranges.len()).collect();
    positions.sort_by_key(|position| ranges[*position]);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(texts: &[&str]) -> Vec<IpRange> {
        texts.iter().map(|text| IpRange::parse(text).unwrap()).collect()
    }

    #[test]
    fn every_range_that_overlaps_is_in_a_pair() {
        let pairs = |texts: &[&str]| overlaps(&ranges(texts));
        assert_eq!(pairs(&["10.0.0.9-10.0.0.9", "::/0", "10.0.0.0/29", "10.0.0.8-10.0.0.8"]), []);
        // The first contains the second and overlaps the third. The fourth overlaps none.
        let four = ["10.0.0.0/24", "10.0.0.8/29", "10.0.0.255-10.0.1.9", "10.0.1.10-10.0.1.12"];
        assert_eq!(pairs(&four), [(0, 1), (0, 2)]);
        assert_eq!(pairs(&["10.0.0.0/24", "10.0.0.0/24", "10.0.0.0/24"]), [(0, 1), (0, 2)]);
    }

    #[test]
    fn only_ranges_of_different_classes_are_compared() {
        // Of the class `a` the first range ends last, and hides the others of its class, but not those of `b`.
        let classes = ["a", "a", "b", "b", "a"];
        let ranges = ranges(&["10.0.0.0/24", "10.0.0.8/29", "10.0.0.32/29", "10.0.0.36/32", "10.0.0.38/32"]);
        assert_eq!(overlaps_between(&ranges, |range| classes[range]), [(0, 2), (0, 3), (2, 4)]);
        assert_eq!(overlaps_between(&ranges, |_| ()), []);
    }

    /// Compares with all pairs: a range overlaps one of another class if and only if it is in a pair, or the other
    /// one is.
    #[test]
    fn the_pairs_cover_every_overlap() {
        let number = |seed: usize| seed.wrapping_mul(2_654_435_761) >> 7;
        for seed in 0..200 {
            let texts: Vec<String> = (0..12)
                .map(|at| {
                    let first = number(seed * 31 + at) % 60;
                    format!("10.0.0.{first}-10.0.0.{}", first + number(seed * 17 + at * 5) % 20)
                })
                .collect();
            let ranges: Vec<IpRange> = texts.iter().map(|text| IpRange::parse(text).unwrap()).collect();
            let class = |at: usize| at % 3;
            let pairs = overlaps_between(&ranges, class);
            for (a, b) in &pairs {
                assert!(class(*a) != class(*b) && ranges[*a].overlaps(&ranges[*b]));
            }
            for (a, b) in (0..12).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let clash = class(a) != class(b) && ranges[a].overlaps(&ranges[b]);
                let is_in_pair = |at: usize| pairs.iter().any(|(a, b)| *a == at || *b == at);
                assert!(!clash || is_in_pair(a) || is_in_pair(b), "{texts:?}: {a} and {b}");
            }
        }
    }
}
