//! MachineAutoscalers: each scaled MachineSet has exactly one.

use serde_json::json;

use super::super::copying::PlannedSet;
use super::super::machine::Autoscale;
use crate::checks::rules;
use crate::krm::{Fault, Object, Resource, Results, quoted};
use crate::model::machines::{MachineAutoscaler, MachineSet};
use crate::platform::autoscaler::{self, MACHINE_AUTOSCALER, SCALED_BY};
use crate::platform::machine::{self, MACHINE_SET};

/// The MachineAutoscaler of a planned set.
pub fn machine_autoscaler(
    planned: &PlannedSet<'_>,
    autoscale: Autoscale,
    results: &mut Results,
) -> Result<Resource, Fault> {
    if autoscale.min == 0 && planned.machine.gpus.count == 0 {
        let message = format!(
            "{} does not count the fraction of a GPU that {} has, so the autoscaler does not scale up from 0 for a pod \
             that requests a GPU; set this to 1, or set `capacity`",
            planned.template.provider.name(),
            quoted(&planned.machine.instance_type)
        );
        results.warning(&rules::SCALE_FROM_ZERO, message).in_config(planned.field("autoscale.min"));
    }
    let target =
        json!({"apiVersion": MACHINE_SET.api_version, "kind": MACHINE_SET.kind, "name": planned.name});
    let spec = json!({
        "minReplicas": autoscale.min,
        "maxReplicas": autoscale.max,
        "scaleTargetRef": target,
    });
    Object::new(MACHINE_AUTOSCALER, &planned.name)
        .namespace(planned.template.set.namespace.as_deref())
        .field("spec", spec)
        .build()
}

/// Rejects another MachineAutoscaler for a planned set, among the resources or in the cluster.
pub fn refuse_other_autoscalers(
    planned: &PlannedSet<'_>,
    autoscalers: &[MachineAutoscaler],
    sets: &[MachineSet],
    items: &[Resource],
    results: &mut Results,
) {
    let namespace = &planned.template.set.namespace;
    let scales_it = |other: &&MachineAutoscaler| {
        !other.is_local && other.namespace == *namespace && other.target.as_ref() == Some(&planned.name)
    };
    for other in autoscalers.iter().filter(scales_it) {
        refuse_other(other, planned, items, results);
    }
    if planned.machine.replicas.is_scaled() {
        return;
    }
    let is_it = |set: &&MachineSet| set.namespace == *namespace && set.name == planned.name;
    for (set, scaler) in sets.iter().filter(is_it).filter_map(|set| Some((set, set.scaled_by.as_ref()?))) {
        let message = format!(
            "the MachineAutoscaler {} scales this MachineSet in the cluster, and `spec.machines[{}]` has a fixed number of \
             machines; delete the MachineAutoscaler, or set `autoscale` there",
            quoted(scaler),
            planned.entry
        );
        let path = machine::annotations().key(SCALED_BY);
        results.error(&rules::SCALED_TWICE, message).field(set.item.get(items), &path);
    }
}

fn refuse_other(
    other: &MachineAutoscaler,
    planned: &PlannedSet<'_>,
    items: &[Resource],
    results: &mut Results,
) {
    let entry = planned.entry;
    let message = match planned.machine.replicas.is_scaled() {
        true if other.name == planned.name => return,
        true => format!(
            "`spec.machines[{entry}]` generates another MachineAutoscaler for the same MachineSet; remove this one, or \
             `autoscale` there"
        ),
        false => format!(
            "this MachineAutoscaler scales the MachineSet of `spec.machines[{entry}]`, which has a fixed number of \
             machines; remove this one, or set `autoscale` there"
        ),
    };
    results.error(&rules::SCALED_TWICE, message).field(other.item.get(items), &autoscaler::target_name());
}
