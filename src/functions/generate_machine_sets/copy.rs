//! A copy of the template, changed in what is its own and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{GenerateMachineSets, Planned, market, rehome, size, template, zone};
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::argocd;
use crate::platform::gpu_label::describes_gpus;
use crate::platform::instance;
use crate::platform::machine::{
    self, ACCELERATOR, ARCHITECTURE, CAPACITY, CLUSTER, CPUS, GPU_PRESENT, GPUS, HIVE, MAX_PODS, MEMORY,
    PERSONAL, SET,
};

impl GenerateMachineSets {
    pub(super) fn machine_set(&self, wanted: &Planned<'_>, results: &mut Results) -> Result<Resource, Fault> {
        let template = wanted.template;
        let mut set = template.resource.copy()?;
        zone::take_subnet(&mut set, wanted)?;
        if wanted.cluster != template.cluster {
            rehome::rehome(&mut set, template, wanted.cluster, results)?;
        }
        for field in machine::SERVER_FIELDS {
            set.remove(&FieldPath::new(field))?;
        }
        set.set(&FieldPath::new("metadata.name"), wanted.name.clone())?;
        self.set_annotations(&mut set, wanted)?;
        self.set_labels(&mut set, wanted, results)?;
        match wanted.machine.autoscale {
            Some(_) => set.remove(&machine::replicas())?,
            None => set.set(&machine::replicas(), wanted.machine.replicas.unwrap_or(1))?,
        }
        self.set_taints(&mut set, wanted)?;
        size::set(&mut set, wanted, results)?;
        if wanted.zone != template.zone
            && let Some(zone) = &wanted.zone
        {
            zone::set(&mut set, wanted, zone, results)?;
        }
        market::set(&mut set, wanted, results)?;
        Ok(set)
    }

    fn set_annotations(&self, set: &mut Resource, wanted: &Planned<'_>) -> Result<(), Fault> {
        let annotations = FieldPath::new("metadata.annotations");
        for key in PERSONAL {
            set.remove(&annotations.clone().key(key))?;
        }
        let figures = self.capacity_annotations(wanted)?;
        drop_old_figures(set, &figures)?;
        put_all(set, &annotations, figures)
    }

    /// What the autoscaler must know before there is a first machine to look at.
    pub(super) fn capacity_annotations(
        &self,
        wanted: &Planned<'_>,
    ) -> Result<BTreeMap<String, String>, Fault> {
        let figures = &wanted.figures;
        let mut new = BTreeMap::from([(GPUS.to_owned(), figures.gpus.to_string())]);
        new.extend(figures.cpus.map(|cpus| (CPUS.to_owned(), cpus.to_string())));
        new.extend(figures.memory_mib.map(|mib| (MEMORY.to_owned(), mib.to_string())));
        let mut labels = BTreeMap::new();
        let architecture = match figures.architecture {
            Some(architecture) => Some(architecture.to_owned()),
            None => wanted.template.architecture.clone(),
        };
        labels.extend(architecture.map(|architecture| (ARCHITECTURE.to_owned(), architecture)));
        if wanted.machine.autoscale.is_some() {
            let mut add = |key: &str, value: String| new.insert(format!("{CAPACITY}{key}"), value);
            figures.cpus.map(|cpus| add("cpu", cpus.to_string()));
            figures.memory_mib.map(|mib| add("memory", (u128::from(mib) << 20).to_string()));
            add("gpu-count", figures.gpus.to_string());
            add("gpu-type", figures.resource.to_owned());
            labels.extend(self.node_labels(figures));
        }
        if !labels.is_empty() {
            let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            new.insert(format!("{CAPACITY}labels"), pairs.join(","));
        }
        Ok(new)
    }

