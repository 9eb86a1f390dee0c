//! Checks: what the program reports about resources. Every finding refers to a documented rule.

pub mod rules;
mod selection;
pub mod suppression;

pub use selection::{PEDANTIC, Selection, UnknownName};
