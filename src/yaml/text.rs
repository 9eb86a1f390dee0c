//! Shared text. Several owners refer to parts of the same string, so a large input is in memory only once.

use std::fmt;
use std::ops::{Deref, Range};
use std::rc::Rc;

#[derive(Clone)]
pub struct Text {
    whole: Rc<String>,
    range: Range<usize>,
}

impl Text {
    /// A part of this text, without copying it.
    pub fn part(&self, range: Range<usize>) -> Text {
        let range = self.range.start + range.start..self.range.start + range.end;
        Text { whole: self.whole.clone(), range }
    }

    pub(super) fn into_string(self) -> String {
        if self.range != (0..self.whole.len()) {
            return self.to_string();
        }
        Rc::try_unwrap(self.whole).unwrap_or_else(|shared| shared.as_ref().clone())
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
        Text { range: 0..text.len(), whole: Rc::new(text) }
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
        assert_eq!(part.into_string(), "cd");
        assert_eq!(text.into_string(), "abcdef");
    }
}
