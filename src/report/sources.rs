//! The texts of the files in a report. A report can have thousands of findings in one file, so the lines of a file
//! are located once, and an excerpt contains only the lines that it shows.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::krm::{File, Place};

#[derive(Debug)]
pub struct Sources<'f>(HashMap<&'f str, Source<'f>>);

#[derive(Debug)]
struct Source<'f> {
    text: &'f str,
    /// The byte at which each line starts.
    lines: OnceCell<Vec<usize>>,
}

/// Whole lines of a file, and the bytes of them to underline.
#[derive(Debug, PartialEq)]
pub struct Excerpt<'f> {
    pub text: &'f str,
    pub first_line: usize,
    pub span: Range<usize>,
}

impl<'f> Sources<'f> {
    pub fn new(files: &'f [File]) -> Self {
        let source = |file: &'f File| Source { text: &file.text, lines: OnceCell::new() };
        Sources(files.iter().map(|file| (file.path.as_str(), source(file))).collect())
    }

    /// The text at a place, if its bytes are known.
    pub fn marked(&self, place: &Place) -> Option<&'f str> {
        self.of(place)?.text.get(place.span.clone()?)
    }

    /// The lines of a place. Without a span, its whole line is underlined.
    pub fn excerpt(&self, place: &Place) -> Option<Excerpt<'f>> {
        let source = self.of(place)?;
        let lines = source.lines();
        let span = match &place.span {
            Some(span) => span.clone(),
            None => source.line(place.line?.checked_sub(1)?)?,
        };
        source.text.get(span.clone())?;
        let first = lines.partition_point(|start| *start <= span.start).checked_sub(1)?;
        let last = lines.partition_point(|start| *start < span.end.max(span.start + 1)).checked_sub(1)?;
        let (start, end) = (*lines.get(first)?, source.line(last)?.end.max(span.end));
        let span = span.start - start..span.end - start;
        Some(Excerpt { text: &source.text[start..end], first_line: first + 1, span })
    }

    fn of(&self, place: &Place) -> Option<&Source<'f>> {
        self.0.get(place.file.as_deref()?)
    }
}

impl Source<'_> {
    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(breaks.map(|at| at + 1)).collect()
        })
    }

    /// The bytes of a line, counted from 0, without trailing white space and its line break.
    fn line(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.lines().get(index)?;
        let end = self.lines().get(index + 1).copied().unwrap_or(self.text.len());
        Some(start..start + self.text.get(start..end)?.trim_end().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> [File; 1] {
        [File { path: "a.yaml".to_owned(), text: "kind: A\r\nspec:\r\n  x: 1 \r\n  y: ü\r\n".into() }]
    }

    fn place(line: usize, span: Option<Range<usize>>) -> Place {
        Place { span, ..Place::in_file("a.yaml", Some(line)) }
    }

    #[test]
    fn an_excerpt_has_only_the_lines_of_its_span() {
        let files = files();
        let sources = Sources::new(&files);
        let excerpt = |text, first_line, span| Some(Excerpt { text, first_line, span });
        assert_eq!(sources.excerpt(&place(3, Some(18..22))), excerpt("  x: 1", 3, 2..6));
        assert_eq!(sources.excerpt(&place(2, Some(9..22))), excerpt("spec:\r\n  x: 1", 2, 0..13));
        assert_eq!(sources.excerpt(&place(3, None)), excerpt("  x: 1", 3, 0..6));
        assert_eq!(sources.marked(&place(4, Some(27..32))), Some("y: ü"));
    }

    #[test]
    fn a_place_outside_the_text_has_no_excerpt() {
        let files = files();
        let sources = Sources::new(&files);
        for place in [place(9, None), place(1, Some(90..99)), place(4, Some(30..31)), place(0, None)] {
            assert_eq!(sources.excerpt(&place), None, "{place:?}");
        }
        assert_eq!(sources.excerpt(&Place::in_file("b.yaml", Some(1))), None);
    }
}