    fn set_labels(
        &self,
        set: &mut Resource,
        wanted: &Planned<'_>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        self.drop_descriptions(set, wanted, results)?;
        let own = FieldPath::new("metadata.labels");
        let there: BTreeMap<String, String> = set.get(&own)?.unwrap_or_default();
        let is_owners = |key: &str| key.starts_with(HIVE) || argocd::TRACKING_LABELS.contains(&key);
        for key in there.keys().filter(|key| is_owners(key)) {
            set.remove(&own.clone().key(key.clone()))?;
        }
        if there.contains_key(ACCELERATOR) {
            set.set(&own.clone().key(ACCELERATOR), self.accelerator_label(&wanted.figures))?;
        }
        set.set(&own.key(CLUSTER), wanted.cluster)?;
        for path in [machine::selector_labels(), machine::machine_labels()] {
            put_all(set, &path, [(CLUSTER, wanted.cluster), (SET, &wanted.name)])?;
        }
        put_all(set, &machine::node_labels(), self.node_labels(&wanted.figures))
    }

    /// Removes labels that describe the GPUs of a template whose machines have another size.
    fn drop_descriptions(
        &self,
        set: &mut Resource,
        wanted: &Planned<'_>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let size = &wanted.machine.instance_type;
        let has_same_size = template::instance_type(set)?.is_some_and(|known| known.name == size);
        if wanted.template.sign_of_gpus.is_none() || has_same_size {
            return Ok(());
        }
        let (new, nodes) = (self.node_labels(&wanted.figures), machine::node_labels());
        let own = FieldPath::new("metadata.labels");
        let mut dropped = BTreeSet::new();
        for labels in [own, machine::selector_labels(), machine::machine_labels(), nodes.clone()] {
            let there: BTreeMap<String, String> = set.get(&labels)?.unwrap_or_default();
            // Nodes get the new value in the place of the old; elsewhere the old one would stay.
            let is_replaced = |key: &str| new.contains_key(key) && (labels == nodes || key == GPU_PRESENT);
            let is_wrong = |key: &str| describes_gpus(key) || key == GPU_PRESENT;
            for key in there.into_keys().filter(|key| is_wrong(key) && !is_replaced(key)) {
                set.remove(&labels.clone().key(key.clone()))?;
                dropped.insert(quoted(key));
            }
        }
        if !dropped.is_empty() {
            let message = format!(
                "the MachineSet {} does not get the labels {}, which describe the machines of this template; set them \
                 in `spec.labels` if pods select nodes by them",
                quoted(&wanted.name),
                dropped.into_iter().collect::<Vec<_>>().join(", ")
            );
            results.info("gpu-label", message).on(wanted.template.resource);
        }
        Ok(())
    }

    /// The template's own taints stay, but for those of GPUs of another maker; a new one of the same key and effect takes the place of the old.
    fn set_taints(&self, set: &mut Resource, wanted: &Planned<'_>) -> Result<(), Fault> {
        let new = self.node_taints(&wanted.figures);
        let mut taints: Vec<Value> = set.get(&machine::taints())?.unwrap_or_default();
        let is_of_another_maker = |old: &Value| {
            instance::gpu_resources()
                .any(|resource| resource != wanted.figures.resource && old["key"] == resource)
        };
        taints.retain(|old| {
            !is_of_another_maker(old)
                && !new.iter().any(|taint| old["key"] == taint.key && old["effect"] == json!(taint.effect))
        });
        taints.extend(new.iter().map(|taint| json!(taint)));
        match taints.is_empty() {
            true => Ok(()),
            false => set.set(&machine::taints(), taints),
        }
    }
}

/// Removes what an earlier hand wrote of the machines. Nobody else would: the autoscaler's operator takes
/// whatever is there for right.
pub(super) fn drop_old_figures(set: &mut Resource, new: &BTreeMap<String, String>) -> Result<(), Fault> {
    let annotations = FieldPath::new("metadata.annotations");
    let there: Map<String, Value> = set.get(&annotations)?.unwrap_or_default();
    let is_figure = |key: &str| [CPUS, MEMORY, GPUS, MAX_PODS].contains(&key) || key.starts_with(CAPACITY);
    for key in there.keys().filter(|key| is_figure(key) && !new.contains_key(*key)) {
        set.remove(&annotations.clone().key(key.clone()))?;
    }
    Ok(())
}

fn put_all(
    set: &mut Resource,
    path: &FieldPath,
    pairs: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
) -> Result<(), Fault> {
    for (key, value) in pairs {
        set.set(&path.clone().key(key.into()), value.into())?;
    }
    Ok(())
}
