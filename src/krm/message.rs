//! Pieces of messages: values in quotes, long ones cut, and what was meant by a misspelt name.

use std::borrow::Cow;
use std::fmt;

/// A string in quotes, for messages.
pub fn quoted(text: impl fmt::Display) -> String {
    format!("\"{}\"", shortened(&text.to_string()))
}

/// A value as a message shows it: a long one is cut, so that the message stays readable.
pub fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 200;
    const SHOWN: usize = 100;
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let shown: String = text.chars().take(SHOWN).collect();
    Cow::Owned(format!("{shown}… ({} bytes)", text.len()))
}

/// The closest of some names, if one is close enough to be what was meant.
pub fn did_you_mean<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Longer texts are no misspelt names, and comparing them takes time with the product of both lengths.
    const LONGEST: usize = 64;
    if given.len() > LONGEST {
        return None;
    }
    let lower = given.to_lowercase();
    names
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
        .filter(|(distance, name)| {
            let is_beginning = lower.len() > 2 && name.to_lowercase().starts_with(&lower);
            is_beginning || *distance <= 1 + name.len().min(given.len()) / 4
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_recognised() {
        let names = ["aliases", "target", "replace"];
        assert_eq!(did_you_mean("aliasses", names), Some("aliases"));
        assert_eq!(did_you_mean("Target", names), Some("target"));
        assert_eq!(did_you_mean("tar", names), Some("target"));
        assert_eq!(did_you_mean("zzz", names), None);
    }

    #[test]
    fn long_values_are_cut_and_match_nothing() {
        let long = "é".repeat(2_000_000);
        assert_eq!(quoted(&long), format!("\"{}… (4000000 bytes)\"", "é".repeat(100)));
        assert_eq!(did_you_mean(&long, [long.as_str(), "é"]), None);
        assert_eq!(quoted("x".repeat(200)).len(), 202);
    }
}
