//! The compute side: the node sets whose hosts have the GPUs.

use crate::checks::rules;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::device::{self, Device};
use super::device_spec;
use super::kernel::Iommu;
use super::{InjectGpuAlias, Target, deployments, placement, services, sources};
use crate::formats::dns;
use crate::formats::pci::PciAddress;
use crate::krm::{BadField, Fault, FieldPath, Hint, Object, Resource, Results, position, quoted};
use crate::platform::nova::{self, PciAlias};
use crate::platform::{dataplane, kubernetes, openstack};

/// A node set, and what is special there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Compute {
    /// The name of the OpenStackDataPlaneNodeSet.
    node_set: String,
    /// The aliases of the GPUs that its hosts have, by name; by default all.
    aliases: Option<Vec<String>>,
    /// Where the GPUs for guests sit: `0000:65:00.0`, with `*` for any domain, bus, slot or function. By
    /// default all devices with the ids, unless an existing `device_spec` for these ids names fewer: it is kept
    /// and reported.
    #[serde(default)]
    addresses: Vec<PciAddress>,
    /// Nova's cell of the node set: by default that of its service, which is `cell1` for the stock one.
    cell: Option<String>,
    /// Whose IOMMU the hosts have; `none` leaves kernel arguments alone.
    #[serde(default)]
    iommu: Iommu,
    /// The service that replaces `nova`; by default `nova-custom-<nodeSet>`.
    service: Option<String>,
    /// The ConfigMap that the service reads, created if it does not exist; by default `<nodeSet>-nova`.
    config_map: Option<String>,
    /// Its key, a file name. Nova sees only `*nova*.conf`.
    #[serde(default = "default_key")]
    key: String,
}

fn default_key() -> String {
    "03-gpu-nova.conf".to_owned()
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
                    "there are none at all".to_owned()
                } else {
                    format!("there is {}", there.join(", "))
                };
                let name = quoted(&compute.node_set);
                let message =
                    format!("there is no OpenStackDataPlaneNodeSet {name} among the resources; {there}");
                return Err(Fault::new(&rules::NO_MATCH, message)
                    .in_config(FieldPath::new("spec.computes").index(i).key("nodeSet")));
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
        let service = services::put_in_place(&compute.service(), items, at, results)?;
        if let Some(map) =
            position(items, kubernetes::CONFIG_MAP, namespace.as_deref(), &compute.config_map())
        {
            self.write_config(compute, &devices, items, map, service, results)?;
        }
        if let Some(service) = service {
            if let Some(wanted) = compute.service.as_ref().filter(|name| **name != items[service].id().name) {
                let message = format!(
                    "the node set has a service of its own, {}, which gets the GPUs; {} is not made",
                    quoted(&items[service].id().name),
                    quoted(wanted)
                );
                results.warning(&rules::OWN_SERVICE, message).field(&items[at], &dataplane::services());
            }
            let is_ours =
                |set: &Resource| self.computes.iter().any(|compute| compute.node_set == set.id().name);
            services::check_sharing(service, items, at, is_ours, results)?;
            deployments::follow(&compute.service(), service, items, at, results)?;
            sources::add_config_map(&compute.config_map(), &mut items[service])?;
            sources::check_references(&items[service], results)?;
            sources::check_cell(compute.cell.as_deref(), service, items, results)?;
            sources::check_files(&compute.config_map(), service, items, results)?;
        }
        compute.iommu.set_kernel_args(&devices, items, at, results)
    }

    /// Writes what a compute reads, its devices and the same aliases as the API, into the ConfigMap.
    fn write_config(
        &self,
        compute: &Compute,
        devices: &[&Device],
        items: &mut [Resource],
        map: usize,
        service: Option<usize>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let path = FieldPath::new("data").key(compute.key.clone());
        let before: String = items[map].get(&path)?.unwrap_or_default();
        let others = match service {
            Some(service) => sources::other_device_specs(service, map, &path, items)?,
            None => Vec::new(),
        };
        let specs_of_others: Vec<PciAlias> = others.iter().map(|(_, spec)| spec.clone()).collect();
        let mut text = before.clone();
        for wanted in devices.iter().flat_map(|device| compute.device_specs(device)) {
            match device_spec::add(&wanted, &text, &specs_of_others, self.replace) {
                Ok(new) => text = new,
                Err(obstacle) => {
                    let file = obstacle.elsewhere.map(|index| &others[index].0);
                    let (item, path) = file.map_or((map, &path), |file| (file.item, &file.path));
                    let finding = results.warning(&rules::DEVICE_SPEC, obstacle.message(&wanted));
                    finding.field(&items[item], path).current(obstacle.spec.to_string());
                }
            }
        }
        let map = &mut items[map];
        for device in devices {
            text = self.with_alias(device, text, map, &path, results);
        }
        if self.placement {
            text = placement::with_option(nova::REPORT_IN_PLACEMENT, text, self.replace, map, &path, results);
        }
        if self.replace {
            text = device_spec::without_replaced(&before, &text);
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
            made.push(Object::new(kubernetes::CONFIG_MAP, &config_map).namespace(namespace).build()?);
        }
        let is_wanted =
            dataplane::services_of(node_set)?.iter().any(|name| *name == service || name == dataplane::NOVA);
        if is_wanted && position(given, openstack::DATA_PLANE_SERVICE, namespace, &service).is_none() {
            // One of the user's own that is named like the stock one is what ours must be like.
            let stock = position(given, openstack::DATA_PLANE_SERVICE, namespace, dataplane::NOVA);
            let like = stock.map(|at| given[at].value(&FieldPath::new("spec"))).transpose()?.flatten();
            let cell = compute.cell.as_deref().unwrap_or(dataplane::NOVA_CELL);
            let spec = like.unwrap_or_else(|| dataplane::nova_service(cell, &config_map));
            let new = Object::new(openstack::DATA_PLANE_SERVICE, &service).namespace(namespace);
            made.push(new.field("spec", spec).build()?);
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
            let hint = Hint::among(name, names.iter().copied()).suffix();
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
        if !dataplane::is_config_of_nova(&self.key) {
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

    /// A `device_spec` for each address that is not part of another one.
    fn device_specs(&self, device: &Device) -> Vec<PciAlias> {
        if self.addresses.is_empty() {
            return vec![device.spec(None)];
        }
        let is_part = |index: usize, address: &PciAddress| {
            let mut others = self.addresses.iter().enumerate();
            others.any(|(i, other)| other.covers(address) && (other != address || i < index))
        };
        let widest = self.addresses.iter().enumerate().filter(|(index, address)| !is_part(*index, address));
        widest.map(|(_, address)| device.spec(Some(address))).collect()
    }
}
