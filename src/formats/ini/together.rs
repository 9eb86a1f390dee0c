//! Changes of an option with several values that are made at once. Each change by itself would read and write the whole
//! text.

use super::{Ini, IniOption};

/// Changes that give the same text in any order. Those that do not are declined, and are to be made afterwards.
#[derive(Debug, Default)]
pub struct Together<'i> {
    added: Vec<String>,
    replaced: Vec<(Vec<&'i IniOption>, String)>,
    /// Whether lines are removed. A new value goes below the last one, which may be one of them.
    removes: bool,
}

impl<'i> Together<'i> {
    /// Adds a value. False if it is declined.
    pub fn add(&mut self, value: String) -> bool {
        if !self.removes {
            self.added.push(value);
        }
        !self.removes
    }

    /// Replaces options with one value. False if it is declined.
    pub fn replace(&mut self, options: Vec<&'i IniOption>, value: String) -> bool {
        let removes = options.len() > 1;
        if removes && !self.added.is_empty() {
            return false;
        }
        self.removes |= removes;
        self.replaced.push((options, value));
        true
    }

    /// The text after the changes.
    pub fn apply(self, ini: &Ini<'_>, (section, key): (&str, &str)) -> String {
        let text = ini.with_all_replaced(&self.replaced);
        match self.added.is_empty() {
            true => text,
            false => Ini::parse(&text).with_options(section, key, &self.added),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTION: (&str, &str) = ("pci", "alias");

    fn one_by_one(text: &str, replaced: &[(&str, &str)], added: &[&str]) -> String {
        let mut text = text.to_owned();
        for (old, new) in replaced {
            let ini = Ini::parse(&text);
            let options: Vec<&IniOption> = ini.options().iter().filter(|o| o.value == *old).collect();
            text = ini.with_replaced(&options, new);
        }
        added.iter().fold(text, |text, value| Ini::parse(&text).with_option(OPTION.0, OPTION.1, value))
    }

    #[test]
    fn the_text_is_that_of_one_change_after_the_other() {
        for text in [
            "",
            "[a]\nx = 1",
            "[a]\nx = 1\n\n[b]\ny = 1\n",
            "[pci]\nalias = A\n  more\nx = 1\nalias = B",
            "[pci]\r\nalias = B\r\n# c\r\n[a]\r\n",
            "[DEFAULT]\npci_alias = B\n\n[pci]\nalias = C\n\n",
        ] {
            let ini = Ini::parse(text);
            let mut together = Together::default();
            assert!(together.add("N".to_owned()));
            let mut replaced = Vec::new();
            for (old, new) in [("B", "b"), ("C", "c")] {
                let options: Vec<&IniOption> = ini.options().iter().filter(|o| o.value == old).collect();
                if !options.is_empty() {
                    assert!(together.replace(options, new.to_owned()));
                    replaced.push((old, new));
                }
            }
            assert!(together.add("M".to_owned()));
            assert_eq!(together.apply(&ini, OPTION), one_by_one(text, &replaced, &["N", "M"]));
        }
    }

    #[test]
    fn a_value_is_not_added_where_lines_are_removed() {
        let ini = Ini::parse("[pci]\nalias = A\nx = 1\nalias = A\n");
        let twice = || ini.options().iter().filter(|option| option.value == "A").collect::<Vec<_>>();
        let mut together = Together::default();
        assert!(together.add("N".to_owned()) && !together.replace(twice(), "a".to_owned()));
        let mut together = Together::default();
        assert!(together.replace(twice(), "a".to_owned()) && !together.add("N".to_owned()));
        assert_eq!(together.apply(&ini, OPTION), "[pci]\nalias = a\nx = 1\n");
    }
}
