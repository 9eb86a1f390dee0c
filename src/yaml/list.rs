//! A document that wraps a list: a mapping in which one key holds a list of mappings.
//!
//! The entries are ranges of the text, so a caller can read each of them on its own. Writing replaces
//! entries, appends new ones and sets one more field beside the list. All other bytes are copied. `block`
//! does this by whole lines, and `flow` handles JSON and every other style.

mod block;
mod flow;

use std::ops::Range;

use serde_json::Value;

use self::block::BlockLines;
use super::document::Document;
use super::error::YamlError;
use super::events::Layout;
use super::scalar::Scalar;
use super::text::Text;
use super::tree::{Kind, NodeId};

/// The keys that a [`ListDocument`] reads and writes at its root.
#[derive(Debug, Clone, Copy)]
pub struct ListKeys {
    /// Holds the list. It is written even if the list is empty.
    pub list: &'static str,
    /// Holds another value, which is written together with the list.
    pub sibling: &'static str,
}

/// Where the list is in the text.
#[derive(Debug)]
pub struct ListDocument {
    source: Text,
    /// The bytes of the document in `source`.
    range: Range<usize>,
    keys: ListKeys,
    entry_count: usize,
    has_sibling: bool,
    /// From the first entry to the end of the last but one, if the whole document is in braces, such as JSON, and has no
    /// anchors, aliases or tags.
    in_braces: Option<Range<usize>>,
    /// None if the document cannot be edited by lines.
    lines: Option<BlockLines>,
}

/// An entry of the list.
#[derive(Debug, Clone)]
pub struct ListEntry {
    pub node: NodeId,
    /// The bytes of the entry in the source.
    pub range: Range<usize>,
    /// Whether `range` covers whole lines with the dash, as in block style, or the value alone.
    pub has_dash: bool,
    /// Whether an alias outside the entry refers to an anchor inside it.
    pub lends_anchors: bool,
}

/// The new text of an entry, or of a part of it.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// What it replaces: the bytes in the source, which are whole lines in block style.
    pub range: Range<usize>,
    pub text: Text,
    /// Whether the fast reader has accepted the entry with the new text, which only lists in braces need to know. If
    /// not, `text` is the whole entry.
    pub is_simple: bool,
}

/// What to change when the document is written.
#[derive(Debug, Default, Clone)]
pub struct ListChanges<'t> {
    /// In ascending order.
    pub replaced: Vec<Replacement>,
    /// Documents to append to the list as entries.
    pub appended: Vec<&'t str>,
    /// The value beside the list. None removes it.
    pub sibling: Option<Value>,
}

impl ListDocument {
    /// Finds the list in `doc`, which is the part of `source` at `range` and may be an outline. A list that
    /// is missing or null has no entries. None if the key holds anything else.
    pub fn find(
        source: &Text,
        range: Range<usize>,
        doc: &Document,
        keys: ListKeys,
    ) -> Option<(Self, Vec<ListEntry>)> {
        let root = doc.root()?;
        let list = doc.entry(root, keys.list).filter(|node| doc.scalar(*node) != Some(Scalar::Null));
        let entries = match list {
            Some(node) => entries(doc, node, range.start)?,
            None => Vec::new(),
        };
        let entries_end = entries.last().map(|entry| entry.range.end);
        // A list below a merge key is copied when it changes.
        let is_own = list.is_some() && doc.own_entry(root, keys.list) == list;
        let is_independent = is_own && doc.tree().properties.is_empty() && !doc.tree().has_aliases();
        let in_braces = doc.tree().kind(root) == Kind::Mapping(Layout::Flow) && is_independent;
        let others = entries.split_last().map(|(last, others)| {
            let start = others.first().unwrap_or(last).range.start;
            start..others.last().map_or(start, |entry| entry.range.end)
        });
        // The first entry can also be a pair without braces, perhaps after a question mark that a placeholder would keep.
        let others = others.filter(|others| in_braces && source[others.start..].starts_with('{'));
        let document = ListDocument {
            source: source.clone(),
            keys,
            entry_count: entries.len(),
            has_sibling: doc.own_entry(root, keys.sibling).is_some(),
            in_braces: others,
            lines: BlockLines::find(doc, root, keys, range.start, entries_end),
            range,
        };
        Some((document, entries))
    }

    /// The bytes of a value in the source. A block mapping covers whole lines, with the comments that belong
    /// to it.
    pub fn value_range(&self, doc: &Document, node: NodeId) -> Range<usize> {
        let span = doc.tree().span(node);
        let is_block = doc.tree().kind(node) == Kind::Mapping(Layout::Block);
        shifted(if is_block { doc.lines_with_comments(span) } else { span }, self.range.start)
    }

