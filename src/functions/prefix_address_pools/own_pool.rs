//! One pool of the instance.

use std::net::IpAddr;

use crate::formats::ip::{Family, IpList, IpRange};
use crate::krm::{FieldPath, quoted};
use crate::model::ItemId;

/// A pool of the instance.
#[derive(Debug)]
pub struct OwnPool {
    /// Its name without the prefix.
    pub base: String,
    /// None if the pool is not in the package.
    pub item: Option<ItemId>,
    /// The ranges that are known. Empty if the pool is not in the package.
    pub ranges: Vec<IpRange>,
    /// The addresses that the functionConfig gives to its services.
    pub given: Option<IpList>,
    /// The field of the functionConfig that sets these addresses.
    pub field: FieldPath,
}

impl OwnPool {
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.ranges.iter().any(|range| range.contains(ip))
    }

    /// The addresses of the pool with the same host number.
    pub fn same_hosts(&self, ip: IpAddr) -> impl Iterator<Item = IpAddr> {
        self.ranges.iter().filter_map(move |range| range.same_host(ip))
    }

    pub fn is_known(&self) -> bool {
        !self.ranges.is_empty()
    }

    pub fn has_family(&self, family: Family) -> bool {
        self.ranges.iter().any(|range| range.family() == family)
    }

    /// The name and the ranges, for messages.
    pub fn describe(&self) -> String {
        let ranges: Vec<String> = self.ranges.iter().map(ToString::to_string).collect();
        let ranges = if ranges.is_empty() { String::new() } else { format!(" ({})", ranges.join(", ")) };
        format!("the pool {}{ranges}", quoted(&self.base))
    }
}

/// The field that sets the addresses of a pool's services.
pub fn addresses_field(base: &str) -> FieldPath {
    FieldPath::new("spec.addresses").key(base.to_owned())
}
