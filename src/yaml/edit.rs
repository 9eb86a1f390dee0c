//! Edits: a change of one field is a few splices of the text, in the style that is there.
//!
//! Every edit ends in a check: the new text is read again and must mean exactly what the old one
//! meant but for the change. An edit that would do anything else is refused, never written.

use serde_json::Value;

use super::document::{Document, Step};
use super::editor::{Editor, Manner};
use super::error::YamlError;
use super::intent::{dotted, misfit, nested, put, rename, same, take};
use super::scalar::Scalar;
use super::text::Text;
use super::tree::{Kind, NodeId};
use super::write;

/// Where a field hangs.
enum Holder<'p> {
    /// In this collection, by this step.
    Here(NodeId, &'p Step),
    /// Behind an alias, which this document has written out.
    BehindAlias(Document),
}

impl Document {
    /// Sets the value at a path, making what is missing on the way. None when it is there already.
    ///
    /// A list is extended by setting the index behind its last element.
    pub fn set(&self, path: &[Step], value: &Value) -> Result<Option<Document>, YamlError> {
        if let Some(there) = self.find(path)
            && same(&self.value(there)?, value)
        {
            return Ok(None);
        }
        let intended = || {
            let mut intended = self.root_value()?;
            put(&mut intended, path, value)?;
            Ok(intended)
        };
        let is_near = |edited: &Document| self.differs_only_at(edited, path, Some(value));
        self.first_that_means(intended, is_near, |manner| self.set_unchecked(path, value, manner)).map(Some)
    }

    /// Removes the field or element at a path. None when it is not there.
    pub fn remove(&self, path: &[Step]) -> Result<Option<Document>, YamlError> {
        if path.is_empty() || self.find(path).is_none() {
            return Ok(None);
        }
        let intended = || {
            let mut intended = self.root_value()?;
            take(&mut intended, path);
            Ok(intended)
        };
        let is_near = |edited: &Document| self.differs_only_at(edited, path, None);
        self.first_that_means(intended, is_near, |manner| self.remove_unchecked(path, manner)).map(Some)
    }

    /// Gives the key at the end of a path another name, in its place. None when it is not there.
    pub fn rename(&self, path: &[Step], new: &str) -> Result<Option<Document>, YamlError> {
        let mut intended = self.root_value()?;
        if !rename(&mut intended, path, new)? {
            return Ok(None);
        }
        let edit = |manner| self.rename_unchecked(path, new, manner);
        self.first_that_means(|| Ok(intended.clone()), |_| false, edit).map(Some)
    }

    /// The text with a line break at its end, so that another document can follow it.
    ///
    /// A block scalar that ends the text without a line break has none in its value: its header becomes
    /// `|-`. Blanks on the last line of a `|+` block would count as another line, so they are removed.
    pub fn closed_text(&self) -> Result<Text, YamlError> {
        if self.text.is_empty() || self.text.ends_with('\n') {
            return Ok(self.text.clone());
        }
        let last_text = |doc: &Document| {
            let last = doc.tree.last_block_scalar()?;
            Some((last, doc.tree.text(&doc.text, last).to_owned()))
        };
        let with_newline = |strip: bool| {
            let mut editor = Editor::new(self, Manner::WithFinalNewline);
            if strip {
                editor.strip_last_block_scalar();
            }
            editor.finish()
        };
        let without_blanks = || Document::framed(self.text.trim_end_matches(' '), self.frame);
        let candidates = [with_newline(false), with_newline(true), without_blanks()];
        let closed = candidates.into_iter().flatten().find(|doc| last_text(doc) == last_text(self));
        closed
            .map(|doc| doc.text)
            .ok_or_else(|| YamlError::new("the last line needs a line break at its end"))
    }

    /// The same document with every alias written out and every anchor removed: in a list, a copy beside its
    /// original would define each anchor twice, which PyYAML refuses. None where that cannot be done, or where
    /// a merge key would be left with nothing to share.
    pub fn without_anchors(&self) -> Option<Document> {
        if self.is_plain() {
            return Some(self.clone());
        }
        if self.tree.ids().any(|node| self.is_merge(node)) {
            return None;
        }
        let mut editor = Editor::new(self, Manner::Plainly);
        for (alias, _) in self.tree.aliases() {
            editor.replace(*alias, &self.value(*alias).ok()?);
        }
        for (_, properties) in &self.tree.properties {
            editor.remove_anchor(properties.range.clone());
        }
        let edited = editor.finish().ok()?;
        same(&edited.root_value().ok()?, &self.root_value().ok()?).then_some(edited)
    }

