//! The variables of one environment file.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::notes::{Line, Notes, Place, listed};
use crate::formats::env::script::{Script, Unknown, Variable};
use crate::formats::ip::Family;
use crate::krm::{CollectOrdered, quoted};
use crate::platform::install_yamls::{self, Effect};

#[derive(Debug)]
pub struct Variables {
    /// The position of the file among the arguments.
    pub file: usize,
    /// The assignments that apply.
    by_name: BTreeMap<String, Variable>,
}

/// The value of a variable, and its line.
#[derive(Debug, Clone, Copy)]
pub struct Given<T> {
    pub value: T,
    pub line: Line,
}

impl Variables {
    pub fn new(script: Script, file: usize, notes: &mut Notes) -> Self {
        if !script.skipped.is_empty() {
            let lines = if script.skipped.len() == 1 { "line" } else { "lines" };
            let message = format!(
                "commands are not run, so variables that they set are missing; see {lines} {}",
                listed(&script.skipped)
            );
            notes.warn(Place::File(file), message);
        }
        let pairs = script.variables.into_iter().map(|variable| (variable.name.clone(), variable));
        Variables { file, by_name: pairs.collect_ordered() }
    }

    /// The value of a variable. An empty one counts as not set.
    pub fn get(&self, name: &str) -> Option<Given<&str>> {
        let variable = self.by_name.get(name)?;
        let value = variable.value.as_deref().ok()?.trim();
        let line = Line { file: self.file, line: variable.line };
        (!value.is_empty()).then_some(Given { value, line })
    }

    /// A value of another type than text. Another text is reported, as what it must be.
    pub fn parsed<T: FromStr>(&self, name: &str, expected: &str, notes: &mut Notes) -> Option<Given<T>> {
        let Given { value, line } = self.get(name)?;
        match value.parse() {
            Ok(value) => Some(Given { value, line }),
            Err(_) => {
                refuse(name, Given { value, line }, expected, notes);
                None
            }
        }
    }

    /// The Makefile compares with `true`, so anything else is false.
    pub fn is_true(&self, name: &str, default: bool) -> bool {
        self.get(name).map_or(default, |given| given.value == "true")
    }

    /// The names of all variables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Reports the variables that are not imported, without their values.
    pub fn report_others(&self, family: Family, has_bgp: bool, notes: &mut Notes) {
        let (mut without_meaning, mut without_effect, mut credentials) = (Vec::new(), Vec::new(), Vec::new());
        for (name, variable) in &self.by_name {
            let line = Place::Line(Line { file: self.file, line: variable.line });
            if install_yamls::is_credential(name) {
                credentials.push(name);
            } else if let Some(effect) = install_yamls::effect(name) {
                let applies = match effect {
                    Effect::Always => true,
                    Effect::Family(other) => other == family,
                    Effect::Bgp => has_bgp,
                };
                match &variable.value {
                    _ if !applies => without_effect.push(name),
                    Ok(_) => {}
                    Err(why) => notes.warn(line, format!("{name} is not imported: {}", explain(why))),
                }
            } else if let Some(why) = install_yamls::unsupported(name) {
                if self.get(name).is_some() {
                    notes.warn(line, format!("{name} is not imported: {why}"));
                }
            } else {
                without_meaning.push(name);
            }
        }
        let place = Place::File(self.file);
        for (why, names) in [
            ("GenerateInstances has no settings for them", without_meaning),
            ("other variables of the file disable them", without_effect),
            ("they are credentials", credentials),
        ] {
            if !names.is_empty() {
                notes.inform(place, format!("not imported, because {why}: {}", listed(names)));
            }
        }
    }
}

/// Reports a value that cannot be imported.
pub fn refuse(name: &str, given: Given<&str>, expected: &str, notes: &mut Notes) {
    let message = format!("{name} is not imported: it must be {expected}, got {}", quoted(given.value));
    notes.warn(Place::Line(given.line), message);
}

fn explain(why: &Unknown) -> String {
    match why {
        Unknown::Unset(name) => format!("it refers to {name}, which the file does not set before this line"),
        Unknown::Command => "its value is the output of a command, which is not run".to_owned(),
        Unknown::Unsupported => "its value is an array or an expansion that is not supported".to_owned(),
        Unknown::Secret => "its value contains a credential".to_owned(),
    }
}
