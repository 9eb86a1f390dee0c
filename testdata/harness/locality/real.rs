//! Edits of real documents.

use std::collections::HashSet;

use rhoso_fn::yaml::Document;

use super::edit::Edit;
use super::field::{fields, layout};
use crate::material;

/// Sets, removes and renames every field of every document, and adds another one next to it. Among fields
/// with the same layout, only the one in the smallest document is tried, because edits depend on the layout
/// and not on words.
#[test]
fn edits_stay_within_the_lines_of_the_field() {
    let (mut edits, mut refused) = (0, 0);
    let mut documents = material::documents();
    documents.retain(|(_, text)| text.len() <= 20_000); // longer ones are CRDs with similar fields
    documents.sort_by_key(|(_, text)| text.len());
    let mut tried = HashSet::new();
    for (name, text) in documents {
        let doc = Document::parse(text.as_str()).unwrap();
        let Some(root) = doc.root() else { continue };
        let mut paths = Vec::new();
        fields(&doc, root, &mut Vec::new(), &mut paths);
        let stride = 1 + paths.len() / 60;
        for path in paths.iter().step_by(stride) {
            // The value of an alias is elsewhere in the document, so the layout is not enough.
            if !tried.insert(layout(&doc, path)) && !doc.tree().has_aliases() {
                continue;
            }
            for edit in Edit::ALL {
                match edit.apply(&doc, path) {
                    Ok(Some(edited)) => {
                        edits += 1;
                        edit.check(&doc, &edited, path, &name);
                    }
                    Ok(None) => {}
                    Err(error) => {
                        refused += 1;
                        let allowed = doc.tree().has_aliases();
                        assert!(allowed, "{name}: {edit:?} of {path:?}: {error}");
                    }
                }
            }
        }
    }
    println!("{edits} edits, {refused} refused");
    assert!(edits > 1_000 && refused * 20 < edits, "{edits} edits, {refused} refused");
}
