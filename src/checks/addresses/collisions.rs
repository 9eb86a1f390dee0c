//! Finds addresses and ranges that overlap in one layer 2 network, without comparing every pair.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::ip::{IpRange, overlaps_between};
use crate::krm::CollectOrdered;
use crate::model::network::segments::{Link, Reach, Relation, Segments};

/// Something that has addresses, or hands them out.
#[derive(Debug)]
pub struct Party<'p, C> {
    pub addresses: &'p [IpRange],
    pub reach: &'p Reach,
    /// Parties of one class cannot collide.
    pub class: C,
}

/// Two parties by position, the first one first, and whether they are in one network or may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Collision {
    pub first: usize,
    pub second: usize,
    pub is_certain: bool,
}

/// Collisions by position. A party that overlaps several others is listed with one of them at least.
pub fn collisions<C: PartialEq + Copy>(parties: &[Party<'_, C>], segments: &Segments) -> Vec<Collision> {
    let mut by_link: BTreeMap<Link, Vec<usize>> = BTreeMap::new();
    let (mut everywhere, mut linked, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for (position, party) in parties.iter().enumerate() {
        match party.reach {
            Reach::Alone => {}
            Reach::Everywhere => everywhere.push(position),
            Reach::Unplaced(_) | Reach::Unknown => unknown.push(position),
            Reach::Links(links) => {
                linked.push(position);
                for link in links {
                    by_link.entry(*link).or_default().push(position);
                }
            }
        }
    }
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let class = |position: usize| parties[position].class;
    for positions in by_link.values() {
        pairs.extend(sweep(parties, positions, class));
    }
    // Only pools are announced everywhere, so these are of one class. Others of that class would hide the rest.
    let rivals =
        linked.iter().filter(|one| everywhere.first().is_some_and(|pool| class(*pool) != class(**one)));
    let with_rivals: Vec<usize> = everywhere.iter().chain(rivals).copied().collect();
    let is_everywhere = |position: usize| *parties[position].reach == Reach::Everywhere;
    pairs.extend(sweep(parties, &with_rivals, is_everywhere));
    pairs.extend(sweep(parties, &unknown, class));
    let known: BTreeSet<usize> = linked.into_iter().chain(everywhere).collect_ordered();
    let all: Vec<usize> = known.iter().copied().chain(unknown).collect();
    pairs.extend(sweep(parties, &all, |position| known.contains(&position)));
    let judge = |(first, second): (usize, usize)| {
        let relation = segments.relation(parties[first].reach, parties[second].reach);
        let is_certain = relation == Relation::Same;
        let can_collide = relation != Relation::Different && class(first) != class(second);
        can_collide.then_some(Collision { first, second, is_certain })
    };
    pairs.into_iter().filter_map(judge).collect()
}

/// Pairs of some parties that overlap and are of different classes.
fn sweep<C, D: PartialEq>(
    parties: &[Party<'_, C>],
    positions: &[usize],
    class: impl Fn(usize) -> D,
) -> Vec<(usize, usize)> {
    let pieces: Vec<(usize, IpRange)> = positions
        .iter()
        .flat_map(|position| parties[*position].addresses.iter().map(|addresses| (*position, *addresses)))
        .collect();
    let ranges: Vec<IpRange> = pieces.iter().map(|(_, addresses)| *addresses).collect();
    let pairs = overlaps_between(&ranges, |piece| class(pieces[piece].0));
    pairs
        .into_iter()
        .map(|(one, other)| (pieces[one].0, pieces[other].0))
        .map(|(one, other)| (one.min(other), one.max(other)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> IpRange {
        IpRange::parse(text).unwrap()
    }

    /// The collisions of parties that each have a class of their own.
    fn found(ranges: &[IpRange], reach: impl Fn(usize) -> Reach) -> Vec<Collision> {
        let reaches: Vec<Reach> = (0..ranges.len()).map(reach).collect();
        let parties: Vec<Party<'_, usize>> = ranges
            .iter()
            .zip(&reaches)
            .enumerate()
            .map(|(class, (range, reach))| Party { addresses: std::slice::from_ref(range), reach, class })
            .collect();
        collisions(&parties, &Segments::default())
    }

    #[test]
    fn parties_in_one_network_or_an_unknown_one_collide() {
        let ranges = [range("10.0.0.0/24"), range("10.0.0.9/32")];
        let pair = |is_certain| vec![Collision { first: 0, second: 1, is_certain }];
        let unknown = |position| if position == 0 { Reach::Everywhere } else { Reach::Unknown };
        assert_eq!(found(&ranges, unknown), pair(false));
        assert_eq!(found(&ranges, |_| Reach::Unknown), pair(false));
        assert_eq!(found(&ranges, |position| if position == 0 { Reach::Alone } else { Reach::Unknown }), []);
    }

    /// The number of findings, and with it the cost, grows with the number of parties and not with that of their pairs.
    #[test]
    fn many_overlaps_are_reported_about_once_for_each_party() {
        let ranges = vec![range("10.0.0.0/8"); 2_000];
        let reach =
            |position: usize| if position.is_multiple_of(2) { Reach::Unknown } else { Reach::Everywhere };
        let count = found(&ranges, reach).len();
        assert!((1_000..4_000).contains(&count), "{count}");
    }
}
