//! The comments of a document.

use std::ops::Range;

use super::document::Document;
use super::scan::line_end;
use super::tree::{Kind, NodeId};

impl Document {
    /// The bytes of every comment, in order, from the `#` to the end of the line. A comment after the header of a block
    /// scalar (`|`, `>`) is not included.
    pub fn comments(&self) -> Vec<Range<usize>> {
        let text = self.text();
        let mut scalars = Vec::new();
        if let Some(root) = self.root() {
            self.scalar_spans(root, &mut scalars);
        }
        let mut comments = Vec::new();
        let mut from = 0;
        let mut scalars = scalars.into_iter().peekable();
        while let Some(hash) = memchr::memchr(b'#', &text.as_bytes()[from..]).map(|at| from + at) {
            while scalars.next_if(|span| span.end <= hash).is_some() {}
            if let Some(inside) = scalars.peek().filter(|span| span.contains(&hash)) {
                from = inside.end;
                continue;
            }
            // Without a space before it, `#` is part of an anchor, a tag or an alias.
            if hash > 0 && !text.as_bytes()[hash - 1].is_ascii_whitespace() {
                from = hash + 1;
                continue;
            }
            from = line_end(text, hash);
            comments.push(hash..hash + text[hash..from].trim_end().len());
        }
        comments
    }

    fn scalar_spans(&self, node: NodeId, spans: &mut Vec<Range<usize>>) {
        match self.tree().kind(node) {
            Kind::Scalar(_) => spans.push(self.tree().span(node)),
            _ => self.tree().children(node).for_each(|child| self.scalar_spans(child, spans)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_outside_of_strings() {
        let text = "# first\na: x # second\nb: 'y # no' # third\nc: |\n  # no\n  text\n# fourth\nd:\n- \"# no\" # fifth\n- e#no\n- {f: 1} # sixth\n# last";
        let doc = Document::parse(text).unwrap();
        let comments: Vec<&str> = doc.comments().into_iter().map(|span| &text[span]).collect();
        assert_eq!(comments, ["# first", "# second", "# third", "# fourth", "# fifth", "# sixth", "# last"]);
    }

    #[test]
    fn a_line_break_of_windows_is_not_part_of_a_comment() {
        let text = "a: 1 # x\r\nb: 2\r\n";
        let doc = Document::parse(text).unwrap();
        let comments: Vec<&str> = doc.comments().into_iter().map(|span| &text[span]).collect();
        assert_eq!(comments, ["# x"]);
    }
}
