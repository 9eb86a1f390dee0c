//! Values of the functionConfig that are wrong by themselves.

use std::collections::HashMap;

use super::instance_spec::NetworkSpecs;
use super::network_spec::NetworkSpec;
use super::setting::Setting;
use super::{Advertise, GenerateInstances, NODES};
use crate::formats::dns;
use crate::functions::named_nodes;
use crate::krm::{FieldPath, Hint, Mistakes, quoted};
use crate::platform::interface_name;
use crate::platform::network::HIGHEST_VLAN;
use crate::platform::network_plan::NetworkName;

const MTU: std::ops::RangeInclusive<u32> = 1280..=65535;

pub fn check(spec: &GenerateInstances, mistakes: &mut Mistakes) {
    check_nodes(spec, mistakes);
    check_interface(&spec.interface, field("interface"), mistakes);
    check_interface(&spec.bridge, field("bridge"), mistakes);
    check_networks(&spec.networks, &field("networks"), mistakes);
    check_instances(spec, mistakes);
    check_peers(spec, mistakes);
    check_only(spec, mistakes);
}

fn field(name: &'static str) -> FieldPath {
    FieldPath::new("spec").key(name)
}

/// The name of a network interface.
fn check_interface(name: &str, path: FieldPath, mistakes: &mut Mistakes) {
    if !interface_name::is_valid(name) {
        let message = format!(
            "must be the name of an interface, of at most {} characters, got {}",
            interface_name::LONGEST,
            quoted(name)
        );
        mistakes.add(path, message);
    }
}

fn check_nodes(spec: &GenerateInstances, mistakes: &mut Mistakes) {
    let names: Vec<&str> = spec.nodes.iter().map(|node| node.name.as_str()).collect();
    let selector = spec.node_selector.as_ref();
    // The nodes are not needed for the objects of one instance.
    if spec.only.is_none() || selector.is_some() || !names.is_empty() {
        named_nodes::check(&names, selector, mistakes);
    }
    let mut first_of_index: HashMap<u32, usize> = HashMap::new();
    for (position, node) in spec.nodes.iter().enumerate() {
        let path = field("nodes").index(position);
        if let Some(interface) = &node.interface {
            check_interface(interface, path.clone().key("interface"), mistakes);
        }
        let Ok(default) = u32::try_from(position) else { continue };
        let index = node.index.unwrap_or(default);
        if let Some(first) = first_of_index.get(&index) {
            let message = format!(
                "the index {index} is already that of `spec.nodes[{first}]`; give each node its own `index`"
            );
            mistakes.add(path, message);
        } else {
            first_of_index.insert(index, position);
        }
    }
}

fn check_instances(spec: &GenerateInstances, mistakes: &mut Mistakes) {
    if spec.instances.is_empty() {
        mistakes.add(field("instances"), "must have at least one entry");
    }
    let mut first_of_namespace: HashMap<&str, usize> = HashMap::new();
    let mut first_of_slot: HashMap<u32, usize> = HashMap::new();
    for (position, instance) in spec.instances.iter().enumerate() {
        let path = field("instances").index(position);
        let namespace = instance.namespace.as_str();
        if !dns::is_label(namespace) {
            let message = format!("must be the name of a namespace, got {}", quoted(namespace));
            mistakes.add(path.clone().key("namespace"), message);
        } else if namespace == NODES {
            let message = format!("must not be {}, which means the nodes in `only`", quoted(NODES));
            mistakes.add(path.clone().key("namespace"), message);
        } else if let Some(first) = first_of_namespace.insert(namespace, position) {
            let message = format!(
                "the namespace {} is already that of `spec.instances[{first}]`; each instance has its own",
                quoted(namespace)
            );
            mistakes.add(path.clone().key("namespace"), message);
        }
        let slot = instance.slot_at(position);
        if let Some(first) = first_of_slot.insert(slot, position) {
            let at = if instance.slot.is_some() { path.clone().key("slot") } else { path.clone() };
            let message = format!(
                "slot {slot} is already that of `spec.instances[{first}]`; the slot is the position in the list unless \
                 `slot` is set"
            );
            mistakes.add(at, message);
        }
        check_networks(&instance.networks, &path.clone().key("networks"), mistakes);
        for name in instance.computes.keys().filter(|name| !dns::is_subdomain(name)) {
            let message = format!("must be the name of a host, got {}", quoted(name));
            mistakes.add(path.clone().key("computes").key(name.clone()), message);
        }
    }
}

