//! Parts of messages: values in quotes, truncated long values, and hints for misspelt names.

use std::borrow::Cow;
use std::fmt;
use std::io;

use super::spelling::errors_within;

/// A string in quotes, for messages.
pub fn quoted(text: impl fmt::Display) -> String {
    format!("\"{}\"", shortened(&text.to_string()))
}

/// A value as messages show it. A long one is truncated, so that the message stays readable.
pub fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 200;
    const SHOWN: usize = 100;
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let shown: String = text.chars().take(SHOWN).collect();
    Cow::Owned(format!("{shown}… ({} bytes)", text.len()))
}

/// An error of the operating system without the number that std adds, as in "(os error 2)".
pub fn system_error(error: &io::Error) -> String {
    let text = error.to_string();
    let suffix = error.raw_os_error().map(|number| format!(" (os error {number})")).unwrap_or_default();
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}

/// A suggestion for an unknown name. All messages word it the same way.
#[derive(Debug, Clone, Copy)]
pub struct Hint<'n>(Option<&'n str>);

impl<'n> Hint<'n> {
    /// The closest of the known names, if one is close enough.
    pub fn among(given: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        // Longer strings are not misspelt names, and the time to compare two grows with the product of their
        // lengths.
        const LONGEST: usize = 64;
        if given.len() > LONGEST {
            return Hint(None);
        }
        let lower = given.to_lowercase();
        let distance = |name: &str| {
            let known = name.to_lowercase();
            let is_beginning = lower.len() > 2 && known.starts_with(&lower);
            let most = if is_beginning { LONGEST } else { 1 + name.len().min(given.len()) / 4 };
            errors_within(most, &lower, &known)
        };
        let near = names.into_iter().filter(|name| name.len() <= LONGEST);
        let closest =
            near.filter_map(|name| Some((distance(name)?, name))).min_by_key(|(distance, _)| *distance);
        Hint(closest.map(|(_, name)| name))
    }

    /// A hint that was found by other means.
    pub fn of(name: Option<&'n str>) -> Self {
        Hint(name)
    }

    pub fn name(self) -> Option<&'n str> {
        self.0
    }

    /// The question as the end of a sentence, or nothing.
    pub fn suffix(self) -> String {
        self.0.map(|name| format!("; {}", question(name))).unwrap_or_default()
    }

    /// The question, or something else if there is no hint.
    pub fn or(self, otherwise: impl FnOnce() -> String) -> String {
        self.0.map_or_else(otherwise, question)
    }

    /// The question, if there is one, followed by other text.
    pub fn and(self, always: &str) -> String {
        self.0.map_or_else(|| always.to_owned(), |name| format!("{} {always}", question(name)))
    }
}

fn question(name: &str) -> String {
    format!("did you mean {}?", quoted(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_recognised() {
        let closest = |given| Hint::among(given, ["aliases", "target", "replace"]).name();
        assert_eq!(closest("aliasses"), Some("aliases"));
        assert_eq!(closest("Target"), Some("target"));
        assert_eq!(closest("tar"), Some("target"));
        assert_eq!(closest("zzz"), None);
    }

    #[test]
    fn a_hint_is_a_question() {
        let hint = Hint::among("traget", ["target"]);
        assert_eq!(hint.suffix(), "; did you mean \"target\"?");
        assert_eq!(hint.or(String::new), "did you mean \"target\"?");
        assert_eq!(hint.and("See `list`."), "did you mean \"target\"? See `list`.");
        let none = Hint::among("zzz", ["target"]);
        assert_eq!(
            (none.suffix(), none.or(|| "no".to_owned()), none.and("x")),
            (String::new(), "no".to_owned(), "x".to_owned())
        );
    }

    #[test]
    fn long_values_are_cut_and_match_nothing() {
        let long = "é".repeat(2_000_000);
        assert_eq!(quoted(&long), format!("\"{}… (4000000 bytes)\"", "é".repeat(100)));
        assert_eq!(Hint::among(&long, [long.as_str(), "é"]).name(), None);
        assert_eq!(quoted("x".repeat(200)).len(), 202);
    }
}
