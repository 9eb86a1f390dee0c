//! What a function is.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::finding::{Fault, Results};
use super::path::FieldPath;
use super::resource::Resource;

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