fn check_networks(networks: &NetworkSpecs, path: &FieldPath, mistakes: &mut Mistakes) {
    for (name, spec) in networks {
        if let Some(spec) = spec {
            check_network(*name, spec, &path.clone().key(name.as_str()), mistakes);
        }
    }
}

fn check_network(name: NetworkName, spec: &NetworkSpec, path: &FieldPath, mistakes: &mut Mistakes) {
    if name.plan().is_none() && *spec != NetworkSpec::default() {
        let message =
            format!("{name} is the bridge of provider networks and has no settings; use `null` or `{{}}`");
        mistakes.add(path.clone(), message);
    }
    if let Setting::Given(id) = spec.vlan
        && !(1..=HIGHEST_VLAN).contains(&u64::from(id))
    {
        mistakes.add(path.clone().key("vlan"), format!("must be from 1 to {HIGHEST_VLAN}, got {id}"));
    }
    if let Some(mtu) = spec.mtu.filter(|mtu| !MTU.contains(mtu)) {
        let message = format!("must be from {} to {}, got {mtu}", MTU.start(), MTU.end());
        mistakes.add(path.clone().key("mtu"), message);
    }
    if let Some(domain) = spec.dns_domain.as_ref().filter(|domain| !dns::is_domain(domain)) {
        let message = format!("must be a domain such as {name}.example.com, got {}", quoted(domain));
        mistakes.add(path.clone().key("dnsDomain"), message);
    }
    if let Some(interface) = &spec.interface {
        check_interface(interface, path.clone().key("interface"), mistakes);
    }
}

fn check_peers(spec: &GenerateInstances, mistakes: &mut Mistakes) {
    match spec.advertise {
        Advertise::Bgp if spec.peers.is_empty() => {
            mistakes.add(field("peers"), "must have at least one entry if `advertise` is bgp");
        }
        Advertise::L2 if !spec.peers.is_empty() => {
            mistakes.add(
                field("peers"),
                "has no effect unless `advertise` is bgp; remove it, or set `advertise`",
            );
        }
        _ => {}
    }
    let mut first_of_name: HashMap<String, usize> = HashMap::new();
    for (position, peer) in spec.peers.iter().enumerate() {
        let path = field("peers").index(position);
        let first = &spec.peers[0];
        for (key, differs) in
            [("myASN", peer.my_asn != first.my_asn), ("routerID", peer.router_id != first.router_id)]
        {
            if differs {
                let message = format!(
                    "must be the same as in `spec.peers[0]`, because MetalLB has one `{key}` per node"
                );
                mistakes.add(path.clone().key(key), message);
            }
        }
        let name = peer.name_at(position);
        if !dns::is_subdomain(&name) {
            mistakes.add(path.key("name"), format!("must be the name of an object, got {}", quoted(&name)));
        } else if let Some(first) = first_of_name.insert(name, position) {
            let message =
                format!("the name is already that of `spec.peers[{first}]`; give each peer its own `name`");
            mistakes.add(path, message);
        }
    }
}

fn check_only(spec: &GenerateInstances, mistakes: &mut Mistakes) {
    let Some(only) = &spec.only else { return };
    let names = || spec.instances.iter().map(|instance| instance.namespace.as_str()).chain([NODES]);
    if !names().any(|name| name == only) {
        let all = names().map(quoted).collect::<Vec<_>>().join(", ");
        let hint = Hint::among(only, names()).or(|| format!("use one of {all}"));
        mistakes.add(field("only"), format!("{} is not an instance; {hint}", quoted(only)));
    }
}
