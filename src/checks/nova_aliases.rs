//! The PCI aliases in the configuration of Nova's API and of the compute nodes.

use indexmap::IndexMap;

use super::{gpu_alias, rules};
use crate::krm::{Resource, Results, Rule};
use crate::model::Model;
use crate::model::nova_config::{ConfigText, NovaConfig, PciOption};
use crate::platform::gpu;
use crate::platform::nova::DeviceType;

/// Every text of configuration: first that of the API, which the compute nodes must agree with.
fn texts(config: &NovaConfig) -> impl Iterator<Item = &ConfigText> {
    config.api.iter().flatten().chain(&config.computes)
}

/// An alias with vendor and product, which the API and the compute nodes repeat.
type Alias = (String, String, String, Option<DeviceType>);

/// The aliases of a namespace with the places where they occur.
fn aliases(config: &NovaConfig) -> IndexMap<Alias, Vec<&PciOption>> {
    let mut aliases: IndexMap<Alias, Vec<&PciOption>> = IndexMap::new();
    for option in texts(config).flat_map(|text| &text.aliases) {
        let spec = &option.spec;
        if let (Some(name), Some(vendor), Some(product)) = (spec.name(), spec.vendor(), spec.product()) {
            let alias = (name.to_owned(), vendor, product, spec.device_type());
            aliases.entry(alias).or_default().push(option);
        }
    }
    aliases
}

/// Reports aliases whose name is that of another GPU.
pub fn names(model: &Model<'_>, results: &mut Results) {
    for config in model.nova_configs.values() {
        for ((name, vendor, product, _), places) in aliases(config) {
            if let Some(message) = gpu_alias::alias_name(&name, &vendor, &product) {
                report(&rules::ALIAS_NAME, message, &places, model.items(), results);
            }
        }
    }
}

/// Reports device types that the GPU has neither on the host itself nor in a virtual machine.
pub fn device_types(model: &Model<'_>, results: &mut Results) {
    for config in model.nova_configs.values() {
        for ((_, vendor, product, device_type), places) in aliases(config) {
            let (Some(gpu), Some(given)) = (gpu::by_ids(&vendor, &product), device_type) else { continue };
            let in_virtual_machine = gpu_alias::device_type(gpu, given, true);
            let on_host = gpu_alias::device_type(gpu, given, false).filter(|_| in_virtual_machine.is_some());
            if let Some(message) = on_host {
                report(&rules::DEVICE_TYPE, message, &places, model.items(), results);
            }
        }
    }
}

fn report(
    rule: &'static Rule,
    message: String,
    places: &[&PciOption],
    items: &[Resource],
    results: &mut Results,
) {
    let Some((first, others)) = places.split_first() else { return };
    let finding = results.warning(rule, message).at(first.location(items));
    for other in others {
        finding.related(other.location(items), "the same alias");
    }
}
