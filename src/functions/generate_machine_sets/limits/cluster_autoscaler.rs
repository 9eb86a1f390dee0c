//! The ClusterAutoscaler: one is created if the config asks for it and none exists. One that exists belongs to its
//! owner, so only its limits for GPUs change.

use crate::checks::rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::GenerateMachineSets;
use super::super::machine::{LARGEST, out_of_range};
use super::{gpu_limits, limits};
use crate::krm::{BadField, Fault, FieldPath, Object, Resource, Results, quoted};
use crate::platform::autoscaler::{self, CLUSTER_AUTOSCALER, DEFAULT_NAME};
use crate::platform::machine;

/// The ClusterAutoscaler. Its limits for GPUs allow what all MachineSets can have together.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterAutoscaler {
    /// Maximum nodes of the cluster, including those of the control plane. Used for a new ClusterAutoscaler only; an
    /// existing one keeps its value.
    #[schemars(range(max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_nodes_total: Option<u32>,
}

impl GenerateMachineSets {
    pub(in super::super) fn check_cluster_autoscaler(&self) -> Result<(), BadField> {
        let Some(autoscaler) = &self.cluster_autoscaler else { return Ok(()) };
        if !self.scales() {
            return Err(BadField::new(
                "clusterAutoscaler",
                "has no effect: no entry of `machines` sets `autoscale`; add `autoscale`, or remove this",
            ));
        }
        match autoscaler.max_nodes_total.map(u64::from).filter(|most| *most > LARGEST) {
            None => Ok(()),
            Some(most) => {
                let message = out_of_range(0, LARGEST, most);
                Err(BadField::new("clusterAutoscaler.maxNodesTotal", message))
            }
        }
    }
}

/// Whether this is the ClusterAutoscaler that the operator reads.
fn is_read(item: &Resource) -> bool {
    item.is(CLUSTER_AUTOSCALER) && !item.is_local() && item.id().name == DEFAULT_NAME
}

/// A MachineAutoscaler has no effect in a cluster without a ClusterAutoscaler. This is info: many clusters have
/// one that another package owns, and a warning that its owner cannot silence would be a false alarm.
pub fn report_missing_autoscaler(spec: &GenerateMachineSets, given: &[Resource], results: &mut Results) {
    let exists = given.iter().any(|item| item.is(CLUSTER_AUTOSCALER) && !item.is_local());
    let scaled = spec.machines.iter().position(|machine| machine.autoscale.is_some());
    if let Some(entry) = scaled.filter(|_| spec.cluster_autoscaler.is_none() && !exists) {
        let message = "the resources have no ClusterAutoscaler, without which nothing scales these machines; set \
                       `spec.clusterAutoscaler: {}` to create one, unless the cluster has one already";
        results
            .info(&rules::NO_CLUSTER_AUTOSCALER, message)
            .in_config(FieldPath::new("spec.machines").index(entry).key("autoscale"));
    }
}

/// The ClusterAutoscaler to create, without limits for GPUs yet.
pub fn new_cluster_autoscaler(
    spec: &GenerateMachineSets,
    given: &[Resource],
) -> Result<Option<Resource>, Fault> {
    let Some(wanted) = spec.cluster_autoscaler.as_ref().filter(|_| !given.iter().any(is_read)) else {
        return Ok(None);
    };
    let mut new_spec = json!({"scaleDown": {"enabled": true}});
    if let Some(most) = wanted.max_nodes_total {
        new_spec["resourceLimits"] = json!({"maxNodesTotal": most});
    }
    Object::new(CLUSTER_AUTOSCALER, DEFAULT_NAME).field("spec", new_spec).build().map(Some)
}

/// Reports existing ClusterAutoscalers that do not work as the config expects, and raises the limits for GPUs.
pub fn update_cluster_autoscaler(
    spec: &GenerateMachineSets,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    if spec.scales() {
        for item in items.iter().filter(|item| item.is(CLUSTER_AUTOSCALER) && !item.is_local()) {
            report_differences(item, spec.cluster_autoscaler.as_ref(), results)?;
        }
    }
    if spec.cluster_autoscaler.is_some() {
        let limits = limits(spec, items)?;
        for item in items.iter_mut().filter(|item| is_read(item)) {
            gpu_limits::raise(item, &limits, results)?;
        }
    }
    Ok(())
}

/// Reports a ClusterAutoscaler that has no effect, or whose number of nodes differs from the config's.
fn report_differences(
    item: &Resource,
    wanted: Option<&ClusterAutoscaler>,
    results: &mut Results,
) -> Result<(), Fault> {
    if item.id().name != DEFAULT_NAME {
        let message = format!(
            "the operator ignores a ClusterAutoscaler that is not named {}; rename it",
            quoted(DEFAULT_NAME)
        );
        results.warning(&rules::UNHEEDED, message).field(item, &machine::name());
        return Ok(());
    }
    let path = autoscaler::max_nodes_total();
    let existing: Option<u32> = item.get(&path)?;
    let most = wanted.and_then(|wanted| wanted.max_nodes_total);
    if let Some(most) = most.filter(|most| existing != Some(*most)) {
        let message = format!(
            "this is kept, though `spec.clusterAutoscaler.maxNodesTotal` is {most}: an existing ClusterAutoscaler keeps its \
             settings; change one of the two"
        );
        results.warning(&rules::MAX_NODES, message).field(item, &path);
    }
    Ok(())
}
