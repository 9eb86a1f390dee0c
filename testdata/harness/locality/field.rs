//! Fields of a document, their lines, and how they are laid out.

use std::ops::Range;

use rhoso_fn::yaml::{Document, Kind, NodeId, Step};

/// Collects the paths of all fields and elements below a node.
pub(super) fn fields(doc: &Document, node: NodeId, path: &mut Vec<Step>, paths: &mut Vec<Vec<Step>>) {
    if !path.is_empty() {
        paths.push(path.clone());
    }
    match doc.tree().kind(node) {
        Kind::Mapping(_) => {
            for (key, value) in doc.tree().pairs(node) {
                let Some(key) = doc.key_text(key).filter(|key| *key != "<<") else { continue };
                path.push(Step::Key(key.to_owned()));
                fields(doc, value, path, paths);
                path.pop();
            }
        }
        Kind::Sequence(_) => {
            for (index, child) in doc.tree().children(node).enumerate() {
                path.push(Step::Index(index));
                fields(doc, child, path, paths);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The layout of a field: its lines and the lines around it, without words and margin, and the position of
/// its value in them. A long value is reduced to its first and last lines.
pub(super) fn layout(doc: &Document, path: &[Step]) -> (String, usize) {
    const SHOWN: usize = 3;
    let text = doc.text();
    let node = doc.find(path).unwrap();
    let own = lines_of_field(doc, path, node);
    let start = line_start(text, own.start.saturating_sub(1));
    let around = &text[start..line_end(text, own.end)];
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let margin = around.lines().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min();
    let lines = around.split_inclusive('\n').map(|line| line.get(margin.unwrap_or(0)..).unwrap_or("\n"));
    let lines: Vec<&str> = lines.collect();
    let shown = match lines.len().checked_sub(2 * SHOWN) {
        Some(more) if more > 0 => [&lines[..SHOWN], &["..."], &lines[lines.len() - SHOWN..]].concat(),
        _ => lines,
    };
    let before = text.get(start..doc.tree().span(node).start).unwrap_or_default();
    (without_words(&shown.concat()), without_words(before.trim_start()).len())
}

/// Text in which one letter replaces each sequence of words.
fn without_words(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_word = |c: &char| c.is_alphanumeric();
        if is_word(&c) {
            if !out.ends_with('w') {
                out.push('w');
            }
        } else if !(out.ends_with('w') && " -_./:".contains(c) && chars.peek().is_some_and(is_word)) {
            out.push(c);
        }
    }
    out
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |i| i + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |i| at + i + 1)
}

/// The bytes that an edit of a field may change: its lines, the comment above it and, in flow style, the
/// comma next to it.
pub(super) fn lines_of_field(doc: &Document, path: &[Step], node: NodeId) -> Range<usize> {
    let text = doc.text();
    let (last, parent) = path.split_last().unwrap();
    let parent = doc.find(parent).unwrap();
    let span = doc.tree().span(parent);
    let siblings: Vec<NodeId> = doc.tree().children(parent).collect();
    let at = match last {
        Step::Key(key) => siblings.iter().step_by(2).position(|k| doc.key_text(*k) == Some(key)).unwrap() * 2,
        Step::Index(index) => *index,
    };
    let width = if matches!(last, Step::Key(_)) { 2 } else { 1 };
    // Removing the only member also changes its parent, which becomes `{}` on the line of its key.
    if siblings.len() == width {
        let outer = doc.tree().outer_start(parent);
        let mut start = line_start(text, text[..outer].trim_end().len());
        while text[start..].trim_start().starts_with('#') && start > 0 {
            start = line_start(text, start - 1);
        }
        let end = span.end.max(doc.tree().span(node).end);
        return start..line_end(text, end);
    }
    // From the end of the previous sibling to the start of the next one, with the comments and commas between
    // them.
    let start = if at == 0 { span.start } else { doc.tree().span(siblings[at - 1]).end };
    let end = siblings
        .get(at + width)
        .map_or(span.end.max(doc.tree().span(node).end), |next| doc.tree().outer_start(*next));
    let mut first_line = line_start(text, start);
    while let Some(above) = text[..first_line].strip_suffix('\n') {
        let above = line_start(text, above.len());
        if !text[above..].trim_start().starts_with('#') {
            break;
        }
        first_line = above;
    }
    first_line..line_end(text, end)
}
