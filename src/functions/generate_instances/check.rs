//! Checks a functionConfig, and returns the plan if it has no mistakes.

use std::collections::{BTreeSet, HashMap};

use super::allocation::Allocation;
use super::drafts::{Draft, Owner};
use super::instance_spec::InstanceSpec;
use super::layers::{Layer, Layers};
use super::plan::{Compute, Instance, Link, Network, Source, Sourced, instance_path, vlan_interface};
use super::{Advertise, Fleet, GenerateInstances, NODES, Only, collisions, hosts, sharing, values};
use crate::formats::ip::Subnet;
use crate::krm::{FieldPath, Mistakes, quoted};
use crate::platform::interface_name;
use crate::platform::network_plan::{NetworkName, RESERVED};

pub fn check(spec: GenerateInstances) -> Result<Fleet, Mistakes> {
    let mut mistakes = Mistakes::default();
    values::check(&spec, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    check_fleet(&spec, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let instances = instances(&spec, &mut mistakes);
    if mistakes.is_empty() {
        let reserved = spec.reserved.as_ref().map(|list| list.iter().map(|subnet| subnet.0).collect());
        let reserved: Vec<Subnet> = reserved.unwrap_or_else(|| RESERVED.to_vec());
        collisions::check(&instances, &reserved, &spec.bridge, &mut mistakes);
    }
    // Hosts of subnets that overlap would only repeat the mistake.
    if mistakes.is_empty() {
        hosts::check(&instances, &mut mistakes);
    }
    let only = match spec.only.as_deref() {
        None => Only::Everything,
        Some(NODES) => Only::Nodes,
        Some(name) => instances
            .iter()
            .find(|instance| instance.namespace == name)
            .map_or(Only::Everything, |instance| Only::Instance(instance.position)),
    };
    mistakes.unless_any(|| Fleet {
        nodes: spec.nodes,
        node_selector: spec.node_selector,
        interface: spec.interface,
        bridge: spec.bridge,
        instances,
        control_plane: spec.control_plane.unwrap_or_default(),
        node_set: spec.node_set.map(|node_set| node_set.template),
        advertise: spec.advertise,
        peers: spec.peers,
        only,
    })
}

impl InstanceSpec {
    /// The slot of the instance at a position of the list.
    pub fn slot_at(&self, position: usize) -> u32 {
        self.slot.unwrap_or_else(|| u32::try_from(position).unwrap_or(u32::MAX))
    }
}

impl GenerateInstances {
    fn fleet_layer(&self, name: NetworkName) -> Layer<'_> {
        let path = FieldPath::new("spec.networks").key(name.as_str());
        Layer { spec: self.networks.get(&name).and_then(Option::as_ref), path }
    }

    /// Whether an instance has a network.
    fn is_wanted(&self, instance: &InstanceSpec, name: NetworkName) -> bool {
        let own = instance.networks.get(&name);
        own.or_else(|| self.networks.get(&name)).is_none_or(Option::is_some)
    }

    fn draft<'s>(
        &'s self,
        name: NetworkName,
        owner: Owner<'s>,
        layers: Layers<'s>,
        mistakes: &mut Mistakes,
    ) -> Option<Draft<'s>> {
        Draft::new(name.plan()?, owner, layers, (self.ip_family.family(), &self.interface), mistakes)
    }
}

/// Checks the networks of all instances in slot 0, so that their mistakes are reported once.
fn check_fleet(spec: &GenerateInstances, mistakes: &mut Mistakes) {
    for name in spec.networks.keys() {
        let own = spec.fleet_layer(*name);
        if own.spec.is_none() {
            continue;
        }
        let owner = Owner { namespace: "", position: 0, slot: 0 };
        let layers = Layers { own, fleet: Layer::default() };
        let Some(draft) = spec.draft(*name, owner, layers, mistakes) else { continue };
        check_interface_use(&draft, mistakes);
        let link = Link::Bridge { name: String::new() };
        Allocation::new(&draft, false, mistakes).network(link, None);
    }
}

/// Reports an interface that has no effect.
fn check_interface_use(draft: &Draft<'_>, mistakes: &mut Mistakes) {
    let own = &draft.layers.own;
    if draft.vlan.is_none() && own.spec.is_some_and(|spec| spec.interface.is_some()) {
        let message =
            "has no effect without a VLAN, because the network is on the bridge; set `vlan`, or remove it";
        mistakes.add(own.path.clone().key("interface"), message);
    }
}

