//! MachineSets.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::taints::Taint;
use crate::krm::{FieldPath, Resource, quoted};
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, World};
use crate::platform::architecture::{ARM64, is_arm};
use crate::platform::autoscaler::{CAPACITY_LABELS, SCALED_BY};
use crate::platform::gpu_label::describes_gpus;
use crate::platform::instance::{self, InstanceType};
use crate::platform::machine::{
    self, ACCELERATOR, ARCHITECTURE, CLUSTER, GPU_PRESENT, GPU_ROLE, GPUS, MACHINE_SET, ROLE,
};
use crate::platform::provider::{self, PROVIDERS, Provider, azure};

type Labels = BTreeMap<String, String>;

#[derive(Debug)]
pub struct MachineSet {
    pub item: ItemId,
    pub name: String,
    pub namespace: Option<String>,
    pub is_local: bool,
    /// The kind of the providerSpec.
    pub provider_kind: String,
    /// The provider, if the program knows it.
    pub provider: Option<Provider>,
    /// The infrastructure name of its cluster.
    pub cluster: Option<String>,
    /// The role of its Machines.
    pub role: Option<String>,
    pub zone: Option<String>,
    pub region: Option<String>,
    /// The instance type of its machines, if the catalogue lists it.
    pub instance: Option<&'static InstanceType>,
    /// The architecture that its controller found its machines to have, or that the name of their size shows.
    pub architecture: Option<String>,
    /// The field that shows that the image is for VMs of generation 1, on Azure.
    pub generation_1_image: Option<FieldPath>,
    pub labels: Labels,
    pub node_labels: Labels,
    pub taints: Vec<Taint>,
    /// The annotation with the number of GPUs of a machine.
    pub gpu_annotation: Option<String>,
    /// The field of the providerSpec that attaches GPUs.
    pub attached_gpus: Option<&'static str>,
    /// The MachineAutoscaler that scales it in the cluster, by an annotation of the operator.
    pub scaled_by: Option<String>,
}

/// The MachineSets, in the order of the items.
pub fn sets(world: &World<'_>) -> (Vec<MachineSet>, Vec<Misread>) {
    let mut misreads = Vec::new();
    let items = world.of_kind(MACHINE_SET);
    let sets =
        items.map(|(id, item)| read(id, item, &mut ItemReader::new(id, item, &mut misreads))).collect();
    (sets, misreads)
}

fn read(id: ItemId, item: &Resource, fields: &mut ItemReader<'_, '_>) -> MachineSet {
    let provider_kind: String = fields.get(&provider::kind()).unwrap_or_default();
    let provider = Provider::of_kind(&provider_kind);
    let clusters = [machine::labels(), machine::machine_labels(), machine::selector_labels()];
    let size: Option<String> = at(provider.and_then(Provider::size), fields);
    MachineSet {
        item: id,
        name: item.id().name.clone(),
        namespace: item.id().namespace.clone(),
        is_local: item.is_local(),
        provider,
        provider_kind,
        cluster: clusters.into_iter().find_map(|labels| fields.get(&labels.key(CLUSTER))),
        role: fields.get(&machine::machine_labels().key(ROLE)),
        zone: at(provider.and_then(Provider::zone), fields),
        region: at(provider.and_then(Provider::region), fields),
        instance: instance(fields),
        architecture: architecture(size.as_deref(), provider, fields),
        generation_1_image: generation_1_image(provider, fields),
        labels: fields.get(&machine::labels()).unwrap_or_default(),
        node_labels: fields.get(&machine::node_labels()).unwrap_or_default(),
        taints: taints(fields),
        gpu_annotation: fields.get(&machine::annotations().key(GPUS)),
        attached_gpus: attached_gpus(fields),
        scaled_by: fields.get(&machine::annotations().key(SCALED_BY)),
    }
}

fn at(path: Option<FieldPath>, fields: &mut ItemReader<'_, '_>) -> Option<String> {
    fields.get(&path?)
}

/// Looks at the size fields of all clouds, because the provider may be unknown.
fn instance(fields: &mut ItemReader<'_, '_>) -> Option<&'static InstanceType> {
    let sizes = PROVIDERS.into_iter().filter(|provider| provider.is_cloud()).filter_map(Provider::size);
    sizes.into_iter().find_map(|path| instance::by_name(&fields.get::<String>(&path)?))
}

/// The annotation of the controller, or the name of the size.
fn architecture(
    size: Option<&str>,
    provider: Option<Provider>,
    fields: &mut ItemReader<'_, '_>,
) -> Option<String> {
    let labels: String = fields.get(&machine::annotations().key(CAPACITY_LABELS)).unwrap_or_default();
    let pairs = labels.split(',').filter_map(|pair| pair.split_once('='));
    let annotated =
        pairs.filter(|(key, _)| *key == ARCHITECTURE).map(|(_, value)| value.to_owned()).next_back();
    let is_named_arm = provider.zip(size).is_some_and(|(provider, size)| is_arm(provider, size));
    annotated.or(is_named_arm.then(|| ARM64.to_owned()))
}

fn generation_1_image(provider: Option<Provider>, fields: &mut ItemReader<'_, '_>) -> Option<FieldPath> {
    if provider != Some(Provider::Azure) {
        return None;
    }
    let (by_id, by_sku) = (provider::field(azure::IMAGE_ID), provider::field(azure::IMAGE_SKU));
    let id: String = fields.get(&by_id).unwrap_or_default();
    if !id.is_empty() {
        return azure::is_generation_1_id(&id).then_some(by_id);
    }
    let publisher: Option<String> = fields.get(&provider::field(azure::IMAGE_PUBLISHER));
    let sku: String = fields.get(&by_sku)?;
    azure::is_generation_1_sku(publisher.as_deref(), &sku).then_some(by_sku)
}

