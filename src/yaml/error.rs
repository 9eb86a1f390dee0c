//! Errors in YAML text, with their position.

use std::fmt;

/// A position in the text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// The position of a byte offset. Counts the lines of the text, so use it only to report something.
    pub(super) fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        Position {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            // Continuation bytes of UTF-8 do not begin a character.
            column: 1 + before[line_start..].iter().filter(|&&b| b & 0xc0 != 0x80).count(),
        }
    }
}

/// Text that is rejected, or an edit that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    pub at: Option<Position>,
    message: String,
    /// The line of the first of two equal keys.
    first: Option<usize>,
    refusal: bool,
}

impl YamlError {
    pub(super) fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        Self::placed(Position::of(text.as_bytes(), offset), message)
    }

    pub(super) fn placed(at: Position, message: impl Into<String>) -> Self {
        YamlError { at: Some(at), message: message.into(), first: None, refusal: false }
    }

    pub(super) fn new(message: impl Into<String>) -> Self {
        YamlError { at: None, message: message.into(), first: None, refusal: false }
    }

    /// Adds the line of the first of two equal keys.
    #[must_use]
    pub(super) fn first_on(mut self, line: usize) -> Self {
        self.first = Some(line);
        self
    }

    /// Marks the error as a decision of the editor: another way of writing the text would not avoid it.
    #[must_use]
    pub(super) fn refusal(mut self) -> Self {
        self.refusal = true;
        self
    }

    pub(super) fn is_refusal(&self) -> bool {
        self.refusal
    }

    /// Whether the text is rejected because a mapping has a key twice.
    pub fn is_duplicate_key(&self) -> bool {
        self.first.is_some()
    }

    /// Whether the text is rejected because a line of a quoted string is not indented enough. go-yaml accepts it.
    pub fn is_unindented_string(&self) -> bool {
        self.message.contains("indentation in multiline quoted scalar")
    }

    /// Moves the error into a larger text, in which this one begins at `line` (counted from 1).
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

    /// The message without the position.
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

/// Bytes as text. The error has the position of the first byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, YamlError> {
    std::str::from_utf8(bytes).map_err(|e| not_utf8(bytes, e))
}

/// Like [`utf8`], for bytes that need not be copied.
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
    fn invalid_utf8_has_a_position() {
        let error = utf8(b"a: 1\nb: \xff\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 4: the input is not valid UTF-8");
    }
}
