//! Pods of other kinds than KServe's that request GPUs, such as Deployments, Jobs and workbenches.

use serde_json::Value;

use super::{Amount, Container, Pod};
use crate::krm::FieldPath;
use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, World};
use crate::platform::workloads::{DAEMON_SET, PODS};

/// An object with pods.
#[derive(Debug)]
pub struct Workload {
    pub item: ItemId,
    pub pod: Pod,
    /// The GPUs of the container that requests the most.
    pub gpus: Amount,
}

/// The objects whose pods request GPUs. DaemonSets run only on nodes that they tolerate, so they are left out. What cannot
/// be read is skipped.
pub fn with_gpus(world: &World<'_>) -> Vec<Workload> {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for (item, resource) in world.items().filter(|(_, resource)| !resource.is(DAEMON_SET)) {
        let Some((_, pod)) = PODS.iter().find(|(kind, _)| resource.is(*kind)) else { continue };
        let fields = &mut ItemReader::new(item, resource, &mut skipped);
        let pod = FieldPath::new(pod);
        let gpus = containers(&pod, fields).into_iter().max_by_key(Amount::gpus);
        found.extend(gpus.map(|gpus| Workload { item, pod: Pod::read(pod, fields), gpus }));
    }
    found
}

/// The GPUs of each container that requests some.
fn containers(pod: &FieldPath, fields: &mut ItemReader<'_, '_>) -> Vec<Amount> {
    let mut amounts = Vec::new();
    for list in ["containers", "initContainers"] {
        let list = pod.clone().key(list);
        let count = fields.get::<Vec<Value>>(&list).unwrap_or_default().len();
        for index in 0..count {
            amounts.extend(Container::read(&list.clone().index(index), fields).gpus().cloned());
        }
    }
    amounts
}
