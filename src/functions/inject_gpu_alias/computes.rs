//! The compute side: the node sets whose hosts have the GPUs.

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::device::{self, Device};
use super::{InjectGpuAlias, Target, placement, services};
use crate::formats::dns;
use crate::formats::ini::{Ini, IniOption};
use crate::formats::kernel_args::{self, Wanted};
use crate::formats::pci::PciAddress;
use crate::krm::{BadField, Fault, FieldPath, Resource, Results, did_you_mean, position, quoted};
use crate::platform::nova::{self, DeviceType, PciAlias};
use crate::platform::{dataplane, kubernetes, openstack};

/// A node set, and what is special there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Compute {
    /// The name of the OpenStackDataPlaneNodeSet.
    node_set: String,
    /// The aliases of the GPUs that its hosts have, by name; by default all.
    aliases: Option<Vec<String>>,
    /// Where the GPUs sit: `0000:65:00.0`, with `*` for any domain, bus, slot or function. By default every
    /// device with the ids is for guests.
    #[serde(default)]
    addresses: Vec<PciAddress>,
    /// Nova's cell of the node set: by default that of its service, which is `cell1` for the stock one.
    cell: Option<String>,
    /// Whose IOMMU the hosts have; `none` leaves kernel arguments alone.
    #[serde(default)]
    iommu: Iommu,
    /// The service that is made in place of `nova`; by default `nova-custom-<nodeSet>`.
    service: Option<String>,
    /// The ConfigMap that is made; by default `<nodeSet>-nova`.
    config_map: Option<String>,
    /// Its key, a file name. Nova sees only `*nova*.conf`.
    #[serde(default = "default_key")]
    key: String,
}

