//! What lets the autoscaler work: a MachineAutoscaler for each MachineSet, and limits for its GPUs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::machine::{Autoscale, LARGEST};
use super::{GenerateMachineSets, Planned, template};
use crate::formats::label;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::machine::{
    self, ACCELERATOR, CLUSTER_AUTOSCALER, GPUS, MACHINE_API, MACHINE_AUTOSCALER, MACHINE_SET, SCALED_BY,
};

/// The ClusterAutoscaler. Its limits for GPUs are what all MachineSets can have together.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterAutoscaler {
    /// The most nodes of the cluster, those of the control plane included. Only for a ClusterAutoscaler that
    /// is made, not for one that is there.
    #[schemars(range(max = 2147483647))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_nodes_total: Option<u32>,
}

const THE_NAME: &str = "default";

/// How many GPUs of a kind there may be, by the value of the label `cluster-api/accelerator`.
pub type Limits = BTreeMap<String, Limit>;

#[derive(Debug, Default)]
pub struct Limit {
    min: u64,
    max: u64,
}

/// The limits that fit the MachineSets among the resources: whoever made them, they share the limit for
/// their kind of GPU.
pub fn limits(items: &[Resource]) -> Result<Limits, Fault> {
    let mut limits = Limits::new();
    for set in items.iter().filter(|item| item.is(MACHINE_SET) && !item.is_local()) {
        let kind: Option<String> = set.get(&machine::node_labels().key(ACCELERATOR))?;
        let (Some(kind), Some(gpus)) = (kind, gpus_of(set)?) else { continue };
        let (min, max) = sizes_of(set, items)?;
        add(&mut limits, kind, gpus, min, max);
    }
    Ok(limits)
}

/// How many GPUs a machine of a set has, as the set says or the catalogue.
fn gpus_of(set: &Resource) -> Result<Option<u64>, Fault> {
    // Copies made by hand often have the annotation of a worker.
    let said = set.annotation(GPUS)?.and_then(|count| count.parse().ok()).filter(|count| *count > 0);
    let known = template::instance_type(set)?.and_then(|known| known.count);
    Ok(said.or(known.map(u64::from)))
}

/// The fewest and the most machines of a set.
fn sizes_of(set: &Resource, items: &[Resource]) -> Result<(u64, u64), Fault> {
    if let Some(autoscaler) = autoscaler_of(set, items)? {
        let number = |path: &str| autoscaler.get::<u64>(&FieldPath::new(path));
        return Ok((number("spec.minReplicas")?.unwrap_or(0), number("spec.maxReplicas")?.unwrap_or(0)));
    }
    let replicas = set.get(&machine::replicas())?.unwrap_or(1);
    Ok((replicas, replicas))
}

