//! What a function has to say. A [`Finding`] is about the user's data: the run goes on and collects
//! more. A [`Fault`] means that the run cannot go on; it ends as one error finding.

use std::cmp::Ordering;
use std::fmt;

use serde_json::{Map, Value, json};

use super::id::{Id, Place};
use super::message::shortened;
use super::path::FieldPath;
use super::rule::{Rule, Severity};
use super::visible::visible;

/// What a finding can be about: a resource, which knows who it is and where its fields are.
pub trait Located {
    fn id(&self) -> &Id;
    fn place(&self) -> Place;
    /// Where a field's key is in the user's file, or its nearest ancestor that was in that file.
    fn place_of(&self, path: &FieldPath) -> Place;
}

impl<T: Located> Located for &T {
    fn id(&self) -> &Id {
        (**self).id()
    }

    fn place(&self) -> Place {
        (**self).place()
    }

    fn place_of(&self, path: &FieldPath) -> Place {
        (**self).place_of(path)
    }
}

/// What a finding is about, as far as that is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Location {
    pub place: Place,
    pub resource: Option<Id>,
    pub field: Option<FieldPath>,
}

impl Location {
    pub fn of(resource: &impl Located) -> Self {
        Location { place: resource.place(), resource: Some(resource.id().clone()), field: None }
    }

    pub fn of_field(resource: &impl Located, path: &FieldPath) -> Self {
        let field = (*path != FieldPath::default()).then(|| path.clone());
        Location { place: resource.place_of(path), resource: Some(resource.id().clone()), field }
    }
}

/// Another party of a finding, and what it has to do with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    pub location: Location,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub severity: Severity,
    /// Names the check, as `tags.rule` of the result.
    pub rule: &'static Rule,
    pub message: String,
    pub location: Location,
    pub related: Vec<Related>,
    current: Option<Value>,
    proposed: Option<Value>,
}

impl Finding {
    pub fn new(severity: Severity, rule: &'static Rule, message: impl Into<String>) -> Self {
        Finding {
            severity,
            rule,
            message: message.into(),
            location: Location::default(),
            related: Vec::new(),
            current: None,
            proposed: None,
        }
    }

    pub fn on(&mut self, resource: &impl Located) -> &mut Self {
        self.location = Location { field: self.location.field.take(), ..Location::of(resource) };
        self
    }

    /// The field of a resource.
    pub fn field(&mut self, resource: &impl Located, path: &FieldPath) -> &mut Self {
        self.location = Location::of_field(resource, path);
        self
    }

    /// Names another party.
    pub fn related(&mut self, location: Location, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { location, message: message.into() });
        self
    }

    /// A field of the functionConfig, by its path from the root.
    pub fn in_config(&mut self, path: FieldPath) -> &mut Self {
        self.location.field = Some(path);
        self
    }

    pub fn current(&mut self, value: impl Into<Value>) -> &mut Self {
        self.current = Some(value.into());
        self
    }

    pub fn proposed(&mut self, value: impl Into<Value>) -> &mut Self {
        self.proposed = Some(value.into());
        self
    }

    pub fn in_file(&mut self, path: impl Into<String>, line: Option<usize>) -> &mut Self {
        self.location.place = Place::in_file(path, line);
        self
    }

    /// Whether the file is known.
    pub fn has_file(&self) -> bool {
        self.location.place.file.is_some()
    }

    fn has_place(&self) -> bool {
        self.location.place.file.is_some() || self.location.resource.is_some()
    }

    /// The finding as a result of the KRM specification. The severity is always written: the
    /// specification's default is error, but kpt and kyaml take a missing one for info.
    pub fn to_result(&self) -> Value {
        let mut result = Map::new();
        result.insert("message".into(), json!(self.message));
        result.insert("severity".into(), json!(self.severity.to_string()));
        if let Some(id) = &self.location.resource {
            let mut reference = Map::new();
            reference.insert("apiVersion".into(), json!(id.api_version));
            reference.insert("kind".into(), json!(id.kind));
            reference.insert("name".into(), json!(id.name));
            if let Some(namespace) = &id.namespace {
                reference.insert("namespace".into(), json!(namespace));
            }
            result.insert("resourceRef".into(), Value::Object(reference));
        }
        if let Some(path) = &self.location.field {
            let mut field = Map::new();
            field.insert("path".into(), json!(path.to_string()));
            if let Some(value) = &self.current {
                field.insert("currentValue".into(), value.clone());
            }
            if let Some(value) = &self.proposed {
                field.insert("proposedValue".into(), value.clone());
            }
            result.insert("field".into(), Value::Object(field));
        }
        if let Some(path) = &self.location.place.file {
            result.insert("file".into(), json!({"path": path, "index": self.location.place.index}));
        }
        result.insert("tags".into(), json!({"rule": self.rule.id}));
        Value::Object(result)
    }

    fn order(&self, other: &Finding) -> Ordering {
        let key = |finding: &Finding| {
            let Location { place, resource, field } = &finding.location;
            (place.file.clone(), place.index, resource.clone(), field.clone())
        };
        key(self)
            .cmp(&key(other))
            .then(self.severity.cmp(&other.severity))
            .then_with(|| self.message.cmp(&other.message))
    }
}

