//! Edits of the text. Only the lines that an edit changes are written again.

use std::ops::Range;

use super::{Ini, IniOption, normal_section};

impl Ini<'_> {
    /// Adds an option after the last option with the same name, or otherwise at the end of its section.
    /// Creates a missing section.
    pub fn with_option(&self, section: &str, key: &str, value: &str) -> String {
        self.with_lines_of(section, key, format!("{key} = {value}"))
    }

    /// Like [`Self::with_option`], for an option that is written already.
    pub(super) fn with_lines_of(&self, section: &str, key: &str, line: String) -> String {
        let newline = newline(self.text);
        let after = self.all(section, key).last().map(|option| option.lines.end).or_else(|| {
            let name = normal_section(section);
            self.sections.iter().find(|s| s.name == name).map(|s| s.content_end)
        });
        match after {
            Some(at) => with_lines(self.text, at..at, &[line]),
            None => {
                let end = self.text.trim_end_matches(['\n', '\r', ' ', '\t']).len();
                let end = match self.text[end..].find('\n') {
                    Some(newline) => end + newline + 1,
                    None => self.text.len(),
                };
                let mut lines = vec![format!("[{section}]"), line];
                if self.separates_sections_by_blank_lines() {
                    lines.insert(0, String::new());
                }
                if self.text.trim().is_empty() {
                    return lines.iter().map(|line| format!("{line}{newline}")).collect();
                }
                with_lines(self.text, end..end, &lines)
            }
        }
    }

    /// Replaces several options with one: sets the value of the first and removes the others.
    pub fn with_replaced(&self, options: &[&IniOption], value: &str) -> String {
        let mut text = self.text.to_owned();
        // From the end, so that the positions of earlier options stay valid.
        let mut rest: Vec<&IniOption> = options.to_vec();
        rest.sort_by_key(|option| std::cmp::Reverse(option.lines.start));
        for option in rest {
            let is_first = options.first().is_some_and(|first| first.lines == option.lines);
            let lines = if is_first { vec![format!("{} = {value}", option.key)] } else { Vec::new() };
            text = with_lines(&text, option.lines.clone(), &lines);
        }
        text
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
        let mut rest: Vec<&IniOption> = options.to_vec();
        rest.sort_by_key(|option| std::cmp::Reverse(option.lines.start));
        rest.iter().fold(self.text.to_owned(), |text, option| with_lines(&text, option.lines.clone(), &[]))
    }

    fn separates_sections_by_blank_lines(&self) -> bool {
        self.sections.iter().skip(1).any(|section| {
            let before = self.text[..section.header.start].trim_end_matches([' ', '\t', '\r']);
            before.ends_with("\n\n") || before.ends_with("\n\r\n")
        })
    }
}

/// Replaces whole lines. Text without a final line break stays without one.
fn with_lines(text: &str, range: Range<usize>, lines: &[String]) -> String {
    let newline = newline(text);
    let (before, after) = (&text[..range.start], &text[range.end..]);
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
