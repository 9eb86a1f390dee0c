//! The text of a resource after an edit. Most of it is usually that of the source, which is not kept twice.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::{memchr, memrchr};

use super::{Form, Resource};
use crate::krm::fault::Fault;
use crate::krm::pieces::Pieces;
use crate::krm::rules;
use crate::yaml::{Replacement, Text};

#[derive(Debug)]
pub(super) struct Edited {
    /// The numbers of bytes at the start and at the end that are those of the source: whole lines, but for an item in
    /// braces.
    head: usize,
    tail: usize,
    /// What is between them.
    middle: Text,
    /// All of the text, while something needs it.
    whole: OnceLock<Text>,
}

impl Edited {
    pub(super) fn new(form: &Form, source: &str, edited: &str) -> Self {
        match form {
            Form::Value => Self::by_characters(source, edited),
            Form::Document | Form::Entry => Self::by_lines(source, edited),
        }
    }

    fn by_characters(source: &str, edited: &str) -> Self {
        let mut head = same_head(source.as_bytes(), edited.as_bytes());
        while !source.is_char_boundary(head) {
            head -= 1;
        }
        let mut tail = same_tail(&source.as_bytes()[head..], &edited.as_bytes()[head..]);
        while !source.is_char_boundary(source.len() - tail) {
            tail -= 1;
        }
        Self::between(head, tail, edited)
    }

    fn by_lines(source: &str, edited: &str) -> Self {
        let same = same_head(source.as_bytes(), edited.as_bytes());
        let head = memrchr(b'\n', &source.as_bytes()[..same]).map_or(0, |at| at + 1);
        let (old, new) = (&source.as_bytes()[head..], &edited.as_bytes()[head..]);
        let same = same_tail(old, new);
        let begins_line = |text: &[u8]| text.len() == same || text[text.len() - same - 1] == b'\n';
        let tail = if begins_line(old) && begins_line(new) {
            same
        } else {
            memchr(b'\n', &old[old.len() - same..]).map_or(0, |at| same - at - 1)
        };
        Self::between(head, tail, edited)
    }

    fn between(head: usize, tail: usize, edited: &str) -> Self {
        let middle = edited[head..edited.len() - tail].into();
        Edited { head, tail, middle, whole: OnceLock::new() }
    }

    /// The same edit as one of a larger source, which has so many other bytes before and after.
    pub(super) fn inside(self, before: usize, after: usize) -> Self {
        Edited { head: self.head + before, tail: self.tail + after, ..self }
    }

    pub(super) fn concatenated(&self, source: &str) -> Text {
        [&source[..self.head], &self.middle, &source[source.len() - self.tail..]].concat().into()
    }
}

impl Resource {
    pub(super) fn source_text(&self) -> Text {
        self.source.part(self.range.clone())
    }

    /// The current text.
    pub fn text(&self) -> &str {
        let source = &self.source[self.range.clone()];
        match &self.edited {
            Some(edited) => edited.whole.get_or_init(|| edited.concatenated(source)),
            None => source,
        }
    }

    /// The current text, shared.
    pub fn to_text(&self) -> Text {
        match &self.edited {
            Some(edited) => edited.concatenated(&self.source_text()),
            None => self.source_text(),
        }
    }

    /// What the edits of an item changed in the text of its list. In braces, all of it, unless only parts were edited that
    /// the fast reader has accepted.
    pub fn change(&self) -> Option<Replacement> {
        let Edited { head, tail, middle, .. } = self.edited.as_deref()?;
        let Range { start, end } = self.range.clone();
        let (range, text) = match self.form {
            Form::Value if !self.is_simple => (start..end, self.to_text()),
            _ => (start + head..end - tail, middle.clone()),
        };
        Some(Replacement { range, text, is_simple: self.is_simple })
    }

    /// Appends the current text to others.
    pub fn append_to(&self, pieces: &mut Pieces) {
        let source = self.source_text();
        match self.edited.as_deref() {
            Some(Edited { head, tail, middle, .. }) => {
                pieces.push(source.part(0..*head));
                pieces.push(middle.clone());
                pieces.push(source.part(source.len() - tail..source.len()));
            }
            None => pieces.push(source),
        }
    }

    /// Appends the text with a final line break, so that another document can follow.
    pub fn append_closed_to(&self, pieces: &mut Pieces) -> Result<(), Fault> {
        let ends = match &self.edited {
            Some(edited) if edited.tail == 0 && !edited.middle.is_empty() => edited.middle.ends_with('\n'),
            Some(edited) if edited.tail == 0 => self.source_text()[..edited.head].ends_with('\n'),
            _ => self.source_text().ends_with('\n'),
        };
        if ends {
            self.append_to(pieces);
            return Ok(());
        }
        let closed = self.doc()?.terminated_text();
        pieces.push(closed.map_err(|e| Fault::new(&rules::YAML, e.message()).on(self))?);
        Ok(())
    }

    /// Discards the whole text after an edit.
    pub(super) fn release_text(&mut self) {
        if let Some(edited) = &mut self.edited {
            edited.whole = OnceLock::new();
        }
    }
}

/// How many bytes are compared at once.
const CHUNK: usize = 64;

/// How many bytes at the start two texts have in common.
fn same_head(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    chunks + a[chunks..].iter().zip(&b[chunks..]).take_while(|(a, b)| a == b).count()
}

/// How many bytes at the end two texts have in common.
fn same_tail(a: &[u8], b: &[u8]) -> usize {
    let chunks =
        a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    let (a, b) = (&a[..a.len() - chunks], &b[..b.len() - chunks]);
    chunks + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_kept() {
        let long = "x".repeat(200);
        let long_line = format!("{long}\n");
        for (old, new, line, middle) in [
            ("a\nb\nc\n", "a\nx\nb\nc\n", "x\n", "x\n"),
            ("a\nb\nc\n", "a\nc\n", "", ""),
            ("a\nb\nc\n", "a\nbb\nc\n", "bb\n", "b"),
            ("a\na\n", "a\na\na\n", "a\n", "a\n"),
            ("a\na\na\n", "a\n", "", ""),
            ("a: é\nb\n", "a: è\nb\n", "a: è\n", "è"),
            ("a: ē\nb\n", "a: ɓ\nb\n", "a: ɓ\n", "ɓ"), // both end with the same byte
            ("a", "a\n", "a\n", "\n"),
            ("a\n", "a", "a", ""),
            ("{a: 1}", "{a: 2}", "{a: 2}", "2"),
            ("a\nb", "a\nc", "c", "c"),
            ("", "a\n", "a\n", "a\n"),
            (&format!("{long_line}1\n{long_line}"), &format!("{long_line}2\n{long_line}"), "2\n", "2"),
        ] {
            for (edited, kept) in
                [(Edited::by_lines(old, new), line), (Edited::by_characters(old, new), middle)]
            {
                assert_eq!((&*edited.concatenated(old), &*edited.middle), (new, kept), "{old:?}");
            }
        }
    }

    #[test]
    fn every_pair_of_short_texts_is_restored() {
        let text = |mut number: usize| {
            let mut text = String::new();
            while number > 0 {
                text.push(['a', 'ē', '\n'][number % 3]);
                number /= 3;
            }
            text
        };
        let texts: Vec<String> = (0..243).map(text).collect();
        for old in &texts {
            for new in &texts {
                for edited in [Edited::by_lines(old, new), Edited::by_characters(old, new)] {
                    assert_eq!(&*edited.concatenated(old), new, "{old:?}");
                }
            }
        }
    }
}