fn instances(spec: &GenerateInstances, mistakes: &mut Mistakes) -> Vec<Instance> {
    let mut all: Vec<Draft<'_>> = Vec::new();
    for (position, instance) in spec.instances.iter().enumerate() {
        let (namespace, slot) = (instance.namespace.as_str(), instance.slot_at(position));
        let owner = Owner { namespace, position, slot };
        for name in NetworkName::ALL.into_iter().filter(|name| spec.is_wanted(instance, *name)) {
            let path = instance_path(position).key("networks").key(name.as_str());
            let own = Layer { spec: instance.networks.get(&name).and_then(Option::as_ref), path };
            let layers = Layers { own, fleet: spec.fleet_layer(name) };
            all.extend(spec.draft(name, owner, layers, mistakes));
        }
    }
    sharing::find(&mut all, mistakes);
    let mut networks = networks(spec, &all, mistakes);
    let instances = spec.instances.iter().enumerate().map(|(position, instance)| {
        let networks = networks.remove(&position).unwrap_or_default();
        let mut resolved = Instance {
            namespace: instance.namespace.clone(),
            position,
            slot: instance.slot_at(position),
            networks,
            has_datacentre: spec.is_wanted(instance, NetworkName::Datacentre),
            computes: Vec::new(),
        };
        if mistakes.is_empty() {
            resolved.computes = computes(instance, &resolved, mistakes);
        }
        resolved
    });
    instances.collect()
}

/// The networks by the position of their instance.
fn networks(
    spec: &GenerateInstances,
    all: &[Draft<'_>],
    mistakes: &mut Mistakes,
) -> HashMap<usize, Vec<Network>> {
    let mut found: HashMap<usize, Vec<Network>> = HashMap::new();
    let mut bridges: HashMap<(&str, u16), String> = HashMap::new();
    let mut too_long: BTreeSet<FieldPath> = BTreeSet::new();
    for draft in all {
        check_interface_use(draft, mistakes);
        sharing::check(draft, all, mistakes);
        let link = match &draft.vlan {
            None if draft.name.has_own_bridge() => {
                let message =
                    format!("{} has a bridge of its own, which needs a VLAN; set `vlan`", draft.name);
                mistakes.add(draft.layers.own.path.clone(), message);
                continue;
            }
            None => Link::Bridge { name: spec.bridge.clone() },
            Some(id) => {
                check_length(draft, id.value, &mut too_long, mistakes);
                let bridge = draft.name.has_own_bridge().then(|| {
                    let name = || octavia_bridge(draft.owner.slot);
                    bridges.entry((&draft.nic, id.value)).or_insert_with(name).clone()
                });
                Link::Vlan { nic: draft.nic.clone(), id: id.clone(), bridge }
            }
        };
        let shares_with = draft.shares_with.map(|other| all[other].owner.position);
        let are_routed = spec.advertise == Advertise::Bgp;
        let network = Allocation::new(draft, are_routed, mistakes).network(link, shares_with);
        found.entry(draft.owner.position).or_default().extend(network);
    }
    found
}

/// The bridge of Octavia in a slot.
fn octavia_bridge(slot: u32) -> String {
    if slot == 0 { "octbr".to_owned() } else { format!("octbr{}", u64::from(slot) + 1) }
}

/// Reports the names of VLAN interfaces that Linux does not accept, once for each NIC.
fn check_length(draft: &Draft<'_>, id: u16, too_long: &mut BTreeSet<FieldPath>, mistakes: &mut Mistakes) {
    let name = vlan_interface(&draft.nic, id);
    if interface_name::is_valid(&name) {
        return;
    }
    let given = draft.layers.find("interface", |spec| &spec.interface).map(|given| given.path);
    let path = given.unwrap_or_else(|| FieldPath::new("spec.interface"));
    if too_long.insert(path.clone()) {
        let message = format!(
            "the interface {} has {} characters, and Linux allows {}; use a NIC with a shorter name, such as an alternative \
             name or a bond",
            quoted(&name),
            name.len(),
            interface_name::LONGEST
        );
        mistakes.add(path, message);
    }
}

fn computes(spec: &InstanceSpec, instance: &Instance, mistakes: &mut Mistakes) -> Vec<Compute> {
    let path = instance_path(instance.position).key("computes");
    let Some(network) = instance.network(NetworkName::Ctlplane) else {
        if !spec.computes.is_empty() {
            let message = "compute nodes need the network ctlplane, which the instance does not have";
            mistakes.add(path, message);
        }
        return Vec::new();
    };
    let compute = |(name, hosts): (&String, &crate::formats::hosts::Hosts)| {
        let path = path.clone().key(name.clone());
        let range = hosts.resolve(network.subnet.value);
        let range = range.map_err(|why| format!("{why}; give a host of ctlplane in this instance"));
        let range = mistakes.value(path.clone(), range)?;
        if range.size() != 1 {
            mistakes.add(path, format!("must be one host, got {range}"));
            return None;
        }
        let address = Sourced::new(range.first(), Source::Given(path));
        Some(Compute { name: name.clone(), address })
    };
    spec.computes.iter().filter_map(compute).collect()
}
