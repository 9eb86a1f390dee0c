//! What functions changed in a file, and what is between these changes.

use crate::krm::Pieces;
use crate::report::Part;
use crate::yaml::Text;

/// The parts of a file that was read, and of which most pieces are still the same. The edits of a document keep whole
/// lines. None if a change does not begin and end with a line nevertheless, such as in `--- {kind: A}`.
pub fn parts<'t>(old: &'t Text, new: &'t Pieces) -> Option<Vec<Part<'t>>> {
    let mut parts = Vec::new();
    let (mut at, mut written) = (0, "");
    for piece in new.texts() {
        let Some(range) = piece.range_in(old).filter(|range| range.start >= at) else {
            if !written.is_empty() {
                return None;
            }
            written = piece;
            continue;
        };
        if range.start > at || !written.is_empty() {
            parts.push(Part::Changed { old: &old[at..range.start], new: std::mem::take(&mut written) });
        }
        at = range.end;
        parts.push(Part::Same(&old[range]));
    }
    if old.len() > at || !written.is_empty() {
        parts.push(Part::Changed { old: &old[at..], new: written });
    }
    let ends = |text: &str| text.is_empty() || text.ends_with('\n');
    let is_whole_lines = |part: &Part<'_>| match part {
        Part::Same(text) => ends(text),
        Part::Changed { old, new } => ends(old) && ends(new),
    };
    let all_but_last = parts.len().saturating_sub(1);
    parts[..all_but_last].iter().all(is_whole_lines).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{FieldPath, Place, Resource};

    fn found(old: &str, new: &[Result<std::ops::Range<usize>, &'static str>]) -> Option<String> {
        let text = Text::from(old);
        let piece = |piece: &Result<_, &str>| match piece.clone() {
            Ok(range) => text.part(range),
            Err(written) => written.into(),
        };
        let new: Pieces = new.iter().map(piece).collect();
        parts(&text, &new).map(|parts| format!("{parts:?}"))
    }

    #[test]
    fn changes_are_between_the_pieces_of_the_old_text() {
        let old = "---\na\n---\nb\n---\nc";
        let parts = found(old, &[Ok(0..4), Err("x\n"), Ok(6..16), Err("y\n")]).unwrap();
        assert_eq!(
            parts,
            r#"[Same("---\n"), Changed { old: "a\n", new: "x\n" }, Same("---\nb\n---\n"), Changed { old: "c", new: "y\n" }]"#
        );
        assert_eq!(found("a\n", &[]).unwrap(), r#"[Changed { old: "a\n", new: "" }]"#);
        assert_eq!(found("--- a\n---\n", &[Ok(0..4), Err("b\n"), Ok(6..10)]), None);
        assert_eq!(found("a\n", &[Err("b\n"), Err("c\n")]), None);
    }

    #[test]
    fn edits_of_a_document_keep_whole_lines() {
        let text = Text::from("---\na: 1\nb: {c: 2}\nd: 1\n---\ne: 1\n");
        let document = |range: std::ops::Range<usize>| {
            Resource::from_file(text.clone(), range, Place::default()).unwrap()
        };
        let mut edited = document(4..24);
        edited.set(&FieldPath::new("b.c"), 3).unwrap();
        let mut new: Pieces = [text.part(0..4)].into_iter().collect();
        edited.append_to(&mut new);
        document(24..text.len()).append_to(&mut new);
        let parts = format!("{:?}", parts(&text, &new).unwrap());
        assert!(parts.contains(r#"Changed { old: "b: {c: 2}\n", new: "b: {c: 3}\n" }"#), "{parts}");
    }
}
