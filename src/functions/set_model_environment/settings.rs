//! Sets the display name, the location of the model, replicas, resources and GPUs.

use serde_json::json;

use super::ModelEnvironment;
use super::sizes::text;
use crate::formats::quantity;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted, rules};
use crate::model::serving::{ModelService, Serving, read};
use crate::model::{Site, World};
use crate::platform::instance::NVIDIA_GPU;
use crate::platform::kubernetes::annotation;
use crate::platform::serving::{self, DISPLAY_NAME, INFERENCE_SERVICE, LLM_INFERENCE_SERVICE};

impl ModelEnvironment {
    /// Sets the location before names change, because it can name a claim of the package.
    pub fn set_location(&self, items: &mut [Resource]) -> Result<(), Fault> {
        let Some(uri) = &self.storage_uri else { return Ok(()) };
        let takes_storage = serving::SCHEMES_WITH_STORAGE.iter().any(|scheme| uri.starts_with(scheme));
        for item in items.iter_mut().filter(|item| !item.is_local()) {
            let storage = serving::model().key("storage");
            if item.is(LLM_INFERENCE_SERVICE) {
                item.set(&FieldPath::new("spec.model.uri"), uri.clone())?;
            } else if item.is(INFERENCE_SERVICE) {
                if !item.has(&serving::model())? {
                    return Err(without_model(item, "the location of its model"));
                }
                if item.has(&storage)? && !takes_storage {
                    let message = "KServe reads `storage` only with locations that begin with s3://, hdfs:// or \
                                   webhdfs://; remove it, or `model` from the functionConfig";
                    return Err(Fault::new(&rules::WRONG_VALUE, message).field(item, &storage));
                }
                item.set(&serving::model().key("storageUri"), uri.clone())?;
            }
        }
        Ok(())
    }

    /// A package without models, or with several for a setting that fits only one, cannot be an environment.
    pub fn require_models(&self, items: &[Resource]) -> Result<(), Fault> {
        let serving = models(items);
        let count = serving.services.len();
        if count == 0 && serving.runtimes.is_empty() {
            let message = "the resources contain no InferenceService, LLMInferenceService or ServingRuntime";
            return Err(Fault::new(&rules::NO_MATCH, message));
        }
        let of_one = [("displayName", self.display_name.is_some()), ("model", self.storage_uri.is_some())];
        match of_one.into_iter().find(|(_, is_set)| *is_set && count > 1) {
            Some((field, _)) => {
                let message =
                    format!("is for one model, but the resources contain {count}; use one package per model");
                Err(Fault::new(&rules::WRONG_VALUE, message).in_config(FieldPath::new("spec").key(field)))
            }
            None => Ok(()),
        }
    }

    /// Sets the display name and the replicas, before names change, so that findings have the current names.
    pub fn describe_models(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        for service in &models(items).services {
            if let Some(name) = &self.display_name {
                service.item.get_mut(items).set(&annotation(DISPLAY_NAME), name.clone())?;
            }
            self.set_replicas(service, items, results)?;
        }
        Ok(())
    }

    pub fn set_sizes(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let serving = models(items);
        for service in &serving.services {
            let container = container_of(service);
            if self.gpus.is_some() || self.sizes.amounts().next().is_some() {
                if service.container.is_none() && !service.is_llm {
                    return Err(without_model(service.item.get(items), "its resources"));
                }
                create_container(service, items)?;
            }
            for (kind, resource, amount) in self.sizes.amounts() {
                set_amount(&container, kind, resource, &amount, items)?;
            }
            for resource in self.sizes.names() {
                report_request(&container, resource, items, results)?;
            }
            if let Some(gpus) = self.gpus {
                let resource = serving.gpus_of(service).map_or(NVIDIA_GPU, |known| known.resource.as_str());
                for kind in ["limits", "requests"] {
                    set_amount(&container, kind, resource, &gpus.to_string(), items)?;
                }
            }
        }
        Ok(())
    }

