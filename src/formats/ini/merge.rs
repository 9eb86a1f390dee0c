//! Merges options into a text: each option by itself, whatever else the text has.

use super::edit::newline;
use super::{Ini, IniOption};

/// An option as it shall be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    key: String,
    /// The lines of the option, with `\n` between them and none at the end.
    lines: String,
    /// The part of the lines after the separator.
    value: String,
}

/// What merging an option did.
#[derive(Debug, PartialEq, Eq)]
pub enum Merged<'i> {
    /// The text has the option already.
    Unchanged,
    Changed(String),
    /// The text has another value, which shall not be replaced.
    Kept(&'i IniOption),
}

impl Written {
    pub fn new(key: &str, value: &str) -> Self {
        Written { key: key.to_owned(), lines: format!("{key} = {value}"), value: value.to_owned() }
    }

    /// An option of another text, with its spelling.
    pub fn copy(option: &IniOption, ini: &Ini<'_>) -> Self {
        let unix = |text: &str| text.replace("\r\n", "\n");
        let lines = &ini.text[option.lines.start..option.written_value.end];
        let value = &ini.text[option.value_range()];
        Written { key: option.key.clone(), lines: unix(lines), value: unix(value) }
    }

    pub fn key(&self) -> &str {
        &self.key
    }
}

impl Ini<'_> {
    /// Gives an option one value. If the option is given several times, the last one counts, and only that one changes.
    pub fn set(
        &self,
        section: &str,
        wanted: &Written,
        is_equal: impl Fn(&IniOption) -> bool,
        replace: bool,
    ) -> Merged<'_> {
        match self.all_of(section, &wanted.key).pop() {
            None => Merged::Changed(self.with_written(section, wanted)),
            Some(last) if is_equal(last) => Merged::Unchanged,
            Some(last) if replace => {
                Merged::Changed(self.with_value(last, &self.in_own_lines(&wanted.value)))
            }
            Some(last) => Merged::Kept(last),
        }
    }

    /// Adds a value to an option that may have several, unless it is among them.
    pub fn add(&self, section: &str, wanted: &Written, is_equal: impl Fn(&IniOption) -> bool) -> Merged<'_> {
        match self.all_of(section, &wanted.key).into_iter().any(is_equal) {
            true => Merged::Unchanged,
            false => Merged::Changed(self.with_written(section, wanted)),
        }
    }

    fn all_of(&self, section: &str, key: &str) -> Vec<&IniOption> {
        let section = super::normal_section(section);
        self.options.iter().filter(|option| option.section == section && option.key == key).collect()
    }

    fn with_written(&self, section: &str, wanted: &Written) -> String {
        self.with_lines_of(section, &wanted.key, vec![self.in_own_lines(&wanted.lines)])
    }

    /// A text with the line breaks of this one.
    fn in_own_lines(&self, text: &str) -> String {
        text.replace('\n', newline(self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, wanted: &str, replace: bool) -> Result<String, String> {
        let ini = Ini::parse(text);
        let config = Ini::parse(wanted);
        let option = config.options().last().unwrap();
        let is_equal = |other: &IniOption| other.value == option.value;
        match ini.set(&option.section, &Written::copy(option, &config), is_equal, replace) {
            Merged::Unchanged => Ok(text.to_owned()),
            Merged::Changed(text) => Ok(text),
            Merged::Kept(option) => Err(option.value.clone()),
        }
    }

    #[test]
    fn a_value_is_replaced_in_its_line() {
        let replaced = |text: &str, wanted: &str| set(text, wanted, true).unwrap();
        assert_eq!(replaced("[a]\nx=1 \ny = 2\n", "[a]\nx = 3\n"), "[a]\nx=3 \ny = 2\n");
        assert_eq!(replaced("[a]\nx : 1\n", "[a]\nx = 3"), "[a]\nx : 3\n");
        assert_eq!(replaced("[a]\nx =\n", "[a]\nx = 3"), "[a]\nx = 3\n");
        assert_eq!(replaced("[a]\nx =\n  1\n  2\n\n[b]\n", "[a]\nx = 3"), "[a]\nx = 3\n\n[b]\n");
        assert_eq!(replaced("[a]\nx = 1", "[a]\nx =\n  3,\n  4\n"), "[a]\nx =\n  3,\n  4");
        assert_eq!(replaced("[a]\nx = '1'\n", "[a]\nx = \"3\""), "[a]\nx = \"3\"\n");
        assert_eq!(replaced("[a]\r\nx = 1\r\n", "[a]\nx = 3\n 4\n"), "[a]\r\nx = 3\r\n 4\r\n");
    }

    #[test]
    fn the_last_of_several_values_counts() {
        assert_eq!(set("[a]\nx = 1\nx = 2\n", "[a]\nx = 3", true).unwrap(), "[a]\nx = 1\nx = 3\n");
        let text = "[a]\nx = 1\nx = 3\n";
        assert_eq!(set(text, "[a]\nx=3", true).unwrap(), text);
    }

    #[test]
    fn a_value_is_kept_on_request() {
        assert_eq!(set("[a]\nx = 1\n", "[a]\nx = 3", false), Err("1".to_owned()));
        assert_eq!(set("[A]\nx = 3\n", "[a]\nx=3", false).unwrap(), "[A]\nx = 3\n");
        assert_eq!(set("[b]\n", "[a]\nx: 3\n", false).unwrap(), "[b]\n[a]\nx: 3\n");
    }

    #[test]
    fn a_value_is_added_once() {
        let ini = Ini::parse("[a]\nx = 1\ny = 2\n");
        let add = |value: &str| ini.add("a", &Written::new("x", value), |option| option.value == value);
        assert_eq!(add("1"), Merged::Unchanged);
        assert_eq!(add("3"), Merged::Changed("[a]\nx = 1\nx = 3\ny = 2\n".to_owned()));
    }
}
