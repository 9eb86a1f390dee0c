//! Edits of the text. Only the lines that an edit changes are written again.

use std::ops::Range;

use super::{Ini, IniOption, normal_section};

impl Ini<'_> {
    /// Adds an option after the last option with the same name, or otherwise at the end of its section.
    /// Creates a missing section.
    pub fn with_option(&self, section: &str, key: &str, value: &str) -> String {
        self.with_options(section, key, &[value.to_owned()])
    }

    /// Adds several values of an option, as [`Self::with_option`] does one after the other.
    pub fn with_options(&self, section: &str, key: &str, values: &[String]) -> String {
        self.with_lines_of(section, key, values.iter().map(|value| format!("{key} = {value}")).collect())
    }

    /// Like [`Self::with_options`], for options that are written already.
    pub(super) fn with_lines_of(&self, section: &str, key: &str, mut lines: Vec<String>) -> String {
        let newline = newline(self.text);
        let after = self.all(section, key).last().map(|option| option.lines.end).or_else(|| {
            let name = normal_section(section);
            self.sections.iter().find(|s| s.name == name).map(|s| s.content_end)
        });
        match after {
            Some(at) => with_lines(self.text, at, &lines),
            None => {
                let end = self.text.trim_end_matches(['\n', '\r', ' ', '\t']).len();
                let end = match self.text[end..].find('\n') {
                    Some(newline) => end + newline + 1,
                    None => self.text.len(),
                };
                lines.insert(0, format!("[{section}]"));
                if self.separates_sections_by_blank_lines() {
                    lines.insert(0, String::new());
                }
                if self.text.trim().is_empty() {
                    return lines.iter().map(|line| format!("{line}{newline}")).collect();
                }
                with_lines(self.text, end, &lines)
            }
        }
    }

    /// Replaces several options with one: sets the value of the first and removes the others.
    pub fn with_replaced(&self, options: &[&IniOption], value: &str) -> String {
        self.with_all_replaced(&[(options.to_vec(), value.to_owned())])
    }

    /// The same for several values, each of which replaces other options.
    pub fn with_all_replaced(&self, replaced: &[(Vec<&IniOption>, String)]) -> String {
        let line = |(index, option): (usize, &IniOption), value: &str| {
            (option.lines.clone(), (index == 0).then(|| format!("{} = {value}", option.key)))
        };
        let changes = replaced.iter().flat_map(|(options, value)| {
            options.iter().copied().enumerate().map(move |option| line(option, value))
        });
        self.with_changed_lines(changes.collect())
    }

    /// Replaces the value of one option. Its key and the spaces around the `=` stay.
    pub(super) fn with_value(&self, option: &IniOption, value: &str) -> String {
        let Range { start, end } = option.value_range();
        let starts_below = |value: &str| value.is_empty() || value.starts_with(['\n', '\r']);
        let before = &self.text[..start];
        let (before, space) = match (starts_below(&self.text[start..end]), starts_below(value)) {
            (_, true) => (before.trim_end_matches([' ', '\t']), ""),
            (true, false) if before.ends_with(['=', ':']) => (before, " "),
            _ => (before, ""),
        };
        format!("{before}{space}{value}{}", &self.text[end..])
    }

    /// Removes options.
    pub fn without(&self, options: &[&IniOption]) -> String {
        self.with_changed_lines(options.iter().map(|option| (option.lines.clone(), None)).collect())
    }

    /// Replaces the lines of options with one line each, or removes them. Text without a final line break stays without
    /// one, unless its last line is removed.
    fn with_changed_lines(&self, mut changes: Vec<(Range<usize>, Option<String>)>) -> String {
        changes.sort_by_key(|(lines, _)| lines.start);
        let (mut out, mut at) = (String::with_capacity(self.text.len()), 0);
        for (lines, new) in changes {
            out.push_str(&self.text[at..lines.start]);
            if let Some(line) = new {
                out.push_str(&line);
                out.push_str(if self.text[lines.clone()].ends_with('\n') { newline(self.text) } else { "" });
            }
            at = lines.end;
        }
        out.push_str(&self.text[at..]);
        out
    }

    fn separates_sections_by_blank_lines(&self) -> bool {
        self.sections.iter().skip(1).any(|section| {
            let before = self.text[..section.header.start].trim_end_matches([' ', '\t', '\r']);
            before.ends_with("\n\n") || before.ends_with("\n\r\n")
        })
    }
}

/// Inserts whole lines. Text without a final line break stays without one.
fn with_lines(text: &str, at: usize, lines: &[String]) -> String {
    let newline = newline(text);
    let (before, after) = text.split_at(at);
    let mut out = before.to_owned();
    for line in lines {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push_str(newline);
        }
        out.push_str(line);
        if !after.is_empty() || text.is_empty() || text.ends_with('\n') {
            out.push_str(newline);
        }
    }
    out.push_str(after);
    out
}

pub(super) fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(i) if text[..i].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_goes_to_its_section() {
        let add = |text: &str| Ini::parse(text).with_option("pci", "alias", "NEW");
        assert_eq!(add(""), "[pci]\nalias = NEW\n");
        assert_eq!(add("\n"), "[pci]\nalias = NEW\n");
        assert_eq!(add("[a]\nx=1\n"), "[a]\nx=1\n[pci]\nalias = NEW\n");
        assert_eq!(add("[a]\nx=1"), "[a]\nx=1\n[pci]\nalias = NEW");
        assert_eq!(add("[a]\nx=1\n\n[b]\ny=1\n"), "[a]\nx=1\n\n[b]\ny=1\n\n[pci]\nalias = NEW\n");
        assert_eq!(add("[pci]\n"), "[pci]\nalias = NEW\n");
        assert_eq!(add("[PCI]"), "[PCI]\nalias = NEW");
        assert_eq!(
            add("[pci]\nalias = A\n  more\n# c\nx = 1\n"),
            "[pci]\nalias = A\n  more\nalias = NEW\n# c\nx = 1\n"
        );
        assert_eq!(
            add("[pci]\nx = 1\n\n# about a\n[a]\ny=1\n"),
            "[pci]\nx = 1\nalias = NEW\n\n# about a\n[a]\ny=1\n"
        );
        assert_eq!(add("[pci]\n  stray\n[a]\n"), "[pci]\n  stray\nalias = NEW\n[a]\n");
        assert_eq!(add("[pci]\n# the aliases\n\n[a]\n"), "[pci]\n# the aliases\nalias = NEW\n\n[a]\n");
        assert_eq!(add("[a]\r\nx=1\r\n"), "[a]\r\nx=1\r\n[pci]\r\nalias = NEW\r\n");
        assert_eq!(
            add("[a]\nu = {{ .KeystoneInternalURL }}\n{{ if .x }}\n"),
            "[a]\nu = {{ .KeystoneInternalURL }}\n{{ if .x }}\n[pci]\nalias = NEW\n"
        );
    }

    #[test]
    fn options_are_replaced_with_their_continuation() {
        let text = "[pci]\nalias = A\n  more\nx = 1\nalias = B";
        let ini = Ini::parse(text);
        let aliases: Vec<&IniOption> = ini.all("pci", "alias").collect();
        assert_eq!(ini.with_replaced(&aliases[..1], "N"), "[pci]\nalias = N\nx = 1\nalias = B");
        assert_eq!(ini.with_replaced(&aliases[1..], "N"), "[pci]\nalias = A\n  more\nx = 1\nalias = N");
        assert_eq!(ini.with_replaced(&aliases, "N"), "[pci]\nalias = N\nx = 1\n");
    }
}
