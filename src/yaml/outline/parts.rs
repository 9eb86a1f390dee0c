//! Reads parts of the list before the rest of the text, so that several threads can work on it.
//!
//! Where a part begins is a guess. It counts only if the entry before it ends there, and then reading the part by itself
//! gives the same as reading the list from its start: what an entry means depends on its own text, on the column of the
//! dashes, and on the anchors before it. A part therefore ends before an alias to an anchor outside of it, and before
//! anything that is not supported.

use std::ops::Range;

use super::super::events::Layout;
use super::super::search;
use super::super::subset::{SubsetReader, SubsetResult, doubtful};
use super::super::tree::{Kind, NodeId};
use super::{Outline, Outliner, VisitedEntry};

/// Where entries of the list probably begin, with parts of about the same size between them.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// The positions of dashes, or of braces in a list in brackets.
    pub(super) starts: Vec<usize>,
    /// The column of the dashes. None for a list in brackets.
    column: Option<usize>,
}

impl Cuts {
    pub(super) fn find(text: &str, key: &str, count: usize) -> Cuts {
        if count < 2 {
            return Cuts::default();
        }
        let is_block = !text.trim_start().starts_with('{');
        let cuts =
            if is_block { Cuts::at_dashes(text, key, count) } else { Cuts::at_braces(text, key, count) };
        cuts.unwrap_or_default()
    }

    /// At lines that have a dash at the column of the first one. The lines of an entry are deeper than that.
    fn at_dashes(text: &str, key: &str, count: usize) -> Option<Cuts> {
        let list = if text.starts_with(key) { 0 } else { text.find(&format!("\n{key}:"))? + 1 };
        let first = list + text[list..].find('\n')? + 1;
        let column = text[first..].bytes().take_while(|byte| *byte == b' ').count();
        let dash = format!("\n{}- ", " ".repeat(column));
        // The line break before the first line counts too.
        let next = |from: usize| find(text, from, &dash).map(|at| at + 1 + column);
        let starts = spread(first - 1..text.len(), count, next);
        Some(Cuts { starts, column: Some(column) })
    }

    /// At braces that are followed by the same key as the first one, and by the same spaces before it.
    fn at_braces(text: &str, key: &str, count: usize) -> Option<Cuts> {
        let bracket = text.find(&format!("\"{key}\":"))?;
        let first = bracket + text[bracket..].find('{')?;
        let opening = &text[first..=first + text[first..].find(':')?];
        let next = |from: usize| find(text, from, opening);
        let starts = spread(first..text.len(), count, next);
        Some(Cuts { starts, column: None })
    }
}

/// All threads wait for this.
fn find(text: &str, from: usize, wanted: &str) -> Option<usize> {
    search::find(text.as_bytes().get(from..)?, wanted).map(|at| from + at)
}

/// The first positions that `next` finds at or after equal distances.
fn spread(range: Range<usize>, count: usize, next: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    let distance = range.len() / count;
    let mut starts: Vec<usize> = (0..count).map_while(|part| next(range.start + part * distance)).collect();
    starts.dedup();
    starts
}

/// What was read of the list from an entry on.
#[derive(Debug)]
pub struct OutlinePart<'t, V> {
    /// Where the first entry begins.
    pub(super) start: usize,
    /// The reader where the last entry ends. In its tree, the entries follow [`LIST`].
    reader: SubsetReader<'t>,
    visited: Vec<V>,
    /// The positions of doubtful characters up to the next part.
    pub(super) doubtful: Vec<usize>,
}

/// The list in the tree of a part, after the mapping around it.
const LIST: NodeId = NodeId(1);

impl<'t> Outline<'t> {
    /// Reads a part of the list. None if nothing can be read there.
    pub fn read_part<V>(
        &self,
        number: usize,
        visit: &impl Fn(VisitedEntry<'_>) -> V,
    ) -> Option<OutlinePart<'t, V>> {
        let start = *self.cuts.starts.get(number)?;
        let end = self.cuts.starts.get(number + 1).map_or(self.text.len(), |next| *next);
        let line = start - self.cuts.column.unwrap_or_default();
        let mut doubtful = doubtful(&self.text.as_bytes()[start..end]);
        doubtful.iter_mut().for_each(|at| *at += start);
        let mut outliner = Outliner {
            text: self.text,
            key: self.key,
            visit,
            visited: Vec::new(),
            reader: SubsetReader::lenient(self.text, line).ok()?,
            doubtful,
            parts: Vec::new().into_iter(),
        };
        outliner.part(self.cuts.column, end).ok()?;
        let Outliner { reader, visited, doubtful, .. } = outliner;
        Some(OutlinePart { start, reader, visited, doubtful })
    }
}

impl<V, Visit: Fn(VisitedEntry<'_>) -> V> Outliner<'_, '_, V, Visit> {
    /// Reads entries up to `end`, or to the first that cannot be read without what is before the part.
    fn part(&mut self, column: Option<usize>, end: usize) -> SubsetResult<()> {
        let layout = if column.is_some() { Layout::Block } else { Layout::Flow };
        let mapping = self.reader.open(Kind::Mapping(layout), None)?;
        let list = self.reader.open(Kind::Sequence(layout), Some(mapping))?;
        while self.reader.at < end {
            let before = (self.reader.at, self.reader.column, self.reader.end);
            let (checkpoint, count) = (self.reader.checkpoint(), self.visited.len());
            if self.next_entry(column, list) != Ok(true) {
                self.reader.discard_since(checkpoint);
                self.visited.truncate(count);
                (self.reader.at, self.reader.column, self.reader.end) = before;
                break;
            }
        }
        Ok(())
    }

    /// Reads an entry and moves to the next one. Returns false if there is none to read.
    fn next_entry(&mut self, column: Option<usize>, list: NodeId) -> SubsetResult<bool> {
        let Some(column) = column else {
            let at = self.reader.at;
            if self.text.as_bytes().get(at) == Some(&b']') {
                return Ok(false);
            }
            self.reader.at = self.entry_in_brackets(at, list)?;
            return Ok(true);
        };
        let has_entry = self.reader.has_entry(column)?;
        if has_entry {
            self.entry(column, list)?;
        }
        Ok(has_entry)
    }

    /// Adds a part that was read before, if one begins here, and moves to its end.
    pub(super) fn take_part(&mut self, at: usize, list: NodeId) -> bool {
        while self.parts.as_slice().first().is_some_and(|part| part.start < at) {
            self.parts.next();
        }
        let has_part = self.parts.as_slice().first().is_some_and(|part| part.start == at);
        let Some(part) = has_part.then(|| self.parts.next()).flatten() else { return false };
        if part.visited.is_empty() {
            return false;
        }
        let shift = self.reader.tree.append_entries(&part.reader.tree, LIST, list);
        for (name, entry) in part.reader.anchors.inside() {
            self.reader.anchors.add_inside(NodeId(entry.0 + shift), [name].into_iter());
        }
        self.visited.extend(part.visited);
        (self.reader.at, self.reader.column, self.reader.end) =
            (part.reader.at, part.reader.column, part.reader.end);
        true
    }
}