    /// The source with changes, in pieces, so that unchanged parts are not copied.
    pub fn write(&self, changes: ListChanges<'_>) -> Result<Vec<Text>, YamlError> {
        match &self.lines {
            Some(lines) => Ok(lines.write(&self.source, self.keys, changes)),
            None => self.write_flow(changes),
        }
    }
}

/// The entries of the list at `node`. None if it is not a list.
fn entries(doc: &Document, node: NodeId, offset: usize) -> Option<Vec<ListEntry>> {
    let tree = doc.tree();
    let node = doc.resolve(node);
    let Kind::Sequence(layout) = tree.kind(node) else { return None };
    let has_dash = layout == Layout::Block;
    let mut previous_end = tree.span(node).start;
    let mut entries: Vec<ListEntry> = tree
        .children(node)
        .map(|child| {
            let span = tree.span(child);
            let end = span.end;
            let range = if has_dash { doc.entry_lines(previous_end, end) } else { span };
            previous_end = end;
            ListEntry { node: child, range: shifted(range, offset), has_dash, lends_anchors: false }
        })
        .collect();
    for (alias, target) in tree.aliases() {
        // Nodes are numbered in document order, so an entry owns every node from its own up to the next
        // entry.
        let owner = |node: NodeId| entries.partition_point(|entry| entry.node <= node).checked_sub(1);
        if let Some(lender) = owner(*target).filter(|lender| owner(*alias) != Some(*lender)) {
            entries[lender].lends_anchors = true;
        }
    }
    Some(entries)
}

