//! The image of the template must boot on the machines of the copy.

use super::PlannedSet;
use crate::checks::rules;
use crate::krm::{Results, quoted};
use crate::platform::architecture::AMD64;
use crate::platform::provider::{Provider, azure};

pub fn check_architecture(planned: &PlannedSet<'_>, results: &mut Results) {
    let (entry, name) = (planned.entry, quoted(&planned.machine.instance_type));
    let template = planned.template.resource;
    match (planned.figures.architecture, &planned.template.set.architecture) {
        (Some(needed), Some(found)) if needed != found => {
            let way_out = match planned.template_is_named {
                true => format!("name a template of {needed} machines"),
                false => format!("add a worker MachineSet of {needed} machines to the resources"),
            };
            let message = format!(
                "`spec.machines[{entry}].instanceType`: {name} is {needed}, and the image of this template is for \
                 {found}; {way_out}"
            );
            results.error(&rules::ARCHITECTURE, message).on(template);
        }
        (Some(needed), None) if needed != AMD64 => {
            let message = format!(
                "`spec.machines[{entry}].instanceType`: {name} is {needed}, and this template does not show the \
                 architecture of its image; check that it is {needed} too"
            );
            results.warning(&rules::ARCHITECTURE, message).on(template);
        }
        _ => {}
    }
}

/// Azure VMs are generation 1 or 2, and an image supports only one of them.
pub fn check_generation(planned: &PlannedSet<'_>, results: &mut Results) {
    let template = planned.template;
    let needs_generation_2 = template.provider == Provider::Azure
        && azure::GENERATION_2_MODELS.contains(&planned.machine.gpus.accelerator.model());
    if let Some(path) = template.set.generation_1_image.as_ref().filter(|_| needs_generation_2) {
        let message = format!(
            "{} needs an image for VMs of generation 2, and by its name this one is for generation 1; the installer's \
             generation 2 images end in \"-gen2\", those of Azure Red Hat OpenShift in \"-v2\"",
            quoted(&planned.machine.instance_type)
        );
        results.warning(&rules::IMAGE_GENERATION, message).field(template.resource, path);
    }
}
