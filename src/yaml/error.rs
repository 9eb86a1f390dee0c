//! What can be wrong with a text, and where.

use std::fmt;

/// A place in a text as people count: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// The position of a byte offset. Walks the text, so it belongs in error paths only.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        Position {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            column: 1 + count_chars(&before[line_start..]),
        }
    }
}

/// Characters of UTF-8 bytes that may end in the middle of one: continuation bytes do not count.
fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

/// The text is not the YAML we accept, or an edit of it is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    pub at: Option<Position>,
    pub message: String,
}

impl YamlError {
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        YamlError { at: Some(Position::of(text, offset)), message: message.into() }
    }

    pub fn new(message: impl Into<String>) -> Self {
        YamlError { at: None, message: message.into() }
    }

    /// The same error, seen from a text in which this one begins at `first_line` (counted from 1).
    #[must_use]
    pub fn below(mut self, first_line: usize) -> Self {
        if let Some(at) = &mut self.at {
            at.line += first_line - 1;
        }
        self
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "line {}, column {}: {}", at.line, at.column, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for YamlError {}

/// Bytes as text, or where they stop being UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, YamlError> {
    std::str::from_utf8(bytes).map_err(|e| {
        let good = &bytes[..e.valid_up_to()];
        let line_start = good.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        YamlError {
            at: Some(Position {
                line: 1 + good.iter().filter(|&&b| b == b'\n').count(),
                column: 1 + count_chars(&good[line_start..]),
            }),
            message: "the input is not valid UTF-8".into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a: 1\nü: é x\n";
        let offset = text.find('x').unwrap();
        assert_eq!(Position::of(text, offset), Position { line: 2, column: 6 });
    }

    #[test]
    fn invalid_utf8_has_a_place() {
        let error = utf8(b"a: 1\nb: \xff\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 4: the input is not valid UTF-8");
    }
}
