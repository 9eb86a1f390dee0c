mod autoscaling;
mod copy;
mod discovery;
mod machine;
mod market;
mod nodes;
mod rehome;
mod size;
mod template;
mod zone;

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::autoscaling::ClusterAutoscaler;
use self::discovery::Discovery;
use self::machine::{Figures, Machine};
use self::nodes::Taint;
use self::template::{Template, TemplateName};
use crate::formats::{dns, label};
use crate::krm::{BadField, Fault, FieldPath, Function, Generator, Resource, Results, Transformer, quoted};
use crate::platform::machine as machine_api;

/// Makes MachineSets for GPUs from a worker MachineSet of the cluster.
///
/// A copy has everything that is the cluster's own from its template, byte for byte: image, network,
/// security groups, credentials. New are its name `<infrastructure>-gpu-<type>-<zone>`, with selector and
/// labels to match, the size, node labels and a taint for the GPU, and what the autoscaler must know of the
/// machines, from a catalogue of instance types (`rhoso-fn explain instance`). What the API server, the
/// autoscaler, Hive or Argo CD wrote on the template is left out.
///
/// The template is the worker MachineSet of the zone that is wanted, or one of another zone with that zone
/// put in its place. MachineSets that have GPUs, a taint or another role than worker are no templates
/// unless `template` names them; so a second run finds the same templates as the first.
///
/// Machines that are not on a public cloud have no catalogue: `capacity` says what they have. OpenStack
/// takes the GPU from a flavor, vSphere from a VM template, Nutanix by its PCI id, and bare metal by labels
/// of hosts.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateMachineSets {
    /// The MachineSet to copy. Without it, the worker MachineSets among the resources serve, each for its
    /// zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<TemplateName>,
    /// The cluster's infrastructure name, for a template from another cluster: its own name is replaced
    /// wherever it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    infrastructure_name: Option<String>,
    /// The machines, at least one kind.
    #[schemars(length(min = 1))]
    machines: Vec<Machine>,
    /// Labels of the nodes, beside `cluster-api/accelerator`, `node-role.kubernetes.io/gpu` and, for
    /// NVIDIA's, `nvidia.com/gpu.present`. One of the same key takes their place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    /// Taints of the nodes, beside those of the template. Without this, one keeps pods without GPUs away:
    /// `nvidia.com/gpu=true:NoSchedule` for NVIDIA's. `[]` adds none.
    #[serde(skip_serializing_if = "Option::is_none")]
    taints: Option<Vec<Taint>>,
    /// Whether the templates go to the cluster too; `true` without this. With `false` they are marked as local,
    /// and not rendered.
    #[serde(skip_serializing)]
    keep_template: Option<bool>,
    /// Makes the ClusterAutoscaler, or widens the limits for these GPUs in the one that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster_autoscaler: Option<ClusterAutoscaler>,
    /// Makes a Job that does all this in the cluster, for those who cannot commit a template.
    #[serde(skip_serializing)]
    discover: Option<Discovery>,
}

impl Function for GenerateMachineSets {
    const KIND: &'static str = "GenerateMachineSets";
    const NAME: &'static str = "generate-machine-sets";

