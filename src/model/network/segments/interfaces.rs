//! How interfaces of nodes are connected, from the policies that configure them.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::links::{Link, Links, Wiring};
use crate::krm::CollectOrdered;
use crate::model::network::node_policies::{Interface, InterfaceKind, NodePolicy};
use crate::platform::network::node_policy::{ENDS, SHARE_BASE};
use crate::platform::network::{HIGHEST_VLAN, LOOPBACK};

/// The interfaces of nodes: how they are connected, and which of them policies know.
#[derive(Debug, Default)]
pub struct Interfaces {
    pub links: Links,
    /// The names that policies create, configure, or connect others to.
    known: HashSet<String>,
    /// The first of these names on each link.
    by_link: HashMap<Link, String>,
}

impl Interfaces {
    /// `more` are the names that other resources refer to, each with the VLAN that they add.
    pub(super) fn read<'n>(
        policies: &'n [NodePolicy],
        more: impl Iterator<Item = (&'n str, Option<u16>)>,
    ) -> Self {
        let mut wiring = Wiring::default();
        let mut described = HashSet::new();
        for policy in policies {
            let described_here = |interface: &&Interface| interface.is_up() && has_type(interface);
            for interface in policy.interfaces.iter().filter(described_here) {
                describe(interface, policy, &mut wiring);
                described.insert(interface.name.value.as_str());
            }
        }
        let known: BTreeSet<&str> =
            policies.iter().flat_map(|policy| &policy.interfaces).flat_map(names).collect_ordered();
        for (name, vlan) in known.iter().map(|name| (*name, None)).chain(more) {
            if !described.contains(name) {
                guess(name, &described, &mut wiring);
            }
            if let Some(id) = vlan {
                let interface = wiring.name(name);
                wiring.vlan(interface, id);
            }
        }
        let links = wiring.finish();
        let mut by_link = HashMap::new();
        for name in &known {
            if let Some(link) = links.get(name) {
                by_link.entry(link).or_insert_with(|| (*name).to_owned());
            }
        }
        Interfaces { links, known: known.into_iter().map(str::to_owned).collect(), by_link }
    }

    /// Whether a policy creates the interface, configures it, or connects others to it.
    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// An interface of policies that is connected to the same link as another one.
    pub fn same_link(&self, name: &str) -> Option<&str> {
        self.by_link.get(&self.links.get(name)?).map(String::as_str)
    }
}

/// The names that exist if the interface does.
fn names(interface: &Interface) -> impl Iterator<Item = &str> {
    let access = interface.access_ports.iter().map(|port| &port.name);
    let others = interface.base.iter().chain(&interface.ports).chain(access);
    let all = others.chain([&interface.name]).map(|name| name.value.as_str());
    all.filter(|_| !interface.is_absent())
}

/// Whether the policy says what the interface is. A policy that only sets an address or an MTU may leave that out.
fn has_type(interface: &Interface) -> bool {
    interface.kind.is_some() || interface.vlan.is_some() || !interface.ports.is_empty()
}

fn describe(interface: &Interface, policy: &NodePolicy, wiring: &mut Wiring) {
    let this = wiring.name(&interface.name.value);
    let base = interface.base.as_ref().map(|base| wiring.name(&base.value));
    for port in &interface.access_ports {
        let (port, vlan) = (wiring.name(&port.name.value), wiring.vlan(this, port.vlan));
        wiring.connect(port, vlan);
    }
    match interface.kind.as_ref().map(|kind| &kind.value) {
        None | Some(InterfaceKind::Vlan) if interface.vlan.is_some() => {
            if let (Some(base), Some(id)) = (base, &interface.vlan) {
                let vlan = wiring.vlan(base, id.value);
                wiring.connect(this, vlan);
            }
        }
        Some(InterfaceKind::MacVlan) => connect_all(this, base, wiring),
        Some(InterfaceKind::Other(kind)) if SHARE_BASE.contains(&kind.as_str()) => {
            connect_all(this, base, wiring);
        }
        Some(InterfaceKind::Other(kind)) if ENDS.contains(&kind.as_str()) => wiring.is_end(this),
        // A VXLAN is a network of its own, a VRF connects no networks, and a bridge connects its OVS interfaces.
        Some(InterfaceKind::Other(_) | InterfaceKind::OvsInterface | InterfaceKind::Vlan) => {}
        None | Some(InterfaceKind::Ethernet | InterfaceKind::Bond) => {
            ports(interface, this, wiring);
            if interface.ports.is_empty() {
                wiring.is_wire(this);
            }
        }
        Some(InterfaceKind::LinuxBridge | InterfaceKind::OvsBridge) => {
            ports(interface, this, wiring);
            let has_ports = !interface.ports.is_empty() || !interface.access_ports.is_empty();
            if !has_ports && !has_captures(interface, policy) {
                wiring.is_end(this);
            }
        }
    }
}

fn ports(interface: &Interface, this: usize, wiring: &mut Wiring) {
    let ports: Vec<usize> = interface.ports.iter().map(|port| wiring.name(&port.value)).collect();
    connect_all(this, ports, wiring);
}

fn connect_all(this: usize, others: impl IntoIterator<Item = usize>, wiring: &mut Wiring) {
    for other in others {
        wiring.connect(this, other);
    }
}

/// Whether a value of the interface, such as a port, is known only in the cluster.
fn has_captures(interface: &Interface, policy: &NodePolicy) -> bool {
    let interface = interface.name.site.path.clone().parent();
    policy.captures.iter().any(|capture| capture.path.starts_with(&interface))
}

