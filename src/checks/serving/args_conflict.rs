//! Flags of vLLM that a service sets twice.

use super::services;
use crate::checks::rules;
use crate::krm::{Finding, Results, Severity, quoted};
use crate::model::Model;
use crate::model::serving::{Arguments, Flag, FlagValue, ModelService};
use crate::platform::vllm::FlagKind;

/// Reports flags with two values. KServe appends the arguments of the model to those of the runtime, and vLLM uses the
/// last one.
pub fn args_conflict(model: &Model<'_>, results: &mut Results) {
    let serving = &model.serving;
    let mut runtimes = Vec::new();
    for service in services(model).filter(|service| serving.is_vllm(service)) {
        // A script of a shell has flags of several programs, and the shell reads further arguments.
        if serving.script_of(service).is_some() {
            continue;
        }
        let lists: Vec<&Arguments> = serving.arguments_of(service).collect();
        for (i, list) in lists.iter().enumerate() {
            if list.site.item == service.item {
                report_twice(list, model, results);
                continue;
            }
            if !runtimes.contains(&&list.site) {
                runtimes.push(&list.site);
                report_twice(list, model, results);
            }
            for own in lists[i + 1..].iter().filter(|later| later.site.item == service.item) {
                report_both(service, list, own, model, results);
            }
        }
    }
}

/// Reports flags that occur twice in one list.
fn report_twice(arguments: &Arguments, model: &Model<'_>, results: &mut Results) {
    for flag in arguments.flags.iter().filter(|flag| replaces(flag)) {
        let later = arguments.flags.iter().find(|later| later.name == flag.name && later.index > flag.index);
        if let Some(later) = later.filter(|later| later.value.text() != flag.value.text()) {
            let message = format!(
                "{} has no effect, because vLLM uses the last value, {}; remove one of them",
                quoted(written(flag)),
                quoted(later.value.text())
            );
            results
                .warning(&rules::ARGS_CONFLICT, message)
                .at(arguments.site_of(flag).location(model.items()))
                .related(arguments.site_of(later).location(model.items()), "the last value");
        }
    }
}

/// Reports flags of a runtime that its service sets again. A runtime of several services may have defaults, which some of
/// them override, and equal values do no harm.
fn report_both(
    service: &ModelService,
    of_runtime: &Arguments,
    own: &Arguments,
    model: &Model<'_>,
    results: &mut Results,
) {
    let runtime = model.serving.runtime_of(service);
    let is_shared = runtime.is_some_and(|runtime| {
        let is_user = |other: &&ModelService| {
            model.serving.runtime_of(other).is_some_and(|used| used.item == runtime.item)
        };
        runtime.is_cluster_wide || model.serving.services.iter().filter(is_user).count() > 1
    });
    for flag in own.flags.iter().filter(|flag| replaces(flag)) {
        let Some(before) = of_runtime.last(&flag.name) else { continue };
        if own.last(&flag.name) != Some(flag) {
            continue;
        }
        let is_equal = before.value.text() == flag.value.text();
        let severity = if is_shared || is_equal { Severity::Info } else { Severity::Warning };
        let (own_flag, other) = (quoted(written(flag)), quoted(written(before)));
        let message = if is_equal {
            format!(
                "{own_flag} repeats a flag of the runtime; remove one of them, so that they cannot differ"
            )
        } else {
            format!(
                "{own_flag} replaces {other} of the runtime, because KServe appends the arguments of the model and vLLM \
                 uses the last value; set the flag in one place"
            )
        };
        let mut finding = Finding::new(severity, &rules::ARGS_CONFLICT, message);
        finding
            .at(own.site_of(flag).location(model.items()))
            .related(of_runtime.site_of(before).location(model.items()), "the value of the runtime");
        results.add(finding);
    }
}

/// Whether a later flag of the same name replaces this one. Lists may be joined, and only vLLM's own flags are known.
fn replaces(flag: &Flag) -> bool {
    flag.facts.is_some_and(|facts| facts.kind != FlagKind::List)
}

fn written(flag: &Flag) -> String {
    match &flag.value {
        FlagValue::On | FlagValue::Off => flag.spelt.clone(),
        value => format!("{}={}", flag.spelt, value.text()),
    }
}
