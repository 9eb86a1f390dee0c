//! What a set of resources says, as types. Every value knows its site, so that a finding can point to it.
//!
//! The model reads. It never reports and never writes: what it cannot read is a [`Misread`], and the caller decides
//! whether that matters.

mod item_fields;
pub mod machines;
pub mod nodes;
pub mod operators;
pub mod secrets;
mod world;

pub use world::{Cause, ItemId, Misread, Site, Sited, World};
