//! Which names of interfaces belong to one layer 2 network.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::krm::CollectOrdered;

/// A layer 2 network that interfaces of nodes are connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Link(usize);

/// What is known about a link.
#[derive(Debug, Clone, Default)]
struct Facts {
    /// Whether it has a network card, or an interface that nothing describes.
    has_wire: bool,
    /// Whether it has an interface without any connection outside the node.
    has_end: bool,
    /// The links that it is a VLAN of, and the ids there.
    bases: BTreeSet<(Link, u16)>,
}

/// The links of all interfaces, by name. Interfaces with one name on several nodes are one link.
#[derive(Debug, Default)]
pub struct Links {
    names: HashMap<String, Link>,
    vlans: HashMap<(Link, u16), Link>,
    facts: HashMap<Link, Facts>,
}

impl Links {
    pub fn get(&self, name: &str) -> Option<Link> {
        self.names.get(name).copied()
    }

    /// The VLAN of an interface with this id.
    pub fn get_vlan(&self, name: &str, id: u16) -> Option<Link> {
        self.vlans.get(&(self.get(name)?, id)).copied()
    }

    /// The VLAN of a link, if the interfaces of all nodes agree.
    pub fn vlan(&self, link: Link) -> Option<(Link, u16)> {
        let facts = self.facts.get(&link)?;
        let base = facts.bases.first().copied();
        base.filter(|_| facts.bases.len() == 1 && !facts.has_wire)
    }

    /// The id of the VLAN, even if nodes have it on network cards that are not known to be connected.
    pub fn vlan_id(&self, link: Link) -> Option<u16> {
        let facts = self.facts.get(&link)?;
        let (_, id) = *facts.bases.first()?;
        Some(id).filter(|_| !facts.has_wire && !self.is_ambiguous(link))
    }

    /// Whether the link ends inside each node, such as a bridge without ports.
    pub fn is_local(&self, link: Link) -> bool {
        // VLANs of VLANs are rare, and a link can be its own base, so the number of steps is limited.
        const DEEPEST: usize = 4;
        let mut at = link;
        for _ in 0..DEEPEST {
            match self.facts.get(&at) {
                Some(facts) if facts.has_wire => return false,
                Some(facts) if facts.has_end => return true,
                Some(Facts { bases, .. }) => match bases.first() {
                    Some((base, _)) => at = *base,
                    None => return false,
                },
                None => return false,
            }
        }
        false
    }

    /// Whether nodes disagree about the VLAN: then one name may mean several networks.
    pub fn is_ambiguous(&self, link: Link) -> bool {
        let Some(facts) = self.facts.get(&link) else { return false };
        let ids: BTreeSet<u16> = facts.bases.iter().map(|(_, id)| *id).collect_ordered();
        ids.len() > 1 || facts.bases.iter().any(|(base, _)| *base == link)
    }
}

/// Connects interfaces. VLANs with one id on connected interfaces are connected too.
#[derive(Debug, Default)]
pub struct Wiring {
    names: HashMap<String, usize>,
    /// The next interface on the way to the one that represents the link.
    parents: Vec<usize>,
    /// The VLANs of a link, at the interface that represents it.
    vlans: Vec<BTreeMap<u16, usize>>,
    wires: BTreeSet<usize>,
    ends: BTreeSet<usize>,
}

impl Wiring {
    pub fn name(&mut self, name: &str) -> usize {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let new = self.add();
        self.names.insert(name.to_owned(), new);
        new
    }

    pub fn vlan(&mut self, base: usize, id: u16) -> usize {
        let base = self.root(base);
        if let Some(known) = self.vlans[base].get(&id) {
            return *known;
        }
        let new = self.add();
        self.vlans[base].insert(id, new);
        new
    }

    /// The interface is a network card, or one that nothing describes.
    pub fn is_wire(&mut self, interface: usize) {
        self.wires.insert(interface);
    }

    /// The interface has no connection outside the node.
    pub fn is_end(&mut self, interface: usize) {
        self.ends.insert(interface);
    }

