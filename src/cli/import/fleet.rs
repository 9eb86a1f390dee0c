//! All instances together: what they share, and the networks that they have in common.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde_json::json;

use super::instance::{self, Instance, Peers};
use super::network::{Basis, Field};
use super::notes::{Notes, Place};
use super::variables::Variables;
use crate::formats::ip::{Family, Subnet};
use crate::krm::quoted;
use crate::platform::install_yamls::{self, WITH_MTU};
use crate::platform::network_plan::{DEFAULT_MTU, NetworkName};

/// A GenerateInstances functionConfig before it is written.
#[derive(Debug)]
pub struct Fleet {
    pub nodes: Vec<String>,
    pub interface: String,
    pub bridge: String,
    pub family: Family,
    /// The MTU of all instances, if it is not the default and the same everywhere.
    pub mtu: Option<u32>,
    pub instances: Vec<Instance>,
    pub peers: Option<Peers>,
}

impl Fleet {
    /// Imports the files, of which there must be at least one. The first one decides what all instances share.
    pub fn read(files: &[Variables], nodes: &[String], notes: &mut Notes) -> Option<Self> {
        let families: Vec<Family> = files.iter().map(|file| instance::family(file, notes)).collect();
        let fleet_family = *families.first()?;
        let mut instances: Vec<Instance> = Vec::new();
        for ((variables, family), slot) in files.iter().zip(families).zip(0_u32..) {
            let basis = Basis { slot, family, fleet_family };
            instances.push(Instance::read(variables, basis, notes));
        }
        let of_files = instances.iter().flat_map(|instance| &instance.cluster.nodes);
        let of_files: IndexSet<&String> = of_files.filter(|_| nodes.is_empty()).collect();
        let all_nodes: Vec<String> = nodes.iter().chain(of_files).cloned().collect();
        if all_nodes.is_empty() {
            let message = format!(
                "no file sets {}, so `nodes` is empty; list the worker nodes there, or pass --nodes",
                install_yamls::NODES
            );
            notes.warn(Place::All, message);
        }
        compare(files, &instances, notes);
        set_interfaces(&mut instances);
        let mtu = set_mtus(&mut instances);
        share(&mut instances, notes);
        let first = instances.first_mut()?;
        Some(Fleet {
            nodes: all_nodes,
            interface: first.cluster.interface.clone(),
            bridge: first.cluster.bridge.clone(),
            family: fleet_family,
            mtu,
            peers: first.cluster.peers.take(),
            instances,
        })
    }
}

/// Reports what cannot differ between instances, but does.
fn compare(files: &[Variables], instances: &[Instance], notes: &mut Notes) {
    let Some((first, others)) = instances.split_first() else { return };
    for other in others {
        let place = |name: &str| {
            let given = files.get(other.file).and_then(|file| file.get(name));
            given.map_or(Place::File(other.file), |given| Place::Line(given.line))
        };
        let (own, shared) = (&other.cluster.bridge, &first.cluster.bridge);
        if own != shared {
            let message = format!(
                "{} {} is not imported: all instances share the bridge {} of the first file",
                install_yamls::BRIDGE,
                quoted(own),
                quoted(shared)
            );
            notes.warn(place(install_yamls::BRIDGE), message);
        }
        if other.cluster.peers != first.cluster.peers {
            let message = format!(
                "{} and the BGP routers differ from those of the first file, which apply to all instances",
                install_yamls::HAS_BGP
            );
            notes.warn(place(install_yamls::HAS_BGP), message);
        }
    }
}

/// Another NIC than in the first file carries the VLANs of an instance.
fn set_interfaces(instances: &mut [Instance]) {
    let Some(shared) = instances.first().map(|first| first.cluster.interface.clone()) else { return };
    for instance in instances.iter_mut().filter(|instance| instance.cluster.interface != shared) {
        let tagged = instance.networks.values_mut().filter(|network| network.plan.vlan.is_some());
        for network in tagged {
            network.set(Field::Interface, json!(instance.cluster.interface), instance.cluster.interface_line);
        }
    }
}

/// Sets MTUs that differ between instances, or returns the MTU that all of them have.
fn set_mtus(instances: &mut [Instance]) -> Option<u32> {
    let first = instances.first()?.cluster.mtu;
    if instances.iter().all(|instance| instance.cluster.mtu == first) {
        return Some(first).filter(|mtu| *mtu != DEFAULT_MTU);
    }
    for instance in instances.iter_mut() {
        for (_, network) in instance.networks.iter_mut().filter(|(name, _)| WITH_MTU.contains(name)) {
            network.set(Field::Mtu, json!(instance.cluster.mtu), instance.cluster.mtu_line);
        }
    }
    None
}

/// Completes networks whose subnet another instance has. As in GenerateInstances, an instance without a `cidr` owns its
/// subnet, and otherwise the first one.
fn share(instances: &mut [Instance], notes: &mut Notes) {
    let mut owners: HashMap<(NetworkName, Subnet), usize> = HashMap::new();
    for gives_subnet in [false, true] {
        for position in 0..instances.len() {
            let networks = instances[position].networks.values();
            let of_pass =
                networks.filter(|network| network.settings.contains_key(&Field::Cidr) == gives_subnet);
            let keys: Vec<(NetworkName, Subnet)> =
                of_pass.map(|network| (network.plan.name, network.subnet)).collect();
            for key in keys {
                let owner = *owners.entry(key).or_insert(position);
                if owner == position || !gives_subnet {
                    continue;
                }
                let other = instances[owner].namespace.clone();
                let other_vlan = vlan(&instances[owner], key.0);
                let is_same_vlan = vlan(&instances[position], key.0) == other_vlan;
                if let Some(network) = instances[position].networks.get_mut(&key.0) {
                    network.share(&other, notes);
                    if is_same_vlan {
                        network.settings.remove(&Field::Vlan);
                    }
                }
            }
        }
    }
}

fn vlan(instance: &Instance, name: NetworkName) -> Option<String> {
    let network = instance.networks.get(&name)?;
    let given = network.settings.get(&Field::Vlan).map(|setting| setting.value.to_string());
    given.or_else(|| network.slot_vlan(instance.slot).map(|id| id.to_string()))
}