    /// The check at the end of every edit, and the manners in which it may be passed: a comment below
    /// the field may be too deep for a literal block above it, and a block that ends the text may need
    /// the line break that is not there.
    ///
    /// Mostly the nodes show that nothing but the field has changed (`is_near`). Where they do not, the
    /// values of the whole documents are compared.
    fn first_that_means(
        &self,
        intended: impl Fn() -> Result<Value, YamlError>,
        is_near: impl Fn(&Document) -> bool,
        edit: impl Fn(Manner) -> Result<Document, YamlError>,
    ) -> Result<Document, YamlError> {
        // Aliases and tags may forbid an edit; what the path itself forbids is said first.
        let mut value = if self.is_plain() { None } else { Some(intended()?) };
        for manner in [Manner::Plainly, Manner::WithFinalNewline, Manner::WithoutLiterals] {
            match edit(manner) {
                Ok(edited) if is_near(&edited) => return Ok(edited),
                Ok(edited) => {
                    let intended = match &value {
                        Some(intended) => intended,
                        None => value.insert(intended()?),
                    };
                    if same(&edited.root_value()?, intended) {
                        return Ok(edited);
                    }
                }
                // What is refused by a rule of ours is refused in any manner; what cannot be read back
                // says nothing to whoever did not write it.
                Err(error) if error.is_refusal() => return Err(error),
                Err(_) => {}
            }
        }
        Err(YamlError::new(
            "the text around this field is written in a way that cannot be edited safely; please write the field and its parents in plain block style",
        ))
    }

    fn set_unchecked(&self, path: &[Step], value: &Value, manner: Manner) -> Result<Document, YamlError> {
        let Some(mut node) = self.root() else {
            return Document::framed(write::document(&nested(path, value), &self.habits()), self.frame);
        };
        let mut editor = Editor::new(self, manner);
        for (depth, step) in path.iter().enumerate() {
            let rest = &path[depth + 1..];
            self.refuse_if_shared(node)?;
            match (self.tree().kind(node), step) {
                (Kind::Alias, _) => {
                    return self.written_out(node, manner)?.set_unchecked(path, value, manner);
                }
                (Kind::Mapping(_), Step::Key(key)) => match self.own_entry(node, key) {
                    Some(child) => node = child,
                    None => {
                        // A merged value is copied here, so that its source keeps its own.
                        let mut new = match self.entry(node, key) {
                            Some(merged) => self.value(merged)?,
                            None => Value::Null,
                        };
                        put(&mut new, rest, value)?;
                        editor.insert(node, &[(key, &new)]);
                        return editor.finish();
                    }
                },
                (Kind::Sequence(_), Step::Index(index)) => match self.element(node, *index) {
                    Some(child) => node = child,
                    None => {
                        editor.push(node, &[nested(rest, value)]);
                        return editor.finish();
                    }
                },
                (Kind::Scalar(_), _) if self.scalar(node) == Some(Scalar::Null) => {
                    editor.replace(node, &nested(&path[depth..], value));
                    return editor.finish();
                }
                _ => return Err(misfit(&path[..depth], step)),
            }
        }
        if self.tree().kind(node) == Kind::Alias {
            editor.replace(node, value);
            return editor.finish();
        }
        self.refuse_if_shared(node)?;
        editor.update(node, value)?;
        editor.finish()
    }

    fn remove_unchecked(&self, path: &[Step], manner: Manner) -> Result<Document, YamlError> {
        let (node, last) = match self.holder(path, manner)? {
            Holder::Here(node, last) => (node, last),
            Holder::BehindAlias(doc) => return doc.remove_unchecked(path, manner),
        };
        let index = match last {
            Step::Key(key) => self.tree().pairs(node).position(|(k, _)| self.is_key(k, key)),
            Step::Index(index) => Some(*index),
        };
        let index = index.ok_or_else(|| self.merged_only(node))?;
        let mut editor = Editor::new(self, manner);
        editor.remove(node, index..=index);
        editor.finish()
    }

