//! Quoted strings whose lines are not indented enough. YAML forbids them, but go-yaml reads them, and so do kubectl and
//! kustomize. To report on a file, it is enough to indent the lines: what precedes a line of such a string is no part of
//! its value.

mod strings;

use crate::yaml::{Document, stream};

/// The number of lines in a document up to which they are indented one by one.
const MOST_LINES: usize = 500;

/// A text with other indentation, and the first line that differs.
#[derive(Debug, PartialEq, Eq)]
pub struct Indented {
    pub text: String,
    pub line: usize,
}

/// Indents the lines of quoted strings that need it. Documents with other errors remain. None if all do.
pub fn indent(text: &str) -> Option<Indented> {
    let mut indented = String::new();
    let (mut copied, mut first) = (0, None);
    for range in stream::documents(text) {
        if let Some((document, line)) = indent_document(&text[range.clone()]) {
            indented.push_str(&text[copied..range.start]);
            indented.push_str(&document);
            first = first.or_else(|| Some(text[..range.start].matches('\n').count() + line));
            copied = range.end;
        }
    }
    first.map(|line| Indented { text: indented + &text[copied..], line })
}

/// The readable form of a document, and the first line that differs. None if it is the same, or cannot be read either.
fn indent_document(text: &str) -> Option<(String, usize)> {
    let first = unindented_line(text)??;
    let indented = indent_together(text, first).or_else(|| indent_one_by_one(text, first))?;
    Some((indented, first))
}

/// Finds all lines at once, and reads the result only once. None if that does not give a readable text.
fn indent_together(text: &str, first: usize) -> Option<String> {
    let found = strings::unindented_lines(text);
    if found.first() != Some(&(first - 1)) {
        return None;
    }
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for line in found {
        indent_line(&mut lines, line)?;
    }
    let text = lines.concat();
    (unindented_line(&text) == Some(None)).then_some(text)
}

/// Reads the text again after each line.
fn indent_one_by_one(text: &str, first: usize) -> Option<String> {
    let mut line = first;
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for _ in 0..MOST_LINES {
        indent_line(&mut lines, line - 1)?;
        let text = lines.concat();
        match unindented_line(&text)? {
            Some(next) if next > line => line = next,
            Some(_) => return None,
            None => return Some(text),
        }
    }
    None
}

/// Indents a line, counted from 0, deeper than the one above it: that one is the key of the string, or was indented enough.
fn indent_line(lines: &mut [String], line: usize) -> Option<()> {
    let above = lines.get(line.checked_sub(1)?)?;
    let width = above.len() - above.trim_start_matches(' ').len();
    let current = lines.get_mut(line)?;
    *current = format!("{}{}", " ".repeat(width + 1), current.trim_start_matches(' '));
    Some(())
}

/// The line with the error, if it is the only reason why a document cannot be read so far. None if there is another error.
fn unindented_line(text: &str) -> Option<Option<usize>> {
    match Document::parse_with_duplicate_keys(text) {
        Ok(_) => Some(None),
        Err(error) => {
            error.is_unindented_string().then(|| error.at.map(|at| at.line)).filter(Option::is_some)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_quoted_strings_are_indented() {
        let text = "a: 1\n---\nb:\n  c: 'x\n  y\n  z'\n  d: \"[\n]\"\n";
        let indented = "a: 1\n---\nb:\n  c: 'x\n   y\n    z'\n  d: \"[\n   ]\"\n";
        assert_eq!(indent(text), Some(Indented { text: indented.to_owned(), line: 5 }));
    }

    #[test]
    fn other_texts_stay_the_same() {
        for text in ["a: 'x\n  y'\n", "a: [\n", "a: 'x\ny'\nb: [\n", ""] {
            assert_eq!(indent(text), None, "{text}");
        }
    }

    #[test]
    fn lines_are_found_without_parsing() {
        for text in [
            "b:\n  c: 'x\n  y\n  z'\n  d: \"[\n]\"\n",
            "# it's\na: it's\nb: 'it''s\nx' # don't\nc: \"\\\"\nx\"\n",
            "a:\n- 'x\n y'\n- b: 'x\n   y'\n  c: |\n    it's\n    'x\n  d: >-\n    \"x\n  e: 'x\n  y'\n- - \"x\n   y\"\n",
            "a: ['x\ny', \"z\nz\"]\nb: {c: 'x\ny'}\nd: 'x\ny'\n",
            "a:\n  b:\n    'x\n  y\n    '\n  'c': !!str 'x\n  y\n  '\n",
            "a: &x 'x\ny'\nb: http://x/'y\nc: x \"y\n  z\n",
        ] {
            let first = unindented_line(text).unwrap().unwrap();
            let together = indent_together(text, first);
            assert!(together.is_some(), "{text}");
            assert_eq!(together, indent_one_by_one(text, first), "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_understood_are_parsed_after_each_line() {
        let text = "a:\n  b\n  'c\nd: 'x\ny\nz'\n";
        assert_eq!(indent_together(text, 5), None);
        let indented = "a:\n  b\n  'c\nd: 'x\n y\n  z'\n";
        assert_eq!(indent(text), Some(Indented { text: indented.to_owned(), line: 5 }));
    }
}
