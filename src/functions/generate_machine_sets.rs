mod autoscaling;
mod copy;
mod discovery;
mod figures;
mod machine;
mod market;
mod nodes;
mod plan;
mod rehome;
mod size;
mod template;
mod zone;

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::autoscaling::ClusterAutoscaler;
use self::discovery::Discovery;
use self::machine::Machine;
use self::nodes::Taint;
use self::plan::Planned;
use self::template::{Template, TemplateName};
use crate::formats::{dns, label};
use crate::krm::{BadField, Fault, FieldPath, Function, Generator, Resource, Results, Transformer, quoted};
use crate::platform::machine as machine_api;

/// Generates GPU MachineSets from the cluster's worker MachineSets.
///
/// A copy keeps everything that belongs to the cluster byte for byte: image, network, security groups, credentials.
/// It gets a name of its own, with selector and labels to match, the size, node labels and a taint for the GPU, and
/// the annotations that the autoscaler needs, from a catalogue of instance types (`rhoso-fn explain instance`). What
/// the API server, the autoscaler, Hive or Argo CD wrote into the template is left out.
///
/// The name is `<infrastructure>-gpu-<type>-<zone>`, with the zone as `zones` has it: `us-east-2a` on AWS,
/// `us-central1-a` on GCP. On Azure the region precedes the zone: `centralus1`.
///
/// The template is the worker MachineSet of the zone. If several have the zone, the first by name is the template;
/// those for another architecture than the machines' are passed over. If none has the zone, the first of another zone
/// is the template, with the zone replaced: on AWS also in the name of the subnet, and a warning asks you to check
/// that such a subnet exists. MachineSets that have GPUs, a taint or another role than worker are not templates unless
/// `template` names them, so a second run finds the same templates as the first.
///
/// Machines outside public clouds have no catalogue: state in `capacity` what they have. OpenStack takes the GPU from
/// a flavor, vSphere from a VM template, Nutanix by its PCI id, and bare metal by labels of hosts.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateMachineSets {
    /// The MachineSet to copy. Without this, each zone uses its worker MachineSet among the resources. If the named one
    /// has GPUs of another size, its labels that describe them (`nvidia.com/gpu.count`) are left out of the copy.
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
    /// Creates the ClusterAutoscaler, or widens the limits for these GPUs in an existing one. Without a
    /// ClusterAutoscaler in the cluster, `autoscale` has no effect.
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
        if self.cluster_autoscaler.is_some() && !self.scales() {
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

impl Generator for GenerateMachineSets {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        self.report_missing_autoscaler(given, results);
        if let Some(discovery) = &self.discover {
            return discovery.objects(self, given);
        }
        let templates = template::find(given, self.template.as_ref())?;
        for (template, sign) in templates.iter().filter_map(|t| Some((t, t.sign_of_gpus.as_ref()?))) {
            let message = format!(
                "the template is itself a MachineSet for GPUs ({sign}): its other settings for them stay in the \
                 copies; a worker MachineSet is a better template"
            );
            results.warning("gpu-template", message).on(template.resource);
        }
        self.warn_of_foreign_templates(&templates, results);
        let mut made = Vec::new();
        for wanted in &self.plan(&templates, results) {
            // A copy has no file: what is wrong with it is wrong with the template.
            let set = self.machine_set(wanted, results);
            let set = set.map_err(|fault| fault.on(wanted.template.resource))?;
            refuse_another_selector(&set, wanted, given, results)?;
            made.push(set);
            autoscaling::refuse_other_scalers(wanted, given, results)?;
            if let Some(autoscale) = &wanted.machine.autoscale {
                made.push(autoscaling::machine_autoscaler(wanted, autoscale, results)?);
            }
        }
        let exists = given.iter().any(autoscaling::is_the_cluster_autoscaler);
        if let Some(autoscaler) = self.cluster_autoscaler.as_ref().filter(|_| !exists) {
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
        if self.scales() {
            for item in items.iter() {
                autoscaling::review(item, self.cluster_autoscaler.as_ref(), results)?;
            }
        }
        if self.cluster_autoscaler.is_some() {
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
fn refuse_another_selector(
    set: &Resource,
    wanted: &Planned<'_>,
    given: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let path = FieldPath::new("spec.selector");
    let key = set.id().object_key();
    for there in given.iter().filter(|item| item.id().object_key() == key) {
        if there.value(&path)? != set.value(&path)? {
            let message = format!(
                "the API server refuses to change a selector, and this is not the one that belongs to the name; \
                 delete this MachineSet, here and in the cluster, or set `spec.machines[{}].name` for a new one beside it",
                wanted.entry
            );
            results.error("selector", message).field(there, &path);
        }
    }
    Ok(())
}

impl GenerateMachineSets {
    /// Whether the autoscaler chooses the number of any machines.
    fn scales(&self) -> bool {
        self.machines.iter().any(|machine| machine.autoscale.is_some())
    }

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
}
