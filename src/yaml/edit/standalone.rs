//! Text that is used outside its original place: before another document, beside its original, or without the
//! list around it.

use super::super::document::Document;
use super::super::error::YamlError;
use super::super::events::Layout;
use super::super::text::Text;
use super::super::tree::Kind;
use super::editor::{Editor, Strategy};
use super::intent::equal;

impl Document {
    /// The text with a line break at its end, so that another document can follow it.
    ///
    /// The value of a block scalar that ends the text without a line break does not end with one either, so
    /// its header becomes `|-`. Spaces on the last line of a `|+` block would become another line of text, so
    /// they are removed.
    pub fn terminated_text(&self) -> Result<Text, YamlError> {
        if self.text.is_empty() || self.text.ends_with('\n') {
            return Ok(self.text.clone());
        }
        let last_text = |doc: &Document| {
            let last = doc.tree.last_block_scalar()?;
            Some((last, doc.tree.text(&doc.text, last).to_owned()))
        };
        let with_newline = |strip: bool| {
            let mut editor = Editor::new(self, Strategy::FinalNewline);
            if strip {
                editor.strip_last_block_scalar();
            }
            editor.finish()
        };
        let without_spaces = || Document::framed(self.text.trim_end_matches(' '), self.frame);
        let candidates = [with_newline(false), with_newline(true), without_spaces()];
        let terminated = candidates.into_iter().flatten().find(|doc| last_text(doc) == last_text(self));
        terminated
            .map(|doc| doc.text)
            .ok_or_else(|| YamlError::new("the last line has no line break at its end; add one"))
    }

    /// The same document with every alias expanded and every anchor removed. In a list, a copy next to its
    /// original would define each anchor twice, which PyYAML refuses.
    ///
    /// None if the document has a merge key, which needs its anchor, or if an anchor cannot be removed
    /// safely.
    pub fn without_anchors(&self) -> Option<Document> {
        if self.is_plain() {
            return Some(self.clone());
        }
        if self.tree.ids().any(|node| self.is_merge(node)) {
            return None;
        }
        let mut editor = Editor::new(self, Strategy::Preserve);
        for (alias, _) in self.tree.aliases() {
            editor.replace(*alias, &self.value(*alias).ok()?);
        }
        for (_, properties) in &self.tree.properties {
            editor.remove_anchor(properties.range.clone());
        }
        let edited = editor.finish().ok()?;
        equal(&edited.root_value().ok()?, &self.root_value().ok()?).then_some(edited)
    }

    /// The text of the root alone, moved to the left margin: without the dash of a list entry, and without
    /// comments above and below it.
    pub fn standalone_text(&self) -> String {
        let Some(root) = self.root() else { return String::new() };
        let span = self.tree().span(root);
        let is_block =
            matches!(self.tree().kind(root), Kind::Mapping(Layout::Block) | Kind::Sequence(Layout::Block));
        let start = if is_block { self.start_of_key(span.start) } else { span.start };
        let end = if is_block { self.lines_of(span).end } else { span.end };
        let margin = self.column(start);
        let mut lines = self.text[start..end].split_inclusive('\n');
        let mut text = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            let indent = line.len() - line.trim_start_matches(' ').len();
            text.push_str(&line[indent.min(margin)..]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminated_text_means_the_same() {
        for (open, terminated) in [
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
            assert_eq!(&*doc.terminated_text().unwrap(), terminated);
            let value = Document::parse(terminated).unwrap().root_value().unwrap();
            assert_eq!(value, doc.root_value().unwrap(), "{open:?}");
        }
    }

    #[test]
    fn aliases_can_be_expanded_and_anchors_removed() {
        for (text, expanded) in [
            ("a: &x 1 # c\nb: *x\n", "a: 1 # c\nb: 1\n"),
            ("a: &x\n  k: v\nb: *x\n", "a:\n  k: v\nb:\n  k: v\n"),
            ("a: !!str &x 1\nl:\n- &y [1]\n- *y\n", "a: !!str 1\nl:\n- [1]\n- - 1\n"),
            ("a: &x !!str 1\nb: {c: *x}\n", "a: !!str 1\nb: {c: \"1\"}\n"),
            ("a: &x k\n*x : 1\n", "a: k\nk : 1\n"),
            ("a: 1 # c\n", "a: 1 # c\n"),
        ] {
            assert_eq!(Document::parse(text).unwrap().without_anchors().unwrap().text(), expanded);
        }
        assert!(Document::parse("a: &x {k: v}\nb:\n  <<: *x\n").unwrap().without_anchors().is_none());
    }

    #[test]
    fn an_entry_is_moved_to_the_margin() {
        let entry = "  - # head\n    kind: A # here\n    text: |\n      x\n\n        y\n    list:\n    - 1\n  # foot\n";
        let doc = Document::parse_entry(entry).unwrap();
        let alone = doc.standalone_text();
        assert_eq!(alone, "kind: A # here\ntext: |\n  x\n\n    y\nlist:\n- 1\n");
        assert_eq!(Document::parse(alone).unwrap().root_value().unwrap(), doc.root_value().unwrap());
        for (text, alone) in [
            ("# head\na: 1\n# foot\n", "a: 1\n"),
            ("  a: 'x\n    y'\n  b: 2", "a: 'x\n  y'\nb: 2"),
            ("{\"a\": [1]} # foot\n", "{\"a\": [1]}"),
            ("", ""),
        ] {
            assert_eq!(Document::parse(text).unwrap().standalone_text(), alone);
        }
    }
}
