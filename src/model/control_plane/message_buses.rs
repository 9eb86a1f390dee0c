//! The RabbitMQ clusters that the parts of a control plane name.

use crate::krm::{FieldPath, FieldPattern, Resource};
use crate::model::{ItemId, Site, Sited};
use crate::platform::message_buses::{self, DEPRECATED, DeprecatedField};

/// A deprecated field that names a RabbitMQ cluster.
#[derive(Debug)]
pub struct FormerField {
    pub field: &'static DeprecatedField,
    pub cluster: Sited<String>,
    /// The field that replaces it, if that has a value too.
    pub successor: Option<Sited<String>>,
}

/// The deprecated fields of a control plane.
pub fn former_fields(item: ItemId, plane: &Resource) -> Vec<FormerField> {
    let mut found = Vec::new();
    for field in DEPRECATED {
        for owner in owners(plane, field) {
            let Some(cluster) = name(item, plane, owner.clone().key(field.name)) else { continue };
            let successor = name(item, plane, message_buses::cluster(field.bus(owner)));
            found.push(FormerField { field, cluster, successor });
        }
    }
    found
}

/// Whether a control plane uses the fields that replace the deprecated ones.
pub fn knows_buses(plane: &Resource) -> bool {
    let has = |path: FieldPath| plane.has(&path).unwrap_or(false);
    let is_in_part =
        |field: &DeprecatedField| owners(plane, field).into_iter().any(|owner| has(field.bus(owner)));
    message_buses::top_level().into_iter().any(has) || DEPRECATED.iter().any(is_in_part)
}

/// The users of the buses for the whole control plane.
pub fn top_level_users(item: ItemId, plane: &Resource) -> impl Iterator<Item = Sited<String>> {
    let users = message_buses::top_level().into_iter().map(message_buses::user);
    users.filter_map(move |path| name(item, plane, path))
}

fn owners(plane: &Resource, field: &DeprecatedField) -> Vec<FieldPath> {
    let pattern: FieldPattern = field.owners();
    plane.fields(&pattern).unwrap_or_default()
}

/// A name. An empty one counts as missing.
fn name(item: ItemId, plane: &Resource, path: FieldPath) -> Option<Sited<String>> {
    let value: String = plane.get(&path).ok()??;
    (!value.is_empty()).then(|| Sited { value, site: Site::new(item, path) })
}