fn shifted(range: Range<usize>, offset: usize) -> Range<usize> {
    range.start + offset..range.end + offset
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KEYS: ListKeys = ListKeys { list: "items", sibling: "results" };

    fn find(text: &str) -> (ListDocument, Vec<ListEntry>) {
        let source = Text::from(text);
        let doc = Document::parse(source.clone()).unwrap();
        ListDocument::find(&source, 0..source.len(), &doc, KEYS).unwrap()
    }

    #[track_caller]
    fn write(text: &str, changes: ListChanges<'_>, expected: &str) {
        let pieces = find(text).0.write(changes).unwrap();
        assert_eq!(pieces.iter().map(|piece| &**piece).collect::<String>(), expected);
    }

    #[test]
    fn entries_are_whole_lines_in_block_style_and_values_in_flow_style() {
        let texts = |text: &str| -> Vec<String> {
            find(text).1.into_iter().map(|entry| text[entry.range].to_owned()).collect()
        };
        assert_eq!(
            texts("items:\n  - a: 1 # c\n    # still a\n  # about b\n  - b: 1\nx: 1\n"),
            ["  - a: 1 # c\n    # still a\n", "  - b: 1\n"]
        );
        assert_eq!(texts("items: [{a: 1}, {b: 1}]\n"), ["{a: 1}", "{b: 1}"]);
        assert!(texts("items:\nx: 1\n").is_empty() && texts("x: 1\n").is_empty());
        let source = Text::from("items: 1\n");
        let doc = Document::parse(source.clone()).unwrap();
        assert!(ListDocument::find(&source, 0..source.len(), &doc, KEYS).is_none());
    }

    #[test]
    fn an_entry_lends_an_anchor_that_another_entry_uses() {
        let lends =
            |text: &str| -> Vec<bool> { find(text).1.into_iter().map(|entry| entry.lends_anchors).collect() };
        assert_eq!(lends("items:\n- a: &x 1\n  b: *x\n- a: &y 1\n- b: *y\n"), [false, true, false]);
    }

    #[test]
    fn changes_are_written_in_the_style_of_the_list() {
        let appended = || ListChanges { appended: vec!["k: 1\nl:\n- 1\n"], ..ListChanges::default() };
        write(
            "items:\n  - a: 1\n    # c\n# d\nx: 1\n",
            appended(),
            "items:\n  - a: 1\n    # c\n  - k: 1\n    l:\n    - 1\n# d\nx: 1\n",
        );
        write("items: [{a: 1}]\n", appended(), "items: [{a: 1}, {k: 1, l: [1]}]\n");
        write("x: 1", appended(), "x: 1\nitems:\n- k: 1\n  l:\n  - 1\n");
        write("x: 1\r\n", ListChanges::default(), "x: 1\r\nitems: []\r\n");
        write("items:\n- a: 1\nresults: [1]\n", ListChanges::default(), "items:\n- a: 1\n");
        let sibling = ListChanges { sibling: Some(json!([1])), ..ListChanges::default() };
        write("items:\n- a: 1\nresults: 2 # c\nx: 1\n", sibling, "items:\n- a: 1\nresults:\n- 1\nx: 1\n");
        let sibling = || ListChanges { sibling: Some(json!([1])), ..ListChanges::default() };
        for text in ["items:\n- a: 1\nresults:\n- 1", "items:\r\n- a: 1\r\nresults:\r\n- 1"] {
            write(text, sibling(), text);
        }
        let replaced = vec![Replacement { range: 7..14, text: "- a: 2".into(), is_simple: false }];
        let replaced = ListChanges { replaced, ..appended() };
        write("items:\n- a: 1\n", replaced, "items:\n- a: 2\n- k: 1\n  l:\n  - 1\n");
    }

    #[test]
    fn entries_in_braces_are_replaced_in_place() {
        let text = "--- {\"items\": [{\"a\":1}, {\"b\":1}], \"x\": {}}\n";
        let source = Text::from(text);
        let doc = Document::parse(source.part(4..text.len())).unwrap();
        let (list, entries) = ListDocument::find(&source, 4..text.len(), &doc, KEYS).unwrap();
        // What cannot be read by itself at once is read with the rest.
        for new in ["{\n  \"b\": 2\n}", "{b: *c}"] {
            let replaced =
                vec![Replacement { range: entries[1].range.clone(), text: new.into(), is_simple: false }];
            let pieces = list.write(ListChanges { replaced, ..ListChanges::default() });
            let written = pieces.map(|pieces| pieces.iter().map(|piece| &**piece).collect::<String>());
            assert_eq!(written.ok(), Some(text.replace("{\"b\":1}", new)).filter(|_| !new.contains('*')));
        }
    }

    #[test]
    fn what_is_around_the_entries_in_braces_is_edited_without_them() {
        let text = r#"{"results":[1],"items":[{"a":1},{"b":1},{"c":1}],"x":{}}"#;
        let changes = |replaced: Vec<Replacement>, sibling: Option<Value>| ListChanges {
            replaced,
            appended: vec!["k: 1\n", "l: [2]\n"],
            sibling,
        };
        let new = r#"{"c":1}, {"k": 1}, {"l": [2]}]"#;
        let expected = text.replace("[1]", "[2]").replace(r#"{"c":1}]"#, new);
        write(text, changes(Vec::new(), Some(json!([2]))), &expected);
        // Parts of the first entry and of the last one.
        let replaced = ["\"a\"", "\"c\""].map(|key| {
            let start = text.find(key).unwrap();
            Replacement { range: start..start + key.len() + 2, text: "\"d\":[]".into(), is_simple: true }
        });
        let expected = r#"{"items":[{"d":[]},{"b":1},{"d":[]}, {"k": 1}, {"l": [2]}],"x":{}}"#;
        write(text, changes(replaced.into(), None), expected);
        for (text, end, expected) in [
            (
                "{\n  \"items\": [\n    {\n      \"a\": 1\n    },\n    {\n      \"b\": 1\n    }\n  ]\n}\n",
                "    }\n  ]\n",
                "    },\n    {\"k\": 1},\n    {\"l\": [2]}\n  ]\n",
            ),
            // The last entry has no line of its own, an entry is not JSON, and line breaks differ.
            ("{\"items\": [\n  {\"a\": 1}, {\"b\": 1}]}", "]}", ", {\"k\": 1}, {\"l\": [2]}]}"),
            ("{\"items\": [{a: 1}, {\"b\": 1}]}", "]}", ", {k: 1}, {l: [2]}]}"),
            (
                "{\"items\": [{\"a\":\r\n 1},\n  {\"b\":\n 1}]}",
                "]}",
                ",\r\n  {\"k\": 1},\r\n  {\"l\": [2]}]}",
            ),
            ("{\"items\": [{\"a\": 1}]}", "]}", ", {\"k\": 1}, {\"l\": [2]}]}"),
            ("{items: [? a : 1, {b: 1}]}", "]}", ", {k: 1}, {l: [2]}]}"),
            ("{items: [{a: 1}, ? b : 1]}", "]}", ", {k: 1}, {l: [2]}]}"),
            // The list is below a merge key.
            (
                "{<<: {items: [{a: 1}, {b: 1}]}, x: 1}",
                ", x: 1}",
                ", x: 1, items: [{a: 1}, {b: 1}, {k: 1}, {l: [2]}]}",
            ),
        ] {
            write(text, changes(Vec::new(), None), &text.replace(end, expected));
        }
        // The line break before the document does not count.
        let source = Text::from("---\n{\"items\": [{\"a\":\r\n 1},\n  {\"b\": 1}]}");
        let doc = Document::parse(source.part(4..source.len())).unwrap();
        let (list, _) = ListDocument::find(&source, 4..source.len(), &doc, KEYS).unwrap();
        let pieces = list.write(changes(Vec::new(), None)).unwrap();
        let written: String = pieces.iter().map(|piece| &**piece).collect();
        assert_eq!(written, source.replace("]}", ",\r\n  {\"k\": 1},\r\n  {\"l\": [2]}]}"));
    }
}
