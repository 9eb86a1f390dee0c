//! The words of a shell script, with quotes removed and variables replaced.

use std::collections::HashMap;

use super::{Unclosed, Unknown};

/// The values of variables so far.
pub struct Known<'s> {
    values: HashMap<String, Result<String, Unknown>>,
    is_secret: &'s dyn Fn(&str) -> bool,
}

impl<'s> Known<'s> {
    pub fn new(is_secret: &'s dyn Fn(&str) -> bool) -> Self {
        Known { values: HashMap::new(), is_secret }
    }

    /// Assigns a value, and returns what is kept of it.
    pub fn assign(&mut self, name: &str, value: Result<String, Unknown>) -> Result<String, Unknown> {
        let value = if (self.is_secret)(name) { Err(Unknown::Secret) } else { value };
        self.values.insert(name.to_owned(), value.clone());
        value
    }

    /// The value of a variable. None if it is not set; a secret may be set elsewhere.
    fn get(&self, name: &str) -> Option<Result<&str, Unknown>> {
        match self.values.get(name) {
            _ if (self.is_secret)(name) => Some(Err(Unknown::Secret)),
            value => value.map(|value| value.as_deref().map_err(Unknown::clone)),
        }
    }
}

/// A word of a command. If it is an assignment, the text is what follows `=`.
#[derive(Debug)]
pub struct Word {
    pub line: usize,
    pub name: Option<String>,
    pub text: Result<String, Unknown>,
}

impl Word {
    fn push(&mut self, text: &str) {
        // Variables that repeat each other grow exponentially.
        const LONGEST: usize = 1 << 16;
        if let Ok(own) = &mut self.text {
            own.push_str(text);
            if own.len() > LONGEST {
                self.fail(Unknown::Unsupported);
            }
        }
    }

    /// Forgets the text. The first reason is kept.
    fn fail(&mut self, why: Unknown) {
        if self.text.is_ok() {
            self.text = Err(why);
        }
    }
}

