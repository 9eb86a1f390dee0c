//! vLLM's numbers of GPUs that differ from what the pod gets.

use super::services;
use crate::checks::rules;
use crate::krm::{FieldPath, Finding, Results, Severity, quoted};
use crate::model::serving::{Arguments, Flag, ModelService};
use crate::model::{ItemId, Model};
use crate::platform::serving::MULTI_NODE;
use crate::platform::vllm::{CONFIG, DISTRIBUTED_EXECUTOR, PARALLEL_SIZES, SAME_NODE, TENSOR_PARALLEL_SIZE};

/// Reports services whose GPUs are not those that vLLM uses.
pub fn tensor_parallel(model: &Model<'_>, results: &mut Results) {
    for service in services(model).filter(|service| model.serving.is_vllm(service)) {
        let Some(amount) = model.serving.gpus_of(service) else { continue };
        let Some(gpus) = amount.gpus().filter(|gpus| *gpus > 0) else { continue };
        let Some(used) = used(service, model) else { continue };
        let items = model.items();
        let gpus_are = if gpus == 1 { "1 GPU".to_owned() } else { format!("{gpus} GPUs") };
        let resource = quoted(&amount.resource);
        let (severity, message) = if used.gpus > gpus {
            let message = format!(
                "vLLM needs {} GPUs, but the pod gets {gpus_are} and fails to start; request {} of {resource}, or \
                 correct the flag",
                used.gpus, used.gpus
            );
            (Severity::Error, message)
        } else if used.gpus < gpus {
            let flag = format!("--{TENSOR_PARALLEL_SIZE}");
            let message = format!(
                "vLLM uses {} of the {gpus_are} of the pod; set {} to {gpus}, or request {} of {resource}",
                used.gpus,
                quoted(flag),
                used.gpus
            );
            (Severity::Warning, message)
        } else {
            continue;
        };
        let mut finding = Finding::new(severity, &rules::TENSOR_PARALLEL, message);
        match used.flag {
            Some((arguments, flag)) => finding
                .at(arguments.site_of(flag).location(items))
                .related(amount.value.site.location(items), "the GPUs of the pod"),
            None => finding.at(amount.value.site.location(items)),
        };
        results.add(finding);
    }
}

/// The GPUs that vLLM uses on one node.
struct Used<'m> {
    gpus: u64,
    /// The tensor parallel size, or else another size that counts.
    flag: Option<(&'m Arguments, &'m Flag)>,
}

/// None if the arguments do not show it, or if vLLM uses several nodes.
fn used<'m>(service: &'m ModelService, model: &'m Model<'_>) -> Option<Used<'m>> {
    let lists: Vec<&Arguments> = model.serving.arguments_of(service).collect();
    let last = |name: &str| lists.iter().rev().find_map(|list| Some((*list, list.last(name)?)));
    let executor = last(DISTRIBUTED_EXECUTOR).map(|(_, flag)| flag.value.text());
    let is_elsewhere = executor.is_some_and(|executor| !SAME_NODE.contains(&executor.as_str()));
    let is_script = model.serving.script_of(service).is_some();
    if is_script || uses_many_nodes(service, model) || is_elsewhere || last(CONFIG).is_some() {
        return None;
    }
    let mut used = Used { gpus: 1, flag: None };
    for name in PARALLEL_SIZES {
        if let Some((list, flag)) = last(name) {
            used.gpus = used.gpus.checked_mul(flag.value.text().parse().ok().filter(|size| *size > 0)?)?;
            used.flag = used.flag.or(Some((list, flag)));
        }
    }
    // Without a flag, the number is 1, if all arguments are known.
    let is_known = used.flag.is_some() || has_all_arguments(service, &lists, model);
    is_known.then_some(used)
}

fn uses_many_nodes(service: &ModelService, model: &Model<'_>) -> bool {
    let runtime = model.serving.runtime_of(service).map(|runtime| runtime.item);
    let has = |item: ItemId| {
        MULTI_NODE.iter().any(|path| item.get(model.items()).has(&FieldPath::new(path)).unwrap_or(true))
    };
    has(service.item) || runtime.is_some_and(has)
}

/// Whether the resources have all arguments: those of the runtime, and none in a shell script or a variable.
fn has_all_arguments(service: &ModelService, lists: &[&Arguments], model: &Model<'_>) -> bool {
    let Some(runtime) = model.serving.runtime_of(service).filter(|_| !service.is_llm) else { return false };
    let containers = [runtime.container.as_ref(), service.container.as_ref()];
    let is_plain = |word: &String| !word.contains(char::is_whitespace) && !word.contains('$');
    let has_own_program = containers.into_iter().flatten().any(|container| {
        let command: Option<Vec<String>> = container
            .site
            .item
            .get(model.items())
            .get(&container.site.path.clone().key("command"))
            .ok()
            .flatten();
        command.is_some_and(|words| words.iter().any(|word| word.contains("sh") && !word.contains("vllm")))
    });
    !has_own_program && !lists.is_empty() && lists.iter().all(|list| list.words.iter().all(is_plain))
}
