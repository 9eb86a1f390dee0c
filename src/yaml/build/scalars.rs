//! Scalars: where they begin and end, and what they mean where the parser and other readers disagree.

use std::ops::Range;

use super::super::error::YamlError;
use super::super::events::Style;
use super::super::scan::{after_colon, block_scalar_end, find_header, line_end, next_line};
use super::super::tree::{Kind, NodeId};
use super::Builder;

impl Builder<'_> {
    pub(super) fn scalar(
        &mut self,
        value: &str,
        style: Style,
        range: Range<usize>,
        tag: &Option<(Range<usize>, String)>,
    ) -> Result<NodeId, YamlError> {
        let is_block = matches!(style, Style::Literal | Style::Folded);
        let (span, value) = match style {
            Style::Plain if range.is_empty() => {
                let at = self.position_of_empty(&range, tag);
                (at..at, "")
            }
            Style::Literal | Style::Folded => {
                let header = find_header(self.text, self.cursor);
                if !matches!(self.text.as_bytes().get(header), Some(b'|' | b'>')) {
                    return Err(self.not_understood(header));
                }
                (header..block_scalar_end(self.text, header, &range), value)
            }
            _ => (range, value),
        };
        self.cursor = self.cursor.max(span.end);
        let value = if is_block { self.without_added_newline(&span, value) } else { value };
        let id = self.tree.push(Kind::Scalar(style), span, self.parent());
        if self.tree.text(self.text, id) != value {
            self.tree.decoded.push((id, value.into()));
        }
        Ok(id)
    }

    /// The position of an empty scalar, for which the parser reports that of the next token.
    fn position_of_empty(&self, range: &Range<usize>, tag: &Option<(Range<usize>, String)>) -> usize {
        let is_value = self.open.last().is_some_and(|open| {
            matches!(self.tree.kind(open.id), Kind::Mapping(_)) && open.children % 2 == 1
        });
        match tag {
            Some((tag, _)) => tag.end,
            None if is_value => after_colon(self.text, self.cursor),
            None if self.in_block_sequence() => self.cursor,
            None => range.start.max(self.cursor),
        }
    }

    /// The value of a block scalar without the line break that the parser adds when the text ends without
    /// one. For go-yaml and PyYAML such a value has no line break at its end.
    fn without_added_newline<'v>(&self, span: &Range<usize>, value: &'v str) -> &'v str {
        let ends_text = span.end == self.text.len() && !self.text.ends_with('\n');
        let value = if ends_text { value.trim_end_matches('\n') } else { value };
        // If all lines are blank, the span of the scalar ends before the last one.
        let first_line = next_line(self.text, line_end(self.text, span.start));
        let rest = &self.text[first_line..];
        let is_blank = value.bytes().all(|byte| byte == b'\n');
        if !is_blank || rest.ends_with('\n') || !rest.trim().is_empty() {
            return value;
        }
        &value[..value.len().min(rest.matches('\n').count())]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;
    use super::super::dump::dump;

    #[test]
    fn block_scalars_begin_at_their_header_and_end_with_their_last_line() {
        assert_eq!(
            dump("a: |- # c\n\n  l1\n  l2\n\n\nb: |+\n  k\n\nc: >2\n    f\n  g\n"),
            "mapping 0..50 \"a: |- # c\\n\\n  l1\\n  l2\\n\\n\\nb: |+\\n  k\\n\\nc: >2\\n    f\\n  g\\n\"\n\
            \x20 scalar 0..1 \"a\"\n\
            \x20 scalar 3..21 \"|- # c\\n\\n  l1\\n  l2\\n\" = \"\\nl1\\nl2\"\n\
            \x20 scalar 23..24 \"b\"\n\
            \x20 scalar 26..34 \"|+\\n  k\\n\\n\" = \"k\\n\\n\"\n\
            \x20 scalar 34..35 \"c\"\n\
            \x20 scalar 37..50 \">2\\n    f\\n  g\\n\" = \"  f\\ng\\n\"\n"
        );
    }

    #[test]
    fn empty_block_scalars_end_with_their_header() {
        let spans = |text: &str| {
            let tree = Tree::parse(text).unwrap();
            let (_, value) = tree.pairs(tree.root().unwrap()).next().unwrap();
            (text[tree.span(value)].to_owned(), tree.text(text, value).to_owned())
        };
        assert_eq!(spans("a: |\nb: 1\n"), ("|\n".into(), "".into()));
        assert_eq!(spans("  a: |-\n# note\n  b: 1\n"), ("|-\n".into(), "".into()));
        assert_eq!(spans("  a: |+\n\n  b: 1\n"), ("|+\n\n".into(), "\n".into()));
        assert_eq!(spans("a: |\n  x"), ("|\n  x".into(), "x".into()));
        assert_eq!(spans("a: |-"), ("|-".into(), "".into()));
        assert_eq!(spans("a: |+\n "), ("|+\n".into(), "".into()));
        assert_eq!(spans("a: |+\n\n "), ("|+\n\n".into(), "\n".into()));
        assert_eq!(spans("a: |2\n    "), ("|2\n    ".into(), "  ".into()));
        // Spaces beyond the indentation are text even if no line break follows.
        assert_eq!(spans("a: |\n  x\n    "), ("|\n  x\n    ".into(), "x\n  ".into()));
        assert_eq!(spans("a: |\n  x\n  "), ("|\n  x\n".into(), "x\n".into()));
    }
}
