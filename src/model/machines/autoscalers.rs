//! MachineAutoscalers and ClusterAutoscalers.

use serde_json::{Map, Value};

use crate::model::item_reader::ItemReader;
use crate::model::{ItemId, Misread, World};
use crate::platform::autoscaler::{self, CLUSTER_AUTOSCALER, MACHINE_AUTOSCALER};

#[derive(Debug)]
pub struct MachineAutoscaler {
    pub item: ItemId,
    pub name: String,
    pub namespace: Option<String>,
    pub is_local: bool,
    /// The name of the MachineSet that it scales.
    pub target: Option<String>,
}

/// The MachineAutoscalers, in the order of the items.
pub fn machine_autoscalers(world: &World<'_>) -> (Vec<MachineAutoscaler>, Vec<Misread>) {
    let mut misreads = Vec::new();
    let autoscalers = world.of_kind(MACHINE_AUTOSCALER).map(|(id, item)| MachineAutoscaler {
        item: id,
        name: item.id().name.clone(),
        namespace: item.id().namespace.clone(),
        is_local: item.is_local(),
        target: ItemReader::new(id, item, &mut misreads).get(&autoscaler::target_name()),
    });
    let autoscalers = autoscalers.collect();
    (autoscalers, misreads)
}

#[derive(Debug)]
pub struct ClusterAutoscaler {
    pub item: ItemId,
    pub name: String,
    pub max_nodes_total: Option<u32>,
    pub gpu_limits: Vec<GpuLimit>,
}

impl ClusterAutoscaler {
    /// Whether the operator reads it.
    pub fn is_read(&self) -> bool {
        self.name == autoscaler::DEFAULT_NAME
    }
}

/// A limit for one kind of GPU. Values that are not whole numbers are None.
#[derive(Debug)]
pub struct GpuLimit {
    /// The value of the node label `cluster-api/accelerator`.
    pub kind: Option<String>,
    pub min: Option<u64>,
    pub max: Option<u64>,
}

/// The ClusterAutoscalers that are applied to the cluster, in the order of the items.
pub fn cluster_autoscalers(world: &World<'_>) -> (Vec<ClusterAutoscaler>, Vec<Misread>) {
    let mut misreads = Vec::new();
    let items = world.of_kind(CLUSTER_AUTOSCALER).filter(|(_, item)| !item.is_local());
    let autoscalers = items.map(|(id, item)| {
        let mut fields = ItemReader::new(id, item, &mut misreads);
        let limits: Vec<Map<String, Value>> = fields.get(&autoscaler::gpu_limits()).unwrap_or_default();
        ClusterAutoscaler {
            item: id,
            name: item.id().name.clone(),
            max_nodes_total: fields.get(&autoscaler::max_nodes_total()),
            gpu_limits: limits.iter().map(gpu_limit).collect(),
        }
    });
    let autoscalers = autoscalers.collect();
    (autoscalers, misreads)
}

fn gpu_limit(limit: &Map<String, Value>) -> GpuLimit {
    let number = |key: &str| limit.get(key).and_then(Value::as_u64);
    GpuLimit {
        kind: limit.get(autoscaler::LIMIT_TYPE).and_then(Value::as_str).map(str::to_owned),
        min: number(autoscaler::LIMIT_MIN),
        max: number(autoscaler::LIMIT_MAX),
    }
}
