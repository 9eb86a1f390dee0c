//! One copy of a template: which parts change, and in which order. Everything else is preserved byte for
//! byte.

use super::super::GpuMachineSets;
use super::super::machine::Replicas;
use super::{PlannedSet, annotations, cluster, gpus, image, labels, size, spot, subnet, taints, zone};
use crate::functions::copies;
use crate::krm::{Fault, Resource, Results};
use crate::platform::machine;

pub fn machine_set(
    spec: &GpuMachineSets,
    planned: &PlannedSet<'_>,
    results: &mut Results,
) -> Result<Resource, Fault> {
    let template = planned.template;
    let mut set = copies::copy(template.resource)?;
    subnet::take_from_neighbour(&mut set, planned)?;
    if planned.cluster != template.cluster {
        cluster::rename(&mut set, template, planned.cluster, results)?;
    }
    set.set(&machine::name(), planned.name.clone())?;
    annotations::set(&mut set, spec, planned)?;
    labels::set(&mut set, spec, planned, results)?;
    match planned.machine.replicas {
        Replicas::Scaled(_) => set.remove(&machine::replicas())?,
        Replicas::Fixed(number) => set.set(&machine::replicas(), number)?,
    }
    taints::set(&mut set, spec, planned)?;
    image::check_architecture(planned, results);
    size::set(&mut set, planned, results)?;
    image::check_generation(planned, results);
    gpus::set(&mut set, planned, results)?;
    if planned.zone != template.set.zone
        && let Some(zone) = &planned.zone
    {
        zone::set(&mut set, planned, zone, results)?;
    }
    spot::set(&mut set, planned, results)?;
    Ok(set)
}