fn default_key() -> String {
    "03-gpu-nova.conf".to_owned()
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Iommu {
    #[default]
    Intel,
    Amd,
    None,
}

impl InjectGpuAlias {
    pub(super) fn check_computes(&self) -> Result<(), BadField> {
        let names: Vec<&str> = self.aliases.iter().map(|alias| alias.name.as_str()).collect();
        let devices = self.devices();
        let mut taken: HashMap<(&str, String), usize> = HashMap::new();
        for (i, compute) in self.computes.iter().enumerate() {
            let bad = |(field, message)| BadField::new(format!("computes[{i}].{field}"), message);
            compute.check(&names, &devices).map_err(bad)?;
            let own = [
                ("nodeSet", compute.node_set.clone()),
                ("configMap", compute.config_map()),
                ("service", compute.service()),
            ];
            for (field, name) in own {
                let message = format!("{} is taken already", quoted(&name));
                if let Some(first) = taken.insert((field, name), i) {
                    return Err(bad((field.to_owned(), format!("{message}, by `spec.computes[{first}]`"))));
                }
            }
        }
        Ok(())
    }

    /// The node sets of `computes`, by their place among the items.
    pub(super) fn node_sets(&self, items: &[Resource]) -> Result<Vec<(&Compute, usize)>, Fault> {
        let in_reach = |item: &Resource| {
            item.is(openstack::NODE_SET)
                && self.target.as_ref().is_none_or(|target: &Target| target.is_of_namespace(item))
        };
        let mut found = Vec::new();
        for (i, compute) in self.computes.iter().enumerate() {
            let before = found.len();
            let named = |item: &Resource| in_reach(item) && item.id().name == compute.node_set;
            found.extend(
                items.iter().enumerate().filter(|(_, item)| named(item)).map(|(at, _)| (compute, at)),
            );
            if found.len() == before {
                let there: Vec<String> = items
                    .iter()
                    .filter(|item| in_reach(item))
                    .map(|item| quoted(item.id().qualified_name()))
                    .collect();
                let there = if there.is_empty() {
                    "there is none".to_owned()
                } else {
                    format!("there is {}", there.join(", "))
                };
                let name = quoted(&compute.node_set);
                let message = format!(
                    "`spec.computes[{i}]`: no OpenStackDataPlaneNodeSet {name} among the resources; {there}"
                );
                return Err(Fault::new("no-match", message));
            }
        }
        Ok(found)
    }

    /// Sets up one node set. What was missing has been made.
    pub(super) fn set_up(
        &self,
        compute: &Compute,
        devices: &[Device],
        items: &mut [Resource],
        at: usize,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let devices = compute.devices(devices);
        let namespace = items[at].id().namespace.clone();
        if let Some(map) =
            position(items, kubernetes::CONFIG_MAP, namespace.as_deref(), &compute.config_map())
        {
            self.write_config(compute, &devices, &mut items[map], results)?;
        }
        if let Some(service) = services::put_in_place(&compute.service(), items, at, results)? {
            if let Some(wanted) = compute.service.as_ref().filter(|name| **name != items[service].id().name) {
                let message = format!(
                    "the node set has a service of its own, {}, which gets the GPUs; {} is not made",
                    quoted(&items[service].id().name),
                    quoted(wanted)
                );
                results.warning("own-service", message).field(&items[at], &dataplane::services());
            }
            let is_ours =
                |set: &Resource| self.computes.iter().any(|compute| compute.node_set == set.id().name);
            services::check_sharing(service, items, at, is_ours, results)?;
            services::add_config_map(&compute.config_map(), &mut items[service])?;
            services::check_cell(compute.cell.as_deref(), service, items, results)?;
            services::check_files(service, items, results)?;
        }
        compute.set_kernel_args(&devices, items, at, results)
    }

    /// Writes what a compute reads, its devices and the same aliases as the API, into what is there.
    fn write_config(
        &self,
        compute: &Compute,
        devices: &[&Device],
        map: &mut Resource,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let path = FieldPath::new("data").key(compute.key.clone());
        let mut text: String = map.get(&path)?.unwrap_or_default();
        for device in devices {
            let any = [None];
            let some: Vec<_> = compute.addresses.iter().map(Some).collect();
            for address in if some.is_empty() { &any[..] } else { &some } {
                text = with_device_spec(&text, &device.spec(*address));
            }
        }
        for device in devices {
            text = self.with_alias(device, text, map, &path, results);
        }
        if self.placement {
            text = placement::with_option(nova::REPORT_IN_PLACEMENT, text, self.replace, map, &path, results);
        }
        if self.replace {
            text = without_stray_devices(&text);
        }
        map.set(&path, text)
    }

    /// The ConfigMap and the service that are not there yet.
    pub(super) fn missing(
        &self,
        compute: &Compute,
        node_set: &Resource,
        given: &[Resource],
    ) -> Result<Vec<Resource>, Fault> {
        let namespace = node_set.id().namespace.as_deref();
        let (config_map, service) = (compute.config_map(), compute.service());
        let mut made = Vec::new();
        if position(given, kubernetes::CONFIG_MAP, namespace, &config_map).is_none() {
            made.push(Resource::new(&json!({
                "apiVersion": "v1",
                "kind": kubernetes::CONFIG_MAP.kind,
                "metadata": kubernetes::metadata(&config_map, namespace),
            }))?);
        }
        let is_wanted =
            dataplane::services_of(node_set)?.iter().any(|name| *name == service || name == dataplane::NOVA);
        if is_wanted && position(given, openstack::DATA_PLANE_SERVICE, namespace, &service).is_none() {
            // One of the user's own that is named like the stock one is what ours must be like.
            let stock = position(given, openstack::DATA_PLANE_SERVICE, namespace, dataplane::NOVA);
            let like = stock.map(|at| given[at].value(&FieldPath::new("spec"))).transpose()?.flatten();
            let cell = compute.cell.as_deref().unwrap_or(dataplane::NOVA_CELL);
            made.push(Resource::new(&json!({
                "apiVersion": "dataplane.openstack.org/v1beta1",
                "kind": openstack::DATA_PLANE_SERVICE.kind,
                "metadata": kubernetes::metadata(&service, namespace),
                "spec": like.unwrap_or_else(|| dataplane::nova_service(cell, &config_map)),
            }))?);
        }
        Ok(made)
    }
}

impl Compute {
    /// A field and what is wrong with it, if anything.
    fn check(&self, names: &[&str], devices: &[Device]) -> Result<(), (String, String)> {
        let bad = |field: &str, message: String| Err((field.to_owned(), message));
        if self.aliases.as_ref().is_some_and(Vec::is_empty) {
            return bad("aliases", "must name at least one alias; without it, all are meant".to_owned());
        }
        let mut unknown = self.aliases.iter().flatten().enumerate();
        if let Some((j, name)) = unknown.find(|(_, name)| !names.contains(&name.as_str())) {
            let hint = did_you_mean(name, names.iter().copied());
            let hint = hint.map(|close| format!("; did you mean {}?", quoted(close))).unwrap_or_default();
            let message = format!("there is no alias {} in `spec.aliases`{hint}", quoted(name));
            return bad(&format!("aliases[{j}]"), message);
        }
        if let Some((card, part)) = device::card_and_part(&self.devices(devices)) {
            let message = format!(
                "the alias {} is for whole cards and {} for their virtual functions: Nova refuses to offer both on one host",
                quoted(card),
                quoted(part)
            );
            return bad("aliases", message);
        }
        let is_file_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !self.key.chars().all(is_file_name) {
            let message = format!(
                "must be a file name of letters, digits, `-`, `_` and `.`, got {}",
                quoted(&self.key)
            );
            return bad("key", message);
        }
        if !dataplane::is_seen_by_nova(&self.key) || !self.key.ends_with(".conf") {
            let message =
                format!("must match `*nova*.conf`, or Nova will not see it, got {}", quoted(&self.key));
            return bad("key", message);
        }
        let service = self.service();
        if dataplane::is_stock(&service) {
            let message = format!(
                "{} is a stock service, which the operator writes itself; choose another name",
                quoted(service)
            );
            return bad("service", message);
        }
        for (field, name) in [("service", service), ("configMap", self.config_map())] {
            if !dns::is_subdomain(&name) {
                let message =
                    format!("must be a name of lower case letters, digits and hyphens, got {}", quoted(name));
                return bad(field, message);
            }
        }
        match self.cell.as_deref() {
            Some("cell0") => bad("cell", "cell0 has no computes".to_owned()),
            Some(cell) if !dns::is_label(cell) => {
                bad("cell", format!("must be the name of a cell, got {}", quoted(cell)))
            }
            _ => Ok(()),
        }?;
        Ok(())
    }

    fn service(&self) -> String {
        self.service.clone().unwrap_or_else(|| format!("nova-custom-{}", self.node_set))
    }

    fn config_map(&self) -> String {
        self.config_map.clone().unwrap_or_else(|| format!("{}-nova", self.node_set))
    }

    fn devices<'d>(&self, devices: &'d [Device]) -> Vec<&'d Device> {
        let wanted =
            |device: &&Device| self.aliases.as_ref().is_none_or(|names| names.contains(&device.name));
        devices.iter().filter(wanted).collect()
    }

    /// Keeps the host's drivers away from the GPUs, in what is set for all nodes and for single ones.
    fn set_kernel_args(
        &self,
        devices: &[&Device],
        items: &mut [Resource],
        at: usize,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let mut wanted = match self.iommu {
            Iommu::Intel => vec![Wanted::On("intel_iommu")],
            Iommu::Amd => vec![Wanted::On("amd_iommu")],
            Iommu::None => return Ok(()),
        };
        wanted.push(Wanted::Default("iommu", "pt"));
        // The driver of a card makes its virtual functions, so the card is left to it.
        let whole = devices.iter().filter(|device| device.device_type != DeviceType::VirtualFunction);
        let ids: BTreeSet<String> = whole.map(|device| device.ids()).collect();
        let (ids, driver) = (Vec::from_iter(ids), ["vfio-pci".to_owned()]);
        if !ids.is_empty() {
            wanted.push(Wanted::Members("vfio-pci.ids", &ids));
            wanted.push(Wanted::Members("rd.driver.pre", &driver));
        }
        for path in kernel_args_of(items, at)? {
            let there: Option<String> = items[at].get(&path)?;
            let text = match there {
                Some(text) => text,
                None => kernel_args_from_elsewhere(items, at, &path)?.unwrap_or_default(),
            };
            match kernel_args::merge(&text, &wanted) {
                Ok(text) => items[at].set(&path, text)?,
                Err(conflict) => {
                    let message = format!(
                        "`{}` is in the way of `{}`, without which no GPU can be passed through",
                        conflict.there, conflict.wanted
                    );
                    results.error("kernel-args", message).field(&items[at], &path).current(text);
                }
            }
        }
        Ok(())
    }
}

