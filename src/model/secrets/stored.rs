//! Secrets and ExternalSecrets.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::krm::FieldPath;
use crate::model::item_reader::ItemReader;
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
    /// The field that has keys, or could have them.
    pub keys_field: FieldPath,
    /// The values of a Secret that are known. Those of an ExternalSecret, and encrypted ones, are not.
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
    /// Whether it has no keys at all.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.has_all_keys
    }

    /// Whether it has a key, or may get it from a source that is not known.
    pub fn may_have(&self, key: &str) -> bool {
        !self.has_all_keys || self.keys.iter().any(|own| own == key)
    }
}

pub(super) fn read(world: &World<'_>, misreads: &mut Vec<Misread>) -> Vec<StoredSecret> {
    let mut stored = Vec::new();
    for (id, item) in world.of_kind(SECRET) {
        stored.push(secret(id, &item.id().name, &mut ItemReader::new(id, item, misreads)));
    }
    for (id, item) in world.of_kind(EXTERNAL_SECRET) {
        stored.push(external_secret(id, &item.id().name, &mut ItemReader::new(id, item, misreads)));
    }
    stored
}

fn secret(item: ItemId, name: &str, fields: &mut ItemReader<'_, '_>) -> StoredSecret {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    let mut keys_field = SecretField::StringData.path();
    let is_encrypted = fields.value(&paths::encryption()).is_some();
    for kind in [SecretField::Data, SecretField::StringData] {
        for field in fields.fields(&kind.values()) {
            let Some(key) = field.last_key().map(str::to_owned) else { continue };
            keys.push(key.clone());
            keys_field = kind.path();
            let value = fields.value(&field);
            if !is_encrypted && !value.as_ref().is_some_and(is_reference) {
                values.push(SecretValue { key, field, bytes: bytes(value, kind) });
            }
        }
    }
    StoredSecret { item, name: name.to_owned(), keys, keys_field, values, has_all_keys: true }
}

/// Whether another tool replaces a value before it reaches the cluster, such as `<path:kv/osp#admin>` of the Argo CD
/// Vault Plugin, or `${PASSWORD}`.
fn is_reference(value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    (text.starts_with('<') && text.ends_with('>')) || text.contains("${") || text.contains("{{")
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

fn external_secret(item: ItemId, name: &str, fields: &mut ItemReader<'_, '_>) -> StoredSecret {
    let target: Option<String> = fields.get(&paths::target_name());
    let mut keys = Vec::new();
    for path in fields.fields(&paths::secret_keys()) {
        keys.extend(fields.get::<String>(&path));
    }
    let template: Option<Map<String, Value>> = fields.get(&paths::template_data());
    keys.extend(template.unwrap_or_default().keys().cloned());
    let has_all_keys = paths::other_sources().iter().all(|source| fields.value(source).is_none());
    let name = target.unwrap_or_else(|| name.to_owned());
    let keys_field = paths::external_data();
    StoredSecret { item, name, keys, keys_field, values: Vec::new(), has_all_keys }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::krm::Object;

    #[test]
    fn values_of_secrets_are_decoded() {
        let secret = Object::new(SECRET, "osp-secret")
            .field("data", json!({"A": "eA==", "B": "plain text", "C": 1}))
            .field("stringData", json!({"D": "plain text", "E": null}));
        let items = [secret.build().unwrap()];
        let stored = read(&World::new(&items), &mut Vec::new());
        let values: Vec<(&str, Result<&[u8], Unreadable>)> =
            stored[0].values.iter().map(|v| (v.key.as_str(), v.bytes.as_deref().map_err(|e| *e))).collect();
        let expected: [(&str, Result<&[u8], Unreadable>); 5] = [
            ("A", Ok(b"x")),
            ("B", Err(Unreadable::NotBase64)),
            ("C", Err(Unreadable::NotAString)),
            ("D", Ok(b"plain text")),
            ("E", Ok(b"")),
        ];
        assert_eq!(values, expected);
        assert!(stored[0].may_have("B") && !stored[0].may_have("F"));
    }

    #[test]
    fn values_that_another_tool_replaces_are_not_known() {
        let data = json!({"A": "<path:kv/osp#A | base64encode>", "B": "${B}"});
        let encrypted = json!({"A": "ENC[AES256_GCM,data:x]"});
        let items = [
            Object::new(SECRET, "a").field("data", data).build().unwrap(),
            Object::new(SECRET, "b")
                .field("data", encrypted)
                .field("sops", json!({"mac": "x"}))
                .build()
                .unwrap(),
        ];
        let stored = read(&World::new(&items), &mut Vec::new());
        assert!(stored.iter().all(|secret| secret.values.is_empty() && secret.may_have("A")));
        assert!(!stored[1].may_have("B"));
    }

    #[test]
    fn external_secrets_have_the_keys_of_their_target() {
        let external = |spec| Object::new(EXTERNAL_SECRET, "x").field("spec", spec).build().unwrap();
        let data = json!([{"secretKey": "A"}]);
        let target = json!({"name": "osp-secret", "template": {"data": {"B": "{{ .A }}"}}});
        let items = [
            external(json!({"data": data, "target": target})),
            external(json!({"dataFrom": [{"extract": {"key": "osp"}}]})),
        ];
        let stored = read(&World::new(&items), &mut Vec::new());
        assert_eq!((stored[0].name.as_str(), stored[1].name.as_str()), ("osp-secret", "x"));
        assert!(stored[0].may_have("A") && stored[0].may_have("B") && !stored[0].may_have("C"));
        assert!(stored[1].may_have("C"), "the store may have any key");
    }
}
