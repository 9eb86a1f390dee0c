//! The ClusterAutoscaler: one is created if the config asks for it and none exists. An existing one belongs
//! to its owner, so only its limits for GPUs change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::machine::{LARGEST, MachineSpec, out_of_range};
use super::super::{GenerateMachineSets, GpuMachineSets, entry_path};
use super::{gpu_limits, limits};
use crate::checks::{self, rules};
use crate::krm::{Fault, FieldPath, Mistakes, Object, Resource, Results};
use crate::model::{World, machines};
use crate::platform::autoscaler::{self, CLUSTER_AUTOSCALER, DEFAULT_NAME};

/// The ClusterAutoscaler. Its limits for GPUs allow what all MachineSets can have together.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterAutoscaler {
    /// The maximum number of nodes in the cluster, including the control plane. Used for a new
    /// ClusterAutoscaler only; an existing one keeps its value.
    #[schemars(range(max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_nodes_total: Option<u32>,
}

impl GenerateMachineSets {
    pub fn check_cluster_autoscaler(&self, mistakes: &mut Mistakes) {
        let Some(autoscaler) = &self.cluster_autoscaler else { return };
        let path = FieldPath::new("spec.clusterAutoscaler");
        if !self.machines.iter().any(MachineSpec::is_scaled) {
            let message =
                "has no effect: no entry of `machines` sets `autoscale`; add `autoscale`, or remove this";
            mistakes.add(path.clone(), message);
        }
        if let Some(max) = autoscaler.max_nodes_total.map(u64::from).filter(|max| *max > LARGEST) {
            mistakes.add(path.key("maxNodesTotal"), out_of_range(0, LARGEST, max));
        }
    }
}

/// Whether an item is a ClusterAutoscaler that is applied to the cluster.
fn is_applied(item: &Resource) -> bool {
    item.is(CLUSTER_AUTOSCALER) && !item.is_local()
}

/// A MachineAutoscaler has no effect in a cluster without a ClusterAutoscaler. The severity is info: many
/// clusters have one that another package owns, and a warning that its owner cannot silence would be a false
/// alarm.
pub fn report_missing_autoscaler(spec: &GpuMachineSets, given: &[Resource], results: &mut Results) {
    let scaled = spec.machines.iter().position(|machine| machine.replicas.is_scaled());
    let Some(entry) = scaled.filter(|_| spec.cluster_autoscaler.is_none()) else { return };
    if !given.iter().any(is_applied) {
        let message = "the resources have no ClusterAutoscaler, without which nothing scales these machines; set \
                       `spec.clusterAutoscaler: {}` to create one, unless the cluster already has one";
        results.info(&rules::NO_CLUSTER_AUTOSCALER, message).in_config(entry_path(entry).key("autoscale"));
    }
}

/// The ClusterAutoscaler to create, without limits for GPUs yet.
pub fn new_cluster_autoscaler(spec: &GpuMachineSets, given: &[Resource]) -> Result<Option<Resource>, Fault> {
    let exists = || given.iter().any(|item| is_applied(item) && item.id().name == DEFAULT_NAME);
    let Some(config) = spec.cluster_autoscaler.as_ref().filter(|_| !exists()) else { return Ok(None) };
    let mut new_spec = json!({"scaleDown": {"enabled": true}});
    if let Some(max) = config.max_nodes_total {
        new_spec["resourceLimits"] = json!({"maxNodesTotal": max});
    }
    Object::new(CLUSTER_AUTOSCALER, DEFAULT_NAME).field("spec", new_spec).build().map(Some)
}

/// Reports existing ClusterAutoscalers that do not work as the config expects, and raises the limits for GPUs.
pub fn update_cluster_autoscaler(
    spec: &GpuMachineSets,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    if !spec.scales() {
        return Ok(());
    }
    let (autoscalers, mut misreads) = machines::cluster_autoscalers(&World::new(items));
    for autoscaler in &autoscalers {
        checks::cluster_autoscaler_name(autoscaler, items, results);
    }
    let Some(config) = &spec.cluster_autoscaler else { return Ok(()) };
    let (limits, more) = limits(spec, &World::new(items));
    misreads.extend(more);
    if !misreads.is_empty() {
        checks::wrong_type(&misreads, results);
        return Ok(());
    }
    for autoscaler in autoscalers.iter().filter(|autoscaler| autoscaler.is_read()) {
        report_max_nodes(config, autoscaler, items, results);
        checks::gpu_limit_types(autoscaler, items, results);
        gpu_limits::raise(autoscaler, &limits, autoscaler.item.get_mut(items), results)?;
    }
    Ok(())
}

/// Reports a number of nodes that differs from the config's.
fn report_max_nodes(
    config: &ClusterAutoscaler,
    existing: &machines::ClusterAutoscaler,
    items: &[Resource],
    results: &mut Results,
) {
    if let Some(max) = config.max_nodes_total.filter(|max| existing.max_nodes_total != Some(*max)) {
        let message = format!(
            "this is kept, though `spec.clusterAutoscaler.maxNodesTotal` is {max}: an existing ClusterAutoscaler keeps its \
             settings; change one of the two"
        );
        results
            .warning(&rules::MAX_NODES, message)
            .field(existing.item.get(items), &autoscaler::max_nodes_total());
    }
}
