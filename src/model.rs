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

use crate::krm::Resource;
use network::Network;

/// Everything that checks read.
#[derive(Debug)]
pub struct Model<'r> {
    pub world: World<'r>,
    pub network: Network,
    pub misreads: Vec<Misread>,
}

impl<'r> Model<'r> {
    pub fn read(items: &'r [Resource]) -> Self {
        let world = World::new(items);
        let (network, misreads) = network::read_with_values(&world);
        Model { world, network, misreads }
    }

    pub fn items(&self) -> &'r [Resource] {
        self.world.resources()
    }
}