    fn rename_unchecked(&self, path: &[Step], new: &str, manner: Manner) -> Result<Document, YamlError> {
        let (node, last) = match self.holder(path, manner)? {
            Holder::Here(node, last) => (node, last),
            Holder::BehindAlias(doc) => return doc.rename_unchecked(path, new, manner),
        };
        let Step::Key(old) = last else { return Err(YamlError::new("an element has no name").refusal()) };
        let pair = self.tree().pairs(node).find(|(key, _)| self.is_key(*key, old));
        let (key, _) = pair.ok_or_else(|| self.merged_only(node))?;
        self.refuse_if_shared(key)?;
        let mut editor = Editor::new(self, manner);
        editor.rename(key, new);
        editor.finish()
    }

    /// The collection that holds the last step of a path.
    fn holder<'p>(&self, path: &'p [Step], manner: Manner) -> Result<Holder<'p>, YamlError> {
        let (Some(mut node), Some((last, way))) = (self.root(), path.split_last()) else {
            return Err(YamlError::new("a whole document is no field"));
        };
        for step in way {
            self.refuse_if_shared(node)?;
            let child = match (self.tree().kind(node), step) {
                (Kind::Alias, _) => return self.written_out(node, manner).map(Holder::BehindAlias),
                (_, Step::Key(key)) => self.own_entry(node, key),
                (_, Step::Index(index)) => self.element(node, *index),
            };
            node = child.ok_or_else(|| self.merged_only(node))?;
        }
        if self.tree().kind(node) == Kind::Alias {
            return self.written_out(node, manner).map(Holder::BehindAlias);
        }
        self.refuse_if_shared(node)?;
        Ok(Holder::Here(node, last))
    }

    fn merged_only(&self, node: NodeId) -> YamlError {
        self.error(node, "this field comes from a merge key and cannot be removed or renamed here").refusal()
    }

    /// The same document with one alias replaced by a copy of what it stands for.
    fn written_out(&self, alias: NodeId, manner: Manner) -> Result<Document, YamlError> {
        let mut editor = Editor::new(self, manner);
        editor.replace(alias, &self.value(alias)?);
        editor.finish()
    }

    /// An anchored node that aliases stand for would change in all their places.
    fn refuse_if_shared(&self, node: NodeId) -> Result<(), YamlError> {
        let places: Vec<String> =
            self.tree().aliases_of(node).map(|alias| format!("`{}`", dotted(&self.path_to(alias)))).collect();
        if places.is_empty() {
            return Ok(());
        }
        let message = format!(
            "this value is anchored and used again at {}: a change here would change that too; please write it out there",
            places.join(", ")
        );
        Err(self.error(node, &message).refusal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn path(text: &str) -> Vec<Step> {
        text.split('.')
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().map_or_else(|_| Step::Key(part.to_owned()), Step::Index))
            .collect()
    }

    #[track_caller]
    fn set(before: &str, at: &str, value: Value, after: &str) {
        let doc = Document::parse(before).unwrap();
        let edited = doc.set(&path(at), &value).unwrap().expect("a change");
        assert_eq!(edited.text(), after);
        assert!(edited.set(&path(at), &value).unwrap().is_none(), "the second time changes nothing");
    }

    #[track_caller]
    fn remove(before: &str, at: &str, after: &str) {
        let doc = Document::parse(before).unwrap();
        let edited = doc.remove(&path(at)).unwrap().expect("a change");
        assert_eq!(edited.text(), after);
        if let Some(Step::Key(_)) = path(at).last() {
            assert!(edited.remove(&path(at)).unwrap().is_none(), "the second time changes nothing");
        }
    }

    #[track_caller]
    fn refused(before: &str, at: &str, value: Value, message: &str) {
        let error = Document::parse(before).unwrap().set(&path(at), &value).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }

    #[test]
    fn scalars_keep_their_quotes_and_comments() {
        set("a: 1 # one\nb: 2\n", "a", json!(3), "a: 3 # one\nb: 2\n");
        set("a: 'x' # c\n", "a", json!("it's"), "a: 'it''s' # c\n");
        set("a: \"x\"\n", "a", json!("y"), "a: \"y\"\n");
        set("a: x\n", "a", json!("yes"), "a: \"yes\"\n");
        set("a: # nothing\nb: 1\n", "a", json!("x"), "a: x # nothing\nb: 1\n");
        set("- a\n-\n- c\n", "1", json!("b"), "- a\n- b\n- c\n");
        set("a: !!str 5 # c\n", "a", json!(6), "a: 6 # c\n");
        set("a: x\n  y\n  z # c\nb: 1\n", "a", json!("w"), "a: w # c\nb: 1\n");
    }

    #[test]
    fn a_closed_text_means_the_same() {
        for (open, closed) in [
            ("a: 1\n", "a: 1\n"),
            ("a: 1 # c", "a: 1 # c\n"),
            ("a: |\n    text", "a: |-\n    text\n"),
            ("a: >\n  x\n  y", "a: >-\n  x\n  y\n"),
            ("a: |+ # c\n  x", "a: |- # c\n  x\n"),
            ("a: |2\n   x", "a: |2-\n   x\n"),
            ("a: |-\n  x", "a: |-\n  x\n"),
            ("a:\r\n- |\r\n  x", "a:\r\n- |-\r\n  x\r\n"),
            ("a: |\n  x\n# c", "a: |\n  x\n# c\n"),
            ("a: |\n  x\n  ", "a: |\n  x\n  \n"),
            ("a: |+\n  x\n  ", "a: |+\n  x\n"),
            ("", ""),
        ] {
            let doc = Document::parse(open).unwrap();
            assert_eq!(&*doc.closed_text().unwrap(), closed);
            let value = Document::parse(closed).unwrap().root_value().unwrap();
            assert_eq!(value, doc.root_value().unwrap(), "{open:?}");
        }
    }

    #[test]
    fn anchors_and_aliases_can_be_written_out() {
        for (text, written_out) in [
            ("a: &x 1 # c\nb: *x\n", "a: 1 # c\nb: 1\n"),
            ("a: &x\n  k: v\nb: *x\n", "a:\n  k: v\nb:\n  k: v\n"),
            ("a: !!str &x 1\nl:\n- &y [1]\n- *y\n", "a: !!str 1\nl:\n- [1]\n- - 1\n"),
            ("a: &x !!str 1\nb: {c: *x}\n", "a: !!str 1\nb: {c: \"1\"}\n"),
            ("a: &x k\n*x : 1\n", "a: k\nk : 1\n"),
            ("a: 1 # c\n", "a: 1 # c\n"),
        ] {
            assert_eq!(Document::parse(text).unwrap().without_anchors().unwrap().text(), written_out);
        }
        assert!(Document::parse("a: &x {k: v}\nb:\n  <<: *x\n").unwrap().without_anchors().is_none());
    }

    #[test]
    fn a_comment_after_a_tab_gets_a_blank() {
        set("a: {}\t# c\n", "a.b", json!(1), "a: # c\n  b: 1\n");
        set("a: x \t # c\n", "a", json!(1), "a: 1 # c\n");
    }

    #[test]
    fn text_of_many_lines() {
        set("a: x # c\nb: 1\n", "a", json!("l1\nl2\n"), "a: | # c\n  l1\n  l2\nb: 1\n");
        set("a:\n- x # c\n- y\n", "a.0", json!("l1\nl2"), "a:\n- |- # c\n  l1\n  l2\n- y\n");
        set(
            "a: | # c\n    l1\n    l2\n\nb: 1\n",
            "a",
            json!("l1\nl2\nl3\n"),
            "a: | # c\n    l1\n    l2\n    l3\n\nb: 1\n",
        );
        set("a: |\n  l1\n  l2\n  l3\nb: 1\n", "a", json!("l1\nl3\n"), "a: |\n  l1\n  l3\nb: 1\n");
        set("a: |\n  l1\nb: 1\n", "a", json!("l1"), "a: l1\nb: 1\n");
        set("a: |\n  l1\nb: 1\n", "a", json!("l1\nl2"), "a: |-\n  l1\n  l2\nb: 1\n");
        set("a: >-\n   l1\n   l2\nb: 1\n", "a", json!("l1\nl2"), "a: |-\n   l1\n   l2\nb: 1\n");
        set("a: \"l1\\nl2\"\n", "a", json!("l1\nl3\n"), "a: \"l1\\nl3\\n\"\n");
        // Blank lines with blanks of their own inside the block are not touched.
        set("a: |\n  l1\n \n  l3\n", "a", json!("l1\n\nl3\nl4\n"), "a: |\n  l1\n \n  l3\n  l4\n");
        set("a: |\r\n  l1\r\nb: 1\r\n", "a", json!("l1\nl2\n"), "a: |\r\n  l1\r\n  l2\r\nb: 1\r\n");
    }

    #[test]
    fn new_keys_stand_behind_their_siblings() {
        set("a:\n  b: 1 # c\nz: 1\n", "a.c", json!(2), "a:\n  b: 1 # c\n  c: 2\nz: 1\n");
        set("a:\n    b: 1\n", "x.w.z", json!("v"), "a:\n    b: 1\nx:\n    w:\n        z: v\n");
        set("a: {b: 1}\n", "a.c", json!("x, y"), "a: {b: 1, c: \"x, y\"}\n");
        set("a: {}\nz: 1\n", "a.c", json!(1), "a:\n  c: 1\nz: 1\n");
        set("a: {b: {}}\n", "a.b.c", json!(1), "a: {b: {c: 1}}\n");
        set("a:\nz: 1\n", "a.c", json!(1), "a:\n  c: 1\nz: 1\n");
        set("a:\n- b: 1\n- c: 2\n", "a.0.d", json!(1), "a:\n- b: 1\n  d: 1\n- c: 2\n");
        set("a: |+\n  x\n\nb: 1", "c", json!(1), "a: |+\n  x\n\nb: 1\nc: 1");
        set("b: 1\na: |+\n  x\n\n", "c", json!(1), "b: 1\na: |+\n  x\n\nc: 1\n");
        set("b: 1\na: |\n  x\n\n# end\n", "c", json!(1), "b: 1\na: |\n  x\nc: 1\n\n# end\n");
        set(
            "a:\n  b: |\n    x\n    # text\n  # about b\n# about c\n",
            "c",
            json!("l1\nl2\n"),
            "a:\n  b: |\n    x\n    # text\n  # about b\nc: |\n  l1\n  l2\n# about c\n",
        );
        // Literals that end a text without a line break.
        set("a: |\n  x", "b", json!(1), "a: |-\n  x\nb: 1");
        set("a: 1", "b", json!("l1\nl2\n"), "a: 1\nb: |\n  l1\n  l2\n");
        // A comment that a literal above it would take in.
        set("a:\n      # deep\nb: 1\n", "a", json!("l1\nl2\n"), "a: \"l1\\nl2\\n\"\n      # deep\nb: 1\n");
        set("a: |\nb: 1\n", "a", json!("l1\nl2\n"), "a: |\n  l1\n  l2\nb: 1\n");
        set("? a\n: 1\n", "b", json!(1), "? a\n: 1\nb: 1\n");
        set("", "a.b", json!(1), "a:\n  b: 1\n");
        set(
            "a: {\n  b: 1, # one\n  c: 2 # two\n}\n",
            "a.d",
            json!(3),
            "a: {\n  b: 1, # one\n  c: 2, # two\n  d: 3\n}\n",
        );
        set("a: {\n  b: 1,\n}\n", "a.d", json!(3), "a: {\n  b: 1,\n  d: 3,\n}\n");
        set("a: {b: 1,}\n", "a.d", json!(3), "a: {b: 1, d: 3}\n");
        set("[\n  1 # c\n]\n", "", json!([1, 2, 3]), "[\n  1, # c\n  2,\n  3\n]\n");
        set("{\"a\": {}}", "a.b", json!("x\n"), "{\"a\": {\"b\": \"x\\n\"}}");
        set("{\n  \"a\": 1\n}\n", "b", json!([1, null]), "{\n  \"a\": 1,\n  \"b\": [1, null]\n}\n");
    }

    #[test]
    fn lists_grow_in_their_own_indentation() {
        set("a:\n- x\nb: 1\n", "a.1", json!("z"), "a:\n- x\n- z\nb: 1\n");
        set(
            "a:\n  - x # c\nb: 1\n",
            "a.1",
            json!({"k": 1, "l": [1]}),
            "a:\n  - x # c\n  - k: 1\n    l:\n      - 1\nb: 1\n",
        );
        set("a: [x, y]\n", "a.2", json!("z"), "a: [x, y, z]\n");
        set("b:\n  - 1\na: []\n", "a.0", json!("z"), "b:\n  - 1\na:\n  - z\n");
        set("a: []\n", "a.0.k", json!("z"), "a:\n- k: z\n");
    }

    #[test]
    fn shapes_change() {
        set("a: x # c\nb: 1\n", "a", json!({"k": 1}), "a: # c\n  k: 1\nb: 1\n");
        set("a: # c\n  k: 1\n  l: 2 # gone\nb: 1\n", "a", json!("x"), "a: x # c\nb: 1\n");
        set("- k: 1\n  l: 2\n- m\n", "0", json!("x"), "- x\n- m\n");
        set("- x # c\n- m\n", "0", json!({"k": 1, "l": 2}), "- k: 1 # c\n  l: 2\n- m\n");
        set("a:\n- x\n- y\nb: 1\n", "a", json!([]), "a: []\nb: 1\n");
        set("a: [1, 2]\n", "a", json!({"k": [1]}), "a:\n  k:\n  - 1\n");
        set("a: &x\n  k: 1\nb: 1\n", "a", json!("s"), "a: s\nb: 1\n");
    }

    #[test]
    fn collections_change_member_by_member() {
        set(
            "a:\n  # about x\n  x: 1\n  # about y\n  y: [1, 2] # c\nb: 1\n",
            "a",
            json!({"x": 1, "y": [1, 3], "z": 2}),
            "a:\n  # about x\n  x: 1\n  # about y\n  y: [1, 3] # c\n  z: 2\nb: 1\n",
        );
        set(
            "a:\n- n: x # first\n  v: 1\n- n: y\n",
            "a",
            json!([{"n": "x", "v": 2}]),
            "a:\n- n: x # first\n  v: 2\n",
        );
        set("a:\n- k: x # first\n", "a", json!([{"k": "x"}, {"k": "z"}]), "a:\n- k: x # first\n- k: z\n");
    }

    #[test]
    fn removing_takes_the_lines_of_the_field() {
        remove("a: 1\n# about b\nb:\n  c: 1\n  d: 2 # x\ne: 3\n", "b", "a: 1\ne: 3\n");
        remove("a: 1 # c\nb: 2\n", "a", "b: 2\n");
        remove("a: 1\nb: |\n  x\n\nc: 1", "b", "a: 1\n\nc: 1");
        remove("a: 1\nb: 2", "b", "a: 1");
        remove("a:\n  b: 1\nc: 1\n", "a.b", "a: {}\nc: 1\n");
        remove("- a: 1\n  b: 2\n- c\n", "0.a", "- b: 2\n- c\n");
        remove("- a: 1\n  # about b\n  b: 2\n", "0.a", "-\n  # about b\n  b: 2\n");
        remove("- a\n- b # x\n- c\n", "1", "- a\n- c\n");
        remove("l:\n- a\n", "l.0", "l: []\n");
        remove("{a: 1, b: 2, c: 3}\n", "b", "{a: 1, c: 3}\n");
        remove("{a: 1, b: 2}\n", "b", "{a: 1}\n");
        remove("[{a: 1,}]\n", "0.a", "[{}]\n");
    }

    #[track_caller]
    fn rename(before: &str, at: &str, new: &str, after: &str) {
        let doc = Document::parse(before).unwrap();
        let edited = doc.rename(&path(at), new).unwrap().expect("a change");
        assert_eq!(edited.text(), after);
        assert!(edited.rename(&path(at), new).unwrap().is_none(), "the second time changes nothing");
    }

    #[test]
    fn a_renamed_key_stays_in_its_place() {
        rename("a: 1 # one\n# two\nb:\n  c: 2\nd: 3\n", "b", "x", "a: 1 # one\n# two\nx:\n  c: 2\nd: 3\n");
        rename("a: {'b': 1, \"c\": 2}\n", "a.b", "it's", "a: {'it''s': 1, \"c\": 2}\n");
        rename("a: {'b': 1, \"c\": 2}\n", "a.c", "x", "a: {'b': 1, \"x\": 2}\n");
        rename("- a: 1\n  b: 2\n", "0.a", "on", "- \"on\": 1\n  b: 2\n");
        rename("? a\n: 1\n", "a", "b", "? b\n: 1\n");
        rename("{\"a\": 1}", "a", "b", "{\"b\": 1}");
        rename("a: &x {k: 1}\nb: *x\n", "b.k", "l", "a: &x {k: 1}\nb:\n  l: 1\n");
        let refused = |text: &str, at: &str, new: &str, message: &str| {
            let error = Document::parse(text).unwrap().rename(&path(at), new).unwrap_err();
            assert!(error.message().contains(message), "{error}");
        };
        refused("a: 1\nb: 2\n", "a", "b", "there is a `b` already");
        refused("a: &x {k: 1}\nb: *x\n", "a.k", "l", "anchored");
        refused("a: &x {k: 1}\nb:\n  <<: *x\n  l: 1\n", "b.k", "m", "merge key");
        refused("&k a: 1\nb: *k\n", "a", "c", "anchored");
    }

    #[test]
    fn neighbours_go_together() {
        set("a: 1\nb: 2\nc: 3", "", json!({"a": 1}), "a: 1");
        set("- a: 1\n  b: 2\n  c: 3\n", "0", json!({"c": 3}), "- c: 3\n");
        set("{a: 1, b: 2, c: 3, d: 4}\n", "", json!({"b": 2}), "{b: 2}\n");
        set("[1, 2, 3]\n", "", json!([1]), "[1]\n");
        set("a: 1\n# about b\nb: 2\n# about c\nc: 3\nd: 4\n", "", json!({"a": 1, "d": 4}), "a: 1\nd: 4\n");
    }

    #[test]
    fn an_anchored_empty_value_is_set_behind_its_anchor() {
        set("a: &x\nb: 1\n", "a", json!(1), "a: 1\nb: 1\n");
        set("l:\n- &x\n- b\n", "l.0", json!(1), "l:\n- 1\n- b\n");
    }

    #[test]
    fn equal_numbers_are_no_change() {
        let doc = Document::parse("a: 1000\nb: 9007199254740993\n").unwrap();
        assert!(doc.set(&path("a"), &json!(1000.0)).unwrap().is_none());
        assert!(doc.set(&path("b"), &json!(9007199254740992u64)).unwrap().is_some());
    }

    #[test]
    fn aliases_are_written_out_where_they_are_edited() {
        set("a: &x {k: 1}\nb: *x\n", "b.k", json!(2), "a: &x {k: 1}\nb:\n  k: 2\n");
        set("a: &x 1\nb: *x # c\n", "b", json!(2), "a: &x 1\nb: 2 # c\n");
        set(
            "a: &x\n  k: {l: 1, m: 2}\nb:\n  <<: *x\n  n: 1\n",
            "b.k.l",
            json!(3),
            "a: &x\n  k: {l: 1, m: 2}\nb:\n  <<: *x\n  n: 1\n  k:\n    l: 3\n    m: 2\n",
        );
        remove("a: &x {k: 1, l: 2}\nb: *x\n", "b.k", "a: &x {k: 1, l: 2}\nb:\n  l: 2\n");
    }

    #[test]
    fn a_change_that_aliases_would_copy_is_refused() {
        refused(
            "a: &x {k: 1}\nb: *x\n",
            "a.k",
            json!(2),
            "line 1, column 7: this value is anchored and used again at `b`",
        );
        refused("a: &x 1\nb: *x\n", "a", json!(2), "anchored");
        refused("a: &x {k: 1}\nb: {<<: *x}\n", "a.l", json!(2), "anchored");
        // The anchor sits deep inside what is replaced: no alias may lose it.
        assert!(Document::parse("a: {k: &x 1}\nb: *x\n").unwrap().set(&path("a"), &json!("s")).is_err());
        let merged = Document::parse("a: &x {k: 1}\nb:\n  <<: *x\n  l: 1\n").unwrap();
        assert!(merged.remove(&path("b.k")).unwrap_err().message().contains("merge key"));
    }

    #[test]
    fn what_is_not_a_collection_cannot_hold_a_field() {
        refused("a: text\n", "a.b", json!(1), "`a` is not a mapping, so it cannot hold `b`");
        refused("a: [1]\n", "a.5", json!(1), "has no place for element 5");
    }

    #[test]
    fn entries_of_a_list_are_edited_in_their_indentation() {
        let doc = Document::parse_entry("  - # head\n    kind: A\n    spec: {}\n").unwrap();
        let edited = doc.set(&path("spec.x.z"), &json!("l1\nl2\n")).unwrap().unwrap();
        assert_eq!(
            edited.text(),
            "  - # head\n    kind: A\n    spec:\n      x:\n        z: |\n          l1\n          l2\n"
        );
    }
}
