//! Where things stand in a text: columns, line ends, and the habits of whoever wrote it.

use std::ops::Range;

use super::document::{Document, Step};
use super::events::Layout;
use super::scan::{find_dash, line_end, line_start, next_line};
use super::tree::{Kind, NodeId};
use super::write::Habits;

impl Document {
    /// The habits of this text, read off its first nested mapping and its first list.
    pub fn habits(&self) -> Habits {
        let mut habits = Habits {
            json: self.json,
            crlf: self.text.find('\n').is_some_and(|i| self.text[..i].ends_with('\r')),
            ..Habits::default()
        };
        let (mut indent, mut dash_indent) = (None, None);
        let mut waiting: Vec<NodeId> = self.root().into_iter().collect();
        while let Some(node) = waiting.pop() {
            match self.tree().kind(node) {
                Kind::Mapping(Layout::Block) => {
                    let column = self.column_of_mapping(node);
                    for (_, value) in self.tree().pairs(node) {
                        let start = self.column(self.tree().span(value).start);
                        match self.tree().kind(value) {
                            Kind::Mapping(Layout::Block) => indent = indent.or(start.checked_sub(column)),
                            Kind::Sequence(Layout::Block) => {
                                dash_indent = dash_indent.or(start.checked_sub(column));
                            }
                            _ => {}
                        }
                        waiting.push(value);
                    }
                }
                Kind::Sequence(Layout::Block) => waiting.extend(self.tree().children(node)),
                _ => {}
            }
            if indent.is_some() && dash_indent.is_some() {
                break;
            }
        }
        habits.indent = indent.filter(|i| *i > 0).unwrap_or(habits.indent);
        habits.dash_indent = dash_indent.unwrap_or(habits.dash_indent);
        habits
    }

    pub(super) fn column(&self, at: usize) -> usize {
        self.text[line_start(&self.text, at)..at].chars().count()
    }

    /// Where the keys of a block mapping stand.
    pub(super) fn column_of_mapping(&self, mapping: NodeId) -> usize {
        self.column(self.start_of_key(self.tree().span(mapping).start))
    }

    /// Where a pair begins whose key begins at `key`: at the question mark of `? key`.
    pub(super) fn start_of_key(&self, key: usize) -> usize {
        let line = line_start(&self.text, key);
        let before = &self.text[line..key];
        match before.trim_end_matches(' ').strip_suffix('?') {
            Some(rest) if before.ends_with(' ') && rest.bytes().all(|b| matches!(b, b' ' | b'-')) => {
                line + rest.len()
            }
            _ => key,
        }
    }

    /// The end of the last line of a node that ends at `end`, in block style: what follows the node on
    /// that line is blanks and a comment.
    pub(super) fn last_line_end(&self, end: usize) -> usize {
        let text = &self.text[..end];
        match text.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line).len(),
            None => line_end(&self.text, end),
        }
    }

    /// The whole lines that a span stands on.
    pub fn lines_of(&self, span: Range<usize>) -> Range<usize> {
        line_start(&self.text, span.start)..next_line(&self.text, self.last_line_end(span.end))
    }

    /// Comments that stand deeper than a column belong to what is above them, so a new sibling at that
    /// column goes behind them. Takes and gives the end of a line.
    pub(super) fn behind_deeper_comments(&self, mut at: usize, column: usize) -> usize {
        let text = &self.text;
        let mut line = next_line(text, at);
        while line < text.len() {
            let end = line_end(text, line);
            let content = text[line..end].trim_start_matches(' ');
            let indent = end - line - content.len();
            if content.starts_with('#') && indent > column {
                at = end;
            } else if !content.is_empty() {
                break;
            }
            let next = next_line(text, end);
            if next == line {
                break;
            }
            line = next;
        }
        at
    }

    /// The whole lines of a block list's entry: from the first dash behind `from` to the entry's end, and
    /// the comments below it that stand deeper than the dash.
    pub fn entry_lines(&self, from: usize, end: usize) -> Range<usize> {
        let dash = find_dash(&self.text, from);
        self.lines_with_comments(dash..end)
    }

    /// The whole lines that a span stands on, and the comments below that stand deeper than its start.
    pub fn lines_with_comments(&self, span: Range<usize>) -> Range<usize> {
        let column = self.column(span.start);
        let end = self.behind_deeper_comments(self.last_line_end(span.end), column);
        line_start(&self.text, span.start)..next_line(&self.text, end)
    }

    /// The root by itself, at the left margin, without what stands around it.
    pub fn standing_alone(&self) -> String {
        let Some(root) = self.root() else { return String::new() };
        let span = self.tree().span(root);
        let is_flow =
            !matches!(self.tree().kind(root), Kind::Mapping(Layout::Block) | Kind::Sequence(Layout::Block));
        let start = if is_flow { span.start } else { self.start_of_key(span.start) };
        let end = if is_flow { span.end } else { self.lines_of(span).end };
        let margin = self.column(start);
        let mut lines = self.text[start..end].split_inclusive('\n');
        let mut alone = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            alone.push_str(&line[blanks.min(margin)..]);
        }
        alone
    }

    /// The steps from the root to a node.
    pub(super) fn path_to(&self, mut node: NodeId) -> Vec<Step> {
        let mut path = Vec::new();
        while let Some(parent) = self.tree().parent(node).filter(|_| Some(node) != self.root()) {
            path.push(match self.tree().key_of(node) {
                Some(key) => Step::Key(self.key_text(key).unwrap_or_default().to_owned()),
                None => {
                    Step::Index(self.tree().children(parent).position(|child| child == node).unwrap_or(0))
                }
            });
            node = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stands_alone_at_the_margin() {
        let entry = "  - # head\n    kind: A # here\n    text: |\n      x\n\n        y\n    list:\n    - 1\n  # foot\n";
        let doc = Document::parse_entry(entry).unwrap();
        let alone = doc.standing_alone();
        assert_eq!(alone, "kind: A # here\ntext: |\n  x\n\n    y\nlist:\n- 1\n");
        assert_eq!(Document::parse(alone).unwrap().root_value().unwrap(), doc.root_value().unwrap());
        for (text, alone) in [
            ("# head\na: 1\n# foot\n", "a: 1\n"),
            ("  a: 'x\n    y'\n  b: 2", "a: 'x\n  y'\nb: 2"),
            ("{\"a\": [1]} # foot\n", "{\"a\": [1]}"),
            ("", ""),
        ] {
            assert_eq!(Document::parse(text).unwrap().standing_alone(), alone);
        }
    }
}