/// One line, the file first if it is known.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = match (&self.location.place.file, self.location.place.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        };
        line.push_str(&format!("{}: ", self.severity));
        if let Some(id) = &self.location.resource {
            line.push_str(&format!("{id}: "));
        }
        if let Some(field) = &self.location.field {
            line.push_str(&format!("`{}`: ", shortened(&field.to_string())));
        }
        line.push_str(&format!("{} [{}]", self.message, self.rule.id));
        f.write_str(&visible(&line))
    }
}

/// The findings of one run.
#[derive(Debug, Default)]
pub struct Results {
    findings: Vec<Finding>,
}

impl Results {
    pub fn error(&mut self, rule: &'static Rule, message: impl Into<String>) -> &mut Finding {
        self.add(Finding::new(Severity::Error, rule, message))
    }

    pub fn warning(&mut self, rule: &'static Rule, message: impl Into<String>) -> &mut Finding {
        self.add(Finding::new(Severity::Warning, rule, message))
    }

    pub fn info(&mut self, rule: &'static Rule, message: impl Into<String>) -> &mut Finding {
        self.add(Finding::new(Severity::Info, rule, message))
    }

    pub fn add(&mut self, finding: Finding) -> &mut Finding {
        let at = self.findings.len();
        self.findings.push(finding);
        &mut self.findings[at]
    }

    /// Findings without a place are about the functionConfig. Those about a resource that is in no file,
    /// because it is new, are in its file: there is what made it.
    pub(super) fn place_all_on(&mut self, config: &impl Located) {
        for finding in self.findings.iter_mut().filter(|finding| !finding.has_file()) {
            match (&finding.location.resource, finding.location.field.clone()) {
                (Some(_), _) => finding.location.place = config.place(),
                (None, Some(path)) => {
                    finding.field(config, &path);
                }
                (None, None) => {
                    finding.on(config);
                }
            }
        }
    }

    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    pub fn has_warnings(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Warning)
    }

    /// The findings by file, resource and field, each once: the same input gives the same list.
    pub fn into_sorted(mut self) -> Vec<Finding> {
        self.findings.sort_by(Finding::order);
        self.findings.dedup();
        self.findings
    }
}

/// Why a run cannot go on.
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

    /// On a field of the functionConfig, by its path from the root.
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

    /// The fault on this resource, unless it has a place already.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::rules;

    #[test]
    fn results_are_sorted_and_without_doubles() {
        let mut results = Results::default();
        results.warning(&rules::YAML, "second").in_file("b.yaml", Some(2));
        results.error(&rules::UNUSABLE_FILE, "first").in_file("a.yaml", None);
        results.error(&rules::UNUSABLE_FILE, "first").in_file("a.yaml", None);
        let lines: Vec<String> = results.into_sorted().iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["a.yaml: error: first [unusable-file]", "b.yaml:2: warning: second [yaml]"]);
    }
}
