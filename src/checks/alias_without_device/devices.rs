//! Which devices aliases request and compute nodes offer, by vendor and product.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::model::nova_config::PciOption;

/// Vendor and product.
pub type Ids = (String, String);

/// Options with the same ids, in the order of the files.
pub type ById<'m> = IndexMap<Ids, Vec<&'m PciOption>>;

/// Options by their ids. A missing id matches any device.
#[derive(Debug, Default)]
pub struct Devices<'m> {
    /// The options with both ids.
    pub exact: ById<'m>,
    vendors: HashSet<String>,
    products: HashSet<String>,
    includes_all: bool,
}

impl<'m> Devices<'m> {
    pub fn new(options: impl Iterator<Item = &'m PciOption>) -> Self {
        let mut devices = Devices::default();
        for option in options {
            match (option.spec.vendor(), option.spec.product()) {
                (Some(vendor), Some(product)) => {
                    devices.exact.entry((vendor, product)).or_default().push(option);
                }
                (Some(vendor), None) => _ = devices.vendors.insert(vendor),
                (None, Some(product)) => _ = devices.products.insert(product),
                (None, None) => devices.includes_all = true,
            }
        }
        devices
    }

    /// Whether one of the options is, or may be, about these devices.
    pub fn may_include(&self, ids: &Ids) -> bool {
        self.includes_all
            || self.exact.contains_key(ids)
            || self.vendors.contains(&ids.0)
            || self.products.contains(&ids.1)
    }

    /// The options with both ids whose devices are not among others.
    pub fn without(&self, others: &Devices<'_>) -> ById<'m> {
        let missing = self.exact.iter().filter(|(ids, _)| !others.may_include(ids));
        missing.map(|(ids, options)| (ids.clone(), options.clone())).collect()
    }
}
