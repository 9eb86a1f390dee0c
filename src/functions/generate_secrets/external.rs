//! ExternalSecrets, whose values are in a store.

use serde_json::{Value, json};

use super::{ApiVersion, ExternalSecrets, Secrets};
use crate::krm::{Fault, Object, Resource};
use crate::platform::openstack::EXTERNAL_SECRET;
use crate::platform::secrets::Secret;

impl Secrets {
    pub(super) fn external_secret(
        &self,
        secret: &Secret,
        external: &ExternalSecrets,
    ) -> Result<Resource, Fault> {
        let path = external.path.as_deref().unwrap_or(&self.namespace).trim_end_matches('/');
        let data: Vec<Value> = secret
            .keys
            .iter()
            .map(|key| {
                let remote = json!({"key": format!("{path}/{}", secret.name), "property": key.name});
                json!({"secretKey": key.name, "remoteRef": remote})
            })
            .collect();
        let version = match external.api_version {
            ApiVersion::V1 => "v1",
            ApiVersion::V1Beta1 => "v1beta1",
        };
        let spec = json!({
            "refreshInterval": external.refresh_interval,
            "secretStoreRef": {"kind": external.store_kind, "name": external.store},
            "target": {"name": secret.name, "creationPolicy": "Owner"},
            "data": data,
        });
        Object::new(EXTERNAL_SECRET, secret.name)
            .api_version(format!("{}/{version}", EXTERNAL_SECRET.group()))
            .namespace(Some(&self.namespace))
            .field("spec", spec)
            .build()
    }
}
