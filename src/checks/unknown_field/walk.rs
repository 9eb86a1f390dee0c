//! Compares a resource with the fields of its kind.

use std::collections::HashSet;

use crate::formats::placeholder;
use crate::krm::FieldPath;
use crate::platform::crds::{NodeId, Object, Schema, Schemas};
use crate::yaml::scalar::Scalar;
use crate::yaml::{Document, Kind, NodeId as YamlNode, Step, Style};

/// The fields that a resource has in addition to those of its kind.
const OF_EVERY_RESOURCE: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// Something that the API server does not keep or does not accept.
#[derive(Debug)]
pub(super) struct Defect {
    pub(super) path: FieldPath,
    pub(super) cause: Cause,
}

#[derive(Debug)]
pub(super) enum Cause {
    Unknown(Unknown),
    /// A value of another type.
    Type {
        wanted: &'static str,
        found: &'static str,
        advice: &'static str,
    },
}

/// A field that does not exist, or only in older releases.
#[derive(Debug)]
pub(super) struct Unknown {
    /// The nodes from the root to the parent of the field.
    pub(super) ancestors: Vec<NodeId>,
    /// Whether its value is null, so that nothing is lost.
    pub(super) is_null: bool,
    pub(super) is_removed: bool,
}

/// Returns the defects of a resource, each at the outermost field.
pub(super) fn defects(doc: &Document, root: NodeId, schemas: &Schemas) -> Vec<Defect> {
    let mut walk = Walk {
        doc,
        schemas,
        path: Vec::new(),
        nodes: Vec::new(),
        seen: HashSet::new(),
        reported: HashSet::new(),
        found: Vec::new(),
    };
    if let Some(node) = doc.root() {
        walk.value(node, root);
    }
    walk.found
}

#[derive(Clone, Copy)]
enum PathStep<'d> {
    Key(&'d str),
    Index(usize),
}

struct Walk<'d> {
    doc: &'d Document,
    schemas: &'d Schemas,
    path: Vec<PathStep<'d>>,
    /// The schemas along the path, without that of the last step.
    nodes: Vec<NodeId>,
    /// What aliases refer to, compared only once with each schema.
    seen: HashSet<(YamlNode, NodeId)>,
    /// The values of which a defect was found. Aliases and merge keys lead to the same value several times.
    reported: HashSet<YamlNode>,
    found: Vec<Defect>,
}

impl<'d> Walk<'d> {
    fn value(&mut self, node: YamlNode, schema: NodeId) {
        let value = self.doc.resolve(node);
        if value != node && !self.seen.insert((value, schema)) {
            return;
        }
        match self.schemas.get(schema) {
            Schema::Any => {}
            Schema::Removed => self.report_unknown(value, true),
            Schema::List(element) if matches!(self.doc.tree().kind(value), Kind::Sequence(_)) => {
                self.nodes.push(schema);
                for (index, child) in self.doc.tree().children(value).enumerate() {
                    self.below(PathStep::Index(index), child, *element);
                }
                self.nodes.pop();
            }
            Schema::Map(inner) if self.is_mapping(value) => {
                self.nodes.push(schema);
                for (key, child) in self.doc.entries(value) {
                    self.below(PathStep::Key(key), child, *inner);
                }
                self.nodes.pop();
            }
            Schema::Object(object) if self.is_mapping(value) => {
                self.nodes.push(schema);
                self.fields(value, object);
                self.nodes.pop();
            }
            schema => self.check_type(value, schema),
        }
    }

    fn is_mapping(&self, value: YamlNode) -> bool {
        matches!(self.doc.tree().kind(value), Kind::Mapping(_))
    }

    fn fields(&mut self, mapping: YamlNode, object: &Object) {
        let is_resource = self.path.is_empty() || object.flags.is_resource;
        for (key, child) in self.doc.entries(mapping) {
            if let Some(schema) = object.field(key) {
                self.below(PathStep::Key(key), child, schema);
                continue;
            }
            let is_implied = is_resource && OF_EVERY_RESOURCE.contains(&key);
            // `$patch` belongs to a patch.
            let is_name = !key.starts_with('$') && !placeholder::is_in(key);
            if is_name && !is_implied && !object.flags.keeps_unknown {
                self.path.push(PathStep::Key(key));
                self.report_unknown(child, false);
                self.path.pop();
            }
        }
    }

