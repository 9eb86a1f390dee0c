//! A finding: something to report about the user's data. The run continues and collects more.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::id::Place;
use super::location::{Located, Location, Related};
use super::message::shortened;
use super::path::FieldPath;
use super::rule::{Rule, Severity};
use super::visible::visible;

#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub severity: Severity,
    /// Written as `tags.rule` in the results.
    pub rule: &'static Rule,
    pub message: String,
    pub location: Location,
    pub related: Vec<Related>,
    current: Option<Value>,
    proposed: Option<Value>,
    /// The part of a text of the functionConfig that it is about.
    pub(super) config_text: Option<Range<usize>>,
    /// Whether the lines that it is about contain a secret, so that no report may show them.
    pub hides_source: bool,
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
            config_text: None,
            hides_source: false,
        }
    }

    pub fn on(&mut self, resource: &impl Located) -> &mut Self {
        self.location = Location { field: self.location.field.take(), ..Location::of(resource) };
        self
    }

    /// Points to a field of a resource.
    pub fn field(&mut self, resource: &impl Located, path: &FieldPath) -> &mut Self {
        self.location = Location::of_field(resource, path);
        self
    }

    /// Points to a place that was determined before.
    pub fn at(&mut self, location: Location) -> &mut Self {
        self.location = location;
        self
    }

    /// Adds another place that is involved.
    pub fn related(&mut self, location: Location, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { location, message: message.into() });
        self
    }

    /// Whether another place that is involved is in another file.
    pub fn is_between_files(&self) -> bool {
        let file = |location: &Location| location.place.file.clone();
        self.related.iter().any(|related| file(&related.location) != file(&self.location))
    }

    /// Keeps reports from showing the lines of the places.
    pub fn hide_source(&mut self) -> &mut Self {
        self.hides_source = true;
        self
    }

    /// Points to a field of the functionConfig, by its path from the root.
    pub fn in_config(&mut self, path: FieldPath) -> &mut Self {
        self.location.field = Some(path);
        self
    }

    /// Points to a part of a text of the functionConfig.
    pub fn in_config_text(&mut self, path: FieldPath, part: Range<usize>) -> &mut Self {
        self.config_text = Some(part);
        self.in_config(path)
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

    pub(super) fn has_place(&self) -> bool {
        self.location.place.file.is_some() || self.location.resource.is_some()
    }

    /// The finding as a result of the KRM functions specification. The severity is always written, because the
    /// specification defaults to error while kpt and kyaml default to info.
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

    pub(super) fn order(&self, other: &Finding) -> Ordering {
        /// From top to bottom, where the lines are known.
        fn key(finding: &Finding) -> impl Ord + '_ {
            let Location { place, resource, field } = &finding.location;
            (&place.file, place.index, place.line, place.column, resource, field)
        }
        key(self)
            .cmp(&key(other))
            .then(self.severity.cmp(&other.severity))
            .then_with(|| self.message.cmp(&other.message))
    }
}

/// One line, starting with the file if it is known.
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
