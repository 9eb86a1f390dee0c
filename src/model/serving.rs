//! Model serving with KServe: InferenceServices, LLMInferenceServices, and the runtimes that they use.

pub mod arguments;
mod command_line;
mod container;
mod pod;
pub mod references;
#[cfg(test)]
mod tests;
pub mod workloads;

use super::item_reader::ItemReader;
use super::{ItemId, Misread, Sited, World};
use crate::krm::FieldPath;
use crate::platform::kubernetes::annotation;
use crate::platform::serving::{
    self, CLUSTER_SERVING_RUNTIME, CONNECTIONS, DEPLOYMENT_MODE, INFERENCE_SERVICE, KSERVE_CONTAINER,
    LLM_INFERENCE_SERVICE, MAIN_CONTAINER, SERVING_RUNTIME,
};
use crate::platform::vllm;

pub use arguments::{Arguments, Flag, FlagValue};
pub use container::{Amount, Container};
pub use pod::Pod;
pub use references::{Reference, ReferenceForm};

#[derive(Debug, Default)]
pub struct Serving {
    pub services: Vec<ModelService>,
    pub runtimes: Vec<Runtime>,
    /// The objects that services, runtimes and ServiceAccounts name.
    pub references: Vec<Reference>,
}

/// An InferenceService or an LLMInferenceService.
#[derive(Debug)]
pub struct ModelService {
    pub item: ItemId,
    pub name: String,
    pub namespace: Option<String>,
    /// Whether it is an LLMInferenceService, which has no runtime, format, storage or canary.
    pub is_llm: bool,
    /// The name of its ServingRuntime.
    pub runtime: Sited<Option<String>>,
    /// The name of the format of its model.
    pub format: Sited<Option<String>>,
    pub protocol: Sited<Option<String>>,
    /// The location of its model.
    pub storage_uri: Sited<Option<String>>,
    /// The Secret with the location of its model, for OpenShift AI.
    pub storage_key: Sited<Option<String>>,
    /// The Secret that the annotation of OpenShift AI names.
    pub connection: Sited<Option<String>>,
    pub deployment_mode: Sited<Option<String>>,
    pub canary: Sited<Option<u64>>,
    /// The minimum. An LLMInferenceService has a fixed number of replicas, which is both minimum and maximum.
    pub min_replicas: Sited<Option<u64>>,
    pub max_replicas: Sited<Option<u64>>,
    pub pod: Pod,
    /// `model`, or the container of the model. None if the resource has neither.
    pub container: Option<Container>,
}

/// A ServingRuntime or a ClusterServingRuntime.
#[derive(Debug)]
pub struct Runtime {
    pub item: ItemId,
    pub name: String,
    pub namespace: Option<String>,
    /// Whether services in every namespace can use it.
    pub is_cluster_wide: bool,
    /// The formats of models that it supports.
    pub formats: Vec<String>,
    pub pod: Pod,
    pub container: Option<Container>,
}

pub fn read(world: &World<'_>) -> (Serving, Vec<Misread>) {
    let (mut serving, mut misreads) = (Serving::default(), Vec::new());
    for (item, resource) in world.items() {
        let mut fields = ItemReader::new(item, resource, &mut misreads);
        if resource.is(INFERENCE_SERVICE) {
            serving.services.push(inference_service(&mut fields));
        } else if resource.is(LLM_INFERENCE_SERVICE) {
            serving.services.push(llm_service(&mut fields));
        } else if resource.is(SERVING_RUNTIME) || resource.is(CLUSTER_SERVING_RUNTIME) {
            serving.runtimes.push(runtime(&mut fields));
        }
    }
    serving.references = references::read(world, &mut misreads);
    (serving, misreads)
}

fn inference_service(fields: &mut ItemReader<'_, '_>) -> ModelService {
    let (predictor, model) = (serving::predictor(), serving::model());
    let container = match fields.has(&model) {
        true => Some(Container::read(&model, fields)),
        false => Container::in_list(&predictor.clone().key("containers"), KSERVE_CONTAINER, fields),
    };
    let storage = model.clone().key("storage");
    ModelService {
        is_llm: false,
        runtime: fields.sited(model.clone().key("runtime")),
        format: fields.sited(model.clone().key("modelFormat").key("name")),
        protocol: fields.sited(model.clone().key("protocolVersion")),
        storage_uri: fields.sited(model.key("storageUri")),
        storage_key: fields.sited(storage.key("key")),
        canary: fields.sited(predictor.clone().key("canaryTrafficPercent")),
        min_replicas: fields.sited(predictor.clone().key("minReplicas")),
        max_replicas: fields.sited(predictor.clone().key("maxReplicas")),
        ..service(predictor, container, fields)
    }
}

