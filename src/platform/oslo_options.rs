//! The options that the OpenStack services read from their configuration, by project and section.
//!
//! The table is text that stays as it is: an index with the parts of each section is built once, and an option is found
//! by reading the lines of its section.

mod option;
mod section;

pub use option::{Kind, OsloOption};
pub use section::Section;

use std::sync::OnceLock;

use super::tables;
use crate::krm::Order;

/// The section with options of the service as a whole. It is the only one whose name is case-sensitive.
pub const DEFAULT: &str = "DEFAULT";

/// In the table: every section that users name.
pub const USER_NAMED: &str = "<backend>";

/// In the table: the part of the name of a section that users choose, as in `mdev_<name>`.
const NAME: &str = "<name>";

/// In the table: every project except [`WITHOUT_SHARED`].
const SHARED: &str = "*";

/// The project whose configuration is not that of oslo.config.
const WITHOUT_SHARED: &str = "swift";

/// The section whose options for authentication a section has that `auth_section` names.
const AUTHENTICATION: &str = "keystone_authtoken";

/// The prefix of sections whose options are passed on to a driver, so that any may occur.
const OPEN_ENDED: &str = "genericswitch:";

/// Names another section with options for authentication.
pub const AUTH_SECTION: &str = "auth_section";

/// Cinder's section with options for all backends.
pub const BACKEND_DEFAULTS: &str = "backend_defaults";

/// Options whose values are the names of sections: backends, stores, fabrics, networks of shares, methods of
/// authentication.
const NAMES_OF_SECTIONS: [&str; 6] = [
    "enabled_backends",
    "enabled_devices",
    "enabled_share_backends",
    "fc_fabric_names",
    "methods",
    "network_config_group",
];

/// Whether the value of an option names sections that users may choose.
pub fn names_sections(option: &str) -> bool {
    NAMES_OF_SECTIONS.contains(&option)
}

/// Whether an option of a section lists more options of it: in `[auth]` of Keystone, `methods`.
pub fn lists_its_options(project: &str, section: &str) -> bool {
    (project, section) == ("keystone", "auth")
}

/// A section of one project, with the lines of its options.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    project: &'static str,
    section: &'static str,
    lines: &'static str,
}

/// All sections, by project and name.
fn index() -> &'static [Entry] {
    static INDEX: OnceLock<Vec<Entry>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let (mut entries, mut heads) = (Vec::new(), Vec::new());
        for block in tables::oslo_options().split("\n[").skip(1) {
            let (head, lines) = block.split_once('\n').unwrap_or((block, ""));
            heads.extend(head.split_once("]\t"));
            if lines.is_empty() {
                continue;
            }
            for (section, projects) in heads.drain(..) {
                let entry = |project| Entry { project, section, lines };
                entries.extend(projects.split(' ').map(entry));
            }
        }
        entries.order();
        entries
    })
}

/// The sections of one project.
fn entries(project: &str) -> &'static [Entry] {
    let start = index().partition_point(|entry| entry.project < project);
    let end = index().partition_point(|entry| entry.project <= project);
    &index()[start..end]
}

/// The options of a project, such as `nova`. None if the table has no such project.
pub fn of_project(project: &str) -> Option<ProjectOptions> {
    let own = entries(project);
    let shared = if project == WITHOUT_SHARED { &[] } else { entries(SHARED) };
    (!own.is_empty() && project != SHARED).then_some(ProjectOptions { own, shared })
}

#[derive(Debug, Clone, Copy)]
pub struct ProjectOptions {
    own: &'static [Entry],
    /// The sections that all projects have.
    shared: &'static [Entry],
}

impl ProjectOptions {
    /// Whether each occurrence of an option adds a value, rather than replacing the one before.
    pub fn is_multi_valued(&self, section: &str, option: &str) -> bool {
        let known = self.section(section).or_else(|| self.user_named());
        match known.and_then(|section| section.option(option)) {
            Some(option) => option.kind() == Kind::Multi,
            None => self.renamed(section, option).iter().any(|(_, new)| new.kind() == Kind::Multi),
        }
    }

    /// A section whose name the project knows, in part or as a whole.
    pub fn section(&self, name: &str) -> Option<Section> {
        let name = normal(name);
        let lines = |entries: &[Entry], name: &str| {
            let found = entries.binary_search_by(|entry| entry.section.cmp(name)).ok();
            found.and_then(|at| entries.get(at)).map(|entry| entry.lines)
        };
        let (own, shared) = (lines(self.own, &name), lines(self.shared, &name));
        if own.is_some() || shared.is_some() {
            return Some(Section::new(own.unwrap_or_default(), shared.unwrap_or_default()));
        }
        let has_prefix = |entry: &&Entry| {
            entry
                .section
                .strip_suffix(NAME)
                .is_some_and(|prefix| name.len() > prefix.len() && name.starts_with(prefix))
        };
        let entry = self.own.iter().find(has_prefix)?;
        let section = Section::new(entry.lines, "");
        Some(if entry.section.starts_with(OPEN_ENDED) { section.open_ended() } else { section })
    }

    /// A section that users name, if the project has such sections.
    pub fn user_named(&self) -> Option<Section> {
        self.section(USER_NAMED)
    }

    /// A section that some `auth_section` names.
    pub fn authentication(&self) -> Option<Section> {
        self.section(AUTHENTICATION)
    }

    /// Whether an option was in this section before it was renamed.
    pub fn has_former_section(&self, name: &str) -> bool {
        let name = normal(name);
        self.each().any(|(_, option)| option.former_names().any(|(section, _)| section == Some(&name)))
    }

    /// The names of all sections, without those of which users choose a part.
    pub fn section_names(&self) -> impl Iterator<Item = &'static str> {
        let names = self.own.iter().chain(self.shared).map(|entry| entry.section);
        names.filter(|name| !name.ends_with('>'))
    }

    /// The sections that have an option with this name. `<…>` is the part of a name that users choose.
    pub fn sections_with(&self, option: &str) -> Vec<&'static str> {
        let entries = self.own.iter().chain(self.shared);
        let has = |entry: &&Entry| {
            // Most sections do not mention the name at all.
            entry.lines.contains(option) && Section::new(entry.lines, "").option(option).is_some()
        };
        entries.filter(has).map(|entry| entry.section).collect()
    }

    /// The current sections and names of an option with a former name.
    pub fn renamed(&self, section: &str, option: &str) -> Vec<(&'static str, OsloOption)> {
        let section = normal(section);
        let is_former = |(current, new): &(&'static str, OsloOption)| {
            new.mentions(option)
                && new
                    .former_names()
                    .any(|(in_section, name)| name == option && in_section.unwrap_or(current) == section)
        };
        self.each().filter(is_former).collect()
    }

    /// All options with their sections.
    fn each(&self) -> impl Iterator<Item = (&'static str, OsloOption)> {
        let entries = self.own.iter().chain(self.shared);
        entries.flat_map(|entry| {
            Section::new(entry.lines, "").options().map(move |option| (entry.section, option))
        })
    }
}

/// The name of a section as oslo.config compares it.
fn normal(section: &str) -> String {
    if section == DEFAULT { section.to_owned() } else { section.to_lowercase() }
}

#[cfg(test)]
mod tests;
