//! Options that a service does not have.

use super::{KnownSection, Remark};
use crate::checks::{rules, typo};
use crate::formats::ini::IniOption;
use crate::krm::Hint;
use crate::platform::oslo_options::USER_NAMED;

/// An option with its section, as messages show it.
pub fn written(option: &IniOption) -> String {
    format!("`[{}] {}`", option.section, option.key)
}

/// It certainly has no effect if its name is misspelt, or if it belongs to another section. Otherwise a driver that is
/// not part of OpenStack may read it.
pub fn option(section: &KnownSection<'_>, option: &IniOption) -> Remark {
    let (project, written) = (section.project, written(option));
    if let Some(meant) = typo::meant(&option.key, section.names()) {
        let hint = Hint::of(Some(meant)).suffix();
        let message = format!("{project} has no option {written}, so it has no effect{hint}");
        return Remark::error(&rules::UNKNOWN_OPTION, message, option.key_range());
    }
    let elsewhere = section.options.sections_with(&option.key);
    if !elsewhere.is_empty() && elsewhere.len() <= MOST_SECTIONS {
        let shown = |name: &&str| match *name {
            USER_NAMED => "sections that you name, such as those of backends".to_owned(),
            name => format!("`[{name}]`"),
        };
        let sections: Vec<String> = elsewhere.iter().map(shown).collect();
        let message = format!(
            "{project} has no option {written}, so it has no effect; it is an option of {}",
            sections.join(" or ")
        );
        return Remark::error(&rules::UNKNOWN_OPTION, message, option.key_range());
    }
    let advice = "unless a driver or plugin from elsewhere reads it, it has no effect";
    let advice = Hint::of(typo::similar(&option.key, section.names())).and(advice);
    let message = format!("{project} has no option {written}; {advice}");
    Remark::info(&rules::UNKNOWN_OPTION, message, option.key_range())
}

/// An option of more sections has a general name, such as `username`, which says nothing about the section that is
/// meant.
const MOST_SECTIONS: usize = 3;