    fn below(&mut self, step: PathStep<'d>, child: YamlNode, schema: NodeId) {
        self.path.push(step);
        self.value(child, schema);
        self.path.pop();
    }

    fn check_type(&mut self, value: YamlNode, schema: &Schema) {
        let (found, scalar) = match self.doc.tree().kind(value) {
            Kind::Mapping(_) => ("a mapping", None),
            Kind::Sequence(_) => ("a list", None),
            _ => match self.doc.scalar(value) {
                None | Some(Scalar::Null) => return,
                Some(scalar) => (name_of(scalar), Some(scalar)),
            },
        };
        let is_plain = self.doc.tree().kind(value) == Kind::Scalar(Style::Plain);
        let is_right = scalar.is_some_and(|scalar| is_right(scalar, is_plain, schema));
        if is_right || matches!(scalar, Some(Scalar::Str(text)) if is_variable(text)) {
            return;
        }
        let advice = scalar.map_or("", |scalar| advice(scalar, schema));
        self.report(value, Cause::Type { wanted: wanted(schema), found, advice });
    }

    fn report_unknown(&mut self, value: YamlNode, is_removed: bool) {
        let is_null = self.doc.scalar(value) == Some(Scalar::Null);
        self.report(value, Cause::Unknown(Unknown { ancestors: self.nodes.clone(), is_null, is_removed }));
    }

    fn report(&mut self, value: YamlNode, cause: Cause) {
        if !self.reported.insert(value) {
            return;
        }
        let steps = self.path.iter().map(|step| match step {
            PathStep::Key(key) => Step::Key((*key).to_owned()),
            PathStep::Index(index) => Step::Index(*index),
        });
        self.found.push(Defect { path: FieldPath::from_steps(steps), cause });
    }
}

/// Whether a text is replaced by another value before the API server gets it: a placeholder, or a variable of a template.
fn is_variable(text: &str) -> bool {
    placeholder::is_in(text) || ["${", "$(", "{{"].iter().any(|start| text.contains(start))
}

/// Whether the API server accepts a scalar. kubectl reads a plain `yes` as a boolean, and other clients as a string.
fn is_right(scalar: Scalar<'_>, is_plain: bool, schema: &Schema) -> bool {
    let is_whole = |number: f64| number.fract() == 0.0;
    match (schema, scalar) {
        (Schema::Boolean, Scalar::Bool(_)) | (Schema::Number, Scalar::Float(_)) => true,
        (Schema::Boolean, Scalar::Str(text)) => is_plain && is_yes_or_no(text),
        (Schema::Integer | Schema::Number | Schema::IntOrString, Scalar::Int(_) | Scalar::Uint(_)) => true,
        (Schema::Integer | Schema::IntOrString, Scalar::Float(number)) => is_whole(number),
        (Schema::String | Schema::IntOrString, Scalar::Str(_)) => true,
        _ => false,
    }
}

fn is_yes_or_no(text: &str) -> bool {
    ["y", "n", "yes", "no", "on", "off"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// How to correct a scalar of the wrong type.
fn advice(scalar: Scalar<'_>, schema: &Schema) -> &'static str {
    match (schema, scalar) {
        (Schema::String | Schema::IntOrString, _) => "; put it in quotes",
        (Schema::Integer, Scalar::Str(text)) if text.parse::<i64>().is_ok() => "; remove the quotes",
        (Schema::Number, Scalar::Str(text)) if text.parse::<f64>().is_ok() => "; remove the quotes",
        (Schema::Boolean, Scalar::Str("true" | "false")) => "; remove the quotes",
        _ => "",
    }
}

fn name_of(scalar: Scalar<'_>) -> &'static str {
    match scalar {
        Scalar::Null => "null",
        Scalar::Bool(_) => "a boolean",
        Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_) => "a number",
        Scalar::Str(_) => "a string",
    }
}

fn wanted(schema: &Schema) -> &'static str {
    match schema {
        Schema::Any | Schema::Removed => "anything",
        Schema::Boolean => "a boolean",
        Schema::Integer => "a whole number",
        Schema::Number => "a number",
        Schema::String => "a string",
        Schema::IntOrString => "a whole number or a string",
        Schema::List(_) => "a list",
        Schema::Map(_) | Schema::Object(_) => "a mapping",
    }
}