    fn check(&self) -> Result<(), BadField> {
        if self.machines.is_empty() {
            return Err(BadField::new("machines", "must have at least one entry"));
        }
        if let Some(name) = &self.infrastructure_name
            && (!dns::is_label(name) || name.len() > machine_api::LONGEST_CLUSTER)
        {
            let message = format!(
                "must be an infrastructure name, as `oc get infrastructure cluster` says it, got {}",
                quoted(name)
            );
            return Err(BadField::new("infrastructureName", message));
        }
        for (i, machine) in self.machines.iter().enumerate() {
            machine
                .check()
                .map_err(|(field, message)| BadField::new(format!("machines[{i}].{field}"), message))?;
        }
        for (key, value) in &self.labels {
            if !label::is_key(key) || !label::is_value(value) {
                let message = format!("{} is no label of Kubernetes", quoted(format!("{key}={value}")));
                return Err(BadField::new("labels", message));
            }
        }
        for (i, taint) in self.taints.iter().flatten().enumerate() {
            if !taint.is_legal() {
                let message = format!("{} is no taint of Kubernetes", quoted(taint));
                return Err(BadField::new(format!("taints[{i}]"), message));
            }
            let is_twin = |other: &&Taint| other.key == taint.key && other.effect == taint.effect;
            if self.taints.iter().flatten().take(i).any(|other| is_twin(&other)) {
                let message = format!("{} has key and effect of a taint before it", quoted(taint));
                return Err(BadField::new(format!("taints[{i}]"), message));
            }
        }
        if self.cluster_autoscaler.is_some() && self.machines.iter().all(|m| m.autoscale.is_none()) {
            return Err(BadField::new(
                "clusterAutoscaler",
                "is of no use: no entry of `machines` has `autoscale`",
            ));
        }
        let most = self.cluster_autoscaler.as_ref().and_then(|autoscaler| autoscaler.max_nodes_total);
        if let Some(most) = most.map(u64::from).filter(|most| *most > machine::LARGEST) {
            let message = machine::out_of_range(0, machine::LARGEST, most);
            return Err(BadField::new("clusterAutoscaler.maxNodesTotal", message));
        }
        self.discover.as_ref().map_or(Ok(()), Discovery::check)
    }
}

/// One MachineSet to be made.
struct Planned<'p> {
    /// The number of the entry of `machines`.
    entry: usize,
    machine: &'p Machine,
    figures: Figures,
    template: &'p Template<'p>,
    /// Whether the config names the template: then there is no other for another zone.
    template_is_named: bool,
    zone: Option<String>,
    cluster: &'p str,
    name: String,
}

impl Generator for GenerateMachineSets {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        if let Some(discovery) = &self.discover {
            return discovery.objects(self, given);
        }
        let templates = template::find(given, self.template.as_ref())?;
        for (template, sign) in templates.iter().filter_map(|t| Some((t, t.sign_of_gpus.as_ref()?))) {
            let message = format!(
                "the template is itself a MachineSet for GPUs ({sign}): what else it says of them stays in \
                 its copies; a worker MachineSet is a better template"
            );
            results.warning("gpu-template", message).on(template.resource);
        }
        self.warn_of_foreign_templates(&templates, results);
        let mut made = Vec::new();
        for wanted in &self.plan(&templates, results) {
            // A copy has no file: what is wrong with it is wrong with the template.
            let set = self.machine_set(wanted, results);
            let set = set.map_err(|fault| fault.on(wanted.template.resource))?;
            refuse_another_selector(&set, given, results)?;
            made.push(set);
            autoscaling::refuse_other_scalers(wanted, given, results)?;
            if let Some(autoscale) = &wanted.machine.autoscale {
                made.push(autoscaling::machine_autoscaler(wanted, autoscale, results)?);
            }
        }
        let is_there = given.iter().any(autoscaling::is_the_cluster_autoscaler);
        if let Some(autoscaler) = self.cluster_autoscaler.as_ref().filter(|_| !is_there) {
            made.push(autoscaler.object()?);
        }
        Ok(made)
    }
}

/// What is changed: templates that shall not be rendered, a ClusterAutoscaler that is there, and old figures
/// on MachineSets that were there and are made like the new ones.
impl Transformer for GenerateMachineSets {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        if self.discover.is_none() {
            self.tend_to_sets(items)?;
        }
        if let Some(wanted) = &self.cluster_autoscaler {
            for item in items.iter() {
                autoscaling::review(item, wanted, results)?;
            }
            let mut limits = autoscaling::limits(items)?;
            if self.discover.is_some() {
                self.add_limits_of_machines(&mut limits);
            }
            for item in items.iter_mut().filter(|item| autoscaling::is_the_cluster_autoscaler(item)) {
                autoscaling::set_limits(item, &limits, results)?;
            }
        }
        Ok(())
    }
}

/// The API server refuses another selector for a MachineSet that is in the cluster.
fn refuse_another_selector(set: &Resource, given: &[Resource], results: &mut Results) -> Result<(), Fault> {
    let path = FieldPath::new("spec.selector");
    let key = set.id().object_key();
    for there in given.iter().filter(|item| item.id().object_key() == key) {
        if there.value(&path)? != set.value(&path)? {
            let message = "a MachineSet keeps the selector that it was made with, and this is not the one that \
                           belongs to its name; delete this MachineSet, here and in the cluster, or set a `name` in \
                           `spec.machines` for a new one beside it";
            results.error("selector", message).field(there, &path);
        }
    }
    Ok(())
}

