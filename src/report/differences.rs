//! Shows how two sets of objects differ: as text, as JSON, and as a comment on a pull request.

mod json;
mod lines;
mod markdown;

pub use json::json;
pub use markdown::markdown;

use super::Color;
use crate::krm::visible;
use crate::model::differences::{ChangeKind, ObjectChange};

const RED: &str = "31";
const GREEN: &str = "32";
const BOLD: &str = "1";

/// One line for each object, followed by its fields, and a summary. Empty if nothing differs.
pub fn text(changes: &[ObjectChange], color: Color) -> String {
    let mut out = String::new();
    for change in changes {
        let (sign, code) = match change.kind {
            ChangeKind::Added => ('+', GREEN),
            ChangeKind::Removed => ('-', RED),
            ChangeKind::Changed(_) => ('~', BOLD),
        };
        out.push_str(&color.styled(code, &visible(&format!("{sign} {}", change.id))));
        out.push('\n');
        for (sign, line) in lines::of(change) {
            let code = match sign {
                '+' => GREEN,
                '-' => RED,
                _ => "",
            };
            out.push_str(&color.styled(code, format!("  {sign} {}", visible(&line)).trim_end()));
            out.push('\n');
        }
    }
    if !changes.is_empty() {
        out.push_str(&format!("\n{}\n", summary(changes)));
    }
    out
}

/// How many objects differ.
fn summary(changes: &[ObjectChange]) -> String {
    let [added, removed, changed] = counts(changes);
    let objects = if changes.len() == 1 { "object differs" } else { "objects differ" };
    format!("{} {objects}: {added} added, {removed} removed, {changed} changed", changes.len())
}

/// The numbers of objects that are added, removed and changed.
fn counts(changes: &[ObjectChange]) -> [usize; 3] {
    let mut counts = [0; 3];
    for change in changes {
        counts[match change.kind {
            ChangeKind::Added => 0,
            ChangeKind::Removed => 1,
            ChangeKind::Changed(_) => 2,
        }] += 1;
    }
    counts
}
