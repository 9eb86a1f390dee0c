//! Divides the items of a list among threads, for functions that look at each item by itself.

use std::sync::Mutex;

use super::fault::Fault;
use super::resource::Resource;
use super::results::Results;
use super::side_by_side;

/// Little work is one share.
const BYTES_PER_SHARE: usize = 64 << 10;
/// Enough for the cores of most machines. Items differ in size, and with several shares for each core, none of them waits
/// long for another one.
const MOST_SHARES: usize = 64;

/// Calls `work` for consecutive shares of the items, and returns what it returned for each. If it fails for some of them,
/// the first fault counts, and the findings before it. `work` must not depend on items outside its share.
///
/// The shares depend on the items alone. A fault ends the work on its share but not on others, so what was changed before
/// does not depend on the machine either.
pub fn on_shares<R: Send>(
    items: &mut [Resource],
    results: &mut Results,
    work: impl Fn(&mut [Resource], &mut Results) -> Result<R, Fault> + Sync,
) -> Result<Vec<R>, Fault> {
    let bytes: usize = items.iter().map(|item| item.range().len()).sum();
    let count = (bytes / BYTES_PER_SHARE).clamp(1, MOST_SHARES);
    on_shares_of(side_by_side::threads(bytes), items.len().div_ceil(count).max(1), items, results, work)
}

fn on_shares_of<R: Send>(
    threads: usize,
    size: usize,
    items: &mut [Resource],
    results: &mut Results,
    work: impl Fn(&mut [Resource], &mut Results) -> Result<R, Fault> + Sync,
) -> Result<Vec<R>, Fault> {
    if items.len() <= size {
        return work(items, results).map(|done| vec![done]);
    }
    let shares: Vec<Mutex<&mut [Resource]>> = items.chunks_mut(size).map(Mutex::new).collect();
    let done = side_by_side::map(threads, shares.len(), |position| {
        // Each share is locked once, so that it can be neither in use nor poisoned.
        let mut share = shares[position].lock().ok()?;
        let mut findings = Results::default();
        let done = work(&mut share, &mut findings);
        Some((findings, done))
    });
    let in_order = done.into_iter().flatten().map(|(findings, done)| {
        results.extend(findings);
        done
    });
    in_order.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::krm::{FieldPath, rules};

    #[test]
    fn the_outcome_does_not_depend_on_the_number_of_threads() {
        let outcome = |threads: usize, size: usize, faulty: usize| {
            let item = |number: usize| {
                Resource::new(&json!({"kind": "A", "metadata": {"name": number.to_string()}}))
            };
            let mut items: Vec<Resource> = (0..50).map(|number| item(number).unwrap()).collect();
            let mut results = Results::default();
            let done = on_shares_of(threads, size, &mut items, &mut results, |share, results| {
                for item in share.iter_mut() {
                    if item.id().name == faulty.to_string() {
                        return Err(Fault::new(&rules::YAML, "faulty"));
                    }
                    results.info(&rules::YAML, item.id().name.clone());
                    item.set(&FieldPath::new("edited"), true)?;
                }
                Ok(share.len())
            });
            let done =
                done.map(|counts| counts.iter().sum::<usize>()).map_err(|fault| fault.into_finding().message);
            let texts: Vec<String> = items.iter().map(|item| item.text().to_owned()).collect();
            (results.into_sorted(), done, texts)
        };
        for faulty in [0, 17, 49, 50] {
            let whole = outcome(1, 50, faulty);
            for size in [7, 25, 49] {
                let alone = outcome(1, size, faulty);
                assert_eq!((&alone.0, &alone.1), (&whole.0, &whole.1), "{size} items in a share");
                for threads in [2, 3, 100] {
                    assert_eq!(outcome(threads, size, faulty), alone, "{threads} threads");
                }
            }
        }
        assert!(on_shares(&mut [], &mut Results::default(), |share, _| Ok(share.len())).is_ok());
    }
}
