//! What `import` reports on stderr, in the order of the files and their lines.

use std::fmt;

use crate::functions::PROGRAM;
use crate::krm::{Order, Severity, visible};

#[derive(Debug, Default)]
pub struct Notes(Vec<Note>);

#[derive(Debug)]
struct Note {
    place: Place,
    severity: Severity,
    message: String,
}

/// A line of an environment file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The position of the file among the arguments.
    pub file: usize,
    pub line: usize,
}

/// Where a note points. The order is that of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Line(Line),
    /// A whole file.
    File(usize),
    /// No file in particular.
    All,
}

impl Place {
    fn file(self) -> usize {
        match self {
            Place::Line(Line { file, .. }) | Place::File(file) => file,
            Place::All => usize::MAX,
        }
    }
}

impl Notes {
    pub fn warn(&mut self, place: Place, message: impl Into<String>) {
        self.0.push(Note { place, severity: Severity::Warning, message: message.into() });
    }

    pub fn inform(&mut self, place: Place, message: impl Into<String>) {
        self.0.push(Note { place, severity: Severity::Info, message: message.into() });
    }

    /// One line each.
    pub fn lines(mut self, files: &[String]) -> String {
        self.0.order_by_key(|note| (note.place.file(), note.place));
        self.0.iter().map(|note| note.line(files)).collect()
    }
}

impl Note {
    fn line(&self, files: &[String]) -> String {
        let name = |file: usize| files.get(file).map_or(PROGRAM, String::as_str);
        let place = match self.place {
            Place::Line(Line { file, line }) => format!("{}:{line}", name(file)),
            Place::File(file) => name(file).to_owned(),
            Place::All => PROGRAM.to_owned(),
        };
        format!("{}\n", visible(&format!("{place}: {}: {}", self.severity, self.message)))
    }
}

/// Joins names for a message.
pub fn listed(names: impl IntoIterator<Item = impl fmt::Display>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}