fn taints(fields: &mut ItemReader<'_, '_>) -> Vec<Taint> {
    let taints: Vec<Map<String, Value>> = fields.get(&machine::taints()).unwrap_or_default();
    taints.iter().filter_map(Taint::read).collect()
}

/// Looks at the fields of all providers, because the provider may be unknown.
fn attached_gpus(fields: &mut ItemReader<'_, '_>) -> Option<&'static str> {
    // GCP and Nutanix have a field of the same name.
    let mut names: Vec<&str> = PROVIDERS.iter().filter_map(|provider| provider.facts().gpus).collect();
    names.dedup();
    names.into_iter().find(|name| {
        let gpus: Option<Vec<Value>> = fields.get(&provider::field(name));
        gpus.is_some_and(|gpus| !gpus.is_empty())
    })
}

impl MachineSet {
    /// What shows that its machines have GPUs: an annotation, a label, a taint, GPUs in the providerSpec, or an instance
    /// type of the catalogue.
    pub fn sign_of_gpus(&self) -> Option<String> {
        let is_sign = |key: &&String| {
            [ACCELERATOR, GPU_PRESENT, GPU_ROLE].contains(&key.as_str()) || describes_gpus(key)
        };
        let is_gpu_taint = |key: &&String| instance::gpu_resources().any(|resource| resource == *key);
        let annotated = self.gpu_annotation.as_ref().filter(|count| *count != "0");
        let labelled = self.labels.keys().chain(self.node_labels.keys()).find(is_sign);
        let tainted = self.taints.iter().map(|taint| &taint.key).find(is_gpu_taint);
        annotated
            .map(|count| format!("`{GPUS}: {count}`"))
            .or_else(|| labelled.map(|key| format!("the label {}", quoted(key))))
            .or_else(|| tainted.map(|key| format!("the taint {}", quoted(key))))
            .or_else(|| self.attached_gpus.map(|field| format!("`{field}` of its providerSpec")))
            .or_else(|| self.instance.map(|known| quoted(known.name)))
    }

    /// The number of GPUs of a machine, by the annotation or the catalogue.
    pub fn gpus(&self) -> Option<u64> {
        // Copies made by hand often have the annotation of a worker, which is 0.
        let annotated = self.gpu_annotation.as_ref().and_then(|count| count.parse().ok());
        let known = self.instance.and_then(|known| known.count).map(u64::from);
        annotated.filter(|count| *count > 0).or(known)
    }

    /// The value of the node label by which the autoscaler counts GPUs.
    pub fn accelerator(&self) -> Option<&str> {
        self.node_labels.get(ACCELERATOR).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::krm::Object;

    fn set(annotations: Value, node_labels: Value, provider_spec: Value) -> Resource {
        let template =
            json!({"spec": {"metadata": {"labels": node_labels}, "providerSpec": {"value": provider_spec}}});
        let annotations = annotations.as_object().cloned().unwrap_or_default();
        let object = Object::new(MACHINE_SET, "worker").annotations(annotations);
        object.field("spec", json!({"template": template})).build().unwrap()
    }

    #[test]
    fn gpus_are_recognised_by_several_signs() {
        let aws = |size: &str| json!({"kind": "AWSMachineProviderConfig", "instanceType": size});
        let items = [
            set(json!({}), json!({}), aws("m6i.xlarge")),
            set(json!({GPUS: "0"}), json!({}), aws("g6.12xlarge")),
            set(json!({GPUS: "2"}), json!({}), aws("m6i.xlarge")),
            set(json!({}), json!({GPU_ROLE: ""}), aws("m6i.xlarge")),
            set(json!({}), json!({}), json!({"kind": "Unknown", "gpus": [{"name": "L4"}]})),
        ];
        let (sets, misreads) = sets(&World::new(&items));
        let signs: Vec<Option<String>> = sets.iter().map(MachineSet::sign_of_gpus).collect();
        let expected = [
            None,
            Some("\"g6.12xlarge\""),
            Some("`machine.openshift.io/GPU: 2`"),
            Some("the label \"node-role.kubernetes.io/gpu\""),
            Some("`gpus` of its providerSpec"),
        ];
        assert_eq!(signs, expected.map(|sign| sign.map(str::to_owned)));
        let gpus: Vec<Option<u64>> = sets.iter().map(MachineSet::gpus).collect();
        assert_eq!(gpus, [None, Some(4), Some(2), None, None], "an annotation of 0 does not count");
        assert_eq!((sets[4].provider, misreads.len()), (None, 0));
    }

    #[test]
    fn the_architecture_is_annotated_or_named() {
        let arm = json!({"kind": "AWSMachineProviderConfig", "instanceType": "m6g.xlarge"});
        let annotations = json!({CAPACITY_LABELS: "kubernetes.io/arch=amd64"});
        let items = [set(json!({}), json!({}), arm.clone()), set(annotations, json!({}), arm)];
        let (sets, _) = sets(&World::new(&items));
        assert_eq!(sets[0].architecture.as_deref(), Some("arm64"));
        assert_eq!(sets[1].architecture.as_deref(), Some("amd64"));
    }

    #[test]
    fn a_field_of_the_wrong_type_is_a_misread() {
        let items = [set(json!({}), json!([]), json!({"kind": "AzureMachineProviderSpec", "zone": 1}))];
        let (sets, misreads) = sets(&World::new(&items));
        let paths: Vec<String> = misreads.iter().map(|misread| misread.site.path.to_string()).collect();
        assert_eq!(
            paths,
            ["spec.template.spec.providerSpec.value.zone", "spec.template.spec.metadata.labels"]
        );
        assert_eq!((sets[0].zone.as_deref(), sets[0].provider), (None, Some(Provider::Azure)));
    }
}
