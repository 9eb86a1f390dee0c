//! Differences as Markdown, for a comment on a pull request.

use super::{lines, summary};
use crate::krm::visible;
use crate::model::differences::{ChangeKind, ObjectChange};

/// More lines than this are folded.
const MOST_LINES: usize = 30;

/// GitHub rejects comments of more than 65,536 characters, GitLab those of more than 1,000,000.
const LONGEST: usize = 60_000;

pub fn markdown(changes: &[ObjectChange]) -> String {
    if changes.is_empty() {
        return "No object differs.\n".to_owned();
    }
    let count: usize = changes.iter().map(|change| 1 + lines::of(change).len()).sum();
    let is_folded = count > MOST_LINES;
    let mut out = format!("**{}**\n", summary(changes));
    for (at, change) in changes.iter().enumerate() {
        let part = object(change, is_folded);
        if out.len() + part.len() > LONGEST {
            out.push_str(&format!("\n{} more, which do not fit into a comment.\n", changes.len() - at));
            break;
        }
        out.push_str(&part);
    }
    out
}

fn object(change: &ObjectChange, is_folded: bool) -> String {
    let name = escaped(&visible(&change.id.to_string()));
    let what = match &change.kind {
        ChangeKind::Added => return format!("\n➕ {name}\n"),
        ChangeKind::Removed => return format!("\n➖ {name}\n"),
        ChangeKind::Changed(fields) if fields.len() == 1 => "1 field".to_owned(),
        ChangeKind::Changed(fields) => format!("{} fields", fields.len()),
    };
    let line = |(sign, line): &(char, String)| format!("{sign} {}\n", visible(line));
    let body: String = lines::of(change).iter().map(line).collect();
    // A fence is longer than every fence inside it.
    let fence = "`".repeat(body.split(|c| c != '`').map(str::len).max().unwrap_or_default().max(2) + 1);
    let block = format!("{fence}diff\n{body}{fence}\n");
    match is_folded {
        true => format!("\n<details><summary>{name} ({what})</summary>\n\n{block}\n</details>\n"),
        false => format!("\n{name} ({what})\n\n{block}"),
    }
}

/// Names can contain anything, so they must not be read as Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '`' | '*' | '_' | '[' | ']' | '@' | '#' | '!' | '|' | '\\' => {
                out.push_str(&format!("&#{};", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}
