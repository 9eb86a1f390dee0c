//! Shared text. Several owners, also on different threads, refer to parts of the same string, so a large input is in
//! memory only once.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

#[derive(Clone)]
pub struct Text {
    whole: Arc<String>,
    range: Range<usize>,
}

impl Text {
    /// A part of this text, without copying it.
    pub fn part(&self, range: Range<usize>) -> Text {
        let range = self.range.start + range.start..self.range.start + range.end;
        Text { whole: self.whole.clone(), range }
    }

    /// Extends this text by the next part of the same one. Returns false, and changes nothing, if it is not the next.
    pub fn extend(&mut self, next: &Text) -> bool {
        let is_next = Arc::ptr_eq(&self.whole, &next.whole) && self.range.end == next.range.start;
        if is_next {
            self.range.end = next.range.end;
        }
        is_next
    }

    /// Where this text is in another one, if it is a part of that one.
    pub fn range_in(&self, other: &Text) -> Option<Range<usize>> {
        let (own, other_range) = (&self.range, &other.range);
        let is_part = Arc::ptr_eq(&self.whole, &other.whole)
            && own.start >= other_range.start
            && own.end <= other_range.end;
        is_part.then(|| own.start - other_range.start..own.end - other_range.start)
    }

    pub(super) fn into_string(self) -> String {
        if self.range != (0..self.whole.len()) {
            return self.to_string();
        }
        Arc::try_unwrap(self.whole).unwrap_or_else(|shared| shared.as_ref().clone())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.whole[self.range.clone()]
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text { range: 0..text.len(), whole: Arc::new(text) }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_part_is_a_part() {
        let text = Text::from("abcdef");
        let part = text.part(1..5).part(1..3);
        assert_eq!((&*part, part.to_string()), ("cd", "cd".to_owned()));
        assert_eq!((part.range_in(&text.part(1..5)), part.range_in(&text.part(3..5))), (Some(1..3), None));
        assert_eq!(part.range_in(&Text::from("abcdef")), None);
        let mut longer = part.clone();
        assert!(!longer.extend(&text.part(5..6)) && longer.extend(&text.part(4..6)));
        assert_eq!(&*longer, "cdef");
        assert_eq!(part.into_string(), "cd");
        assert_eq!(text.into_string(), "abcdef");
    }
}
