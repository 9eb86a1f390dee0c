use crate::checks::rules;
use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::formats::{dns, env};
use crate::krm::{
    BadField, Fault, FieldPath, Function, Generator, Hint, Mistakes, NamedFile, Object, Resource, Results,
    quoted,
};
use crate::platform::openstack;
use crate::platform::secrets::{self, Key, SECRETS, Secret};

/// Makes the secrets of an OpenStack: `osp-secret` with its 27 keys, `libvirt-secret`, `octavia-ca-passphrase`.
///
/// No value is invented here: the same input always gives the same output. With `externalSecrets` the
/// secrets are ExternalSecrets, which the External Secrets Operator fills from a store such as Vault. With
/// `file` they are Secrets with the values of a file of `KEY=VALUE` lines, which should not be in Git.
/// `rhoso-fn new-secrets` draws strong values once: as such a file, or as Secrets to be put into a store.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateSecrets {
    /// The namespace of the control plane.
    namespace: String,
    /// The secrets to make; by default all three.
    secrets: Option<Vec<SecretName>>,
    /// The store from which values are fetched.
    external_secrets: Option<ExternalSecrets>,
    /// The file with the values, relative to the working directory: that of the kustomization in kustomize, the
    /// current one in kpt and `render`. It must be a regular file in that directory or below it, after links are
    /// resolved, and have at most 1 MB. Errors name a line of it by its number and never show its text.
    file: Option<NamedFile>,
}

/// The secrets by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum SecretName {
    OspSecret,
    LibvirtSecret,
    OctaviaCaPassphrase,
}

/// How ExternalSecrets find their values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExternalSecrets {
    /// The name of the store.
    store: String,
    /// The kind of the store.
    #[serde(default)]
    store_kind: StoreKind,
    /// Where in the store the secrets are: the key `AdminPassword` is the property of that name at
    /// `<path>/osp-secret`. By default the namespace.
    path: Option<String>,
    /// How often the operator looks.
    #[serde(default = "one_hour")]
    refresh_interval: String,
    /// The API version; releases of the operator before 0.16 need `v1beta1`.
    #[serde(default)]
    api_version: ApiVersion,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[allow(clippy::enum_variant_names, reason = "the operator's own words")]
enum StoreKind {
    #[default]
    ClusterSecretStore,
    SecretStore,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ApiVersion {
    #[default]
    V1,
    V1Beta1,
}

fn one_hour() -> String {
    "1h".to_owned()
}

impl Function for GenerateSecrets {
    const KIND: &'static str = "GenerateSecrets";
    const NAME: &'static str = "generate-secrets";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        self.checked()?;
        Ok(self)
    }
}

impl GenerateSecrets {
    fn checked(&self) -> Result<(), BadField> {
        if !dns::is_label(&self.namespace) {
            let message = format!("must be the name of a namespace, got {}", quoted(&self.namespace));
            return Err(BadField::new("namespace", message));
        }
        match (&self.external_secrets, &self.file) {
            (None, None) => Err(BadField::new("externalSecrets", "is needed, or a `file` with the values")),
            (Some(_), Some(_)) => {
                Err(BadField::new("file", "cannot stand beside `externalSecrets`: choose one"))
            }
            (Some(external), None) if !dns::is_subdomain(&external.store) => {
                let message = format!("must be the name of a store, got {}", quoted(&external.store));
                Err(BadField::new("externalSecrets.store", message))
            }
            (Some(ExternalSecrets { path: Some(path), .. }), None) if path.trim_matches('/').is_empty() => {
                Err(BadField::new(
                    "externalSecrets.path",
                    "must not be empty; without it, it is the namespace",
                ))
            }
            (None, Some(file)) => match file.objection() {
                Some(message) => Err(BadField::new("file", message)),
                None => Ok(()),
            },
            _ => Ok(()),
        }?;
        if self.secrets.as_ref().is_some_and(Vec::is_empty) {
            return Err(BadField::new("secrets", "must name at least one; without it, all are made"));
        }
        Ok(())
    }
}

