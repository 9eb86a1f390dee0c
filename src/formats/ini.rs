//! The INI dialect of oslo.config. Only the lines that an edit changes are written again.
//!
//! No crate implements the rules of `oslo_config.iniparser`:
//! - An option that is given several times has several values.
//! - An indented line continues the value above it. A blank line or a comment ends the value.
//! - A comment begins with `#` or `;` and is on a separate line.
//! - Section names other than `DEFAULT` are case-insensitive, option names are case-sensitive.
//!
//! Any other line, such as `{{ if }}` of a template, is preserved.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IniOption {
    /// Normalized by `normal_section`.
    pub section: String,
    pub key: String,
    /// The value, with its continuation lines joined by line breaks.
    pub value: String,
    /// The bytes of its lines, including line breaks.
    lines: Range<usize>,
}

impl IniOption {
    /// The bytes of the option in the text, with its continuation lines.
    pub fn range(&self) -> Range<usize> {
        self.lines.clone()
    }

    /// The value with its continuation lines on one line, for messages.
    pub fn value_in_one_line(&self) -> String {
        self.value.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

#[derive(Debug)]
struct Section {
    name: String,
    header: Range<usize>,
    /// The end of the last option or, if the section has none, of the header and the comment below it.
    content_end: usize,
}

#[derive(Debug)]
pub struct Ini<'t> {
    text: &'t str,
    sections: Vec<Section>,
    options: Vec<IniOption>,
}

impl<'t> Ini<'t> {
    pub fn parse(text: &'t str) -> Self {
        let mut ini = Ini { text, sections: Vec::new(), options: Vec::new() };
        let mut at = 0;
        // Whether the line above is part of an option, or a comment below a header.
        let (mut in_option, mut under_header) = (false, false);
        for line in text.split_inclusive('\n') {
            let range = at..at + line.len();
            at = range.end;
            let content = line.trim_end();
            if content.is_empty() {
                (in_option, under_header) = (false, false);
            } else if content.starts_with([' ', '\t']) {
                if in_option && let Some(option) = ini.options.last_mut() {
                    option.value.push('\n');
                    option.value.push_str(content.trim_start());
                    option.lines.end = range.end;
                }
                // An indented line that continues nothing counts too: it would continue an option inserted
                // before it.
                ini.extend_section(range.end);
            } else if let Some(name) = section_name(content) {
                let name = normal_section(name);
                ini.sections.push(Section { name, content_end: range.end, header: range });
                (in_option, under_header) = (false, true);
            } else if content.starts_with(['#', ';']) {
                in_option = false;
                if under_header {
                    ini.extend_section(range.end);
                }
            } else if let (Some((key, value)), Some(section)) = (key_value(content), ini.sections.last()) {
                let section = section.name.clone();
                let (key, value) = (key.to_owned(), value.to_owned());
                ini.extend_section(range.end);
                ini.options.push(IniOption { section, key, value, lines: range });
                (in_option, under_header) = (true, false);
            } else {
                (in_option, under_header) = (false, false);
            }
        }
        ini
    }

    fn extend_section(&mut self, end: usize) {
        if let Some(section) = self.sections.last_mut() {
            section.content_end = end;
        }
    }

    /// All options, in the order of the file.
    pub fn options(&self) -> &[IniOption] {
        &self.options
    }

    /// The values of an option, in the order of the file.
    pub fn all<'i>(&'i self, section: &str, key: &'i str) -> impl Iterator<Item = &'i IniOption> + 'i {
        let section = normal_section(section);
        self.options.iter().filter(move |o| o.section == section && o.key == key)
    }

    /// Adds an option after the last option with the same name, or otherwise at the end of its section.
    /// Creates a missing section.
    pub fn with_option(&self, section: &str, key: &str, value: &str) -> String {
        let newline = newline(self.text);
        let line = format!("{key} = {value}");
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

fn newline(text: &str) -> &'static str {
    match text.find('\n') {
        Some(i) if text[..i].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Section names are case-insensitive, except for `DEFAULT`.
fn normal_section(name: &str) -> String {
    if name == "DEFAULT" { name.to_owned() } else { name.to_lowercase() }
}

fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']').filter(|name| !name.is_empty())
}

/// The first `=` or `:` separates key and value. One pair of quotes around the value is removed.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(['=', ':'])?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || line.starts_with('[') {
        return None;
    }
    let bytes = value.as_bytes();
    let quoted = value.starts_with(['"', '\'']) && bytes.first() == bytes.last();
    // For oslo.config a single quote character is a pair of quotes around nothing.
    Some((key, if quoted { value.get(1..value.len() - 1).unwrap_or_default() } else { value }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_like_in_oslo_config() {
        let text = "[DEFAULT]\na = 1\na=2\n# c\nb: x = y\n  more\n\tand more\n\n; d\n[PCI]\nalias = { \"x\":1,\n  \"y\":2 }\nq = \"quoted\"\nQ = '\n";
        let ini = Ini::parse(text);
        let found: Vec<(&str, &str, &str)> =
            ini.options().iter().map(|o| (o.section.as_str(), o.key.as_str(), o.value.as_str())).collect();
        assert_eq!(
            found,
            [
                ("DEFAULT", "a", "1"),
                ("DEFAULT", "a", "2"),
                ("DEFAULT", "b", "x = y\nmore\nand more"),
                ("pci", "alias", "{ \"x\":1,\n\"y\":2 }"),
                ("pci", "q", "quoted"),
                ("pci", "Q", ""),
            ]
        );
        assert_eq!(ini.all("DEFAULT", "a").count(), 2);
        assert_eq!(ini.all("pci", "Alias").count(), 0);
    }

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