/// Where kernel arguments must be set: for all nodes, and for each node that has its own.
fn kernel_args_of(items: &[Resource], at: usize) -> Result<Vec<FieldPath>, Fault> {
    let mut paths = vec![dataplane::kernel_args(dataplane::node_template())];
    for node in items[at].fields(&dataplane::nodes())? {
        let path = dataplane::kernel_args(node);
        let is_own = items[at].get::<String>(&path)?.is_some()
            || kernel_args_from_elsewhere(items, at, &path)?.is_some();
        paths.extend(is_own.then_some(path));
    }
    Ok(paths)
}

/// Kernel arguments that come from a ConfigMap: what is set beside it takes their place.
fn kernel_args_from_elsewhere(
    items: &[Resource],
    at: usize,
    path: &FieldPath,
) -> Result<Option<String>, Fault> {
    let sources = dataplane::vars_from(path.clone());
    let mut found = None;
    for source in items[at].fields(&sources)? {
        let prefix: String = items[at].get(&source.clone().key("prefix"))?.unwrap_or_default();
        let name: Option<String> = items[at].get(&source.key("configMapRef").key("name"))?;
        let map = name.and_then(|name| {
            position(items, kubernetes::CONFIG_MAP, items[at].id().namespace.as_deref(), &name)
        });
        if let (Some(map), Some(key)) = (map, dataplane::KERNEL_ARGS.strip_prefix(prefix.as_str())) {
            found = items[map].get(&FieldPath::new("data").key(key))?.or(found);
        }
    }
    Ok(found)
}

/// The text with a `device_spec`, unless it is there, however it is written.
fn with_device_spec(text: &str, spec: &PciAlias) -> String {
    let ini = Ini::parse(text);
    let (section, key) = nova::DEVICE_SPEC;
    let is_there = ini.all(section, key).any(|option| PciAlias::parse(&option.value).as_ref() == Some(spec));
    if is_there { text.to_owned() } else { ini.with_option(section, key, &spec.to_string()) }
}

/// The text without devices that no alias in it is for: what an alias that was replaced left behind.
fn without_stray_devices(text: &str) -> String {
    let ini = Ini::parse(text);
    let read = |option: &IniOption| PciAlias::parse(&option.value);
    let aliases: Vec<PciAlias> = ini.all(nova::ALIAS.0, nova::ALIAS.1).filter_map(read).collect();
    let stray: Vec<&IniOption> = ini
        .all(nova::DEVICE_SPEC.0, nova::DEVICE_SPEC.1)
        .filter(|option| {
            read(option).is_some_and(|spec| !aliases.iter().any(|a| a.is_for_same_device(&spec)))
        })
        .collect();
    ini.without(&stray)
}
