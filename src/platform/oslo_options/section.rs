//! One section of a project's configuration.

use super::option::OsloOption;

/// The options of a section.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// The lines of the project's own options, and of those that all projects have.
    lines: [&'static str; 2],
    is_open_ended: bool,
}

impl Section {
    pub(super) fn new(own: &'static str, shared: &'static str) -> Self {
        Section { lines: [own, shared], is_open_ended: false }
    }

    pub(super) fn open_ended(self) -> Self {
        Section { is_open_ended: true, ..self }
    }

    /// Whether other options than the known ones may occur.
    pub fn is_open_ended(&self) -> bool {
        self.is_open_ended
    }

    pub fn options(&self) -> impl Iterator<Item = OsloOption> + use<> {
        self.lines.into_iter().flat_map(str::lines).map(OsloOption::new)
    }

    /// The option with this name, which is case-sensitive.
    pub fn option(&self, name: &str) -> Option<OsloOption> {
        self.options().find(|option| option.has_name(name))
    }
}
