//! One network of an instance: what its file changes in the default plan.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::notes::{Line, Notes, Place};
use super::variables::{Given, Variables, refuse};
use crate::formats::hosts::Hosts;
use crate::formats::ip::{Family, Subnet};
use crate::platform::install_yamls::{self, DEFAULT_VLAN_START, DEFAULT_VLAN_STEP};
use crate::platform::network_plan::{NetworkName, NetworkPlan, VLAN_STEP};

/// A field of a network in a functionConfig, in the order of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Cidr,
    Vlan,
    Interface,
    Mtu,
    Gateway,
    Nodes,
    Attach,
    Pool,
    Allocate,
}

impl Field {
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Cidr => "cidr",
            Field::Vlan => "vlan",
            Field::Interface => "interface",
            Field::Mtu => "mtu",
            Field::Gateway => "gateway",
            Field::Nodes => "nodes",
            Field::Attach => "attach",
            Field::Pool => "pool",
            Field::Allocate => "allocate",
        }
    }
}

/// A value of the functionConfig, and the line that it comes from.
#[derive(Debug, Clone)]
pub struct Setting {
    pub value: Value,
    pub line: Option<Line>,
}

#[derive(Debug)]
pub struct Network {
    pub plan: &'static NetworkPlan,
    pub subnet: Subnet,
    /// The line that sets the subnet. None if it depends on the slot.
    pub subnet_line: Option<Line>,
    pub settings: BTreeMap<Field, Setting>,
}

/// What the plan of an instance depends on.
#[derive(Debug, Clone, Copy)]
pub struct Basis {
    pub slot: u32,
    pub family: Family,
    /// The family of the functionConfig.
    pub fleet_family: Family,
}

/// The VLANs of an instance: the first one, and the distance between two.
#[derive(Debug)]
pub struct Vlans {
    start: u16,
    step: u16,
    line: Line,
}

impl Vlans {
    /// None if the file does not set them.
    pub fn read(variables: &Variables, notes: &mut Notes) -> Option<Self> {
        let start = variables.parsed::<u16>(install_yamls::VLAN_START, "a number", notes);
        let step = variables.parsed::<u16>(install_yamls::VLAN_STEP, "a number", notes);
        Some(Vlans {
            start: start.map_or(DEFAULT_VLAN_START, |given| given.value),
            step: step.map_or(DEFAULT_VLAN_STEP, |given| given.value),
            line: start.or(step)?.line,
        })
    }
}

impl Network {
    /// None if the slot is too high, which GenerateInstances reports.
    pub fn read(
        plan: &'static NetworkPlan,
        variables: &Variables,
        basis: Basis,
        vlans: Option<&Vlans>,
        notes: &mut Notes,
    ) -> Option<Self> {
        let Basis { slot, family, fleet_family } = basis;
        let allocated = plan.subnet(family).moved(slot)?;
        let given = given_subnet(plan.name, variables, family, notes);
        let subnet = given.map_or(allocated, |given| given.value);
        let subnet_line = given.map(|given| given.line);
        let mut network = Network { plan, subnet, subnet_line, settings: BTreeMap::new() };
        if Some(subnet) != plan.subnet(fleet_family).moved(slot) {
            network.set(Field::Cidr, json!(subnet.to_string()), subnet_line);
        }
        if let Some(vlans) = vlans {
            network.set_vlan(vlans, slot, notes);
        }
        if plan.name == NetworkName::Ctlplane {
            network.read_hosts(variables, family, notes);
        }
        Some(network)
    }

    /// The VLAN of the plan in a slot.
    pub fn slot_vlan(&self, slot: u32) -> Option<u32> {
        u32::from(VLAN_STEP).checked_mul(slot)?.checked_add(self.plan.vlan?.into())
    }

    pub fn set(&mut self, field: Field, value: Value, line: Option<Line>) {
        self.settings.insert(field, Setting { value, line });
    }

    fn set_vlan(&mut self, vlans: &Vlans, slot: u32, notes: &mut Notes) {
        let Some(planned) = self.plan.vlan else { return };
        let number = planned - DEFAULT_VLAN_START;
        let id = u32::from(vlans.start) + u32::from(vlans.step) * u32::from(number);
        if Some(id) == self.slot_vlan(slot) {
            return;
        }
        match u16::try_from(id) {
            Ok(id) => self.set(Field::Vlan, json!(id), Some(vlans.line)),
            Err(_) => notes.warn(
                Place::Line(vlans.line),
                format!("the VLAN of {} is not imported: {id} is not a VLAN id", self.plan.name),
            ),
        }
    }

