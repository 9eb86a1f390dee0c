//! Secrets that may be connections of OpenShift AI.

use crate::krm::{FieldPath, Resource};
use crate::model::{ItemId, Site, Sited, World};
use crate::platform::kubernetes::{SECRET, annotation};
use crate::platform::openstack::EXTERNAL_SECRET;
use crate::platform::secrets::paths;
use crate::platform::serving::{CONNECTION_PROTOCOL, CONNECTION_TYPE, CONNECTION_TYPE_REF};

/// A Secret, or an object that becomes one.
#[derive(Debug)]
pub struct Connection {
    pub item: ItemId,
    /// The name of the Secret in the cluster.
    pub name: String,
    pub namespace: Option<String>,
    /// `oci`, `s3` or `uri`, if an annotation says so.
    pub protocol: Option<Sited<String>>,
    /// The type of the Secret, `Opaque` by default. None for other kinds, such as ExternalSecrets.
    pub secret_type: Option<String>,
}

/// All Secrets, and objects of other kinds that become Secrets, such as SealedSecrets.
pub fn connections(world: &World<'_>) -> Vec<Connection> {
    let secrets = world.items().filter(|(_, item)| item.id().kind.ends_with(SECRET.kind));
    secrets.map(|(id, item)| connection(id, item)).collect()
}

fn connection(id: ItemId, item: &Resource) -> Connection {
    let text = |path: &FieldPath| item.get::<String>(path).ok().flatten().filter(|text| !text.is_empty());
    let target = item.is(EXTERNAL_SECRET).then(|| text(&paths::target_name())).flatten();
    let protocol = |key| {
        let path = annotation(key);
        let value = text(&path)?;
        let value = value.strip_suffix("-v1").unwrap_or(&value).to_owned();
        Some(Sited { value, site: Site::new(id, path) })
    };
    let secret_type = || text(&FieldPath::new("type")).unwrap_or_else(|| "Opaque".to_owned());
    Connection {
        item: id,
        name: target.unwrap_or_else(|| item.id().name.clone()),
        namespace: item.id().namespace.clone(),
        protocol: [CONNECTION_PROTOCOL, CONNECTION_TYPE_REF, CONNECTION_TYPE].into_iter().find_map(protocol),
        secret_type: item.is(SECRET).then(secret_type),
    }
}
