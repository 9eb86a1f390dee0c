//! The compute nodes of an instance.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::network::Network;
use super::notes::{Notes, Place};
use super::variables::{Given, Variables};
use crate::formats::hosts::Hosts;
use crate::krm::quoted;
use crate::platform::install_yamls::{self, COMPUTE_COUNT, COMPUTE_IP, ComputeField, FIRST_COMPUTE};

/// The addresses in the control plane network, by name.
pub type Computes = BTreeMap<String, Given<IpAddr>>;

/// The compute nodes, if the file says anything about them.
pub fn read(variables: &Variables, network: Option<&Network>, notes: &mut Notes) -> Computes {
    let mut named: BTreeMap<u32, BTreeMap<ComputeField, &str>> = BTreeMap::new();
    for name in variables.names().filter(|name| variables.get(name).is_some()) {
        if let Some((number, field)) = install_yamls::compute(name) {
            named.entry(number).or_default().insert(field, name);
        }
    }
    if variables.get(COMPUTE_IP).is_some() {
        named.entry(0).or_default().entry(ComputeField::Ip).or_insert(COMPUTE_IP);
    }
    let count = variables.parsed::<u32>(COMPUTE_COUNT, "a number", notes);
    if let Some(count) = count {
        // The last host of a /24 is the broadcast address.
        for number in 0..count.value.min(255 - FIRST_COMPUTE) {
            named.entry(number).or_default();
        }
    }
    let mut found = Computes::new();
    for (number, names) in named {
        let variable = |field| names.get(&field).copied();
        let name = variable(ComputeField::Name).and_then(|name| variables.get(name));
        let given = variable(ComputeField::Ip).and_then(|ip| variables.parsed(ip, "an IP address", notes));
        let line = name.map(|given| given.line).or(count.map(|count| count.line));
        let planned = || {
            let hosts = Hosts::parse(&FIRST_COMPUTE.checked_add(number)?.to_string()).ok()?;
            let value = hosts.resolve(network?.subnet).ok()?.first();
            Some(Given { value, line: line? })
        };
        let Some(address) = given.or_else(planned) else { continue };
        let name = name.map_or_else(|| install_yamls::compute_name(number), |given| given.value.to_owned());
        if let Some(first) = found.insert(name.clone(), address) {
            let message = format!(
                "two compute nodes have the name {}; only the one with {} is imported",
                quoted(&name),
                address.value
            );
            notes.warn(Place::Line(first.line), message);
        }
    }
    found
}
