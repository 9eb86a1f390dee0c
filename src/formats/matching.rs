//! What two sequences have in common, for differences of lines and lists: the algorithm of Myers, as in diff and Git.

use std::collections::HashMap;

/// How to get from one sequence to another, by positions in each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Keep(usize, usize),
    Remove(usize),
    Add(usize),
}

/// Sequences that differ in more elements than this are not compared further, because time and memory grow with the
/// square of that number.
const MOST: usize = 1500;

/// The edits from one sequence of texts to another, in order. Where both change, removals come first.
pub fn compare(old: &[&str], new: &[&str]) -> Vec<Edit> {
    let mut numbers = HashMap::new();
    let mut number = |text| {
        let next = numbers.len();
        *numbers.entry(text).or_insert(next)
    };
    let old: Vec<usize> = old.iter().copied().map(&mut number).collect();
    let new: Vec<usize> = new.iter().copied().map(&mut number).collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut edits: Vec<Edit> = (0..head).map(|at| Edit::Keep(at, at)).collect();
    edits.extend(middle(a, b).into_iter().map(|edit| match edit {
        Edit::Keep(x, y) => Edit::Keep(x + head, y + head),
        Edit::Remove(x) => Edit::Remove(x + head),
        Edit::Add(y) => Edit::Add(y + head),
    }));
    edits.extend((0..tail).map(|at| Edit::Keep(old.len() - tail + at, new.len() - tail + at)));
    let is_change = |edit: &Edit| !matches!(edit, Edit::Keep(..));
    for run in edits.chunk_by_mut(|one, next| is_change(one) && is_change(next)) {
        let (added, mut sorted): (Vec<Edit>, Vec<Edit>) =
            run.iter().copied().partition(|edit| matches!(edit, Edit::Add(_)));
        sorted.extend(added);
        run.copy_from_slice(&sorted);
    }
    edits
}

fn middle(a: &[usize], b: &[usize]) -> Vec<Edit> {
    let replaced = || (0..a.len()).map(Edit::Remove).chain((0..b.len()).map(Edit::Add)).collect();
    if a.is_empty() || b.is_empty() {
        return replaced();
    }
    let most = (a.len() + b.len()).min(MOST);
    // For each diagonal, how far in `a` a path with the current number of changes gets.
    let mut furthest = vec![0usize; 2 * most + 3];
    let mut history = Vec::new();
    for changes in 0..=most {
        history.push(furthest[most + 1 - changes..=most + 1 + changes].to_vec());
        for step in 0..=changes {
            let diagonal = most + 1 + 2 * step - changes;
            let goes_down = step == 0 || step < changes && furthest[diagonal - 1] < furthest[diagonal + 1];
            let mut x = if goes_down { furthest[diagonal + 1] } else { furthest[diagonal - 1] + 1 };
            // The diagonal is x - y, moved by `most + 1`. Paths may leave the table, and are then not followed.
            let Some(mut y) = (x + most + 1).checked_sub(diagonal) else { continue };
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[diagonal] = x;
            if x >= a.len() && y >= b.len() {
                return walk_back(a.len(), b.len(), &history);
            }
        }
    }
    replaced()
}

/// The edits of the path that reached the end, from what each number of changes reached before it.
fn walk_back(mut x: usize, mut y: usize, history: &[Vec<usize>]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (changes, before) in history.iter().enumerate().rev() {
        // The middle of `before` is diagonal 0.
        let at = |diagonal: isize| {
            usize::try_from(diagonal + changes as isize)
                .ok()
                .and_then(|at| before.get(at))
                .copied()
                .unwrap_or(0)
        };
        let diagonal = x as isize - y as isize;
        let limit = changes as isize;
        let goes_down = diagonal == -limit || diagonal != limit && at(diagonal - 1) < at(diagonal + 1);
        let from = if goes_down { diagonal + 1 } else { diagonal - 1 };
        let (start_x, start_y) =
            if changes == 0 { (0, 0) } else { (at(from), (at(from) as isize - from) as usize) };
        let keeps_from = if changes == 0 {
            (0, 0)
        } else if goes_down {
            (start_x, start_y + 1)
        } else {
            (start_x + 1, start_y)
        };
        while x > keeps_from.0 && y > keeps_from.1 {
            (x, y) = (x - 1, y - 1);
            edits.push(Edit::Keep(x, y));
        }
        if changes > 0 {
            edits.push(if goes_down { Edit::Add(start_y) } else { Edit::Remove(start_x) });
            (x, y) = (start_x, start_y);
        }
    }
    edits.reverse();
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest number of edits, by dynamic programming.
    fn shortest(old: &[&str], new: &[&str]) -> usize {
        let mut row: Vec<usize> = (0..=new.len()).collect();
        for (i, a) in old.iter().enumerate() {
            let mut above = row.clone();
            std::mem::swap(&mut above, &mut row);
            row[0] = i + 1;
            for (j, b) in new.iter().enumerate() {
                row[j + 1] = if a == b { above[j] } else { 1 + row[j].min(above[j + 1]) };
            }
        }
        row[new.len()]
    }

    #[test]
    fn edits_lead_from_one_to_the_other_in_the_fewest_steps() {
        let mut state = 1u32;
        for _ in 0..3000 {
            let mut sequence = || -> Vec<&str> {
                let mut random = |below: u32| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 16) % below
                };
                (0..random(9)).map(|_| ["a", "b", "c"][random(3) as usize]).collect()
            };
            let (old, new) = (sequence(), sequence());
            let edits = compare(&old, &new);
            let (mut x, mut y, mut steps) = (0, 0, 0);
            for edit in &edits {
                match *edit {
                    Edit::Keep(a, b) => {
                        assert_eq!((a, b, old[a]), (x, y, new[b]), "{old:?} {new:?}: {edits:?}");
                        (x, y) = (x + 1, y + 1);
                    }
                    Edit::Remove(a) => {
                        assert_eq!(a, x, "{old:?} {new:?}: {edits:?}");
                        (x, steps) = (x + 1, steps + 1);
                    }
                    Edit::Add(b) => {
                        assert_eq!(b, y, "{old:?} {new:?}: {edits:?}");
                        (y, steps) = (y + 1, steps + 1);
                    }
                }
            }
            assert_eq!((x, y, steps), (old.len(), new.len(), shortest(&old, &new)), "{old:?} {new:?}");
        }
    }

    #[test]
    fn what_differs_too_much_is_replaced() {
        let texts: Vec<String> = (0..4 * MOST).map(|number| number.to_string()).collect();
        let old: Vec<&str> = texts.iter().step_by(2).map(String::as_str).collect();
        let new: Vec<&str> = texts.iter().skip(1).step_by(2).map(String::as_str).collect();
        assert_eq!(compare(&old, &new).len(), texts.len());
    }
}
