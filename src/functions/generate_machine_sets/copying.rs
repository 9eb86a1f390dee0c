//! Copies worker MachineSets: finds the templates, plans the sets, and changes what is specific to each copy.

mod annotations;
mod cluster;
mod copy;
mod existing;
mod gpus;
mod image;
mod labels;
mod plan;
mod size;
mod spot;
mod subnet;
mod taints;
mod template;
mod zone;

pub use self::existing::update as update_existing;
pub use self::plan::PlannedSet;
use self::template::Template;
pub use self::template::TemplateName;
use super::machine::Replicas;
use super::{GpuMachineSets, limits};
use crate::checks::{self, rules};
use crate::krm::{Fault, Resource, Results, quoted};
use crate::model::{World, machines};

/// The MachineSets of the config, each followed by its MachineAutoscaler.
pub fn copies(
    spec: &GpuMachineSets,
    given: &[Resource],
    results: &mut Results,
) -> Result<Vec<Resource>, Fault> {
    let world = World::new(given);
    let (sets, misreads) = machines::sets(&world);
    let chosen = template::choose(&sets, spec.template.as_deref())?;
    let misreads = template::misreads_of(&chosen, misreads);
    let (autoscalers, more) = machines::machine_autoscalers(&world);
    if !misreads.is_empty() || !more.is_empty() {
        checks::wrong_type(misreads.iter().chain(&more), results);
        return Ok(Vec::new());
    }
    let templates = template::read(&chosen, given)?;
    report_gpu_templates(&templates, results);
    report_foreign_templates(spec, &templates, results);
    plan::report(spec, &templates, results);
    let mut generated = Vec::new();
    for planned in &plan::sets(spec, &templates) {
        // A copy has no file yet, so a fault in it is reported on the template.
        let set =
            copy::machine_set(spec, planned, results).map_err(|fault| fault.on(planned.template.resource))?;
        existing::refuse_another_selector(&set, planned, given, results)?;
        generated.push(set);
        limits::refuse_other_autoscalers(planned, &autoscalers, &sets, given, results);
        if let Replicas::Scaled(autoscale) = planned.machine.replicas {
            generated.push(limits::machine_autoscaler(planned, autoscale, results)?);
        }
    }
    Ok(generated)
}

fn report_gpu_templates(templates: &[Template<'_>], results: &mut Results) {
    for (template, sign) in templates.iter().filter_map(|t| Some((t, t.sign_of_gpus.as_ref()?))) {
        let message = format!(
            "the template is itself a GPU MachineSet ({sign}), and the copies keep its other GPU settings; use a \
             worker MachineSet as the template"
        );
        results.warning(&rules::GPU_TEMPLATE, message).on(template.resource);
    }
}

/// The security groups and subnets of a template from another cluster do not exist in the cluster that it would be
/// applied to.
fn report_foreign_templates(spec: &GpuMachineSets, templates: &[Template<'_>], results: &mut Results) {
    let Some(cluster) = spec.infrastructure_name.as_ref().filter(|_| spec.keep_template.is_none()) else {
        return;
    };
    for template in templates.iter().filter(|t| t.cluster != *cluster && !t.set.is_local) {
        let message = format!(
            "this template belongs to the cluster {}, and it is rendered for {} together with its copies; set \
             `keepTemplate: false` to leave it out, or `true` to confirm",
            quoted(template.cluster),
            quoted(cluster)
        );
        results.warning(&rules::FOREIGN_TEMPLATE, message).on(template.resource);
    }
}
