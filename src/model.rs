//! What a set of resources says, as types. Every value knows its site, so that a finding can point to it.
//!
//! The model reads. It never reports and never writes: what it cannot read is a [`Misread`], and the caller decides
//! whether that matters.

pub mod control_plane;
pub mod data_plane;
pub mod fields;
mod item_reader;
pub mod machines;
pub mod network;
pub mod nodes;
pub mod operators;
pub mod secrets;
#[cfg(test)]
mod testing;
mod world;

pub use world::{Cause, ItemId, Misread, Site, Sited, World};
