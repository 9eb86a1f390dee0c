//! What a function is, and how one is registered.

use std::collections::HashMap;

use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::config;
use super::finding::{Fault, Results};
use super::path::FieldPath;
use super::resource::{GroupKind, ObjectKey, Resource};

/// The API group of every functionConfig.
pub const GROUP: &str = "fn.rhoso.dev";
pub const VERSION: &str = "v1alpha1";
pub const API_VERSION: &str = "fn.rhoso.dev/v1alpha1";

/// The `spec` of a functionConfig is the function: its doc comment is the manual, its fields are the
/// schema.
pub trait Function: DeserializeOwned + JsonSchema {
    /// The kind of the functionConfig.
    const KIND: &'static str;
    /// The kind in kebab case; the first word tells the shape.
    const NAME: &'static str;

    /// What types cannot say: names that must differ, numbers that must fit each other.
    fn check(&self) -> Result<(), BadField> {
        Ok(())
    }
}

/// A field of the spec that is wrong.
#[derive(Debug)]
pub struct BadField {
    pub path: FieldPath,
    pub message: String,
}

impl BadField {
    /// The path begins below `spec`.
    pub fn new(path: impl AsRef<str>, message: impl Into<String>) -> Self {
        BadField { path: FieldPath::new(&format!("spec.{}", path.as_ref())), message: message.into() }
    }
}

/// Changes resources in place.
pub trait Transformer: Function {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault>;
}

/// Makes resources; one that is there already is made equal to the generated one.
pub trait Generator: Function {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault>;
}

/// Looks, and says what it finds.
pub trait Validator: Function {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault>;
}

/// What a function does, in the order in which `render` runs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Generator,
    Transformer,
    Validator,
}

type Run = fn(&Resource, &mut Vec<Resource>, &mut Results) -> Result<(), Fault>;

/// A function as the registry knows it.
#[derive(Debug)]
pub struct Entry {
    pub kind: &'static str,
    pub name: &'static str,
    pub shape: Shape,
    schema: fn() -> Schema,
    run: Run,
}

impl Entry {
    pub const fn transformer<F: Transformer>() -> Self {
        Self::new::<F>(Shape::Transformer, |config, items, results| {
            config::load::<F>(config)?.transform(items, results)
        })
    }

    pub const fn generator<F: Generator>() -> Self {
        Self::new::<F>(Shape::Generator, |config, items, results| {
            let generated = config::load::<F>(config)?.generate(items, results)?;
            upsert(items, generated)
        })
    }

    /// A function that makes resources and changes those that are there. What it makes first, it finds
    /// among the items when it changes them.
    pub const fn generator_transformer<F: Generator + Transformer>(shape: Shape) -> Self {
        Self::new::<F>(shape, |config, items, results| {
            let function = config::load::<F>(config)?;
            let generated = function.generate(items, results)?;
            upsert(items, generated)?;
            function.transform(items, results)
        })
    }

    pub const fn validator<F: Validator>() -> Self {
        Self::new::<F>(Shape::Validator, |config, items, results| {
            config::load::<F>(config)?.validate(items, results)
        })
    }

    const fn new<F: Function>(shape: Shape, run: Run) -> Self {
        Entry { kind: F::KIND, name: F::NAME, shape, schema: spec_schema::<F>, run }
    }

    /// The JSON schema of `spec`, every part in its place, so that it reads from top to bottom.
    pub fn spec_schema(&self) -> Schema {
        (self.schema)()
    }

    pub fn run(
        &self,
        config: &Resource,
        items: &mut Vec<Resource>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        warn_of_lists(items, results);
        let ran = (self.run)(config, items, results);
        results.place_all_on(config);
        ran.map_err(|fault| fault.or_on(config))
    }
}

/// What `oc get` writes for several objects is one object to kpt and in plain files; kustomize takes it apart.
fn warn_of_lists(items: &[Resource], results: &mut Results) {
    const LIST: GroupKind = GroupKind { group: "", kind: "List" };
    for item in items.iter().filter(|item| item.is(LIST)) {
        let Ok(Some(Value::Array(members))) = item.value(&FieldPath::new("items")) else { continue };
        if !members.is_empty() {
            let message = format!(
                "a list of {}, into which no function looks; write each of them as a document of its own, \
                 behind a line `---`",
                members.len()
            );
            results.warning("unread-list", message).on(item);
        }
    }
}

/// Adds the generated resources, or makes those of the same name like them.
fn upsert(items: &mut Vec<Resource>, generated: Vec<Resource>) -> Result<(), Fault> {
    let mut there: HashMap<ObjectKey, usize> =
        items.iter().enumerate().map(|(index, item)| (item.id().object_key(), index)).collect();
    for mut new in generated {
        match there.get(&new.id().object_key()) {
            Some(index) => {
                let item = &mut items[*index];
                if !item.become_like(&new)? {
                    let message =
                        format!("{} is made by another functionConfig too, and differently", new.id());
                    return Err(Fault::new("made-twice", message));
                }
            }
            None => {
                there.insert(new.id().object_key(), items.len());
                new.note_as_made()?;
                items.push(new);
            }
        }
    }
    Ok(())
}

fn spec_schema<F: Function>() -> Schema {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<F>()
}
