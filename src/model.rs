//! What a set of resources says, as types. Every value knows its site, so that a finding can point to it.
//!
//! The model reads. It never reports and never writes: what it cannot read is a [`Misread`], and the caller decides
//! whether that matters.

pub mod control_plane;
pub mod data_plane;
pub mod definitions;
pub mod differences;
pub mod fields;
mod item_reader;
pub mod legacy_data_plane;
pub mod machines;
pub mod network;
pub mod nodes;
pub mod nova_config;
pub mod operators;
pub mod projects;
pub mod secrets;
pub mod service_texts;
pub mod serving;
pub mod storage;
#[cfg(test)]
mod testing;
mod world;

pub use world::{Cause, ItemId, Misread, Site, Sited, World};

use std::collections::BTreeMap;

use crate::krm::Resource;
use crate::platform::crds::Schemas;
use control_plane::ControlPlane;
use data_plane::DataPlane;
use network::Network;
use network::plan::AddressPlan;
use nova_config::NovaConfig;
use serving::Serving;
use storage::Storage;

/// Everything that checks read.
#[derive(Debug)]
pub struct Model<'r> {
    pub world: World<'r>,
    pub network: Network,
    pub plan: AddressPlan,
    pub control_planes: Vec<ControlPlane>,
    pub data_plane: DataPlane,
    /// By namespace.
    pub nova_configs: BTreeMap<Option<String>, NovaConfig>,
    pub storage: Storage,
    pub serving: Serving,
    /// The fields of custom resources, if the user has named the CRDs of the cluster.
    pub crds: Option<&'r Schemas>,
    /// What could not be read of the network.
    pub misreads: Vec<Misread>,
    /// What could not be read of control planes, of the data plane and of storage.
    pub openstack_misreads: Vec<Misread>,
}

impl<'r> Model<'r> {
    pub fn read(items: &'r [Resource]) -> Self {
        let world = World::new(items);
        let (network, misreads) = network::read_with_values(&world);
        let plan = AddressPlan::of(&network);
        let (control_planes, mut openstack_misreads) = control_plane::read(&world);
        let (data_plane, of_data_plane) = data_plane::read(&world);
        openstack_misreads.extend(of_data_plane);
        let (storage, of_storage) = storage::read(&world);
        openstack_misreads.extend(of_storage);
        let nova_configs = nova_config::read(&world, &control_planes, &data_plane);
        // The CRDs report fields of the wrong type.
        let (serving, _) = serving::read(&world);
        Model {
            world,
            network,
            plan,
            control_planes,
            data_plane,
            nova_configs,
            storage,
            serving,
            crds: None,
            misreads,
            openstack_misreads,
        }
    }

    pub fn items(&self) -> &'r [Resource] {
        self.world.resources()
    }
}
