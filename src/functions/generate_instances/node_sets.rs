//! The node sets of the instances: copies of a template, and the hosts that `computes` lists.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::plan::{Compute, Instance, instance_path};
use super::templates::{self, TemplateField};
use super::{Fleet, Only};
use crate::checks::rules;
use crate::functions::copies;
use crate::krm::{Fault, Resource, Results, quoted};
use crate::platform::dataplane;
use crate::platform::network_plan::{NetworkName, OF_COMPUTES, SUBNET_NAME};
use crate::platform::openstack::NODE_SET;

impl Fleet {
    /// Copies of the template for instances that have compute nodes and no node set.
    pub fn copied_node_sets(&self, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        let name = self.node_set.as_deref().filter(|_| self.only != Only::Nodes);
        let Some(name) = name else { return Ok(Vec::new()) };
        let field = TemplateField { kind: NODE_SET, name, path: "spec.nodeSet.template" };
        let template = self.find_template(field, given)?;
        let mut copies = Vec::new();
        for instance in self.without(NODE_SET, given) {
            if instance.computes.is_empty() {
                continue;
            }
            let mut copy = templates::copy_to(&copies::copy(template)?, instance)?;
            let model = host_model(template)?;
            let hosts = instance
                .computes
                .iter()
                .map(|compute| (compute.name.clone(), host(compute, instance, &model)));
            copy.set(&dataplane::node_list(), Value::Object(Map::from_iter(hosts)))?;
            self.replace_ssh_ranges(&mut copy, template, instance)?;
            copies.push(copy);
        }
        Ok(copies)
    }

    /// The firewall of compute nodes accepts SSH only from these ranges: the control plane network of the template
    /// becomes that of the instance.
    fn replace_ssh_ranges(
        &self,
        copy: &mut Resource,
        template: &Resource,
        instance: &Instance,
    ) -> Result<(), Fault> {
        let namespace = template.id().namespace.as_deref();
        let owner = self.instances.iter().find(|other| namespace == Some(other.namespace.as_str()));
        let old = owner.and_then(|owner| owner.network(NetworkName::Ctlplane));
        let new = instance.network(NetworkName::Ctlplane);
        let Some((old, new)) = old.zip(new) else { return Ok(()) };
        let path = dataplane::ansible_variable(dataplane::node_template(), dataplane::SSH_RANGES);
        let Some(Value::Array(mut ranges)) = copy.value(&path)? else { return Ok(()) };
        let old = json!(old.subnet.value.to_string());
        for range in ranges.iter_mut().filter(|range| **range == old) {
            *range = json!(new.subnet.value.to_string());
        }
        copy.set(&path, ranges)
    }

    /// Adds hosts that the node sets of the instances lack.
    pub fn update_node_sets(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let mut by_namespace: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, item) in items.iter().enumerate().filter(|(_, item)| item.is(NODE_SET)) {
            if let Some(namespace) = &item.id().namespace {
                by_namespace.entry(namespace.clone()).or_default().push(position);
            }
        }
        for instance in self.rendered().filter(|instance| !instance.computes.is_empty()) {
            let own = by_namespace.get(&instance.namespace).cloned().unwrap_or_default();
            let mut missing = Vec::new();
            for compute in &instance.computes {
                if !is_there(compute, &own, items, results)? {
                    missing.push(compute);
                }
            }
            if missing.is_empty() {
                continue;
            }
            let Some(target) = self.target(instance, &own, items, results) else { continue };
            let model = host_model(&items[target])?;
            for compute in missing {
                let path = dataplane::node_list().key(compute.name.clone());
                items[target].set(&path, host(compute, instance, &model))?;
            }
        }
        Ok(())
    }

    /// The node set that gets new hosts.
    fn target(
        &self,
        instance: &Instance,
        own: &[usize],
        items: &[Resource],
        results: &mut Results,
    ) -> Option<usize> {
        let is_named = |position: &&usize| Some(&items[**position].id().name) == self.node_set.as_ref();
        let message = match own {
            [only] => return Some(*only),
            [] => format!(
                "the namespace {} has no OpenStackDataPlaneNodeSet among the resources for these hosts; add one, or name a \
                 template in `spec.nodeSet`. kustomize passes no resources to functions under `generators:`",
                quoted(&instance.namespace)
            ),
            several => match several.iter().find(is_named) {
                Some(named) => return Some(*named),
                None => format!(
                    "the namespace {} has several node sets; name the one for these hosts in `spec.nodeSet.template`",
                    quoted(&instance.namespace)
                ),
            },
        };
        let path = instance_path(instance.position).key("computes");
        results.error(&rules::NO_MATCH, message).in_config(path);
        None
    }
}

