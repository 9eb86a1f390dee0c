//! The INI dialect of oslo.config. Only the lines that an edit changes are written again.
//!
//! No crate implements the rules of `oslo_config.iniparser`:
//! - An option that is given several times has several values.
//! - An indented line continues the value above it. A blank line or a comment ends the value.
//! - A comment begins with `#` or `;` and is on a separate line.
//! - Section names other than `DEFAULT` are case-insensitive, option names are case-sensitive.
//!
//! Any other line, such as `{{ if }}` of a template, is preserved.

mod edit;
mod merge;
mod together;

use std::ops::Range;

use memchr::memchr2;

pub use merge::{Merged, Written};
pub use together::Together;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IniOption {
    /// Normalized by `normal_section`.
    pub section: String,
    pub key: String,
    /// The value, with its continuation lines joined by line breaks.
    pub value: String,
    /// The bytes of its lines, including line breaks.
    lines: Range<usize>,
    /// The bytes of the value as it is written: with its quotes and continuation lines, without the last line break.
    written_value: Range<usize>,
}

impl IniOption {
    /// The bytes of the option in the text, with its continuation lines.
    pub fn range(&self) -> Range<usize> {
        self.lines.clone()
    }

    /// The bytes of the key.
    pub fn key_range(&self) -> Range<usize> {
        self.lines.start..self.lines.start + self.key.len()
    }

    /// The bytes of the value as it is written, with its quotes and continuation lines.
    pub fn value_range(&self) -> Range<usize> {
        self.written_value.clone()
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
    /// Lines that oslo.config refuses.
    refused: Vec<Range<usize>>,
}

impl<'t> Ini<'t> {
    pub fn parse(text: &'t str) -> Self {
        let mut ini = Ini { text, sections: Vec::new(), options: Vec::new(), refused: Vec::new() };
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
                    option.written_value.end = range.start + content.len();
                } else {
                    ini.refused.push(range.clone());
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
                let written_value = written_value(content, range.start);
                ini.extend_section(range.end);
                ini.options.push(IniOption { section, key, value, lines: range, written_value });
                (in_option, under_header) = (true, false);
            } else {
                ini.refused.push(range);
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

    /// The lines that oslo.config refuses: neither a section nor an option, or an option before the first section.
    pub fn refused_lines(&self) -> &[Range<usize>] {
        &self.refused
    }

    /// All options, in the order of the file.
    pub fn options(&self) -> &[IniOption] {
        &self.options
    }

    /// All sections in the order of the file, with the bytes of their headers. One may occur several times.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.sections.iter().map(|section| {
            let start = section.header.start;
            (section.name.as_str(), start..start + self.text[section.header.clone()].trim_end().len())
        })
    }

    /// The values of an option, in the order of the file.
    pub fn all<'i>(&'i self, section: &str, key: &'i str) -> impl Iterator<Item = &'i IniOption> + 'i {
        let section = normal_section(section);
        self.options.iter().filter(move |o| o.section == section && o.key == key)
    }
}

/// Section names are case-insensitive, except for `DEFAULT`.
fn normal_section(name: &str) -> String {
    if name == "DEFAULT" { name.to_owned() } else { name.to_lowercase() }
}

fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']').filter(|name| !name.is_empty())
}

fn separator(line: &str) -> Option<usize> {
    memchr2(b'=', b':', line.as_bytes())
}

/// The bytes after the first `=` or `:` of a line, without surrounding spaces.
fn written_value(line: &str, start: usize) -> Range<usize> {
    let after = separator(line).map_or(line.len(), |at| at + 1);
    let spaces = line[after..].len() - line[after..].trim_start().len();
    start + after + spaces..start + line.len()
}

/// The first `=` or `:` separates key and value. One pair of quotes around the value is removed.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let at = separator(line)?;
    let (key, value) = (line[..at].trim(), line[at + 1..].trim());
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
}
