//! How many machines MachineSets may have.

use std::collections::HashMap;

use super::{MachineAutoscaler, MachineSet};
use crate::model::fields::Fields;
use crate::model::{ItemId, Misread, World};
use crate::platform::{autoscaler, machine};

/// The smallest and the largest number of machines of a MachineSet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicaRange {
    pub min: u64,
    pub max: u64,
}

/// The replicas of each MachineSet: the range of its MachineAutoscaler, or its own number.
pub fn replicas<'m>(
    world: &World<'_>,
    sets: impl IntoIterator<Item = &'m MachineSet>,
    autoscalers: &[MachineAutoscaler],
) -> (Vec<(&'m MachineSet, ReplicaRange)>, Vec<Misread>) {
    let mut of_target: HashMap<(Option<&str>, &str), ItemId> = HashMap::new();
    for autoscaler in autoscalers {
        if let Some(target) = &autoscaler.target {
            of_target.entry((autoscaler.namespace.as_deref(), target)).or_insert(autoscaler.item);
        }
    }
    let mut misreads = Vec::new();
    let mut ranges = Vec::new();
    for set in sets {
        let range = match of_target.get(&(set.namespace.as_deref(), set.name.as_str())) {
            Some(item) => {
                let mut fields = Fields::new(*item, world.get(*item), &mut misreads);
                ReplicaRange {
                    min: fields.get(&autoscaler::min_replicas()).unwrap_or(0),
                    max: fields.get(&autoscaler::max_replicas()).unwrap_or(0),
                }
            }
            None => {
                let mut fields = Fields::new(set.item, world.get(set.item), &mut misreads);
                let replicas = fields.get(&machine::replicas()).unwrap_or(1);
                ReplicaRange { min: replicas, max: replicas }
            }
        };
        ranges.push((set, range));
    }
    (ranges, misreads)
}
