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
use network::plan::AddressPlan;

/// Everything that checks read.
#[derive(Debug)]
pub struct Model<'r> {
    pub world: World<'r>,
    pub network: Network,
    pub plan: AddressPlan,
    pub misreads: Vec<Misread>,
}

impl<'r> Model<'r> {
    pub fn read(items: &'r [Resource]) -> Self {
        let world = World::new(items);
        let (network, misreads) = network::read(&world);
        let plan = AddressPlan::of(&network, &world);
        Model { world, network, plan, misreads }
    }

    pub fn items(&self) -> &'r [Resource] {
        self.world.resources()
    }
}
