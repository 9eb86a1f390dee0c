//! GenerateSecrets: the spec, and its check. `external` generates ExternalSecrets, and `file` Secrets.

mod external;
mod file;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formats::dns;
use crate::krm::{Fault, FieldPath, Function, Generator, Mistakes, NamedFile, Resource, Results, quoted};
use crate::platform::secrets::{LIBVIRT_SECRET, OCTAVIA_CA_PASSPHRASE, OSP_SECRET, SECRETS, Secret};

/// Generates OpenStack secrets: `osp-secret` with its 27 keys, `libvirt-secret` and `octavia-ca-passphrase`.
///
/// With `externalSecrets`, the secrets are ExternalSecrets. The External Secrets Operator reads their values from a
/// store such as Vault. With `file`, they are Secrets with values from a file of `KEY=VALUE` lines. Keep this file out
/// of Git. Exactly one of the two is required.
///
/// The function creates no random values, so the same input always gives the same output. To create strong values,
/// run `rhoso-fn new-secrets` once. It writes such a file, or Secrets that you can copy to a store.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateSecrets {
    /// The namespace of the control plane.
    namespace: String,
    /// The secrets to generate. Defaults to all three.
    secrets: Option<Vec<SecretName>>,
    /// The store that has the values.
    external_secrets: Option<ExternalSecrets>,
    /// The file that has the values, relative to the working directory: the directory of the kustomization in
    /// kustomize, the current directory in kpt and `render`. It must be a regular file in that directory or below it,
    /// after links are resolved, of at most 1 MB. Error messages name lines by number and never show their text.
    file: Option<NamedFile>,
}

/// The name of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum SecretName {
    OspSecret,
    LibvirtSecret,
    OctaviaCaPassphrase,
}

impl SecretName {
    fn as_str(self) -> &'static str {
        match self {
            SecretName::OspSecret => OSP_SECRET,
            SecretName::LibvirtSecret => LIBVIRT_SECRET,
            SecretName::OctaviaCaPassphrase => OCTAVIA_CA_PASSPHRASE,
        }
    }
}

/// Where ExternalSecrets get their values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExternalSecrets {
    /// The name of the store.
    store: String,
    /// The kind of the store.
    #[serde(default)]
    store_kind: StoreKind,
    /// The path of the secrets in the store. The value of the key `AdminPassword` is the property of that name at
    /// `<path>/osp-secret`. Defaults to the namespace.
    path: Option<String>,
    /// How often the operator reads the store.
    #[serde(default = "one_hour")]
    refresh_interval: String,
    /// The API version. Releases of the operator before 0.16 require `v1beta1`.
    #[serde(default)]
    api_version: ApiVersion,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[allow(clippy::enum_variant_names, reason = "these are kinds of the operator's API")]
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

/// A GenerateSecrets without mistakes.
#[derive(Debug)]
pub struct Secrets {
    namespace: String,
    secrets: Vec<&'static Secret>,
    source: Source,
}

/// Where the values come from.
#[derive(Debug)]
enum Source {
    ExternalSecrets(ExternalSecrets),
    File(NamedFile),
}

impl Function for GenerateSecrets {
    const KIND: &'static str = "GenerateSecrets";
    const NAME: &'static str = "generate-secrets";

    type Ready = Secrets;

    fn check(self) -> Result<Secrets, Mistakes> {
        let mut mistakes = Mistakes::default();
        if !dns::is_label(&self.namespace) {
            let message = format!("must be the name of a namespace, got {}", quoted(&self.namespace));
            mistakes.add(FieldPath::new("spec.namespace"), message);
        }
        let names: Option<Vec<&str>> =
            self.secrets.map(|names| names.into_iter().map(SecretName::as_str).collect());
        if names.as_ref().is_some_and(Vec::is_empty) {
            let message = "must name at least one secret; remove this field to generate all of them";
            mistakes.add(FieldPath::new("spec.secrets"), message);
        }
        let Some(source) = source(self.external_secrets, self.file, &mut mistakes) else {
            return Err(mistakes);
        };
        let is_wanted = |secret: &&Secret| names.as_ref().is_none_or(|names| names.contains(&secret.name));
        mistakes.unless_any(|| Secrets {
            namespace: self.namespace,
            secrets: SECRETS.iter().filter(is_wanted).collect(),
            source,
        })
    }
}

fn source(
    external: Option<ExternalSecrets>,
    file: Option<NamedFile>,
    mistakes: &mut Mistakes,
) -> Option<Source> {
    if let Some(external) = &external {
        external.check(mistakes);
    }
    let file_path = FieldPath::new("spec.file");
    match (external, file) {
        (Some(external), None) => Some(Source::ExternalSecrets(external)),
        (None, Some(file)) => {
            if let Some(objection) = file.objection() {
                mistakes.add(file_path, objection);
            }
            Some(Source::File(file))
        }
        (None, None) => {
            mistakes.add(FieldPath::new("spec.externalSecrets"), "is required; or set `file`");
            None
        }
        (Some(_), Some(_)) => {
            mistakes.add(file_path, "cannot be set together with `externalSecrets`; remove one of them");
            None
        }
    }
}

impl ExternalSecrets {
    fn check(&self, mistakes: &mut Mistakes) {
        let path = FieldPath::new("spec.externalSecrets");
        if !dns::is_subdomain(&self.store) {
            let message = format!("must be the name of a store, got {}", quoted(&self.store));
            mistakes.add(path.clone().key("store"), message);
        }
        if self.path.as_ref().is_some_and(|path| path.trim_matches('/').is_empty()) {
            mistakes.add(path.key("path"), "must not be empty; remove this field to use the namespace");
        }
    }
}

impl Generator for Secrets {
    fn generate(&self, _: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        match &self.source {
            Source::ExternalSecrets(external) => {
                self.secrets.iter().map(|secret| self.external_secret(secret, external)).collect()
            }
            Source::File(file) => self.file_secrets(file, results),
        }
    }
}