fn llm_service(fields: &mut ItemReader<'_, '_>) -> ModelService {
    let template = serving::template();
    let container = Container::in_list(&template.clone().key("containers"), MAIN_CONTAINER, fields);
    let replicas = FieldPath::new("spec.replicas");
    ModelService {
        storage_uri: fields.sited(FieldPath::new("spec.model.uri")),
        min_replicas: fields.sited(replicas.clone()),
        max_replicas: fields.quiet(replicas),
        ..service(template, container, fields)
    }
}

/// What both kinds have. Other fields are missing.
fn service(pod: FieldPath, container: Option<Container>, fields: &mut ItemReader<'_, '_>) -> ModelService {
    let id = fields.id();
    let site = || fields.site(FieldPath::new("spec"));
    let text = || Sited { value: None, site: site() };
    let number = || Sited { value: None, site: site() };
    ModelService {
        item: fields.item,
        name: id.name,
        namespace: id.namespace,
        is_llm: true,
        runtime: text(),
        format: text(),
        protocol: text(),
        storage_uri: text(),
        storage_key: text(),
        canary: number(),
        min_replicas: number(),
        max_replicas: number(),
        connection: fields.sited(annotation(CONNECTIONS)),
        deployment_mode: fields.sited(annotation(DEPLOYMENT_MODE)),
        pod: Pod::read(pod, fields),
        container,
    }
}

fn runtime(fields: &mut ItemReader<'_, '_>) -> Runtime {
    let spec = FieldPath::new("spec");
    let id = fields.id();
    let formats: Vec<Format> = fields.get(&spec.clone().key("supportedModelFormats")).unwrap_or_default();
    Runtime {
        item: fields.item,
        name: id.name,
        namespace: id.namespace,
        is_cluster_wide: fields.resource.is(CLUSTER_SERVING_RUNTIME),
        formats: formats.into_iter().filter_map(|format| format.name).collect(),
        container: Container::in_list(&spec.clone().key("containers"), KSERVE_CONTAINER, fields),
        pod: Pod::read(spec, fields),
    }
}

#[derive(serde::Deserialize)]
struct Format {
    name: Option<String>,
}

impl Serving {
    /// The runtime of a service. None if the service names none, or one that is not among the resources.
    pub fn runtime_of(&self, service: &ModelService) -> Option<&Runtime> {
        let name = service.runtime.value.as_ref()?;
        let mut named = self.runtimes.iter().filter(|runtime| runtime.name == *name);
        // An object without a namespace gets one when it is applied.
        named.find(|runtime| {
            let namespaces = runtime.namespace.as_ref().zip(service.namespace.as_ref());
            runtime.is_cluster_wide || namespaces.is_none_or(|(its, own)| its == own)
        })
    }

    /// The GPUs of each replica. KServe prefers the resources of the service to those of the runtime.
    pub fn gpus_of<'s>(&'s self, service: &'s ModelService) -> Option<&'s Amount> {
        let own = service.container.as_ref().and_then(Container::gpus);
        own.or_else(|| self.runtime_of(service)?.container.as_ref()?.gpus())
    }

    /// Whether vLLM serves the model, as far as the resources show. It is the default of LLMInferenceServices.
    pub fn is_vllm(&self, service: &ModelService) -> bool {
        let is_format = |name: &String| name.eq_ignore_ascii_case(vllm::MODEL_FORMAT);
        let runtime = self.runtime_of(service);
        let containers = [service.container.as_ref(), runtime.and_then(|runtime| runtime.container.as_ref())];
        service.is_llm
            || service.format.value.as_ref().is_some_and(is_format)
            || runtime.is_some_and(|runtime| runtime.formats.iter().any(is_format))
            || containers.into_iter().flatten().any(|container| container.names_vllm)
    }
}
