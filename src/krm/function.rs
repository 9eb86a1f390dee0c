//! The traits of functions.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::fault::Fault;
use super::mistakes::Mistakes;
use super::resource::Resource;
use super::results::Results;

/// The `spec` of a functionConfig. Its doc comment is the manual, and its fields are the schema.
pub trait Function: DeserializeOwned + JsonSchema {
    /// The kind of the functionConfig.
    const KIND: &'static str;
    /// The kind in kebab case. Its first word says what the function does.
    const NAME: &'static str;

    /// What runs: the spec with its names resolved and its values read.
    type Ready;

    /// Reads what types cannot express, such as names that must be unique and numbers that must fit each other.
    /// Reports every mistake, not only the first.
    fn check(self) -> Result<Self::Ready, Mistakes>;
}

/// Changes resources in place.
pub trait Transformer {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault>;
}

/// Creates resources. An existing resource is updated to match the generated one.
pub trait Generator {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault>;
}

/// Reports findings, and changes nothing.
pub trait Validator {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault>;
}

/// What a function does. `render` runs functions in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Generator,
    Transformer,
    Validator,
}