/// Whether a node set of the instance has a host. Reports another address.
fn is_there(
    compute: &Compute,
    own: &[usize],
    items: &[Resource],
    results: &mut Results,
) -> Result<bool, Fault> {
    for set in own.iter().map(|position| &items[*position]) {
        let path = dataplane::node_list().key(compute.name.clone());
        let Some(host) = set.value(&path)? else { continue };
        let path = path.key("ansible").key("ansibleHost");
        let there = host.pointer("/ansible/ansibleHost").and_then(Value::as_str);
        let there = there.and_then(|text| text.parse().ok());
        if there.is_some_and(|there: std::net::IpAddr| there != compute.address.value) {
            let message = format!(
                "the host has another address than {} (`{}`); correct one of them",
                compute.address.value,
                compute.address.source.path()
            );
            results.error(&rules::INSTANCE_CONFLICT, message).field(set, &path);
        }
        return Ok(true);
    }
    Ok(false)
}

/// The networks of the hosts of a node set: those of its first host or of its template, or else those of the samples.
fn host_model(set: &Resource) -> Result<Vec<Value>, Fault> {
    let hosts = set.value(&dataplane::node_list())?;
    let of_host = hosts.as_ref().and_then(Value::as_object).and_then(|hosts| {
        hosts.values().find_map(|host| host.get("networks").and_then(Value::as_array).cloned())
    });
    let of_template = set.value(&dataplane::node_template().key("networks"))?;
    let of_template = of_template.and_then(|networks| networks.as_array().cloned());
    Ok(of_host.or(of_template).unwrap_or_else(|| OF_COMPUTES.map(network_of_samples).to_vec()))
}

fn network_of_samples(name: NetworkName) -> Value {
    let mut network = json!({"name": name.as_str(), "subnetName": SUBNET_NAME});
    if name == NetworkName::Ctlplane {
        network["defaultRoute"] = json!(true);
    }
    network
}

/// A host with its fixed address, on those networks of the model that the instance has.
fn host(compute: &Compute, instance: &Instance, model: &[Value]) -> Value {
    let address = compute.address.value.to_string();
    let is_named = |network: &Value, name: &str| {
        network.get("name").and_then(Value::as_str).is_some_and(|there| there.eq_ignore_ascii_case(name))
    };
    let exists = |network: &&Value| {
        let mut of_computes = instance.networks.iter().filter(|own| !own.allocate.is_empty());
        of_computes.any(|own| is_named(network, own.name.as_str()))
    };
    let mut networks: Vec<Value> = model.iter().filter(exists).cloned().collect();
    for network in networks.iter_mut().filter_map(Value::as_object_mut) {
        network.shift_remove("fixedIP");
    }
    let control_plane = NetworkName::Ctlplane;
    if !networks.iter().any(|network| is_named(network, control_plane.as_str())) {
        networks.insert(0, network_of_samples(control_plane));
    }
    if let Some(network) = networks.iter_mut().find(|network| is_named(network, control_plane.as_str())) {
        network["fixedIP"] = json!(address);
    }
    json!({"hostName": compute.name, "ansible": {"ansibleHost": address}, "networks": networks})
}
