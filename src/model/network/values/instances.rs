//! The instances of OpenStack that values files describe, and which files belong to which instance.

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::formats::cidr;
use crate::formats::ip::IpRange;
use crate::krm::Resource;
use crate::model::network::Pool;
use crate::model::network::net_configs::NetConfig;

#[derive(Debug, Default)]
pub struct Instances {
    namespaces: Vec<String>,
    subnets: Ranges,
    pools: Ranges,
}

/// Ranges that do not overlap, except with those of another instance, and the positions of their instances.
type Ranges = BTreeMap<IpRange, Vec<usize>>;

impl Instances {
    /// The namespace of the next instance. Most files leave it to kustomize. Then it is a name that no namespace can
    /// have and no other instance has.
    pub fn namespace_of(&self, file: &Resource) -> String {
        let given = file.id().namespace.clone();
        given.unwrap_or_else(|| format!("{} #{}", file.id().name, self.next_number()))
    }

    /// The number of the next instance, from 1.
    pub fn next_number(&self) -> usize {
        self.namespaces.len() + 1
    }

    pub fn add(&mut self, namespace: String, net_config: &NetConfig, pools: &[Pool]) {
        let position = self.namespaces.len();
        self.namespaces.push(namespace);
        let subnets = net_config.networks.iter().flat_map(|network| &network.subnets);
        for range in subnets.filter_map(|subnet| Some(subnet.cidr.as_ref()?.value.range())) {
            self.subnets.entry(range).or_default().push(position);
        }
        for range in pools.iter().flat_map(Pool::ranges) {
            self.pools.entry(range).or_default().push(position);
        }
    }

    /// The namespace of the instance that a file belongs to: its own, that of the only instance, or that of the instance
    /// whose ranges contain most of its addresses. None if that is not certain.
    pub fn find(&self, file: &Resource, addresses: impl Iterator<Item = IpAddr>) -> Option<String> {
        if file.id().namespace.is_some() {
            return file.id().namespace.clone();
        }
        if let [only] = self.namespaces.as_slice() {
            return Some(only.clone());
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for ip in addresses {
            for instance in [&self.subnets, &self.pools].into_iter().flat_map(|ranges| at(ranges, ip)) {
                *counts.entry(*instance).or_default() += 1;
            }
        }
        let most = counts.values().max()?;
        let mut best = counts.iter().filter(|(_, count)| *count == most).map(|(instance, _)| *instance);
        match (best.next(), best.next()) {
            (Some(instance), None) => self.namespaces.get(instance).cloned(),
            _ => None,
        }
    }
}

/// The instances whose ranges contain an address. Only the last range that begins before it can.
fn at(ranges: &Ranges, ip: IpAddr) -> &[usize] {
    let Ok(alone) = cidr::between(ip, ip) else { return &[] };
    let before = ranges.range(..=alone).next_back();
    before.filter(|(range, _)| range.contains(ip)).map_or(&[], |(_, instances)| instances)
}