    fn set_replicas(
        &self,
        service: &ModelService,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let item = service.item.get_mut(items);
        let (min, max) = (self.replicas.min, self.replicas.max);
        if let Some(min) = min {
            item.set(&service.min_replicas.site.path, min)?;
        }
        if let Some(max) = max.filter(|_| !service.is_llm) {
            item.set(&service.max_replicas.site.path, max)?;
        }
        let after: (Option<u64>, Option<u64>) =
            (item.get(&service.min_replicas.site.path)?, item.get(&service.max_replicas.site.path)?);
        if let (Some(min), Some(max)) = after
            && min > max
            && max > 0
        {
            let message = format!(
                "the model would have {min} to {max} replicas; set both `min` and `max` in `replicas`"
            );
            results.error(&rules::WRONG_VALUE, message).field(item, &service.max_replicas.site.path);
        }
        Ok(())
    }
}

/// The models that are applied to a cluster, and their runtimes.
pub fn models(items: &[Resource]) -> Serving {
    let (mut serving, _) = read(&World::new(items));
    serving.services.retain(|service| !service.item.get(items).is_local());
    serving.runtimes.retain(|runtime| !runtime.item.get(items).is_local());
    serving
}

/// The part of a service that has the arguments and resources of its model. It may not exist yet.
pub fn container_of(service: &ModelService) -> Site {
    match &service.container {
        Some(container) => container.site.clone(),
        None if service.is_llm => Site::new(service.item, serving::template().key("containers").index(0)),
        None => Site::new(service.item, serving::model()),
    }
}

/// KServe rejects a `model` beside the former fields for each framework, such as `sklearn`, or beside `containers`.
fn without_model(item: &Resource, what: &str) -> Fault {
    let message = format!(
        "the InferenceService has no `model`, so {what} cannot be set; describe the model in `spec.predictor.model`, with \
         `modelFormat`"
    );
    Fault::new(&rules::WRONG_VALUE, message).field(item, &serving::predictor())
}

/// The container of an LLMInferenceService that leaves it to its configuration.
fn create_container(service: &ModelService, items: &mut [Resource]) -> Result<(), Fault> {
    if service.container.is_some() || !service.is_llm {
        return Ok(());
    }
    let containers = json!([{"name": serving::MAIN_CONTAINER}]);
    service.item.get_mut(items).set(&serving::template().key("containers"), containers)
}

/// Kubernetes rejects a request above the limit, such as one that the model already has.
fn report_request(
    container: &Site,
    resource: &str,
    items: &[Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let item = container.item.get(items);
    let path = |kind| container.path.clone().key("resources").key(kind).key(resource.to_owned());
    let text_at = |kind| Ok::<_, Fault>(item.value(&path(kind))?.and_then(|value| text(&value)));
    let (Some(request), Some(limit)) = (text_at("requests")?, text_at("limits")?) else { return Ok(()) };
    let amounts = quantity::amount(&request).zip(quantity::amount(&limit));
    if amounts.is_some_and(|(request, limit)| request > limit) {
        let message = format!(
            "the model would request {}, which is above the limit {}; set both in `resources`",
            quoted(request),
            quoted(limit)
        );
        results.error(&rules::WRONG_VALUE, message).field(item, &path("requests"));
    }
    Ok(())
}

/// Sets an amount, unless it is already written in another way, such as without quotes.
fn set_amount(
    container: &Site,
    kind: &'static str,
    resource: &str,
    amount: &str,
    items: &mut [Resource],
) -> Result<(), Fault> {
    let path = container.path.clone().key("resources").key(kind).key(resource.to_owned());
    let item = container.item.get_mut(items);
    let is_equal = item.value(&path)?.and_then(|value| text(&value)).is_some_and(|text| text == amount);
    if is_equal { Ok(()) } else { item.set(&path, amount) }
}
