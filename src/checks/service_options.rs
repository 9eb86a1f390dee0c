//! The options in the configuration of a service: whether the service has them, and whether it can read their values.

mod pci;
mod refused_lines;
mod sections;
mod unknown;
mod values;

use std::ops::Range;

use self::sections::{Known, Sections};
use super::rules;
use crate::formats::ini::{Ini, IniOption};
use crate::formats::placeholder;
use crate::krm::{Rule, Severity};
use crate::platform::dataplane::NOVA_PROJECT;
use crate::platform::oslo_options::{self, OsloOption};

/// What is to be said about a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub severity: Severity,
    pub rule: &'static Rule,
    pub message: String,
    /// The bytes of the option's name or of its value, or of the header of a section.
    pub range: Range<usize>,
}

impl Remark {
    fn error(rule: &'static Rule, message: String, range: Range<usize>) -> Self {
        Remark { severity: Severity::Error, rule, message, range }
    }

    fn info(rule: &'static Rule, message: String, range: Range<usize>) -> Self {
        Remark { severity: Severity::Info, rule, message, range }
    }
}

/// Remarks on the configuration of a project, such as `nova`, in the order of the text. `context` are the other texts
/// that the service reads: sections that users name may be listed there.
pub fn remarks(project: &str, text: &str, context: &[&str]) -> Vec<Remark> {
    let Some(options) = oslo_options::of_project(project) else { return Vec::new() };
    let ini = Ini::parse(text);
    let sections = Sections::new(project, options, &ini, context);
    let mut remarks: Vec<Remark> = refused_lines::remark(project, &ini, text).into_iter().collect();
    remarks.extend(sections.unknown_ones(&ini, text));
    for option in ini.options() {
        if is_template(&option.section) || is_template(&option.key) {
            continue;
        }
        if let Known::Yes(section) = sections.find(&option.section) {
            judge(&section, text, option, &mut remarks);
        }
    }
    remarks
}

/// A section of a text with the options that the service has there.
struct KnownSection<'s> {
    project: &'s str,
    options: oslo_options::ProjectOptions,
    /// Whether the service has a section of this name, rather than the user having named one.
    is_fixed: bool,
    /// More than one if the name has several meanings.
    parts: Vec<oslo_options::Section>,
    /// Names that are options too, because another option lists them.
    more_options: Option<&'s sections::Names>,
}

impl KnownSection<'_> {
    fn option(&self, name: &str) -> Option<OsloOption> {
        self.parts.iter().find_map(|part| part.option(name))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.parts.iter().flat_map(|part| part.options()).map(OsloOption::name)
    }

    /// The current sections and names of an option with a former name.
    fn renamed<'n>(&self, section: &'n str, name: &str) -> Vec<(&'n str, OsloOption)> {
        let is_former = |option: &OsloOption| {
            option.former_names().any(|(section, former)| section.is_none() && former == name)
        };
        let here = self.parts.iter().flat_map(|part| part.options()).find(is_former);
        here.map_or_else(|| self.options.renamed(section, name), |option| vec![(section, option)])
    }

    fn may_have_any_option(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.is_open_ended())
            || self.more_options.is_some_and(|names| names.contains(name))
    }
}

fn judge(section: &KnownSection<'_>, text: &str, option: &IniOption, remarks: &mut Vec<Remark>) {
    let (name, written) = (&option.section, unknown::written(option));
    let (current, known) = if let Some(known) = section.option(&option.key) {
        remarks.extend(known.is_newer().then(|| {
            let message = format!(
                "{written} is an option of later releases than that of RHOSO 18 (2023.1 Antelope); it has no effect unless your images have it too"
            );
            Remark::info(&rules::UNKNOWN_OPTION, message, option.key_range())
        }));
        (name.as_str(), known)
    } else if let renamed @ [(current, known), ..] = section.renamed(name, &option.key).as_slice() {
        // If only later releases have the current name, the former one is right for now.
        if !known.is_newer() {
            let current = |(section, known): &(&str, OsloOption)| format!("`[{section}] {}`", known.name());
            let current = renamed.iter().map(current).collect::<Vec<_>>().join(" or ");
            let message = format!("{written} is a former name of {current}; use the current name");
            let (severity, rule) = (Severity::Warning, &rules::DEPRECATED_OPTION);
            remarks.push(Remark { severity, rule, message, range: option.key_range() });
        }
        (*current, *known)
    } else {
        if !section.may_have_any_option(&option.key) {
            remarks.push(unknown::option(section, option));
        }
        return;
    };
    if !is_template(&option.value) {
        remarks.extend(values::remark(option, known));
        if section.project == NOVA_PROJECT {
            pci::remarks((current, known.name()), text, option, remarks);
        }
    }
}

/// Whether a text is not yet what the service reads, or refers to another value.
fn is_template(text: &str) -> bool {
    ["{{", "{%", "%(", "$"].iter().any(|mark| text.contains(mark)) || placeholder::is_in(text)
}

#[cfg(test)]
mod tests;