    /// The hosts that a file can change, which are those of the control plane network.
    fn read_hosts(&mut self, variables: &Variables, family: Family, notes: &mut Notes) {
        let names = install_yamls::control_plane(family);
        for (field, name, planned) in [
            (Field::Nodes, names.suffix, self.plan.nodes),
            (Field::Pool, names.pool, self.plan.pool),
            (Field::Gateway, names.gateway, self.plan.gateway),
        ] {
            let Some(given) = variables.get(name) else { continue };
            let resolve = |text: &str| Hosts::parse(text).ok()?.resolve(self.subnet).ok();
            match Hosts::parse(given.value) {
                Err(_) => refuse(name, given, "a host number, an address or a range", notes),
                Ok(_)
                    if resolve(given.value).is_some()
                        && resolve(given.value) == planned.and_then(resolve) => {}
                Ok(_) => self.set(field, hosts(given.value), Some(given.line)),
            }
        }
    }

    /// Gives the instance hosts of its own in a network that another instance has too. install_yamls hands out the same
    /// hosts in every instance, except for services.
    pub fn share(&mut self, other: &str, notes: &mut Notes) {
        let line = self.subnet_line;
        let planned = |text: Option<&str>| text.map(hosts);
        let allocate: Vec<Value> = self.plan.allocate.iter().map(|text| hosts(text)).collect();
        let allocate = match allocate.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            _ => Some(Value::Array(allocate)),
        };
        for (field, value) in [
            (Field::Attach, planned(self.plan.attach)),
            (Field::Pool, planned(self.plan.pool)),
            (Field::Allocate, allocate),
        ] {
            if let Some(value) = value {
                self.settings.entry(field).or_insert(Setting { value, line });
            }
        }
        let nodes = self.settings.remove(&Field::Nodes);
        if let Some(line) = nodes.and_then(|setting| setting.line) {
            let message = format!(
                "the first node of {} is not imported: the nodes keep one address in {}, that of {other}",
                self.plan.name, self.subnet
            );
            notes.inform(Place::Line(line), message);
        }
    }
}

/// The subnet that a file sets.
fn given_subnet(
    name: NetworkName,
    variables: &Variables,
    family: Family,
    notes: &mut Notes,
) -> Option<Given<Subnet>> {
    let variable = install_yamls::prefix(name, family)?;
    let is_other = name == NetworkName::Ctlplane
        && family == Family::V4
        && !variables.is_true(install_yamls::USES_DEFAULT_NETWORK, true);
    let other = is_other.then(|| variables.get(install_yamls::USES_DEFAULT_NETWORK)).flatten();
    let other = other.map(|given| Given { value: install_yamls::OTHER_CTLPLANE_PREFIX, ..given });
    let given = variables.get(variable).or(other)?;
    let (text, expected) = match family {
        Family::V4 => (format!("{}.0/24", given.value), "three numbers such as 172.17.0"),
        Family::V6 => (format!("{}/64", given.value), "the beginning of an address such as fd00:aaaa::"),
    };
    match Subnet::parse(&text).ok().filter(|subnet| subnet.family() == family) {
        Some(subnet) => {
            warn_of_public(variable, subnet, given.line, notes);
            Some(Given { value: subnet, line: given.line })
        }
        None => {
            refuse(variable, given, expected, notes);
            None
        }
    }
}

fn warn_of_public(variable: &str, subnet: Subnet, line: Line, notes: &mut Notes) {
    if !subnet.is_private() {
        let message = format!(
            "{variable}: {subnet} is public address space, so the real hosts there become unreachable; use a private \
             subnet, unless it is yours"
        );
        notes.warn(Place::Line(line), message);
    }
}

/// Hosts as they are written: a host number as a number, if it is decimal.
fn hosts(text: &str) -> Value {
    let number = text.parse::<u32>().ok().filter(|number| number.to_string() == text);
    number.map_or_else(|| json!(text), |number| json!(number))
}
