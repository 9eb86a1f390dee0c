//! Sorting that adds little to the binary.
//!
//! Each use of the standard library's sort adds 3 to 6 KB, which is a lot for lists of a few elements in code that runs
//! once. So does each `collect` into an ordered map or set, because it sorts first. These functions sort positions, always
//! with the same code, and then move the elements; or they insert one element after the other.

use std::cmp::Ordering;

/// A stable sort.
pub trait Order<T> {
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut positions: Vec<usize> = (0..self.len()).collect();
        order_positions(&mut positions, &mut |a, b| compare(&self[a], &self[b]));
        for start in 0..self.len() {
            let mut current = start;
            // Each element is swapped into its place, along the cycle of the permutation.
            loop {
                let next = std::mem::replace(&mut positions[current], current);
                if next == start || next == current {
                    break;
                }
                self.swap(current, next);
                current = next;
            }
        }
    }
}

/// For iterators.
pub trait CollectOrdered: Iterator + Sized {
    /// Collects into a `BTreeMap` or `BTreeSet`.
    fn collect_ordered<C: Default + Extend<Self::Item>>(self) -> C {
        let mut collection = C::default();
        collection.extend(self);
        collection
    }
}

impl<I: Iterator> CollectOrdered for I {}

fn order_positions(positions: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    positions.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_standard_library() {
        let mut seed = 7_u32;
        for length in 0..60 {
            let mut items: Vec<(u32, usize)> = Vec::new();
            for position in 0..length {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                items.push((seed >> 28, position));
            }
            let (mut expected, mut reversed) = (items.clone(), items.clone());
            expected.sort_by_key(|item| item.0);
            items.order_by_key(|item| item.0);
            assert_eq!(items, expected);
            expected.sort_by(|a, b| b.cmp(a));
            reversed.order_by(|a, b| b.cmp(a));
            assert_eq!(reversed, expected);
        }
        let mut words = ["b", "a"];
        words.order();
        assert_eq!(words, ["a", "b"]);
    }
}
