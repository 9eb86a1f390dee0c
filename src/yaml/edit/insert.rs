//! New members at the end of a mapping or list.

use serde_json::Value;

use super::super::events::Layout;
use super::super::scan::{line_end, line_start};
use super::super::tree::{Kind, NodeId};
use super::super::write;
use super::editor::Editor;

impl Editor<'_> {
    /// Adds pairs after the last one of a mapping.
    pub(super) fn insert(&mut self, mapping: NodeId, pairs: &[(&str, &Value)]) {
        let tree = self.doc.tree();
        match tree.kind(mapping) {
            _ if pairs.is_empty() => {}
            Kind::Mapping(Layout::Block) => {
                let column = self.doc.column_of_mapping(mapping);
                let lines: Vec<String> = pairs
                    .iter()
                    .flat_map(|(key, value)| write::pair(key, value, column, &self.formatting))
                    .collect();
                self.insert_lines(tree.span(mapping).end, column, &lines);
            }
            _ if tree.pairs(mapping).next().is_none() && !self.formatting.json => {
                let map = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).clone()));
                self.replace(mapping, &Value::Object(map.collect()));
            }
            _ => {
                let members: Vec<String> =
                    pairs.iter().map(|(key, value)| write::flow_pair(key, value, &self.formatting)).collect();
                let last = tree.pairs(mapping).last();
                let last = last.map(|(key, value)| (tree.outer_start(key), tree.span(value).end));
                self.insert_in_flow(mapping, last, &members);
            }
        }
    }

    /// Adds elements after the last one of a list.
    pub(super) fn push(&mut self, sequence: NodeId, values: &[Value]) {
        let tree = self.doc.tree();
        match tree.kind(sequence) {
            _ if values.is_empty() => {}
            Kind::Sequence(Layout::Block) => {
                let column = self.doc.column(tree.span(sequence).start);
                let lines: Vec<String> =
                    values.iter().flat_map(|value| write::element(value, column, &self.formatting)).collect();
                self.insert_lines(tree.span(sequence).end, column, &lines);
            }
            _ if tree.children(sequence).next().is_none() && !self.formatting.json => {
                self.replace(sequence, &Value::Array(values.to_vec()));
            }
            _ => {
                let members: Vec<String> =
                    values.iter().map(|value| write::flow(value, &self.formatting)).collect();
                let last = tree.children(sequence).last();
                let last = last.map(|child| (tree.outer_start(child), tree.span(child).end));
                self.insert_in_flow(sequence, last, &members);
            }
        }
    }

    /// Adds lines at a column, below the collection at that column that ends at `end`.
    fn insert_lines(&mut self, end: usize, column: usize, lines: &[String]) {
        let at = self.doc.after_deeper_comments(self.doc.last_line_end(end), column);
        if at == self.doc.text.len() {
            self.strip_last_block_scalar();
        }
        let newline = self.formatting.newline();
        let text: String = lines.iter().map(|line| format!("{newline}{line}")).collect();
        self.splice(at..at, text);
    }

    /// Adds members to a collection in braces. `last` is where its last member begins and ends: if that has a
    /// line of its own, each new member gets one too.
    fn insert_in_flow(&mut self, collection: NodeId, last: Option<(usize, usize)>, members: &[String]) {
        let text = &self.doc.text;
        let Some((start, end)) = last else {
            let open = self.doc.tree().span(collection).start + 1;
            return self.splice(open..open, members.join(", "));
        };
        let margin = &text[line_start(text, start)..start];
        let has_own_line = margin.chars().all(|c| c == ' ' || c == '\t')
            && self.doc.tree().span(collection).start < line_start(text, start);
        let next_token = end + text[end..].len() - text[end..].trim_start().len();
        let has_comma = text.as_bytes().get(next_token) == Some(&b',');
        let at = if has_comma { next_token + 1 } else { end };
        let comma = if has_comma { "" } else { "," };
        if !has_own_line {
            return self.splice(at..at, format!("{comma} {}", members.join(", ")));
        }
        let newline = self.formatting.newline();
        let lines = members.join(&format!(",{newline}{margin}"));
        let lines = format!("{newline}{margin}{lines}{}", if has_comma { "," } else { "" });
        let eol = line_end(text, at);
        let tail = text[at..eol].trim_start();
        if tail.is_empty() || tail.starts_with('#') {
            // The comment of the last member stays on its line.
            self.splice(end..end, comma);
            self.splice(eol..eol, lines);
        } else {
            self.splice(at..at, format!("{comma}{lines}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::expect::set;

    #[test]
    fn new_keys_follow_their_siblings() {
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
        // Literals at the end of text without a final line break.
        set("a: |\n  x", "b", json!(1), "a: |-\n  x\nb: 1");
        set("a: 1", "b", json!("l1\nl2\n"), "a: 1\nb: |\n  l1\n  l2\n");
        // A comment that would become part of a literal above it.
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
    fn lists_grow_in_their_own_style() {
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
}
