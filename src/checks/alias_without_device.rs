//! PCI aliases that no compute node can satisfy, and devices that no alias requests.

mod devices;

use std::collections::{HashMap, HashSet, VecDeque};

use indexmap::{IndexMap, IndexSet};

use self::devices::{ById, Devices, Ids};
use super::rules;
use crate::krm::{Resource, Results, quoted};
use crate::model::Model;
use crate::model::nova_config::{NovaConfig, PciOption};
use crate::platform::gpu;
use crate::platform::nova::DeviceType;

/// Compares the aliases of Nova's API with the configuration of the compute nodes, where both are among the resources.
pub fn alias_without_device(model: &Model<'_>, results: &mut Results) {
    for config in model.nova_configs.values() {
        let Some(api) = config.api.as_ref().filter(|_| !config.computes.is_empty()) else { continue };
        let aliases = Devices::new(api.iter().flat_map(|text| &text.aliases));
        let specs = config.computes.iter().flat_map(|text| &text.device_specs);
        let specs = Devices::new(specs.filter(|option| !option.spec.is_for_neutron()));
        let mut comparison = Comparison {
            items: model.items(),
            unmatched_aliases: aliases.without(&specs),
            unmatched_specs: specs.without(&aliases),
            aliases,
            specs,
        };
        comparison.swapped_ids(results);
        let (has_all_aliases, has_all_devices) = (config.has_all_aliases(), config.has_all_devices());
        if has_all_aliases && has_all_devices {
            comparison.mistaken_ids(results);
        }
        if has_all_devices {
            comparison.aliases_without_device(config, results);
        }
        if has_all_aliases {
            comparison.devices_without_alias(config, results);
        }
        device_types(config, model.items(), results);
    }
}

struct Comparison<'m> {
    items: &'m [Resource],
    aliases: Devices<'m>,
    specs: Devices<'m>,
    unmatched_aliases: ById<'m>,
    unmatched_specs: ById<'m>,
}

impl Comparison<'_> {
    /// Reports aliases and devices that would match if vendor and product changed places.
    fn swapped_ids(&mut self, results: &mut Results) {
        let swapped = |(vendor, product): &Ids| (product.clone(), vendor.clone());
        let specs = self.unmatched_specs.keys().map(swapped);
        let requested: IndexSet<Ids> = self.unmatched_aliases.keys().cloned().chain(specs).collect();
        for ids in &requested {
            let offered = swapped(ids);
            let (Some(aliases), Some(specs)) = (self.aliases.exact.get(ids), self.specs.exact.get(&offered))
            else {
                continue;
            };
            let (alias, spec) = (aliases[0], specs[0]);
            let message = format!(
                "vendor and product are swapped: the alias {} requests {}, but the compute nodes offer {}; correct one of them",
                name(alias),
                written(ids),
                written(&offered)
            );
            let is_alias_wrong = gpu::vendor_name(&ids.0).is_none();
            let (wrong, right) = if is_alias_wrong { (alias, spec) } else { (spec, alias) };
            let finding = results.error(&rules::ALIAS_WITHOUT_DEVICE, message).at(wrong.location(self.items));
            finding.related(right.location(self.items), "the other one");
        }
        self.unmatched_aliases.retain(|ids, _| !self.specs.exact.contains_key(&swapped(ids)));
        self.unmatched_specs.retain(|ids, _| !self.aliases.exact.contains_key(&swapped(ids)));
    }

    /// Reports an alias without a device together with a device of the same vendor without an alias: most likely, one of
    /// them has the wrong product id.
    fn mistaken_ids(&mut self, results: &mut Results) {
        let mut specs_of: HashMap<&str, VecDeque<&Ids>> = HashMap::new();
        for ids in self.unmatched_specs.keys() {
            specs_of.entry(&ids.0).or_default().push_back(ids);
        }
        let mut mistaken: HashSet<Ids> = HashSet::new();
        for (ids, aliases) in &self.unmatched_aliases {
            let offered = specs_of.get_mut(ids.0.as_str()).and_then(VecDeque::pop_front);
            let Some((offered, specs)) = offered.and_then(|ids| self.unmatched_specs.get_key_value(ids))
            else {
                continue;
            };
            let message = format!(
                "no compute node offers {}, which the alias {} requests; they offer {}, which no alias requests; correct \
                 one of them",
                described(ids),
                name(aliases[0]),
                described(offered)
            );
            let location = aliases[0].location(self.items);
            let finding = results.error(&rules::ALIAS_WITHOUT_DEVICE, message).at(location);
            for spec in one_of_each_text(specs) {
                finding.related(spec.location(self.items), "the devices of the compute nodes");
            }
            mistaken.extend([ids.clone(), offered.clone()]);
        }
        self.unmatched_aliases.retain(|ids, _| !mistaken.contains(ids));
        self.unmatched_specs.retain(|ids, _| !mistaken.contains(ids));
    }

    fn aliases_without_device(&self, config: &NovaConfig, results: &mut Results) {
        for (ids, aliases) in &self.unmatched_aliases {
            let message = format!(
                "no compute node among the resources offers {}, so no guest can use the alias {}; add a `[pci] \
                 device_spec` to the configuration of its node set",
                described(ids),
                name(aliases[0])
            );
            let finding =
                results.warning(&rules::ALIAS_WITHOUT_DEVICE, message).at(aliases[0].location(self.items));
            if let Some(text) = config.computes.first() {
                finding.related(text.site.location(self.items), "the configuration of compute nodes");
            }
        }
    }

    fn devices_without_alias(&self, config: &NovaConfig, results: &mut Results) {
        for (ids, specs) in &self.unmatched_specs {
            let message = format!(
                "no alias of Nova's API requests {}, so no guest can use these devices; add an alias to the control \
                 plane",
                described(ids)
            );
            let finding =
                results.warning(&rules::ALIAS_WITHOUT_DEVICE, message).at(specs[0].location(self.items));
            for other in one_of_each_text(specs).skip(1) {
                finding.related(other.location(self.items), "the same devices");
            }
            if let Some(text) = config.api.iter().flatten().next() {
                finding.related(text.site.location(self.items), "the configuration of Nova's API");
            }
        }
    }
}