impl GenerateMachineSets {
    /// Its security groups and subnets are not those of the cluster that it would be applied to.
    fn warn_of_foreign_templates(&self, templates: &[Template<'_>], results: &mut Results) {
        let Some(cluster) = self.infrastructure_name.as_ref().filter(|_| self.keep_template.is_none()) else {
            return;
        };
        for template in templates.iter().filter(|t| t.cluster != *cluster && !t.resource.is_local()) {
            let message = format!(
                "this template is of the cluster {} and goes to {} with its copies; say `keepTemplate: false`, or \
                 `true` if it must",
                quoted(&template.cluster),
                quoted(cluster)
            );
            results.warning("foreign-template", message).on(template.resource);
        }
    }

    /// Hides templates that shall not be rendered, and drops what is out of date in MachineSets that were there.
    fn tend_to_sets(&self, items: &mut [Resource]) -> Result<(), Fault> {
        let templates = template::find(items, self.template.as_ref())?;
        let mut figures = HashMap::new();
        for wanted in self.plan(&templates, &mut Results::default()) {
            figures.insert(wanted.name.clone(), self.capacity_annotations(&wanted)?);
        }
        let templates: Vec<_> =
            templates.iter().map(|template| template.resource.id().object_key()).collect();
        for item in items.iter_mut().filter(|item| item.is(machine_api::MACHINE_SET)) {
            if self.keep_template == Some(false) && templates.contains(&item.id().object_key()) {
                item.set(&FieldPath::new("metadata.annotations[config.kubernetes.io/local-config]"), "true")?;
            }
            if let Some(figures) = figures.get(&item.id().name) {
                copy::drop_old_figures(item, figures)?;
            }
        }
        Ok(())
    }

    /// The MachineSets to be made, in the order of the config.
    fn plan<'p>(&'p self, templates: &'p [Template<'p>], results: &mut Results) -> Vec<Planned<'p>> {
        let mut planned: Vec<Planned<'p>> = Vec::new();
        let mut first_of_name: HashMap<String, usize> = HashMap::new();
        for (entry, machine) in self.machines.iter().enumerate() {
            let Some(first) = templates.first() else { break };
            if let Err(message) = machine.fits(first.provider) {
                results.error("wrong-platform", format!("`spec.machines[{entry}]`: {message}"));
                continue;
            }
            let Ok(figures) = machine.figures(Some(first.provider)) else { continue }; // refused by `check`
            let own_zone = vec![first.zone.clone()];
            let zones: Vec<Option<String>> = machine.zones.iter().cloned().map(Some).collect();
            for zone in if zones.is_empty() { own_zone } else { zones } {
                let template = templates.iter().find(|t| t.zone == zone).unwrap_or(first);
                let cluster = self.infrastructure_name.as_deref().unwrap_or(&template.cluster);
                let name = machine.set_name(cluster, &template.zone_in_names(zone.as_deref()));
                if let Some(objection) = machine.objection_to_name(entry, &name) {
                    results.error("name", objection);
                }
                if let Some(other) = first_of_name.insert(name.clone(), entry) {
                    let name = quoted(&name);
                    let message = match other == entry {
                        true => format!("two zones of `spec.machines[{entry}]` make the MachineSet {name}"),
                        false => format!(
                            "`spec.machines[{other}]` and `spec.machines[{entry}]` both make the MachineSet {name}; \
                             give one of them a `name`"
                        ),
                    };
                    results.error("same-name", message);
                    continue;
                }
                if template.resource.id().name == name {
                    let message = format!(
                        "`spec.machines[{entry}]` makes a MachineSet of the same name as this template of it; \
                         name another `template`"
                    );
                    results.error("same-name", message).on(template.resource);
                }
                planned.push(Planned {
                    entry,
                    machine,
                    figures: figures.clone(),
                    template,
                    template_is_named: self.template.is_some(),
                    zone,
                    cluster,
                    name,
                });
            }
        }
        planned
    }
}
