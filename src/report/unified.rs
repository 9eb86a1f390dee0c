//! Unified diffs of files, as `patch` and `git apply` read them.

use std::fmt::Write;

use super::Color;
use crate::formats::matching::{self, Edit};
use crate::krm::visible;

/// The number of equal lines before and after a change.
const CONTEXT: usize = 3;

/// A file before and after.
#[derive(Debug)]
pub struct FileChange<'t> {
    pub path: &'t str,
    pub is_new: bool,
    pub parts: Vec<Part<'t>>,
    /// Whether the lines contain secrets, so that they are not shown.
    pub is_secret: bool,
}

/// A part of a file. Parts are whole lines; only the last one may lack a line break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    Same(&'t str),
    Changed { old: &'t str, new: &'t str },
}

/// The diff of one file, which differs. On a terminal, control characters are shown as escapes.
pub fn unified(change: &FileChange<'_>, is_terminal: bool, color: Color) -> String {
    let path = visible(change.path.trim_start_matches("./").trim_start_matches('/')).into_owned();
    let before = if change.is_new { "/dev/null".to_owned() } else { format!("a/{path}") };
    let header = color.styled(BOLD, &format!("--- {before}\n+++ b/{path}"));
    if change.is_secret {
        let what = if change.is_new { "is new" } else { "differs" };
        return format!("{header}\n# This file {what}. It contains a Secret, so its lines are not shown.\n");
    }
    let mut diff = Diff { is_terminal, color, out: header + "\n", ..Diff::default() };
    for part in &change.parts {
        match part {
            Part::Same(text) => text.split_inclusive('\n').for_each(|line| diff.keep(line)),
            Part::Changed { old, new } => diff.compare(old, new),
        }
    }
    diff.write_hunk();
    diff.out
}

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const CYAN: &str = "36";

/// The diff of the lines so far. Only the lines of the current hunk are kept, because files can be large.
#[derive(Default)]
struct Diff<'t> {
    is_terminal: bool,
    color: Color,
    out: String,
    /// The number of lines so far, in the old and in the new file.
    at: (usize, usize),
    /// The current hunk, each line with its sign. Without a change, the last equal lines.
    hunk: Vec<(char, &'t str)>,
    has_change: bool,
    /// The number of equal lines at the end of the hunk.
    kept: usize,
}

impl<'t> Diff<'t> {
    fn compare(&mut self, old: &'t str, new: &'t str) {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        for edit in matching::compare(&old, &new) {
            match edit {
                Edit::Keep(at, _) => self.keep(old[at]),
                Edit::Remove(at) => self.change('-', old[at]),
                Edit::Add(at) => self.change('+', new[at]),
            }
        }
    }

    fn keep(&mut self, line: &'t str) {
        self.hunk.push((' ', line));
        self.kept += 1;
        self.at = (self.at.0 + 1, self.at.1 + 1);
        if self.has_change && self.kept > 2 * CONTEXT {
            self.write_hunk();
        } else if !self.has_change && self.kept > CONTEXT {
            self.hunk.remove(0);
            self.kept -= 1;
        }
    }

    fn change(&mut self, sign: char, line: &'t str) {
        self.hunk.push((sign, line));
        (self.has_change, self.kept) = (true, 0);
        if sign == '-' { self.at.0 += 1 } else { self.at.1 += 1 }
    }

    /// Writes the hunk, if it has a change. Its last lines can be the first of the next one.
    fn write_hunk(&mut self) {
        if !self.has_change {
            return;
        }
        let count = |sign| self.hunk.iter().filter(|(other, _)| [' ', sign].contains(other)).count();
        let (olds, news) = (count('-'), count('+'));
        let unneeded = self.kept.saturating_sub(CONTEXT);
        let spans = [span(self.at.0 - olds, olds - unneeded), span(self.at.1 - news, news - unneeded)];
        let header = format!("@@ -{} +{} @@", spans[0], spans[1]);
        let _ = writeln!(self.out, "{}", self.color.styled(CYAN, &header));
        for (sign, line) in &self.hunk[..self.hunk.len() - unneeded] {
            let code = match sign {
                '-' => RED,
                '+' => GREEN,
                _ => "",
            };
            let (text, end) =
                line.strip_suffix('\n').map_or((*line, "\n\\ No newline at end of file"), |text| (text, ""));
            let text = if self.is_terminal { visible(text) } else { text.into() };
            let _ = writeln!(self.out, "{}{end}", self.color.styled(code, &format!("{sign}{text}")));
        }
        self.kept = self.kept.min(CONTEXT);
        self.hunk.drain(..self.hunk.len() - self.kept);
        self.has_change = false;
    }
}

/// The first line and the number of lines, as in the header of a hunk.
fn span(first: usize, count: usize) -> String {
    match count {
        0 => "0,0".to_owned(),
        1 => (first + 1).to_string(),
        _ => format!("{},{count}", first + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(parts: Vec<Part<'_>>) -> String {
        let change = FileChange { path: "a.yaml", is_new: false, parts, is_secret: false };
        unified(&change, false, Color::Plain)
    }

    #[test]
    fn parts_give_the_same_diff_as_the_whole_file() {
        let lines = |range: std::ops::Range<usize>| range.map(|n| format!("{n}\n")).collect::<String>();
        for gap in 1..12 {
            let (head, middle, tail) = (lines(0..5), lines(5..5 + gap), lines(90..92));
            let [x, y] =
                [Part::Changed { old: "x\n", new: "x\nmore\n" }, Part::Changed { old: "y\n", new: "" }];
            let parts = diff(vec![Part::Same(&head), x, Part::Same(&middle), y, Part::Same(&tail)]);
            let old = format!("{head}x\n{middle}y\n{tail}");
            let new = format!("{head}x\nmore\n{middle}{tail}");
            assert_eq!(parts, diff(vec![Part::Changed { old: &old, new: &new }]));
            assert_eq!(parts.matches("@@ -").count(), if gap > 2 * CONTEXT { 2 } else { 1 }, "{parts}");
        }
    }
}