fn autoscaler_of<'i>(set: &Resource, items: &'i [Resource]) -> Result<Option<&'i Resource>, Fault> {
    let (name, namespace) = (&set.id().name, &set.id().namespace);
    for item in items.iter().filter(|item| item.is(MACHINE_AUTOSCALER) && item.id().namespace == *namespace) {
        if item.get::<String>(&target())?.as_ref() == Some(name) {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

fn add(limits: &mut Limits, kind: String, gpus: u64, min: u64, max: u64) {
    let most = gpus.saturating_mul(max);
    if most == 0 {
        return; // the API wants at least one
    }
    let limit = limits.entry(kind).or_default();
    limit.min = limit.min.saturating_add(gpus.saturating_mul(min)).min(LARGEST);
    limit.max = limit.max.saturating_add(most).min(LARGEST);
}

impl GenerateMachineSets {
    /// A MachineAutoscaler has no effect in a cluster without a ClusterAutoscaler. This is info: many clusters have
    /// one that another package owns, and a warning that its owner cannot silence would be a false alarm.
    pub(super) fn report_missing_autoscaler(&self, given: &[Resource], results: &mut Results) {
        let is_made = self.cluster_autoscaler.is_some();
        let exists = given.iter().any(|item| item.is(CLUSTER_AUTOSCALER) && !item.is_local());
        let scaled = self.machines.iter().position(|machine| machine.autoscale.is_some());
        if let Some(entry) = scaled.filter(|_| !is_made && !exists) {
            let message = "the resources have no ClusterAutoscaler, without which nothing scales these machines; set \
                           `spec.clusterAutoscaler: {}` to create one, unless the cluster has one already";
            results.info("no-cluster-autoscaler", message).in_config(format!("machines[{entry}].autoscale"));
        }
    }

    /// Adds the limits of machines whose MachineSets will be made in the cluster, in every zone that is named.
    pub fn add_limits_of_machines(&self, limits: &mut Limits) {
        for machine in &self.machines {
            let Ok(figures) = machine.figures(None) else { continue }; // refused by `check`
            let (min, max) = match machine.autoscale {
                Some(Autoscale { min, max }) => (min, max),
                None => (machine.replicas.unwrap_or(1), machine.replicas.unwrap_or(1)),
            };
            let gpus = u64::from(figures.gpus) * machine.zones.len().max(1) as u64;
            add(limits, self.accelerator_label(&figures), gpus, min.into(), max.into());
        }
    }
}

impl ClusterAutoscaler {
    /// The object, without limits for GPUs yet.
    pub fn object(&self) -> Result<Resource, Fault> {
        let mut spec = json!({"scaleDown": {"enabled": true}});
        if let Some(most) = self.max_nodes_total {
            spec["resourceLimits"] = json!({"maxNodesTotal": most});
        }
        Resource::new(&json!({
            "apiVersion": "autoscaling.openshift.io/v1",
            "kind": CLUSTER_AUTOSCALER.kind,
            "metadata": {"name": THE_NAME},
            "spec": spec,
        }))
    }
}

impl Limit {
    fn value(&self, kind: &str) -> Value {
        json!({"type": kind, "min": self.min, "max": self.max})
    }
}

/// Whether this is the ClusterAutoscaler: the operator ignores those of another name.
pub fn is_the_cluster_autoscaler(item: &Resource) -> bool {
    item.is(CLUSTER_AUTOSCALER) && !item.is_local() && item.id().name == THE_NAME
}

/// Reports existing ClusterAutoscalers that have no effect, or that differ from what the config wants.
pub fn review(
    item: &Resource,
    wanted: Option<&ClusterAutoscaler>,
    results: &mut Results,
) -> Result<(), Fault> {
    if !item.is(CLUSTER_AUTOSCALER) || item.is_local() {
        return Ok(());
    }
    if item.id().name != THE_NAME {
        let message = format!(
            "the operator ignores a ClusterAutoscaler that is not named {}; rename it",
            quoted(THE_NAME)
        );
        results.warning("unheeded", message).field(item, &FieldPath::new("metadata.name"));
        return Ok(());
    }
    let path = FieldPath::new("spec.resourceLimits.maxNodesTotal");
    let there: Option<u32> = item.get(&path)?;
    let most = wanted.and_then(|wanted| wanted.max_nodes_total);
    if let Some(most) = most.filter(|most| there != Some(*most)) {
        let message = format!(
            "this stays as it is, though `spec.clusterAutoscaler.maxNodesTotal` is {most}: a ClusterAutoscaler that is \
             there is its owner's; change one of the two"
        );
        results.warning("max-nodes", message).field(item, &path);
    }
    Ok(())
}

/// Raises the limits in a ClusterAutoscaler that is there, for they count for every MachineSet with such
/// GPUs; those for other GPUs stay, and so does the least that its owner wants.
pub fn set_limits(autoscaler: &mut Resource, limits: &Limits, results: &mut Results) -> Result<(), Fault> {
    let path = FieldPath::new("spec.resourceLimits.gpus");
    let there: Vec<Map<String, Value>> = autoscaler.get(&path)?.unwrap_or_default();
    let kind_of = |limit: &Map<String, Value>| limit.get("type").and_then(Value::as_str).map(str::to_owned);
    let kinds: Vec<Option<String>> = there.iter().map(kind_of).collect();
    for (i, kind) in kinds.iter().enumerate() {
        if let Some(kind) = kind.as_ref().filter(|kind| !label::is_value(kind)) {
            let message = format!(
                "{} limits nothing: the type is a value of the nodes' label {}, and cannot be that",
                quoted(kind),
                quoted(ACCELERATOR)
            );
            let path = path.clone().index(i).key("type");
            results.warning("limit-of-nothing", message).field(autoscaler, &path);
        }
    }
    let mut behind = there.len();
    for (kind, limit) in limits {
        match kinds.iter().position(|there| there.as_ref() == Some(kind)) {
            Some(index) => {
                let at = path.clone().index(index);
                let number = |key: &str| there[index].get(key).and_then(Value::as_u64);
                match number("min") {
                    None => autoscaler.set(&at.clone().key("min"), limit.min)?,
                    Some(min) if min > limit.min => {
                        let message = format!(
                            "so many stay, though the MachineSets could do with {}; lower this if it is not meant so",
                            limit.min
                        );
                        results.info("least-gpus", message).field(autoscaler, &at.clone().key("min"));
                    }
                    Some(_) => {}
                }
                if number("max").is_none_or(|max| max < limit.max) {
                    autoscaler.set(&at.key("max"), limit.max)?;
                }
            }
            None => {
                autoscaler.set(&path.clone().index(behind), limit.value(kind))?;
                behind += 1;
            }
        }
    }
    Ok(())
}

pub fn machine_autoscaler(
    wanted: &Planned<'_>,
    autoscale: &Autoscale,
    results: &mut Results,
) -> Result<Resource, Fault> {
    if autoscale.min == 0 && wanted.figures.gpus == 0 {
        let message = format!(
            "{} counts no GPU on {}, which has a fraction of one, so the autoscaler starts none for a pod that asks \
             for a GPU; set this to 1, or state in `capacity` what a machine has",
            wanted.template.provider.name(),
            quoted(&wanted.machine.instance_type)
        );
        results.warning("scale-from-zero", message).in_config(wanted.field("autoscale.min"));
    }
    let mut metadata = Map::from_iter([("name".to_owned(), json!(wanted.name))]);
    let namespace = &wanted.template.resource.id().namespace;
    metadata.extend(namespace.as_ref().map(|namespace| ("namespace".to_owned(), json!(namespace))));
    Resource::new(&json!({
        "apiVersion": "autoscaling.openshift.io/v1beta1",
        "kind": MACHINE_AUTOSCALER.kind,
        "metadata": metadata,
        "spec": {
            "minReplicas": autoscale.min,
            "maxReplicas": autoscale.max,
            "scaleTargetRef": {"apiVersion": MACHINE_API, "kind": MACHINE_SET.kind, "name": wanted.name},
        },
    }))
}

/// The name of the MachineSet that a MachineAutoscaler scales.
fn target() -> FieldPath {
    FieldPath::new("spec.scaleTargetRef.name")
}

/// A MachineSet has one MachineAutoscaler, ours, or none.
pub fn refuse_other_scalers(
    wanted: &Planned<'_>,
    given: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let (entry, is_scaled) = (wanted.entry, wanted.machine.autoscale.is_some());
    let namespace = &wanted.template.resource.id().namespace;
    let of_kind = |kind| given.iter().filter(move |item| item.is(kind) && item.id().namespace == *namespace);
    for other in of_kind(MACHINE_AUTOSCALER).filter(|other| !other.is_local()) {
        if other.get::<String>(&target())?.as_ref() != Some(&wanted.name) {
            continue;
        }
        let message = match is_scaled {
            true if other.id().name == wanted.name => continue,
            true => format!(
                "this MachineAutoscaler scales the MachineSet that `spec.machines[{entry}]` makes one for; remove this \
                 one, or `autoscale` there"
            ),
            false => format!(
                "this MachineAutoscaler scales the MachineSet of `spec.machines[{entry}]`, which has a fixed number of \
                 machines; remove this one, or say `autoscale` there"
            ),
        };
        results.error("scaled-twice", message).field(other, &target());
    }
    for set in of_kind(MACHINE_SET).filter(|set| !is_scaled && set.id().name == wanted.name) {
        if let Some(scaler) = set.annotation(SCALED_BY)? {
            let message = format!(
                "the MachineAutoscaler {} scales this MachineSet in the cluster, and `spec.machines[{entry}]` has a \
                 fixed number of machines; delete the MachineAutoscaler, or say `autoscale` there",
                quoted(scaler)
            );
            let path = FieldPath::new("metadata.annotations").key(SCALED_BY);
            results.error("scaled-twice", message).field(set, &path);
        }
    }
    Ok(())
}
