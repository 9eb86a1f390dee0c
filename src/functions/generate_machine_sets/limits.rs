//! What lets the autoscaler scale the machines: a MachineAutoscaler for each MachineSet, and limits for GPUs in the
//! ClusterAutoscaler. This file adds up the limits.

mod cluster_autoscaler;
mod gpu_limits;
mod machine_autoscaler;

use std::collections::BTreeMap;

pub use self::cluster_autoscaler::{
    ClusterAutoscaler, new_cluster_autoscaler, report_missing_autoscaler, update_cluster_autoscaler,
};
pub use self::machine_autoscaler::{machine_autoscaler, refuse_other_autoscalers};
use super::GpuMachineSets;
use super::machine::LARGEST;
use crate::model::machines::ReplicaRange;
use crate::model::{Misread, World, machines};

/// How many GPUs of a kind there may be, by the value of the label `cluster-api/accelerator`.
type Limits = BTreeMap<String, Limit>;

#[derive(Debug, Default)]
struct Limit {
    min: u64,
    max: u64,
}

/// The limits for the MachineSets among the resources, and for those that a Job will generate. All sets with one kind
/// of GPU share its limit, whoever created them.
fn limits(spec: &GpuMachineSets, world: &World<'_>) -> (Limits, Vec<Misread>) {
    let (sets, mut misreads) = machines::sets(world);
    let (autoscalers, more) = machines::machine_autoscalers(world);
    misreads.extend(more);
    let applied = sets.iter().filter(|set| !set.is_local);
    let with_gpus = applied.filter(|set| set.accelerator().is_some() && set.gpus().is_some());
    let (ranges, more) = machines::replicas(world, with_gpus, &autoscalers);
    misreads.extend(more);
    let mut limits = Limits::new();
    for (set, range) in ranges {
        if let Some((kind, gpus)) = set.accelerator().zip(set.gpus()) {
            add(&mut limits, kind.to_owned(), gpus, range);
        }
    }
    if spec.discovery.is_some() {
        add_machines(spec, &mut limits);
    }
    (limits, misreads)
}

/// Adds machines whose MachineSets a Job will generate in the cluster, in every zone that the config names.
fn add_machines(spec: &GpuMachineSets, limits: &mut Limits) {
    for machine in &spec.machines {
        let (min, max) = machine.replicas.range();
        let gpus = u64::from(machine.gpus.count) * machine.zones.len().max(1) as u64;
        let range = ReplicaRange { min: min.into(), max: max.into() };
        add(limits, spec.accelerator_label(&machine.gpus), gpus, range);
    }
}

fn add(limits: &mut Limits, kind: String, gpus: u64, range: ReplicaRange) {
    let max = gpus.saturating_mul(range.max);
    if max == 0 {
        return; // the API requires a maximum of at least 1
    }
    let limit = limits.entry(kind).or_default();
    limit.min = limit.min.saturating_add(gpus.saturating_mul(range.min)).min(LARGEST);
    limit.max = limit.max.saturating_add(max).min(LARGEST);
}
