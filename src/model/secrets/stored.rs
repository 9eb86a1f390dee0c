//! Secrets and ExternalSecrets.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::krm::FieldPath;
use crate::model::fields::Fields;
use crate::model::{ItemId, Misread, World};
use crate::platform::kubernetes::SECRET;
use crate::platform::openstack::EXTERNAL_SECRET;
use crate::platform::secrets::paths::{self, SecretField};

/// A Secret, or an ExternalSecret that becomes one.
#[derive(Debug)]
pub struct StoredSecret {
    pub item: ItemId,
    /// The name of the Secret in the cluster.
    pub name: String,
    keys: Vec<String>,
    /// The values of a Secret. Those of an ExternalSecret are not known.
    pub values: Vec<SecretValue>,
    /// Whether all keys are known.
    has_all_keys: bool,
}

#[derive(Debug)]
pub struct SecretValue {
    pub key: String,
    pub field: FieldPath,
    pub bytes: Result<Vec<u8>, Unreadable>,
}

/// Why a value cannot be read. It does not contain the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    NotAString,
    NotBase64,
}

impl StoredSecret {
    /// Whether it has a key, or may get it from a source that is not known.
    pub fn may_have(&self, key: &str) -> bool {
        !self.has_all_keys || self.keys.iter().any(|own| own == key)
    }
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<StoredSecret> {
    let mut stored = Vec::new();
    for (id, item) in world.of_kind(SECRET) {
        stored.push(secret(id, &item.id().name, &mut Fields::new(id, item, misreads)));
    }
    for (id, item) in world.of_kind(EXTERNAL_SECRET) {
        stored.push(external_secret(id, &item.id().name, &mut Fields::new(id, item, misreads)));
    }
    stored
}

fn secret(item: ItemId, name: &str, fields: &mut Fields<'_, '_>) -> StoredSecret {
    let mut values = Vec::new();
    for kind in [SecretField::Data, SecretField::StringData] {
        for field in fields.matching(&kind.values()) {
            let Some(key) = field.last_key().map(str::to_owned) else { continue };
            let bytes = bytes(fields.value(&field), kind);
            values.push(SecretValue { key, field, bytes });
        }
    }
    let keys = values.iter().map(|value| value.key.clone()).collect();
    StoredSecret { item, name: name.to_owned(), keys, values, has_all_keys: true }
}

fn bytes(value: Option<Value>, kind: SecretField) -> Result<Vec<u8>, Unreadable> {
    let text = match value {
        Some(Value::String(text)) => text,
        Some(Value::Null) | None => String::new(),
        Some(_) => return Err(Unreadable::NotAString),
    };
    match kind {
        SecretField::StringData => Ok(text.into_bytes()),
        SecretField::Data => {
            // Kubernetes accepts base64 of several lines.
            let base64: String = text.split_ascii_whitespace().collect();
            STANDARD.decode(base64).map_err(|_| Unreadable::NotBase64)
        }
    }
}

fn external_secret(item: ItemId, name: &str, fields: &mut Fields<'_, '_>) -> StoredSecret {
    let target: Option<String> = fields.get(&paths::target_name());
    let mut keys = Vec::new();
    for path in fields.matching(&paths::secret_keys()) {
        keys.extend(fields.get::<String>(&path));
    }
    let template: Option<Map<String, Value>> = fields.get(&paths::template_data());
    keys.extend(template.unwrap_or_default().keys().cloned());
    let has_all_keys = paths::other_sources().iter().all(|source| fields.value(source).is_none());
    let name = target.unwrap_or_else(|| name.to_owned());
    StoredSecret { item, name, keys, values: Vec::new(), has_all_keys }
}
