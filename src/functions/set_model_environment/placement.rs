//! Where replicas run: tolerations and the hardware profile.

use serde_json::{Value, json};

use super::ModelEnvironment;
use super::settings::models;
use super::tolerations::{Tolerations, usual_taint};
use crate::checks;
use crate::krm::{Fault, Order, Resource, Results};
use crate::model::World;
use crate::model::machines::{MachineSet, Taint, sets};
use crate::model::serving::{ModelService, Serving};
use crate::platform::kubernetes::annotation;
use crate::platform::serving::{HARDWARE_PROFILE, HARDWARE_PROFILE_KIND, HARDWARE_PROFILE_NAMESPACE};

impl ModelEnvironment {
    pub fn place(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let serving = models(items);
        match &self.tolerations {
            Some(Tolerations::FromMachineSets) => {
                let Some(taints) = gpu_taints(items, results) else { return Ok(()) };
                for service in &serving.services {
                    tolerate(&serving, service, &taints, items)?;
                }
            }
            Some(Tolerations::List(list)) => {
                for service in &serving.services {
                    let path = service.pod.site.path.clone().key("tolerations");
                    service.item.get_mut(items).set(&path, list.clone())?;
                }
            }
            None => {}
        }
        if let Some(profile) = &self.hardware_profile {
            for service in &serving.services {
                set_profile(profile, service, items)?;
            }
        }
        Ok(())
    }
}

/// The taints that keep pods from the GPU nodes of the package. None if a MachineSet cannot be read.
fn gpu_taints(items: &[Resource], results: &mut Results) -> Option<Vec<Taint>> {
    let (sets, misreads) = sets(&World::new(items));
    if checks::wrong_type(&misreads, results) {
        return None;
    }
    let with_gpus: Vec<&MachineSet> = sets.iter().filter(|set| set.sign_of_gpus().is_some()).collect();
    if with_gpus.is_empty() {
        return Some(vec![usual_taint()]);
    }
    let taints = with_gpus.iter().flat_map(|set| &set.taints).filter(|taint| taint.repels());
    let mut taints: Vec<Taint> = taints.cloned().collect();
    taints.order();
    taints.dedup_by(|a, b| (&a.key, &a.effect) == (&b.key, &b.effect));
    Some(taints)
}

/// Adds tolerations for taints that the service and its runtime do not tolerate.
fn tolerate(
    serving: &Serving,
    service: &ModelService,
    taints: &[Taint],
    items: &mut [Resource],
) -> Result<(), Fault> {
    let runtime = serving.runtime_of(service);
    let pods = [Some(&service.pod), runtime.map(|runtime| &runtime.pod)];
    let given: Vec<_> = pods.into_iter().flatten().flat_map(|pod| &pod.tolerations).collect();
    let missing = taints.iter().filter(|taint| !given.iter().any(|given| given.value.tolerates(taint)));
    let path = service.pod.site.path.clone().key("tolerations");
    for taint in missing {
        let item = service.item.get_mut(items);
        let new = json!({"key": taint.key, "operator": "Exists", "effect": taint.effect});
        let length = item.get::<Vec<Value>>(&path)?.map_or(0, |list| list.len());
        match length {
            0 => item.set(&path, vec![new])?,
            _ => item.set(&path.clone().index(length), new)?,
        }
    }
    Ok(())
}

/// OpenShift AI's webhook adds the namespace of the service if the annotation is missing.
fn set_profile(profile: &str, service: &ModelService, items: &mut [Resource]) -> Result<(), Fault> {
    let of_package =
        World::new(items).of_kind(HARDWARE_PROFILE_KIND).find(|(_, item)| item.id().name == profile);
    let of_package = of_package.and_then(|(_, item)| item.id().namespace.clone());
    let item = service.item.get_mut(items);
    let is_same = item.annotation(HARDWARE_PROFILE)?.is_some_and(|name| name == profile);
    let existing = item.annotation(HARDWARE_PROFILE_NAMESPACE)?.filter(|_| is_same);
    item.set(&annotation(HARDWARE_PROFILE), profile)?;
    match of_package.or(existing).or_else(|| service.namespace.clone()) {
        Some(namespace) => item.set(&annotation(HARDWARE_PROFILE_NAMESPACE), namespace),
        None => Ok(()),
    }
}
