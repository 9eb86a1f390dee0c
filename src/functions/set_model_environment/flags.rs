//! Flags of vLLM: reads those of the spec, and sets them in the arguments of runtimes and models.

mod edit;
mod script;
mod spec;

use super::ModelEnvironment;
use super::settings::{container_of, models};
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::model::Site;
use crate::model::serving::arguments::{self, FlagValue};
use crate::model::serving::{ModelService, Serving};
use crate::platform::vllm::{self, FlagFacts};

pub use spec::read;

/// What happens to a flag.
#[derive(Debug, Clone)]
pub struct FlagChange {
    /// As vLLM spells it, without dashes.
    pub name: String,
    pub facts: Option<FlagFacts>,
    /// None removes the flag.
    pub value: Option<FlagValue>,
}

impl ModelEnvironment {
    pub fn set_flags(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let serving = models(items);
        let mut is_any = false;
        for service in &serving.services {
            if !serving.is_vllm(service) {
                continue;
            }
            is_any = true;
            if let Some((script, list)) = serving.script_of(service) {
                self.report_script(script, &list.site, items, results);
                continue;
            }
            let lists = lists(&serving, service);
            for change in &self.flags {
                self.set_flag(change, service, &lists, items, results)?;
            }
            if let Some(change) = self.tensor_parallel(&lists, items)? {
                self.set_flag(&change, service, &lists, items, results)?;
            }
        }
        if !is_any && !self.flags.is_empty() {
            let message = "the resources contain no model that vLLM serves";
            results.warning(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.args"));
        }
        Ok(())
    }

    /// Changes the flag where it is. The model's arguments follow those of the runtime, so they win.
    fn set_flag(
        &self,
        change: &FlagChange,
        service: &ModelService,
        lists: &[Site],
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        if change.value.is_none() {
            return lists.iter().try_for_each(|list| edit::remove(change, list, items));
        }
        let mut having = Vec::new();
        for list in lists {
            if edit::words(list, items)?.is_some_and(|words| has(&words, &change.name)) {
                having.push(list);
            }
        }
        match (having.as_slice(), lists.last()) {
            ([.., list], _) => edit::replace(change, list, items),
            ([], Some(list)) if service.is_llm && !has_command_line(list, items)? => {
                let message = format!(
                    "`--{}` cannot be added: the command line is in an LLMInferenceServiceConfig of the cluster, whose \
                     arguments new ones would replace; write the complete `command` and `args` here",
                    change.name
                );
                results.error(&rules::WRONG_VALUE, message).field(list.item.get(items), &list.path);
                Ok(())
            }
            ([], Some(list)) => edit::add(change, list, items),
            ([], None) => Ok(()),
        }
    }

    /// The number of GPUs that share the model, unless the spec sets it explicitly. With pipelines, each stage has its
    /// own.
    fn tensor_parallel(&self, lists: &[Site], items: &[Resource]) -> Result<Option<FlagChange>, Fault> {
        let [name, others @ ..] = vllm::PARALLEL_SIZES;
        let Some(gpus) = self.gpus.filter(|_| self.flags.iter().all(|flag| flag.name != name)) else {
            return Ok(None);
        };
        let mut words = Vec::new();
        for list in lists {
            words.extend(edit::words(list, items)?.unwrap_or_default());
        }
        let sizes = others.into_iter().filter_map(|other| value_of(&words, other));
        let stages: u32 = sizes.fold(1, u32::saturating_mul);
        let size = if stages > 0 && gpus.is_multiple_of(stages) { gpus / stages } else { gpus };
        let value = Some(FlagValue::Joined(size.to_string()));
        let change = FlagChange { name: name.to_owned(), facts: vllm::flag(name), value };
        Ok((size > 1 || has(&words, name)).then_some(change))
    }
}

/// The number that a flag sets.
fn value_of(words: &[String], name: &str) -> Option<u32> {
    arguments::parse(words).into_iter().rfind(|flag| flag.name == name)?.value.text().parse().ok()
}

/// Whether the container has the command of the server, or arguments for it.
fn has_command_line(args: &Site, items: &[Resource]) -> Result<bool, Fault> {
    let item = args.item.get(items);
    Ok(item.has(&args.path)? || item.has(&args.path.clone().parent().key("command"))?)
}

fn has(words: &[String], name: &str) -> bool {
    arguments::parse(words).iter().any(|flag| flag.name == name)
}

/// The lists with flags of a service, which may be those of its runtime. The last one is that of the service's own
/// arguments, which may not exist yet.
fn lists(serving: &Serving, service: &ModelService) -> Vec<Site> {
    let shared =
        serving.runtime_of(service).filter(|runtime| runtime.is_cluster_wide).map(|runtime| runtime.item);
    let own = container_of(service).key("args");
    let existing = serving.arguments_of(service).map(|list| list.site.clone());
    let mut lists: Vec<Site> = existing.filter(|list| Some(list.item) != shared && *list != own).collect();
    lists.push(own);
    lists
}