/// The text that remains to be read.
#[derive(Debug)]
pub struct Words<'t> {
    rest: &'t str,
    line: usize,
    /// How many defaults (`${NAME:-default}`) contain this text.
    depth: usize,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Self {
        Words { rest: text, line: 1, depth: 0 }
    }

    /// The words of the next command. None at the end.
    pub fn command(&mut self, known: &Known<'_>) -> Result<Option<Vec<Word>>, Unclosed> {
        let mut words = Vec::new();
        loop {
            match self.rest.chars().next() {
                None if words.is_empty() => return Ok(None),
                None => return Ok(Some(words)),
                Some('#') => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
                Some(c) if c.is_ascii_whitespace() && c != '\n' => self.skip(1),
                Some('\\') if self.rest.starts_with("\\\n") => self.skip(2),
                Some(c) if ends_word(c) => {
                    self.skip(1);
                    if !words.is_empty() {
                        return Ok(Some(words));
                    }
                }
                Some(_) => words.push(self.word(known)?),
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }

    /// Takes the text up to a character at this position, and skips that character too.
    fn take(&mut self, position: Option<usize>) -> Result<&'t str, Unclosed> {
        let position = position.ok_or(Unclosed(self.line))?;
        let text = &self.rest[..position];
        self.skip(position + 1);
        Ok(text)
    }

    fn word(&mut self, known: &Known<'_>) -> Result<Word, Unclosed> {
        let name = identifier(self.rest).filter(|name| self.rest[name.len()..].starts_with('='));
        let mut word = Word { line: self.line, name: name.map(str::to_owned), text: Ok(String::new()) };
        if let Some(name) = name {
            self.skip(name.len() + 1);
            if self.rest.starts_with('(') {
                self.take(closing(self.rest, b')'))?;
                word.fail(Unknown::Unsupported);
            }
        }
        while let Some(c) = self.rest.chars().next().filter(|c| !ends_word(*c) && !c.is_ascii_whitespace()) {
            self.part(c, &mut word, known)?;
        }
        Ok(word)
    }

    /// A character, or text in quotes.
    fn part(&mut self, c: char, word: &mut Word, known: &Known<'_>) -> Result<(), Unclosed> {
        match c {
            '"' => self.quoted(word, known)?,
            '\'' => {
                self.skip(1);
                word.push(self.take(self.rest.find('\''))?);
            }
            _ => self.character(c, word, known)?,
        }
        Ok(())
    }

    /// Text in double quotes.
    fn quoted(&mut self, word: &mut Word, known: &Known<'_>) -> Result<(), Unclosed> {
        let first = self.line;
        self.skip(1);
        loop {
            match self.rest.chars().next() {
                None => return Err(Unclosed(first)),
                Some('"') => {
                    self.skip(1);
                    return Ok(());
                }
                // In quotes, a backslash is only special before a few characters.
                Some('\\') if !self.rest[1..].starts_with(['"', '\\', '$', '`', '\n']) => {
                    self.skip(1);
                    word.push("\\");
                }
                Some(c) => self.character(c, word, known)?,
            }
        }
    }

    /// A character, or what it begins, outside of single quotes.
    fn character(&mut self, c: char, word: &mut Word, known: &Known<'_>) -> Result<(), Unclosed> {
        match c {
            '\\' => {
                self.skip(1);
                let next = self.rest.chars().next().map_or(0, char::len_utf8);
                let text = &self.rest[..next];
                self.skip(next);
                word.push(if text == "\n" { "" } else { text });
            }
            '`' => {
                self.take(self.rest[1..].find('`').map(|position| position + 1))?;
                word.fail(Unknown::Command);
            }
            '$' => self.expansion(word, known)?,
            c => {
                word.push(&self.rest[..c.len_utf8()]);
                self.skip(c.len_utf8());
            }
        }
        Ok(())
    }

    fn expansion(&mut self, word: &mut Word, known: &Known<'_>) -> Result<(), Unclosed> {
        let after = &self.rest[1..];
        match after.chars().next() {
            Some('(') => {
                self.take(closing(after, b')').map(|position| position + 1))?;
                word.fail(Unknown::Command);
            }
            Some('{') => {
                let inner = self.take(closing(after, b'}').map(|position| position + 1))?;
                self.braces(&inner[2..], word, known)?;
            }
            Some('\'') => {
                self.skip(1);
                word.fail(Unknown::Unsupported);
            }
            _ => match identifier(after) {
                Some(name) => {
                    self.skip(1 + name.len());
                    refer(name, word, known);
                }
                None => {
                    self.skip(1);
                    word.push("$");
                }
            },
        }
        Ok(())
    }

    /// The inside of `${…}`.
    fn braces(&self, inner: &str, word: &mut Word, known: &Known<'_>) -> Result<(), Unclosed> {
        const DEEPEST: usize = 16;
        let name = identifier(inner).unwrap_or_default();
        let operator = &inner[name.len()..];
        let without_colon = operator.strip_prefix(':').unwrap_or(operator);
        match without_colon.strip_prefix(['-', '=']) {
            _ if name.is_empty() => word.fail(Unknown::Unsupported),
            None if operator.is_empty() => refer(name, word, known),
            Some(default) if self.depth < DEEPEST => match known.get(name) {
                Some(Ok(value)) if !value.is_empty() || operator == without_colon => word.push(value),
                Some(Err(why)) => word.fail(why),
                _ => {
                    let mut words = Words { rest: default, line: self.line, depth: self.depth + 1 };
                    while let Some(c) = words.rest.chars().next() {
                        words.part(c, word, known)?;
                    }
                }
            },
            _ => word.fail(Unknown::Unsupported),
        }
        Ok(())
    }
}

fn refer(name: &str, word: &mut Word, known: &Known<'_>) {
    match known.get(name) {
        Some(Ok(value)) => word.push(value),
        Some(Err(why)) => word.fail(why),
        None => word.fail(Unknown::Unset(name.to_owned())),
    }
}

fn ends_word(c: char) -> bool {
    matches!(c, '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}

/// The name of a variable at the beginning of a text.
fn identifier(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    Some(&text[..end]).filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// The position of the bracket that closes the one at the beginning of a text.
fn closing(text: &str, bracket: u8) -> Option<usize> {
    let open = text.as_bytes().first()?;
    let (mut depth, mut quote) = (0_usize, None);
    let mut bytes = text.bytes().enumerate();
    while let Some((position, byte)) = bytes.next() {
        match (byte, quote) {
            (b'\\', None | Some(b'"')) => {
                bytes.next();
            }
            (_, Some(end)) if byte == end => quote = None,
            (_, Some(_)) => {}
            (b'\'' | b'"', None) => quote = Some(byte),
            _ if byte == *open => depth += 1,
            _ if byte == bracket => {
                depth -= 1;
                if depth == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
    }
    None
}
