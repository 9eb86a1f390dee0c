//! Unified diffs of files, as `patch` and `git apply` read them.

use std::fmt::Write;
use std::ops::Range;

use super::Color;
use crate::formats::matching::{self, Edit};
use crate::krm::visible;

/// The number of equal lines before and after a change.
const CONTEXT: usize = 3;

/// A file before and after.
#[derive(Debug)]
pub struct FileChange<'t> {
    pub path: &'t str,
    /// None if the file is new.
    pub old: Option<&'t str>,
    pub new: &'t str,
    /// Whether the lines contain secrets, so that they are not shown.
    pub is_secret: bool,
}

/// The diff of one file; empty if nothing changes. On a terminal, control characters are shown as escapes.
pub fn unified(change: &FileChange<'_>, is_terminal: bool, color: Color) -> String {
    if change.old == Some(change.new) {
        return String::new();
    }
    let path = visible(change.path.trim_start_matches("./").trim_start_matches('/')).into_owned();
    let before = change.old.map_or_else(|| "/dev/null".to_owned(), |_| format!("a/{path}"));
    let header = color.styled(BOLD, &format!("--- {before}\n+++ b/{path}"));
    if change.is_secret {
        let what = if change.old.is_some() { "differs" } else { "is new" };
        return format!("{header}\n# This file {what}. It contains a Secret, so its lines are not shown.\n");
    }
    let old: Vec<&str> = change.old.unwrap_or_default().split_inclusive('\n').collect();
    let new: Vec<&str> = change.new.split_inclusive('\n').collect();
    let edits = matching::compare(&old, &new);
    let mut out = header + "\n";
    for hunk in hunks(&edits) {
        write_hunk(&edits[hunk], &old, &new, is_terminal, color, &mut out);
    }
    out
}

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const CYAN: &str = "36";

/// The ranges of edits that are shown together.
fn hunks(edits: &[Edit]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    for (at, _) in edits.iter().enumerate().filter(|(_, edit)| !matches!(edit, Edit::Keep(..))) {
        let (start, end) = (at.saturating_sub(CONTEXT), (at + 1 + CONTEXT).min(edits.len()));
        match hunks.last_mut().filter(|last| last.end >= start) {
            Some(last) => last.end = end,
            None => hunks.push(start..end),
        }
    }
    hunks
}

fn write_hunk(edits: &[Edit], old: &[&str], new: &[&str], is_terminal: bool, color: Color, out: &mut String) {
    let olds: Vec<usize> = edits
        .iter()
        .filter_map(|edit| match *edit {
            Edit::Keep(at, _) | Edit::Remove(at) => Some(at),
            Edit::Add(_) => None,
        })
        .collect();
    let news: Vec<usize> = edits
        .iter()
        .filter_map(|edit| match *edit {
            Edit::Keep(_, at) | Edit::Add(at) => Some(at),
            Edit::Remove(_) => None,
        })
        .collect();
    let header = format!("@@ -{} +{} @@", span(&olds), span(&news));
    let _ = writeln!(out, "{}", color.styled(CYAN, &header));
    for edit in edits {
        let (sign, line, code) = match *edit {
            Edit::Keep(at, _) => (' ', old[at], ""),
            Edit::Remove(at) => ('-', old[at], RED),
            Edit::Add(at) => ('+', new[at], GREEN),
        };
        let (text, end) =
            line.strip_suffix('\n').map_or((line, "\n\\ No newline at end of file"), |text| (text, ""));
        let text = if is_terminal { visible(text) } else { text.into() };
        let _ = writeln!(out, "{}{end}", color.styled(code, &format!("{sign}{text}")));
    }
}

/// The first line and the number of lines, as in the header of a hunk.
fn span(lines: &[usize]) -> String {
    match lines {
        [] => "0,0".to_owned(),
        [only] => (only + 1).to_string(),
        [first, ..] => format!("{},{}", first + 1, lines.len()),
    }
}
