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
    let error = |advice: String| {
        let message = format!("{project} has no option {written}, so it has no effect{advice}");
        Remark::error(&rules::UNKNOWN_OPTION, message, option.key_range())
    };
    if let Some(meant) = typo::meant(&option.key, section.names()) {
        return error(Hint::of(Some(meant)).suffix());
    }
    let elsewhere = section.options.sections_with(&option.key);
    let is_telling = section.is_fixed || elsewhere.len() <= MOST_SECTIONS;
    if !elsewhere.is_empty() && is_telling {
        return error(format!("; it is an option of {}", listed(&elsewhere)));
    }
    // Of the options that later releases have added, none differs from an older one only by a number or is this short.
    if let Some(similar) = typo::similar(&option.key, section.names().filter(|name| name.len() >= SHORTEST)) {
        return error(Hint::of(Some(similar)).suffix());
    }
    let advice = "unless a driver or plugin from elsewhere reads it, it has no effect";
    let message = format!("{project} has no option {written}; {advice}");
    Remark::info(&rules::UNKNOWN_OPTION, message, option.key_range())
}

/// The sections of an option as part of a sentence, at most as many as help.
fn listed(sections: &[&str]) -> String {
    let shown = |name: &&str| match *name {
        USER_NAMED => "sections that you name, such as those of backends".to_owned(),
        name => format!("`[{name}]`"),
    };
    let (first, others) = sections.split_at(sections.len().min(MOST_SECTIONS));
    let mut parts: Vec<String> = first.iter().map(shown).collect();
    if !others.is_empty() {
        parts.push(format!("{} other sections", others.len()));
    }
    parts.join(" or ")
}

/// An option of more sections has a general name, such as `username`. A driver from elsewhere may read one like it from a
/// section that the user has named.
const MOST_SECTIONS: usize = 3;

/// Shorter names are similar to too many others.
const SHORTEST: usize = 3;
