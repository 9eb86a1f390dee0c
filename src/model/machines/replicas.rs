//! How many machines MachineSets may have.

use std::collections::HashMap;

use super::{MachineAutoscaler, MachineSet};
use crate::model::item_reader::ItemReader;
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
                let mut fields = ItemReader::new(*item, world.get(*item), &mut misreads);
                ReplicaRange {
                    min: fields.get(&autoscaler::min_replicas()).unwrap_or(0),
                    max: fields.get(&autoscaler::max_replicas()).unwrap_or(0),
                }
            }
            None => {
                let mut fields = ItemReader::new(set.item, world.get(set.item), &mut misreads);
                let replicas = fields.get(&machine::replicas()).unwrap_or(1);
                ReplicaRange { min: replicas, max: replicas }
            }
        };
        ranges.push((set, range));
    }
    (ranges, misreads)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::krm::Object;
    use crate::model::machines::{machine_autoscalers, sets};
    use crate::platform::autoscaler::MACHINE_AUTOSCALER;
    use crate::platform::machine::MACHINE_SET;

    #[test]
    fn an_autoscaler_of_the_same_namespace_decides() {
        let set = |name: &str, spec| {
            Object::new(MACHINE_SET, name).namespace(Some("a")).field("spec", spec).build().unwrap()
        };
        let autoscaler = |namespace, target: &str| {
            let spec = json!({"minReplicas": 1, "maxReplicas": 4, "scaleTargetRef": {"name": target}});
            let object = Object::new(MACHINE_AUTOSCALER, target).namespace(Some(namespace));
            object.field("spec", spec).build().unwrap()
        };
        let items = [
            set("scaled", json!({"replicas": 2})),
            set("fixed", json!({"replicas": 2})),
            set("default", json!({})),
            autoscaler("a", "scaled"),
            autoscaler("b", "fixed"),
        ];
        let world = World::new(&items);
        let (sets, _) = sets(&world);
        let (ranges, misreads) = replicas(&world, &sets, &machine_autoscalers(&world).0);
        let ranges: Vec<(u64, u64)> = ranges.iter().map(|(_, range)| (range.min, range.max)).collect();
        assert_eq!((ranges, misreads.len()), (vec![(1, 4), (2, 2), (1, 1)], 0));
    }
}
