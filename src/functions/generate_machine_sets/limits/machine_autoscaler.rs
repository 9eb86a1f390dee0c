//! MachineAutoscalers: each scaled MachineSet has exactly one.

use crate::checks::rules;
use serde_json::json;

use super::super::copying::PlannedSet;
use super::super::machine::Autoscale;
use crate::krm::{Fault, Object, Resource, Results, quoted};
use crate::platform::autoscaler::{self, MACHINE_AUTOSCALER, SCALED_BY};
use crate::platform::machine::{self, MACHINE_SET};

/// The MachineAutoscaler of a planned set.
pub fn machine_autoscaler(
    planned: &PlannedSet<'_>,
    autoscale: &Autoscale,
    results: &mut Results,
) -> Result<Resource, Fault> {
    if autoscale.min == 0 && planned.figures.gpus == 0 {
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
        .namespace(planned.template.resource.id().namespace.as_deref())
        .field("spec", spec)
        .build()
}

/// The MachineAutoscaler of a MachineSet among the resources.
pub fn find<'i>(set: &Resource, items: &'i [Resource]) -> Result<Option<&'i Resource>, Fault> {
    let (name, namespace) = (&set.id().name, &set.id().namespace);
    for item in items.iter().filter(|item| item.is(MACHINE_AUTOSCALER) && item.id().namespace == *namespace) {
        if item.get::<String>(&autoscaler::target_name())?.as_ref() == Some(name) {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// Refuses another MachineAutoscaler for a planned set, among the resources or in the cluster.
pub fn refuse_other_scalers(
    planned: &PlannedSet<'_>,
    given: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let (entry, is_scaled) = (planned.entry, planned.machine.autoscale.is_some());
    let namespace = &planned.template.resource.id().namespace;
    for item in given.iter().filter(|item| item.id().namespace == *namespace) {
        if item.is(MACHINE_AUTOSCALER) && !item.is_local() {
            refuse_other(item, planned, results)?;
        }
        if !is_scaled && item.is(MACHINE_SET) && item.id().name == planned.name {
            let Some(scaler) = item.annotation(SCALED_BY)? else { continue };
            let message = format!(
                "the MachineAutoscaler {} scales this MachineSet in the cluster, and `spec.machines[{entry}]` has a \
                 fixed number of machines; delete the MachineAutoscaler, or set `autoscale` there",
                quoted(scaler)
            );
            results.error(&rules::SCALED_TWICE, message).field(item, &machine::annotations().key(SCALED_BY));
        }
    }
    Ok(())
}

fn refuse_other(other: &Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    let target = autoscaler::target_name();
    if other.get::<String>(&target)?.as_ref() != Some(&planned.name) {
        return Ok(());
    }
    let entry = planned.entry;
    let message = match planned.machine.autoscale {
        Some(_) if other.id().name == planned.name => return Ok(()),
        Some(_) => format!(
            "`spec.machines[{entry}]` generates another MachineAutoscaler for the same MachineSet; remove this one, or \
             `autoscale` there"
        ),
        None => format!(
            "this MachineAutoscaler scales the MachineSet of `spec.machines[{entry}]`, which has a fixed number of \
             machines; remove this one, or set `autoscale` there"
        ),
    };
    results.error(&rules::SCALED_TWICE, message).field(other, &target);
    Ok(())
}
