//! Several changes of one document at once. An edit reads the document again to check the result, so that as many
//! edits as the document has fields would take time with the square of its size.

use std::collections::HashSet;

use serde_json::Value;

use super::super::document::{Document, Step};
use super::attempt::Planned;
use super::editor::{Editor, Strategy};
use super::intent::{equal, set_at};

/// Changes that must be made one after the other, because one may affect another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Apart;

impl Document {
    /// Sets several values, with the text that setting one after the other gives. None if all of them are already set.
    pub fn set_together(&self, changes: &[(Vec<Step>, Value)]) -> Result<Option<Document>, Apart> {
        let root = self.root().filter(|_| self.is_plain()).ok_or(Apart)?;
        let mut intended = self.root_value().map_err(|_| Apart)?;
        let mut editor = Editor::new(self, Strategy::Preserve);
        let mut changed = HashSet::new();
        for (path, value) in changes {
            let current = self.find(path).map(|node| self.value(node)).transpose().map_err(|_| Apart)?;
            if current.is_some_and(|current| equal(&current, value)) {
                continue;
            }
            set_at(&mut intended, path, value).map_err(|_| Apart)?;
            match self.plan_set(root, path, value, &mut editor) {
                Ok(Planned::Change(node)) if changed.insert(node) => {}
                _ => return Err(Apart),
            }
        }
        if changed.is_empty() {
            return Ok(None);
        }
        let edited = editor.finish().map_err(|_| Apart)?;
        let is_meant = edited.root_value().is_ok_and(|value| equal(&value, &intended));
        if is_meant { Ok(Some(edited)) } else { Err(Apart) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::expect::path;
    use super::*;

    const TEXT: &str = "a: 1 # one\nb:\n  c: 'x'\n  d: {e: 1}\nf:\n- g: |\n    text\n- h # last\ni:\nj: {}\n";

    fn changes(list: &[(&str, Value)]) -> Vec<(Vec<Step>, Value)> {
        list.iter().map(|(at, value)| (path(at), value.clone())).collect()
    }

    #[test]
    fn the_text_is_that_of_one_change_after_the_other() {
        for list in [
            &[("a", json!(2)), ("b.c", json!("y")), ("f.0.g", json!("more\nlines\n")), ("f.1", json!("k"))][..],
            &[("b.n.m", json!("new")), ("b.d.e", json!(2)), ("b.d.o", json!([1])), ("f.0.n", json!(true))],
            &[("f.2", json!("third")), ("i.n", json!(1)), ("a", json!(1)), ("j.k", json!("x"))],
            &[("n", json!({"o": 1})), ("b.c", json!(""))],
        ] {
            let doc = Document::parse(TEXT).unwrap();
            let together = doc.set_together(&changes(list)).unwrap().unwrap();
            let mut one_by_one = doc;
            for (path, value) in changes(list) {
                one_by_one = one_by_one.set(&path, &value).unwrap().unwrap_or(one_by_one);
            }
            assert_eq!(together.text(), one_by_one.text());
        }
    }

    #[test]
    fn changes_that_affect_each_other_are_not_made_together() {
        let doc = Document::parse(TEXT).unwrap();
        for list in [
            [("b.n", json!(1)), ("b.o", json!(1))],
            [("n.m", json!(1)), ("n.o", json!(1))],
            [("a", json!(2)), ("a", json!(3))],
            [("a.b", json!(2)), ("b.c", json!("y"))],
        ] {
            assert_eq!(doc.set_together(&changes(&list)).err(), Some(Apart), "{list:?}");
        }
        let anchored = Document::parse("a: &x 1\nb: *x\nc: 1\n").unwrap();
        assert_eq!(anchored.set_together(&changes(&[("c", json!(2))])).err(), Some(Apart));
        let unchanged = doc.set_together(&changes(&[("a", json!(1)), ("b.c", json!("x"))]));
        assert!(unchanged.is_ok_and(|edited| edited.is_none()));
    }
}
