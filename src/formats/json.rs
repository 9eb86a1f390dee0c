//! JSON in strings: values, and where they are in the text.

use std::ops::Range;

use serde_json::Value;

/// A step from an object or a list to what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'s> {
    Key(&'s str),
    Index(usize),
}

pub fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("it is not JSON: {e}"))
}

/// The bytes of a value in JSON text: an entry of an object with its key, an element of a list. None if the
/// text is not JSON or has no such value.
pub fn locate(text: &str, path: &[Step<'_>]) -> Option<Range<usize>> {
    // Everything below relies on text that is valid and not nested too deeply.
    parse(text).ok()?;
    let mut scanner = Scanner { text, at: 0 };
    scanner.skip_blanks();
    let mut start = scanner.at;
    for step in path {
        start = scanner.enter(*step)?;
    }
    scanner.skip_value();
    Some(start..scanner.at)
}

/// Walks through text that is known to be valid JSON.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(b'\0')
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// Goes to the value that a step leads to. Returns where its entry begins.
    fn enter(&mut self, step: Step<'_>) -> Option<usize> {
        let is_object = match (self.peek(), step) {
            (b'{', Step::Key(_)) => true,
            (b'[', Step::Index(_)) => false,
            _ => return None,
        };
        self.at += 1;
        let mut found = None;
        for index in 0.. {
            self.skip_blanks();
            if matches!(self.peek(), b'}' | b']' | b'\0') {
                break;
            }
            let start = self.at;
            let is_it = if is_object {
                let key = self.key();
                step == Step::Key(&key)
            } else {
                step == Step::Index(index)
            };
            if is_it {
                // If a key occurs twice, JSON readers use the last value.
                found = Some((start, self.at));
            }
            self.skip_value();
            self.skip_blanks();
            if self.peek() == b',' {
                self.at += 1;
            }
        }
        let (start, value) = found?;
        self.at = value;
        Some(start)
    }

    /// Reads a key, its colon and the whitespace around the colon.
    fn key(&mut self) -> String {
        let start = self.at;
        self.skip_string();
        let key = serde_json::from_str(&self.text[start..self.at]).unwrap_or_default();
        self.skip_blanks();
        self.at += 1;
        self.skip_blanks();
        key
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while !matches!(self.peek(), b'"' | b'\0') {
            self.at += if self.peek() == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
    }

    fn skip_value(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                b'"' => self.skip_string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b'\0' => return,
                _ if depth > 0 => self.at += 1,
                _ => {
                    while !matches!(self.peek(), b',' | b'}' | b']' | b'\0')
                        && !self.peek().is_ascii_whitespace()
                    {
                        self.at += 1;
                    }
                }
            }
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Step::{Index, Key};
    use super::*;

    #[test]
    fn values_are_found_with_their_keys() {
        let text = r#" { "a" : 1, "b\"x": [ {"c": "d]}"}, null , -2.5e3 ], "e": {}, "a": true } "#;
        let found = |path: &[Step<'_>]| locate(text, path).map(|range| &text[range]);
        assert_eq!(found(&[]), Some(text.trim()));
        assert_eq!(found(&[Key("b\"x"), Index(0), Key("c")]), Some(r#""c": "d]}""#));
        assert_eq!(found(&[Key("b\"x"), Index(0)]), Some(r#"{"c": "d]}"}"#));
        assert_eq!(found(&[Key("b\"x"), Index(1)]), Some("null"));
        assert_eq!(found(&[Key("b\"x"), Index(2)]), Some("-2.5e3"));
        assert_eq!(found(&[Key("e")]), Some(r#""e": {}"#));
        assert_eq!(found(&[Key("a")]), Some(r#""a": true"#), "the last value of a repeated key");
        for path in [&[Key("z")][..], &[Index(0)], &[Key("e"), Key("f")], &[Key("b\"x"), Index(3)]] {
            assert_eq!(found(path), None, "{path:?}");
        }
    }

    #[test]
    fn texts_that_are_not_json_have_no_places() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in ["", "{", "[1,", "{\"a\": 1} x", "\"\\", "_replaced_", deep.as_str()] {
            assert!(parse(text).is_err(), "{}", &text[..text.len().min(20)]);
            assert_eq!(locate(text, &[]), None);
        }
        assert_eq!(locate("\"ü\"", &[]), Some(0..4));
    }
}
