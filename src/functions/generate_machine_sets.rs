//! GenerateMachineSets: the spec, how it is checked, and the order in which its three parts run.
//!
//! `copying` generates MachineSets from templates. `limits` generates the objects that let the autoscaler
//! scale them. `discovery` generates a Job that does the same in the cluster.

mod copying;
mod discovery;
mod limits;
mod machine;
mod nodes;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::copying::TemplateName;
use self::discovery::{Discovery, DiscoveryJob};
use self::limits::ClusterAutoscaler;
use self::machine::{Machine, MachineSpec};
use self::nodes::Taint;
use crate::formats::dns;
use crate::krm::{Fault, FieldPath, Function, Generator, Mistakes, Resource, Results, Transformer, quoted};
use crate::platform::machine::LONGEST_CLUSTER;

/// Generates GPU MachineSets from the cluster's worker MachineSets.
///
/// Settings that belong to the cluster are copied byte for byte: image, network, security groups,
/// credentials. Each copy gets its own name, selector and labels. A catalogue of instance types
/// (`rhoso-fn explain instance`) provides the size, the node labels and a taint for the GPU, and the
/// annotations that the autoscaler needs. Fields that the API server, the autoscaler, Hive or Argo CD added
/// to the template are removed.
///
/// The name is `<infrastructure>-gpu-<type>-<zone>`. The zone is the one in `zones`, such as `us-east-2a` on
/// AWS or `us-central1-a` on GCP. On Azure, the region precedes the zone: `centralus1`.
///
/// The template is the worker MachineSet of the zone, or the first by name if the zone has several.
/// MachineSets for another architecture are skipped. If the zone has none, the first worker MachineSet of
/// another zone is the template, and its zone is replaced. On AWS, the zone in the name of the subnet is
/// replaced too, and a warning asks you to check that this subnet exists. MachineSets with GPUs, a taint or a
/// role other than worker are not used as templates unless `template` names them, so a second run finds the
/// same templates as the first.
///
/// The catalogue lists only instance types of public clouds. For other machines, set `capacity`. On
/// OpenStack, the flavor includes the GPU. On vSphere, the VM template includes it. On Nutanix, a GPU is
/// attached by its PCI id. On bare metal, labels select the hosts that have GPUs.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateMachineSets {
    /// The MachineSet to copy. Defaults to the worker MachineSet of each zone. If the MachineSet has GPUs and
    /// a different size, its labels that describe the GPUs, such as `nvidia.com/gpu.count`, are not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<TemplateName>,
    /// The cluster's infrastructure name. Set this for a template from another cluster: the name of that cluster is
    /// replaced wherever it occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    infrastructure_name: Option<String>,
    /// The machines to generate MachineSets for. At least one entry is required.
    #[schemars(length(min = 1))]
    machines: Vec<MachineSpec>,
    /// Labels of the nodes, in addition to `cluster-api/accelerator`, `node-role.kubernetes.io/gpu` and, for NVIDIA
    /// GPUs, `nvidia.com/gpu.present`. A label with the same key replaces the default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    /// Taints of the nodes, in addition to those of the template. Defaults to one that keeps away pods
    /// without GPUs:
    /// `nvidia.com/gpu=true:NoSchedule` for NVIDIA GPUs. `[]` adds none.
    #[serde(skip_serializing_if = "Option::is_none")]
    taints: Option<Vec<Taint>>,
    /// Whether the templates are rendered too. Defaults to `true`. With `false`, they are marked as local and not
    /// rendered.
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_template: Option<bool>,
    /// Creates the ClusterAutoscaler, or raises the limits for these GPUs in an existing one. Without a
    /// ClusterAutoscaler in the cluster, `autoscale` has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster_autoscaler: Option<ClusterAutoscaler>,
    /// Generates a Job that does all this in the cluster. Use this if you have no template in Git.
    #[serde(skip_serializing_if = "Option::is_none")]
    discover: Option<Discovery>,
}

/// A GenerateMachineSets without mistakes.
#[derive(Debug)]
pub struct GpuMachineSets {
    /// The name of the MachineSet to copy.
    template: Option<String>,
    infrastructure_name: Option<String>,
    machines: Vec<Machine>,
    /// Labels of the nodes, in addition to the default labels.
    labels: BTreeMap<String, String>,
    /// Taints of the nodes. None means the default taint, which depends on the GPU.
    taints: Option<Vec<Taint>>,
    keep_template: Option<bool>,
    cluster_autoscaler: Option<ClusterAutoscaler>,
    discovery: Option<DiscoveryJob>,
}

impl Function for GenerateMachineSets {
    const KIND: &'static str = "GenerateMachineSets";
    const NAME: &'static str = "generate-machine-sets";

    type Ready = GpuMachineSets;

    fn check(mut self) -> Result<GpuMachineSets, Mistakes> {
        let mut mistakes = Mistakes::default();
        self.check_infrastructure_name(&mut mistakes);
        self.check_cluster_autoscaler(&mut mistakes);
        nodes::check_labels(&self.labels, &mut mistakes);
        nodes::check_taints(self.taints.as_deref().unwrap_or_default(), &mut mistakes);
        let (keep_template, cluster_autoscaler) = (self.keep_template.take(), self.cluster_autoscaler.take());
        // The Job gets the rest of the config.
        let discovery = self.discover.take().and_then(|discover| discover.check(&self, &mut mistakes));
        if self.machines.is_empty() {
            mistakes.add(FieldPath::new("spec.machines"), "must have at least one entry");
        }
        let entries = self.machines.into_iter().enumerate();
        let machines =
            entries.filter_map(|(i, machine)| machine.check(entry_path(i), &mut mistakes)).collect();
        mistakes.unless_any(|| GpuMachineSets {
            template: self.template.map(|template| template.name),
            infrastructure_name: self.infrastructure_name,
            machines,
            labels: self.labels,
            taints: self.taints,
            keep_template,
            cluster_autoscaler,
            discovery,
        })
    }
}

impl GenerateMachineSets {
    fn check_infrastructure_name(&self, mistakes: &mut Mistakes) {
        let is_valid = |name: &str| dns::is_label(name) && name.len() <= LONGEST_CLUSTER;
        if let Some(name) = self.infrastructure_name.as_ref().filter(|name| !is_valid(name)) {
            let message = format!(
                "must be an infrastructure name, as `oc get infrastructure cluster` shows it, got {}",
                quoted(name)
            );
            mistakes.add(FieldPath::new("spec.infrastructureName"), message);
        }
    }
}

impl Generator for GpuMachineSets {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        limits::report_missing_autoscaler(self, given, results);
        let mut generated = match &self.discovery {
            Some(job) => job.objects(self)?,
            None => copying::copies(self, given, results)?,
        };
        generated.extend(limits::new_cluster_autoscaler(self, given)?);
        Ok(generated)
    }
}

/// Changes what already exists: templates that must not be rendered, MachineSets of an earlier run, and the limits of
/// the ClusterAutoscaler.
impl Transformer for GpuMachineSets {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        if self.discovery.is_none() {
            copying::update_existing(self, items)?;
        }
        limits::update_cluster_autoscaler(self, items, results)
    }
}

impl GpuMachineSets {
    /// Whether the autoscaler scales any of the machines.
    fn scales(&self) -> bool {
        self.machines.iter().any(|machine| machine.replicas.is_scaled())
    }
}

/// An entry of `machines` in the config.
fn entry_path(entry: usize) -> FieldPath {
    FieldPath::new("spec.machines").index(entry)
}
