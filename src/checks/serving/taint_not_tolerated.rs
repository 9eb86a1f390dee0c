//! Models and other workloads that cannot run on the GPU machines of the package, because of taints and labels.

use super::machines::{GpuPod, excluding_label, gpu_machines, gpu_pods, may_have};
use crate::checks::rules;
use crate::krm::{Finding, Location, Results, Severity, quoted};
use crate::model::Model;
use crate::model::machines::{MachineSet, Taint, Toleration};
use crate::model::serving::workloads;
use crate::platform::machine;

/// Reports pods with GPUs that no MachineSet with GPUs accepts.
pub fn taint_not_tolerated(model: &Model<'_>, results: &mut Results) {
    let sets = gpu_machines(model);
    if sets.is_empty() {
        return;
    }
    let workloads = workloads::with_gpus(&model.world);
    for pod in gpu_pods(model, &workloads) {
        let possible: Vec<&MachineSet> =
            sets.iter().filter(|set| may_have(set, &pod.amount.resource)).collect();
        let selected: Vec<&MachineSet> =
            possible.iter().copied().filter(|set| excluding_label(pod.pod, set).is_none()).collect();
        let taints: Option<Vec<(&MachineSet, &Taint)>> =
            selected.iter().map(|set| Some((*set, repelling(&pod, set)?))).collect();
        match (taints, possible.first()) {
            (Some(taints), _) if !taints.is_empty() => report_taint(&pod, &taints, model, results),
            (_, Some(first)) if selected.is_empty() => report_label(&pod, first, model, results),
            _ => {}
        }
    }
}

/// The tolerations of a model and of its runtime, which KServe merges.
fn tolerations<'m>(pod: &GpuPod<'m>) -> impl Iterator<Item = &'m Toleration> {
    let pods = [Some(pod.pod), pod.runtime].into_iter().flatten();
    pods.flat_map(|pod| pod.tolerations.iter().map(|toleration| &toleration.value))
}

/// The taint that keeps a pod from the machines of a set.
fn repelling<'s>(pod: &GpuPod<'_>, set: &'s MachineSet) -> Option<&'s Taint> {
    let is_tolerated = |taint: &&Taint| tolerations(pod).any(|toleration| toleration.tolerates(taint));
    set.taints.iter().filter(|taint| taint.repels()).find(|taint| !is_tolerated(taint))
}

fn report_taint(
    pod: &GpuPod<'_>,
    taints: &[(&MachineSet, &Taint)],
    model: &Model<'_>,
    results: &mut Results,
) {
    let items = model.items();
    let GpuPod { pod, is_complete, .. } = *pod;
    // A runtime that is not among the resources may have tolerations.
    if !is_complete && pod.tolerations.is_empty() {
        return;
    }
    // A toleration of the same key is meant for the taint.
    let of_key =
        |taint: &Taint| pod.tolerations.iter().find(|own| own.value.key.as_ref() == Some(&taint.key));
    let is_meant = |(_, taint): &&(&MachineSet, &Taint)| of_key(taint).is_some();
    let Some((set, taint)) = taints.iter().find(is_meant).or(taints.first()) else { return };
    let meant = of_key(taint);
    let is_certain = is_complete && meant.is_some();
    let severity = if is_certain { Severity::Error } else { Severity::Warning };
    let what = match meant {
        Some(_) => format!("does not tolerate the taint {}", quoted(taint)),
        None => format!("no toleration for the taint {}", quoted(taint)),
    };
    let others = match taints.len() {
        1 => String::new(),
        count => format!(" (and {} more with GPUs)", count - 1),
    };
    let unless = if is_certain { "" } else { " unless the cluster has other nodes with GPUs" };
    let message = format!(
        "{what} of MachineSet {}{others}, so the pod stays pending{unless}; tolerate it, such as with `{{key: {}, operator: \
         Exists}}`",
        quoted(&set.name),
        taint.key
    );
    let mut finding = Finding::new(severity, &rules::TAINT_NOT_TOLERATED, message);
    match meant {
        Some(meant) => finding.at(meant.site.location(items)),
        None => finding.at(pod.site.clone().key("tolerations").location(items)),
    };
    let taint = Location::of_field(set.item.get(items), &machine::taints());
    finding.related(taint, "the taint");
    results.add(finding);
}

fn report_label(pod: &GpuPod<'_>, set: &MachineSet, model: &Model<'_>, results: &mut Results) {
    let Some(label) = excluding_label(pod.pod, set) else { return };
    let (key, value) = &label.value;
    let message = format!(
        "no MachineSet with GPUs among the resources has the label {}; if no other node has it, the pod stays pending: \
         correct the label, or add machines",
        quoted(format!("{key}={value}"))
    );
    let items = model.items();
    results
        .warning(&rules::TAINT_NOT_TOLERATED, message)
        .at(label.site.location(items))
        .related(Location::of_field(set.item.get(items), &machine::node_labels()), "a MachineSet with GPUs");
}
