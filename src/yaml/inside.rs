//! Locates part of a string in the source. A string may contain another document, such as JSON.

use std::ops::Range;

use super::document::Document;
use super::events::Style;
use super::tree::{Kind, NodeId};

impl Document {
    /// Where part of a string is written, as far as that is on one line. `find` gets the string and returns
    /// the bytes of the part. None for folded strings, whose lines differ from those of the source.
    pub fn locate_inside(
        &self,
        node: NodeId,
        find: impl FnOnce(&str) -> Option<Range<usize>>,
    ) -> Option<Range<usize>> {
        let Kind::Scalar(style) = self.tree().kind(node) else { return None };
        let (source, text) = (self.source(node), self.tree().text(self.text(), node));
        let part = find(text)?;
        // If the part has several lines, use the first.
        let length = text.get(part.clone())?.lines().next().unwrap_or_default().len();
        let part = part.start..part.start + length;
        let found = match style {
            Style::Plain | Style::SingleQuoted => verbatim(source, text, &part),
            Style::DoubleQuoted => verbatim(source, text, &part).or_else(|| escaped(source, &part)),
            Style::Literal => return self.inside_literal(node, text, &part),
            Style::Folded => None,
        }?;
        let start = self.tree().span(node).start;
        Some(start + found.start..start + found.end)
    }

    /// Locates the part in a literal block scalar, whose lines are those of the source with less indentation.
    fn inside_literal(&self, node: NodeId, text: &str, part: &Range<usize>) -> Option<Range<usize>> {
        let before = &text[..part.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        // The header is the first line of the source.
        let span = self.tree().span(node);
        let number = 1 + memchr::memchr_iter(b'\n', before.as_bytes()).count();
        let at = self.start_of_line(self.position(span.start).line + number)?;
        let written = self.text().get(at..span.end)?.lines().next()?;
        let indentation = written.strip_suffix(line.trim_end_matches('\r'))?.len();
        let start = at + indentation + part.start - line_start;
        Some(start..start + part.len())
    }
}

/// Locates the part in a string with the same characters as the source, perhaps in quotes.
fn verbatim(source: &str, text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let quote = usize::from(source.len() == text.len() + 2);
    let is_same = source.get(quote..source.len() - quote)? == text;
    is_same.then(|| part.start + quote..part.end + quote)
}

/// Locates the part in a string on one line with single-character escapes.
fn escaped(source: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let inner = source.strip_prefix('"')?.strip_suffix('"')?;
    let (mut decoded, mut start) = (0, None);
    let mut characters = inner.char_indices();
    loop {
        let (at, c) = characters.next().unwrap_or((inner.len(), '"'));
        if decoded == part.start {
            start = Some(at);
        }
        if let (Some(start), true) = (start, decoded == part.end) {
            return Some(start + 1..at + 1);
        }
        let c = match c {
            _ if at == inner.len() => return None,
            '\\' => characters.next().map(|(_, c)| c).filter(|c| "\"\\/nrt ".contains(*c))?,
            '\n' => return None,
            c => c,
        };
        decoded += c.len_utf8();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    #[track_caller]
    fn finds(document: &str, needle: &str, expected: Option<&str>) {
        for document in [document.to_owned(), document.replace('\n', "\r\n")] {
            let document = Document::parse(document).unwrap();
            let node = document.find(&[Step::Key("a".to_owned())]).unwrap();
            let found = document.locate_inside(node, |text| {
                let start = text.find(needle)?;
                Some(start..start + needle.len())
            });
            assert_eq!(found.map(|range| &document.text()[range]), expected, "{}", document.text());
        }
    }

    #[test]
    fn parts_are_found_in_every_style_that_keeps_lines() {
        finds("a: x y:z\n", "y:z", Some("y:z"));
        finds("a: '{\"ü\": \"z\"}'\n", "\"z\"", Some("\"z\""));
        finds("a: \"{'y': 'z'}\"\n", "'z'", Some("'z'"));
        finds("a: \"{\\\"ü\\\": \\\"z\\\"}\"\n", "\"z\"", Some("\\\"z\\\""));
        finds("a: \"\\\"z\\\"\"\n", "\"z\"", Some("\\\"z\\\""));
        finds("a: |\n    {\n      \"y\": \"z\"\n    }\nb: 1\n", "\"y\": \"z\"", Some("\"y\": \"z\""));
        finds("a: |-\n\n  {\n  \"y\": [\n    1\n  ]}\n", "\"y\": [", Some("\"y\": ["));
        finds("a: |2 # comment\n    {\"y\": 1}\n", "\"y\"", Some("\"y\""));
    }

    #[test]
    fn parts_of_other_strings_are_not_found() {
        finds("a: >\n  {\"y\":\n  1}\n", "\"y\"", None);
        finds("a: 'it''s z'\n", "z", None);
        finds("a: \"\\u0041 z\"\n", "z", None);
        finds("a: \"x\n  z\"\n", "z", None);
        finds("a: x\n", "y", None);
        let document = Document::parse("a: [x]\n").unwrap();
        let node = document.find(&[Step::Key("a".to_owned())]).unwrap();
        assert_eq!(document.locate_inside(node, |_| Some(0..0)), None);
    }

    #[test]
    fn of_several_lines_the_first_is_found() {
        let document = Document::parse("a: |\n  {\n    \"y\": [\n      1\n    ]\n  }\n").unwrap();
        let node = document.find(&[Step::Key("a".to_owned())]).unwrap();
        let found = document.locate_inside(node, |text| Some(text.find('"')?..text.find(']')?)).unwrap();
        assert_eq!(&document.text()[found], "\"y\": [");
    }
}