    pub fn connect(&mut self, one: usize, other: usize) {
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            let (one, other) = (self.root(one), self.root(other));
            if one == other {
                continue;
            }
            let is_larger = self.vlans[one].len() >= self.vlans[other].len();
            let (kept, joined) = if is_larger { (one, other) } else { (other, one) };
            self.parents[joined] = kept;
            for (id, vlan) in std::mem::take(&mut self.vlans[joined]) {
                match self.vlans[kept].get(&id) {
                    Some(known) => open.push((*known, vlan)),
                    None => {
                        self.vlans[kept].insert(id, vlan);
                    }
                }
            }
        }
    }

    pub fn finish(mut self) -> Links {
        let mut facts: HashMap<Link, Facts> = HashMap::new();
        let mut vlans = HashMap::new();
        for wire in std::mem::take(&mut self.wires) {
            facts.entry(Link(self.root(wire))).or_default().has_wire = true;
        }
        for end in std::mem::take(&mut self.ends) {
            facts.entry(Link(self.root(end))).or_default().has_end = true;
        }
        for base in 0..self.parents.len() {
            // Only the interface that represents a link has its VLANs.
            for (id, vlan) in std::mem::take(&mut self.vlans[base]) {
                let link = Link(self.root(vlan));
                facts.entry(link).or_default().bases.insert((Link(base), id));
                vlans.insert((Link(base), id), link);
            }
        }
        let names = std::mem::take(&mut self.names);
        let names = names.into_iter().map(|(name, interface)| (name, Link(self.root(interface)))).collect();
        Links { names, vlans, facts }
    }

    fn add(&mut self) -> usize {
        let new = self.parents.len();
        self.parents.push(new);
        self.vlans.push(BTreeMap::new());
        new
    }

    fn root(&mut self, interface: usize) -> usize {
        let mut at = interface;
        while self.parents[at] != at {
            // Halves the way for the next time.
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vlans_of_connected_interfaces_are_connected() {
        let mut wiring = Wiring::default();
        let (eno1, enp6s0, ospbr) = (wiring.name("eno1"), wiring.name("enp6s0"), wiring.name("ospbr"));
        for (name, base, id) in [("a", eno1, 20), ("b", enp6s0, 20), ("c", enp6s0, 21)] {
            let (interface, vlan) = (wiring.name(name), wiring.vlan(base, id));
            wiring.connect(interface, vlan);
        }
        wiring.connect(ospbr, eno1);
        wiring.connect(ospbr, enp6s0);
        wiring.is_wire(eno1);
        let links = wiring.finish();
        let link = |name: &str| links.get(name).unwrap();
        assert_eq!(link("eno1"), link("enp6s0"));
        assert_eq!(link("a"), link("b"));
        assert!(link("a") != link("c") && link("a") != link("eno1"));
        assert_eq!(links.vlan(link("a")), Some((link("ospbr"), 20)));
        assert_eq!(links.vlan(link("ospbr")), None);
        assert!(!links.is_local(link("a")) && !links.is_ambiguous(link("a")));
        assert_eq!(links.get("d"), None);
    }

    #[test]
    fn a_name_with_two_vlans_is_ambiguous() {
        let mut wiring = Wiring::default();
        let (eno1, internalapi) = (wiring.name("eno1"), wiring.name("internalapi"));
        for id in [20, 30] {
            let vlan = wiring.vlan(eno1, id);
            wiring.connect(internalapi, vlan);
        }
        let own = wiring.vlan(eno1, 5);
        wiring.connect(eno1, own);
        let links = wiring.finish();
        for name in ["internalapi", "eno1"] {
            let link = links.get(name).unwrap();
            assert!(links.is_ambiguous(link) && links.vlan_id(link).is_none(), "{name}");
        }
    }

    #[test]
    fn a_link_without_a_wire_is_local_with_its_vlans() {
        let mut wiring = Wiring::default();
        let bridge = wiring.name("internalapi");
        wiring.is_end(bridge);
        let (vlan, inner) = (wiring.name("vlan"), wiring.vlan(bridge, 20));
        wiring.connect(vlan, inner);
        let links = wiring.finish();
        assert!(["internalapi", "vlan"].iter().all(|name| links.is_local(links.get(name).unwrap())));
    }
}
