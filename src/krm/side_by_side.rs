//! Work on all cores. Results have the order of the input, and the error is the one that comes first in that order, so
//! that the outcome does not depend on the number of threads.

use std::convert::Infallible;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;

/// The usual stack of a main thread, in bytes.
const STACK_SIZE: usize = 8 << 20;

/// The number of threads for an amount of work. A thread costs about as much as reading some kilobytes.
pub fn threads(bytes: usize) -> usize {
    const BYTES_PER_THREAD: usize = 128 << 10;
    // Asking takes as long as reading some kilobytes, because it reads files of the system.
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = || *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get));
    match bytes / BYTES_PER_THREAD {
        0 | 1 => 1,
        most => most.min(cores()),
    }
}

/// Calls `work` for each of `count` positions.
pub fn map<R: Send>(threads: usize, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    match try_map(threads, count, |position| Ok::<R, Infallible>(work(position))) {
        Ok(results) => results,
        Err(never) => match never {},
    }
}

/// Calls `work` for each of `count` positions, until one fails.
pub fn try_map<R: Send, E: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    if threads.min(count) <= 1 {
        return (0..count).map(work).collect();
    }
    let results: Vec<Mutex<Option<Result<R, E>>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(threads, count, &|position| {
        let result = work(position);
        let is_ok = result.is_ok();
        if let Some(mut slot) = results.get(position).and_then(|slot| slot.lock().ok()) {
            *slot = Some(result);
        }
        is_ok
    });
    results.into_iter().map_while(|slot| slot.into_inner().ok().flatten()).collect()
}

/// Calls `work` for each of `count` positions, until it returns false. It is not generic, because the code that starts
/// threads is large.
fn for_each(threads: usize, count: usize, work: &(dyn Fn(usize) -> bool + Sync)) {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work_on = || {
        // Positions are handed out in order, so all before one that fails are done as well.
        while !has_failed.load(Ordering::Relaxed) {
            let position = next.fetch_add(1, Ordering::Relaxed);
            if position >= count {
                break;
            }
            if !work(position) {
                has_failed.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            // The reader of YAML recurses, and needs the stack of the main thread. If there is no other thread, this one
            // does all of the work.
            drop(thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work_on));
        }
        work_on();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_does_not_depend_on_the_number_of_threads() {
        for threads in [1, 2, 4, 9] {
            assert_eq!(map(threads, 1000, |n| n * 2), (0..1000).map(|n| n * 2).collect::<Vec<_>>());
            assert!(map(threads, 0, |n| n).is_empty());
            let failing = |n| if n % 300 == 299 { Err(n) } else { Ok(n) };
            assert_eq!(try_map(threads, 1000, failing), Err(299));
        }
    }

    #[test]
    fn little_work_needs_no_threads() {
        assert_eq!(threads(100_000), 1);
        assert!(threads(usize::MAX) >= 1);
    }
}
