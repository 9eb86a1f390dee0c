//! The functions of a program, and how to run the one that a functionConfig names.

use super::rules;
use std::collections::HashMap;

use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::Value;

use super::config;
use super::fault::Fault;
use super::function::{Function, Generator, Shape, Transformer, Validator};
use super::id::ObjectKey;
use super::message::{Hint, quoted};
use super::path::FieldPath;
use super::resource::{LIST, Resource};
use super::results::Results;

/// A program and its functions.
#[derive(Debug)]
pub struct Registry {
    pub program: &'static str,
    /// The API group of every functionConfig.
    pub group: &'static str,
    pub version: &'static str,
    /// In alphabetical order.
    pub functions: &'static [Entry],
}

impl Registry {
    pub fn api_version(&self) -> String {
        format!("{}/{}", self.group, self.version)
    }

    fn kinds(&self) -> String {
        self.functions.iter().map(|entry| entry.kind).collect::<Vec<_>>().join(", ")
    }

    /// A ResourceList without a functionConfig.
    pub(super) fn missing(&self) -> Fault {
        let message = format!("the ResourceList has no functionConfig; pass one of kind {}", self.kinds());
        Fault::new(&rules::FUNCTION_CONFIG, message)
    }

    /// Whether a functionConfig is that of a validator, which changes nothing.
    pub(super) fn is_validator(&self, config: &Resource) -> bool {
        self.dispatch(config).is_ok_and(|entry| entry.shape == Shape::Validator)
    }

    /// The function that a functionConfig names.
    pub(super) fn dispatch(&self, config: &Resource) -> Result<&Entry, Fault> {
        let id = config.id();
        if config::is_config_map(config) {
            let path = FieldPath::new("data.kind");
            let Some(kind) = config.get::<String>(&path)? else {
                let message = format!(
                    "the functionConfig is a ConfigMap without `data.kind`; name the function there ({}), or pass a \
                     functionConfig of apiVersion {}",
                    self.kinds(),
                    self.api_version()
                );
                return Err(Fault::new(&rules::FUNCTION_CONFIG, message));
            };
            return self.find(&kind).map_err(|fault| fault.field(config, &path));
        }
        if id.group() != self.group {
            let message = format!(
                "the functionConfig has the unknown apiVersion {}; expected {} and kind {}",
                quoted(&id.api_version),
                self.api_version(),
                self.kinds()
            );
            return Err(Fault::new(&rules::FUNCTION_CONFIG, message).on(config));
        }
        if id.api_version != self.api_version() {
            let message =
                format!("unknown version {}; expected {}", quoted(&id.api_version), self.api_version());
            return Err(
                Fault::new(&rules::FUNCTION_CONFIG, message).field(config, &FieldPath::new("apiVersion"))
            );
        }
        self.find(&id.kind).map_err(|fault| fault.field(config, &FieldPath::new("kind")))
    }

    fn find(&self, kind: &str) -> Result<&Entry, Fault> {
        self.functions.iter().find(|entry| entry.kind == kind).ok_or_else(|| {
            let hint = Hint::among(kind, self.functions.iter().map(|entry| entry.kind));
            let all = format!("the kinds are: {}", self.kinds());
            let message = format!("there is no function {}; {}", quoted(kind), hint.and(&all));
            Fault::new(&rules::UNKNOWN_KIND, message)
        })
    }
}

type Run = fn(&Resource, &mut Vec<Resource>, &mut Results) -> Result<(), Fault>;

/// A registered function.
#[derive(Debug)]
pub struct Entry {
    pub kind: &'static str,
    pub name: &'static str,
    pub shape: Shape,
    schema: fn(&mut SchemaGenerator) -> Schema,
    run: Run,
}

impl Entry {
    pub const fn transformer<F: Function<Ready: Transformer>>() -> Self {
        Self::new::<F>(Shape::Transformer, |config, items, results| {
            let Some(function) = config::load::<F>(config, results)? else { return Ok(()) };
            function.transform(items, results)
        })
    }

    pub const fn generator<F: Function<Ready: Generator>>() -> Self {
        Self::new::<F>(Shape::Generator, |config, items, results| {
            let Some(function) = config::load::<F>(config, results)? else { return Ok(()) };
            let generated = function.generate(items, results)?;
            upsert(items, generated)
        })
    }

    /// A function that creates resources and then changes existing ones, including those that it has just created.
    pub const fn generator_transformer<F: Function<Ready: Generator + Transformer>>(shape: Shape) -> Self {
        Self::new::<F>(shape, |config, items, results| {
            let Some(function) = config::load::<F>(config, results)? else { return Ok(()) };
            let generated = function.generate(items, results)?;
            upsert(items, generated)?;
            function.transform(items, results)
        })
    }

    pub const fn validator<F: Function<Ready: Validator>>() -> Self {
        Self::new::<F>(Shape::Validator, |config, items, results| {
            let Some(function) = config::load::<F>(config, results)? else { return Ok(()) };
            function.validate(items, results)
        })
    }

    const fn new<F: Function>(shape: Shape, run: Run) -> Self {
        Entry { kind: F::KIND, name: F::NAME, shape, schema: SchemaGenerator::subschema_for::<F>, run }
    }

    /// The JSON schema of `spec`, with all definitions inlined, so that it reads from top to bottom.
    pub fn spec_schema(&self) -> Schema {
        let mut settings = SchemaSettings::draft07();
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        let mut generator = settings.into_generator();
        let mut schema = (self.schema)(&mut generator);
        for transform in generator.transforms_mut() {
            transform.transform(&mut schema);
        }
        schema
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

/// Reports Lists, as `oc get` writes them. kustomize splits a List into its objects; kpt and plain files do not.
pub(super) fn warn_of_lists(items: &[Resource], results: &mut Results) {
    for item in items.iter().filter(|item| item.is(LIST)) {
        let Ok(Some(Value::Array(members))) = item.value(&FieldPath::new("items")) else { continue };
        if !members.is_empty() {
            let message = format!(
                "the objects inside a List ({}) are not read; write each of them as a separate document, after a line `---`",
                if members.len() == 1 { "1 item".to_owned() } else { format!("{} items", members.len()) }
            );
            results.warning(&rules::UNREAD_LIST, message).on(item);
        }
    }
}

/// Adds the generated resources. Replaces existing objects with the same name.
fn upsert(items: &mut Vec<Resource>, generated: Vec<Resource>) -> Result<(), Fault> {
    if generated.is_empty() {
        return Ok(());
    }
    let mut there: HashMap<ObjectKey, usize> =
        items.iter().enumerate().map(|(index, item)| (item.id().object_key(), index)).collect();
    for mut new in generated {
        match there.get(&new.id().object_key()) {
            Some(index) => {
                let item = &mut items[*index];
                if !item.replace_with(&new)? {
                    let message =
                        format!("another functionConfig generates {} with different contents", new.id());
                    return Err(Fault::new(&rules::MADE_TWICE, message));
                }
            }
            None => {
                there.insert(new.id().object_key(), items.len());
                new.mark_generated();
                items.push(new);
            }
        }
    }
    Ok(())
}