/// An interface that no policy describes: by convention `enp6s0.20` is the VLAN 20 of `enp6s0`, and any other name is
/// a network card.
fn guess(name: &str, described: &HashSet<&str>, wiring: &mut Wiring) {
    // A VLAN can be inside another one. Longer chains are not names of interfaces.
    const DEEPEST: usize = 2;
    let mut name = name;
    for _ in 0..DEEPEST {
        let Some((base, id)) = vlan_in_name(name) else { break };
        let (this, below) = (wiring.name(name), wiring.name(base));
        let vlan = wiring.vlan(below, id);
        wiring.connect(this, vlan);
        if described.contains(base) {
            return;
        }
        name = base;
    }
    let this = wiring.name(name);
    if name == LOOPBACK {
        wiring.is_end(this);
    } else {
        wiring.is_wire(this);
    }
}

fn vlan_in_name(name: &str) -> Option<(&str, u16)> {
    let (base, id) = name.rsplit_once('.')?;
    let id: u16 = Some(id).filter(|id| id.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
    (!base.is_empty() && id > 0 && u64::from(id) <= HIGHEST_VLAN).then_some((base, id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::network::node_policies;
    use crate::model::testing;

    fn interfaces(policies: &[&str], more: &[&str]) -> Interfaces {
        let policy = |interfaces: &&str| {
            format!(
                "apiVersion: nmstate.io/v1\nkind: NodeNetworkConfigurationPolicy\nmetadata: {{name: a}}\nspec: {{desiredState: {{interfaces: [{interfaces}]}}}}\n"
            )
        };
        let text = policies.iter().map(policy).collect::<Vec<_>>().join("---\n");
        let (policies, misreads) = testing::read(&text, node_policies::read);
        assert_eq!(misreads, [""; 0]);
        Interfaces::read(&policies, more.iter().map(|name| (*name, None)))
    }

    fn is_one_link(interfaces: &Interfaces, names: &[&str]) -> bool {
        let links: Vec<_> = names.iter().map(|name| interfaces.links.get(name).unwrap()).collect();
        links.windows(2).all(|two| two[0] == two[1])
    }

    #[test]
    fn bridges_bonds_and_macvlans_are_on_the_link_of_what_they_connect() {
        let found = interfaces(
            &[
                "{name: ospbr, type: linux-bridge, bridge: {port: [{name: bond0}]}}, {name: bond0, type: bond, link-aggregation: {port: [eno1, eno2]}}",
                "{name: ospbr, type: ovs-bridge, bridge: {port: [{name: enp6s0}, {name: ospbr}]}}, {name: storage, type: mac-vlan, mac-vlan: {base-iface: enp6s0}}, {name: blue, type: vrf, vrf: {port: [enp6s0, enp7s0]}}",
            ],
            &[],
        );
        assert!(is_one_link(&found, &["ospbr", "bond0", "eno1", "eno2", "enp6s0", "storage"]));
        assert!(!is_one_link(&found, &["enp6s0", "enp7s0"]) && !is_one_link(&found, &["enp6s0", "blue"]));
    }

    #[test]
    fn vlans_have_any_name_or_that_of_the_convention() {
        let found = interfaces(
            &[
                "{name: internalapi, type: vlan, vlan: {base-iface: enp6s0, id: 20}}, {name: ospbr, type: linux-bridge, bridge: {port: [{name: enp6s0}, {name: tap0, vlan: {mode: access, tag: 21}}]}}",
                "{name: octbr, type: linux-bridge, bridge: {port: [{name: enp6s0.24}]}}, {name: enp6s0.25, mtu: 1500}",
            ],
            &["enp6s0.20", "enp6s0.21", "ospbr.24", "enp6s0.0", "enp6s0.4095", "bond1.5.6"],
        );
        for names in [["internalapi", "enp6s0.20"], ["tap0", "enp6s0.21"], ["octbr", "ospbr.24"]] {
            assert!(is_one_link(&found, &names), "{names:?}");
        }
        let id = |name: &str| found.links.vlan_id(found.links.get(name).unwrap());
        assert_eq!(
            (id("octbr"), id("enp6s0.25"), id("enp6s0.0"), id("enp6s0.4095")),
            (Some(24), Some(25), None, None)
        );
        let inner = found.links.get("bond1.5.6").unwrap();
        assert_eq!(found.links.vlan(inner), Some((found.links.get("bond1.5").unwrap(), 6)));
    }

    #[test]
    fn a_bridge_without_ports_is_local_unless_another_policy_gives_it_one() {
        let found = interfaces(
            &[
                "{name: internalapi, type: linux-bridge}, {name: storage, type: linux-bridge, bridge: {port: []}}, {name: lo, mtu: 65536}, {name: d, type: dummy}, {name: x, type: linux-bridge, bridge: {port: [{name: '{{ capture.a.interfaces.0.name }}'}]}}",
                "{name: storage, type: linux-bridge, bridge: {port: [{name: enp6s0}]}}, {name: gone, type: linux-bridge, state: absent}",
            ],
            &["gone"],
        );
        let local = |name: &str| found.links.is_local(found.links.get(name).unwrap());
        assert!(["internalapi", "lo", "d"].into_iter().all(local));
        assert!(!["storage", "enp6s0", "x", "gone"].into_iter().any(local));
        assert!(found.is_known("storage") && found.is_known("enp6s0") && !found.is_known("gone"));
    }
}
