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
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        Position {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            // Continuation bytes are parts of a character.
            column: 1 + before[line_start..].iter().filter(|&&b| b & 0xc0 != 0x80).count(),
        }
    }
}

/// The text is not the YAML we accept, or an edit of it is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    pub at: Option<Position>,
    message: String,
    /// The line of the other party, where two things collide.
    first: Option<usize>,
    refusal: bool,
}

impl YamlError {
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        Self::placed(Position::of(text.as_bytes(), offset), message)
    }

    pub fn placed(at: Position, message: impl Into<String>) -> Self {
        YamlError { at: Some(at), message: message.into(), first: None, refusal: false }
    }

    pub fn new(message: impl Into<String>) -> Self {
        YamlError { at: None, message: message.into(), first: None, refusal: false }
    }

    /// The same error, with the line of what came first.
    #[must_use]
    pub fn first_on(mut self, line: usize) -> Self {
        self.first = Some(line);
        self
    }

    /// The same error, as a decision and not as a failure to read.
    #[must_use]
    pub(super) fn refusal(mut self) -> Self {
        self.refusal = true;
        self
    }

    pub(super) fn is_refusal(&self) -> bool {
        self.refusal
    }

    /// The same error, seen from a text in which this one begins at `line` (counted from 1).
    #[must_use]
    pub fn below(mut self, line: usize) -> Self {
        if let Some(at) = &mut self.at {
            at.line += line - 1;
        }
        if let Some(first) = &mut self.first {
            *first += line - 1;
        }
        self
    }

    /// What is wrong, without where.
    pub fn message(&self) -> String {
        match self.first {
            Some(line) => format!("{}, first on line {line}", self.message),
            None => self.message.clone(),
        }
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "line {}, column {}: {}", at.line, at.column, self.message()),
            None => f.write_str(&self.message()),
        }
    }
}

impl std::error::Error for YamlError {}

/// Bytes as text, or where they stop being UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, YamlError> {
    std::str::from_utf8(bytes).map_err(|e| not_utf8(bytes, e))
}

/// The same, without a copy.
pub fn into_utf8(bytes: Vec<u8>) -> Result<String, YamlError> {
    String::from_utf8(bytes).map_err(|e| not_utf8(e.as_bytes(), e.utf8_error()))
}

fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> YamlError {
    YamlError::placed(Position::of(bytes, error.valid_up_to()), "the input is not valid UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a: 1\nü: é x\n";
        let offset = text.find('x').unwrap();
        assert_eq!(Position::of(text.as_bytes(), offset), Position { line: 2, column: 6 });
    }

    #[test]
    fn invalid_utf8_has_a_place() {
        let error = utf8(b"a: 1\nb: \xff\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 4: the input is not valid UTF-8");
    }
}
