//! What lets the autoscaler scale the machines: a MachineAutoscaler for each MachineSet, and limits for GPUs in the
//! ClusterAutoscaler. This file adds up the limits.

mod cluster_autoscaler;
mod gpu_limits;
mod machine_autoscaler;

use std::collections::BTreeMap;

pub use self::cluster_autoscaler::{
    ClusterAutoscaler, new_cluster_autoscaler, report_missing_autoscaler, update_cluster_autoscaler,
};
pub use self::machine_autoscaler::{machine_autoscaler, refuse_other_scalers};
use super::GenerateMachineSets;
use super::machine::{Autoscale, LARGEST};
use crate::krm::{Fault, Resource};
use crate::platform::autoscaler;
use crate::platform::instance;
use crate::platform::machine::{self, ACCELERATOR, GPUS, MACHINE_SET};

/// How many GPUs of a kind there may be, by the value of the label `cluster-api/accelerator`.
type Limits = BTreeMap<String, Limit>;

#[derive(Debug, Default)]
struct Limit {
    min: u64,
    max: u64,
}

/// The limits for the MachineSets among the resources, and for those that a Job will generate. All sets with one kind
/// of GPU share its limit, whoever created them.
fn limits(spec: &GenerateMachineSets, items: &[Resource]) -> Result<Limits, Fault> {
    let mut limits = Limits::new();
    for set in items.iter().filter(|item| item.is(MACHINE_SET) && !item.is_local()) {
        let kind: Option<String> = set.get(&machine::node_labels().key(ACCELERATOR))?;
        let (Some(kind), Some(gpus)) = (kind, gpus_of(set)?) else { continue };
        let (min, max) = replicas_of(set, items)?;
        add(&mut limits, kind, gpus, min, max);
    }
    if spec.discover.is_some() {
        add_machines(spec, &mut limits);
    }
    Ok(limits)
}

/// How many GPUs a machine of a set has, by its annotation or the catalogue.
fn gpus_of(set: &Resource) -> Result<Option<u64>, Fault> {
    // Copies made by hand often have the annotation of a worker: 0.
    let annotated = set.annotation(GPUS)?.and_then(|count| count.parse().ok()).filter(|count| *count > 0);
    let known = instance::of_set(set)?.and_then(|known| known.count);
    Ok(annotated.or(known.map(u64::from)))
}

/// The smallest and the largest number of machines of a set.
fn replicas_of(set: &Resource, items: &[Resource]) -> Result<(u64, u64), Fault> {
    match machine_autoscaler::find(set, items)? {
        Some(scaler) => Ok((
            scaler.get(&autoscaler::min_replicas())?.unwrap_or(0),
            scaler.get(&autoscaler::max_replicas())?.unwrap_or(0),
        )),
        None => {
            let replicas = set.get(&machine::replicas())?.unwrap_or(1);
            Ok((replicas, replicas))
        }
    }
}

/// Adds machines whose MachineSets a Job will generate in the cluster, in every zone that the config names.
fn add_machines(spec: &GenerateMachineSets, limits: &mut Limits) {
    for machine in &spec.machines {
        let Ok(figures) = machine.figures(None) else { continue }; // refused by `check`
        let (min, max) = match machine.autoscale {
            Some(Autoscale { min, max }) => (min, max),
            None => (machine.replicas.unwrap_or(1), machine.replicas.unwrap_or(1)),
        };
        let gpus = u64::from(figures.gpus) * machine.zones.len().max(1) as u64;
        add(limits, spec.accelerator_label(&figures), gpus, min.into(), max.into());
    }
}

fn add(limits: &mut Limits, kind: String, gpus: u64, min: u64, max: u64) {
    let most = gpus.saturating_mul(max);
    if most == 0 {
        return; // the API requires a maximum of at least 1
    }
    let limit = limits.entry(kind).or_default();
    limit.min = limit.min.saturating_add(gpus.saturating_mul(min)).min(LARGEST);
    limit.max = limit.max.saturating_add(most).min(LARGEST);
}
