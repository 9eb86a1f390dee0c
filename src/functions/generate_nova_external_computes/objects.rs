//! NovaExternalComputes: new ones, and what is copied to existing ones.

use serde_json::{Map, Value, json};

use super::ExternalComputes;
use crate::krm::{Fault, Object, Resource};
use crate::model::legacy_data_plane::{ComputeNode, LegacyDataPlane};
use crate::platform::legacy_dataplane as facts;

impl ExternalComputes {
    pub(super) fn new_compute(
        &self,
        compute: &ComputeNode<'_>,
        plane: &LegacyDataPlane,
    ) -> Result<Resource, Fault> {
        let cell = compute.cell_in(plane, &self.nova);
        let mut spec = Map::new();
        spec.insert(facts::NOVA_INSTANCE.to_owned(), json!(cell.nova));
        spec.insert(facts::CELL_NAME.to_owned(), json!(cell.name));
        for (field, value) in copied(compute) {
            spec.extend(value.map(|value| (field.to_owned(), value)));
        }
        spec.extend(self.images.iter().map(|(field, image)| ((*field).to_owned(), json!(image))));
        let id = &compute.node.id;
        let object = Object::new(facts::EXTERNAL_COMPUTE, &id.name).namespace(id.namespace.as_deref());
        object.field("spec", spec).build()
    }
}

/// Copies what follows the node and its role.
pub(super) fn update(existing: &mut Resource, compute: &ComputeNode<'_>) -> Result<(), Fault> {
    for (field, value) in copied(compute) {
        let path = facts::spec_field(field);
        match value {
            Some(value) => existing.set(&path, value)?,
            None => {
                let current = existing.value(&path)?.unwrap_or_default();
                // These mean the same as no value.
                if ![Value::Null, json!([]), json!(true)].contains(&current) {
                    existing.remove(&path)?;
                }
            }
        }
    }
    Ok(())
}

/// The fields that are copied from the node and its role. None if neither has the field.
fn copied(compute: &ComputeNode<'_>) -> [(&'static str, Option<Value>); 4] {
    let attachments = compute.network_attachments();
    [
        (facts::INVENTORY, Some(json!(facts::inventory(&compute.node.id.name)))),
        (facts::SSH_KEY_SECRET, compute.ssh_key().map(Value::from)),
        (facts::NETWORK_ATTACHMENTS, (!attachments.is_empty()).then(|| json!(attachments))),
        (facts::DEPLOY, compute.deploy().map(Value::from)),
    ]
}
