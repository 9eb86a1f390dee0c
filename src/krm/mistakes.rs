//! The mistakes of a functionConfig.

use super::path::FieldPath;

/// The mistakes of a functionConfig, each with its field.
#[derive(Debug, Default)]
pub struct Mistakes(Vec<(FieldPath, String)>);

impl Mistakes {
    /// Reports a field, by its path from the root of the functionConfig.
    pub fn add(&mut self, path: FieldPath, message: impl Into<String>) {
        self.0.push((path, message.into()));
    }

    /// Returns the value, or reports why there is none.
    pub fn value<T>(&mut self, path: FieldPath, value: Result<T, impl Into<String>>) -> Option<T> {
        value.map_err(|message| self.add(path, message)).ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what is ready to run, or the mistakes.
    pub fn unless_any<T>(self, ready: impl FnOnce() -> T) -> Result<T, Mistakes> {
        if self.0.is_empty() { Ok(ready()) } else { Err(self) }
    }

    pub(super) fn into_vec(self) -> Vec<(FieldPath, String)> {
        self.0
    }
}