impl Generator for GenerateSecrets {
    fn generate(&self, _: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        match (&self.external_secrets, &self.file) {
            (Some(external), _) => self.wanted().map(|secret| self.external(secret, external)).collect(),
            (None, Some(file)) => self.plain(file, results),
            (None, None) => Ok(Vec::new()),
        }
    }
}

impl GenerateSecrets {
    fn wanted(&self) -> impl Iterator<Item = &'static Secret> {
        SECRETS.iter().filter(|secret| {
            self.secrets.as_ref().is_none_or(|names| names.iter().any(|name| json!(name) == secret.name))
        })
    }

    fn external(&self, secret: &Secret, external: &ExternalSecrets) -> Result<Resource, Fault> {
        let path = external.path.as_deref().unwrap_or(&self.namespace).trim_end_matches('/');
        let data: Vec<Value> = secret
            .keys
            .iter()
            .map(|key| {
                let remote = json!({"key": format!("{path}/{}", secret.name), "property": key.name});
                json!({"secretKey": key.name, "remoteRef": remote})
            })
            .collect();
        let kind = openstack::EXTERNAL_SECRET;
        let spec = json!({
            "refreshInterval": external.refresh_interval,
            "secretStoreRef": {"kind": external.store_kind, "name": external.store},
            "target": {"name": secret.name, "creationPolicy": "Owner"},
            "data": data,
        });
        Object::new(kind, secret.name)
            .api_version(format!("{}/{}", kind.group(), text(&external.api_version)))
            .namespace(Some(&self.namespace))
            .field("spec", spec)
            .build()
    }

    fn plain(&self, file: &NamedFile, results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let content = file.read().map_err(|fault| fault.in_config(FieldPath::new("spec.file")))?;
        let pairs = env::parse(&content).map_err(|bad| {
            Fault::new(&rules::FILE, format!("{file}:{}: this line is not `KEY=VALUE`", bad.0))
                .in_config(FieldPath::new("spec.file"))
        })?;
        let known: Vec<&Key> = SECRETS.iter().flat_map(|secret| secret.keys).collect();
        let mut values: HashMap<&str, &str> = HashMap::new();
        for (line, key, value) in pairs {
            let mut refuse = |message: String| {
                results
                    .error(&rules::FILE, format!("{file}:{line}: {message}"))
                    .in_config(FieldPath::new("spec.file"));
            };
            let Some(entry) = known.iter().find(|entry| entry.name == key) else {
                // Without the text: it may be a part of a value that goes on here.
                let hint = Hint::among(key, known.iter().map(|entry| entry.name));
                let hint = hint.or(|| "`rhoso-fn new-secrets --env` prints all keys".to_owned());
                refuse(format!("the key on this line is unknown; {hint}"));
                continue;
            };
            if let Some(objection) = entry.form.objection(value.as_bytes()) {
                refuse(format!("{} {objection}", quoted(key)));
            }
            if secrets::is_known(key, value.as_bytes()) {
                refuse(format!("{} is a default that everybody knows", quoted(key)));
            }
            if values.insert(entry.name, value).is_some() {
                refuse(format!("{} is given twice", quoted(key)));
            }
        }
        let missing: Vec<&str> = self
            .wanted()
            .flat_map(|secret| secret.keys)
            .map(|key| key.name)
            .filter(|key| !values.contains_key(key))
            .collect();
        if !missing.is_empty() {
            let message = format!("the file {} has no {}", quoted(file), missing.join(", "));
            results.error(&rules::MISSING_KEY, message).in_config(FieldPath::new("spec.file"));
        }
        self.wanted()
            .map(|secret| {
                let data: Map<String, Value> = secret
                    .keys
                    .iter()
                    .filter_map(|key| {
                        Some((key.name.to_owned(), json!(STANDARD.encode(values.get(key.name)?))))
                    })
                    .collect();
                secret.object(Some(&self.namespace)).field("data", data).build()
            })
            .collect()
    }
}

fn text(value: &impl Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_owned()
}
