//! A fault: the reason why a run cannot continue. It becomes one error finding.

use std::fmt;

use super::finding::Finding;
use super::location::Located;
use super::path::FieldPath;
use super::rule::{Rule, Severity};

/// Why a run cannot continue.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault(Box<Finding>);

impl Fault {
    pub fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Fault(Box::new(Finding::new(Severity::Error, rule, message)))
    }

    #[must_use]
    pub fn on(mut self, resource: &impl Located) -> Self {
        self.0.on(resource);
        self
    }

    #[must_use]
    pub fn field(mut self, resource: &impl Located, path: &FieldPath) -> Self {
        self.0.field(resource, path);
        self
    }

    /// Points to a field of the functionConfig, by its path from the root.
    #[must_use]
    pub fn in_config(mut self, path: FieldPath) -> Self {
        self.0.in_config(path);
        self
    }

    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>, line: Option<usize>) -> Self {
        self.0.in_file(path, line);
        self
    }

    /// Points to this resource, unless the fault already has a place.
    #[must_use]
    pub(super) fn or_on(mut self, resource: &impl Located) -> Self {
        if !self.0.has_place() {
            match self.0.location.field.clone() {
                Some(path) => self.0.field(resource, &path),
                None => self.0.on(resource),
            };
        }
        self
    }

    pub fn into_finding(self) -> Finding {
        *self.0
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Fault {}