/// Reports aliases whose device type on the compute nodes is not that of Nova's API.
fn device_types(config: &NovaConfig, items: &[Resource], results: &mut Results) {
    let mut of_api: HashMap<Alias, Vec<&PciOption>> = HashMap::new();
    for option in config.api.iter().flatten().flat_map(|text| &text.aliases) {
        of_api.entry(Alias::of(option)).or_default().push(option);
    }
    let mut of_computes: IndexMap<(Alias, Option<DeviceType>), Vec<&PciOption>> = IndexMap::new();
    for option in config.computes.iter().flat_map(|text| &text.aliases) {
        of_computes.entry((Alias::of(option), option.spec.device_type())).or_default().push(option);
    }
    for ((alias, device_type), options) in of_computes {
        let Some(same) = of_api.get(&alias) else { continue };
        if same.iter().any(|option| option.spec.device_type() == device_type) {
            continue;
        }
        let message = format!(
            "the alias {} is {} here and {} in Nova's API; use the same `device_type` in both",
            name(options[0]),
            type_name(device_type),
            type_name(same[0].spec.device_type())
        );
        let finding = results.error(&rules::ALIAS_WITHOUT_DEVICE, message).at(options[0].location(items));
        finding.related(same[0].location(items), "the alias of Nova's API");
        for other in &options[1..] {
            finding.related(other.location(items), "the same alias");
        }
    }
}

/// What identifies an alias on both sides.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alias {
    name: String,
    vendor: Option<String>,
    product: Option<String>,
}

impl Alias {
    fn of(option: &PciOption) -> Self {
        let name = option.spec.name().unwrap_or_default().to_owned();
        Alias { name, vendor: option.spec.vendor(), product: option.spec.product() }
    }
}

fn type_name(device_type: Option<DeviceType>) -> String {
    device_type.map_or_else(|| "of any type".to_owned(), |device_type| device_type.to_string())
}

/// The name of an alias, for messages.
fn name(alias: &PciOption) -> String {
    quoted(alias.spec.name().unwrap_or_default())
}

fn written((vendor, product): &Ids) -> String {
    format!("{vendor}:{product}")
}

/// The ids with the GPU that has them.
fn described(ids: &Ids) -> String {
    match gpu::by_ids(&ids.0, &ids.1) {
        Some(gpu) => format!("{} ({})", written(ids), gpu.name),
        None => written(ids),
    }
}

/// The first option of each text.
fn one_of_each_text<'o>(options: &'o [&'o PciOption]) -> impl Iterator<Item = &'o PciOption> {
    let is_new = |(index, option): &(usize, &&PciOption)| {
        index.checked_sub(1).is_none_or(|before| !options[before].is_beside(option))
    };
    options.iter().enumerate().filter(is_new).map(|(_, option)| *option)
}
